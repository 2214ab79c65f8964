"""Analytic intervals at another prevalence: pointwise values, the sample's own prevalence, and the bootstrap."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from scipy.stats import norm
from uncertainty.simulated import cases, scores

from stakes import (
    At,
    Beta,
    Cases,
    LogOddsUniform,
    ScoreTable,
    Uniform,
    compare,
    expected_regret,
    interval,
    rank,
    score_table,
)
from stakes.beliefs import Atoms, Mixture
from stakes.measures import recognise
from stakes.prevalence import (
    dca_log_score,
    prior_adjusted_net_benefit,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)
from stakes.uncertainty import Study, TableStudy, _analytic

FAMILY = (shifted_regret, shifted_net_benefit, shifted_weighted_accuracy, prior_adjusted_net_benefit)
PAIRS = {
    "points": (At(0.2), At(0.35)),
    "costs": (Uniform(0.05, 0.35), At(0.15)),
    "prevalences": (At(0.2), LogOddsUniform(0.1, 0.4)),
    "both": (LogOddsUniform(0.05, 0.3), Uniform(0.1, 0.4)),
    "some points": (Atoms([0.1, 0.3], [2, 1]), At(0.4)),
    "a mixture": (Mixture([At(0.25), Uniform(0.1, 0.3)], [1, 3]), Uniform(0.2, 0.6)),
    "dear costs": (Beta(2, 7), At(0.15)),
    "dear prevalences": (Uniform(0.1, 0.3), Beta(3, 9)),
    "both dear": (Beta(2, 7), Beta(3, 9)),
}
SMOOTH = [name for name in PAIRS if name not in ("points", "some points", "a mixture")]


def measure(function, pair):
    costs, prevalence = PAIRS[pair]
    return partial(function, costs=costs, prevalence=prevalence)


def sample_of(size, **options):
    """Cases whose scores are too high, so that a wrong prevalence matters."""
    y, good, other = scores(size, **options)
    return Cases(y, {"good": expit(logit(good) + 0.8), "other": other})


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, 1500])  # by way of a table of the function where there are many
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("function", FAMILY)
def test_the_means_of_the_classes_make_the_number(function, pair, size):
    table = sample_of(size).table("good")
    positive, negative = recognise(measure(function, pair)).form.values(table)
    total = table.positive @ positive / table.positive_total + table.negative @ negative / table.negative_total
    assert_allclose(total, measure(function, pair)(table), rtol=1e-9)


def test_accuracy_and_the_log_score_are_members_of_the_family():
    table = sample_of(300).table("good")
    for one in (
        partial(shifted_accuracy, prevalence=Uniform(0.1, 0.3)),
        partial(dca_log_score, cost=0.1, prevalence_range=(0.05, 0.2)),
    ):
        positive, negative = recognise(one).form.values(table)
        total = table.positive @ positive / table.positive_total + table.negative @ negative / table.negative_total
        assert_allclose(total, one(table), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("pair", SMOOTH)
@pytest.mark.parametrize("function", FAMILY)
def test_influence_is_what_a_little_more_weight_of_a_case_does(function, pair):
    """Also to the prevalence that all scores are corrected from: with very many units the slope is a derivative."""
    y, good, _ = scores(60, decimals=2)
    table = score_table(y, good, np.random.default_rng(3).choice([0.5, 1.0, 2.5], 60))
    one = measure(function, pair)
    found = recognise(one).form.influence(table, 10**9)
    step, before = 1e-5, one(table)
    for cell in range(0, 2 * len(table), 7):
        weight = np.concatenate([table.positive, table.negative])
        if weight[cell] == 0:
            continue
        weight[cell] += step
        after = one(ScoreTable(table.score, *np.split(weight, 2)))
        assert_allclose(found[cell], (after - before) / step * table.total, rtol=2e-3, atol=1e-4)


def test_at_one_cost_and_one_prevalence_the_slope_is_that_of_the_densities():
    """Scores whose log-odds are normal in each class: the threshold moves against two densities."""
    rng = np.random.default_rng(4)
    y = rng.random(400_000) < 0.3
    log_odds = rng.normal(np.where(y, 0.4, -1.0), 0.9)
    table = score_table(y, expit(log_odds))
    cost, prevalence = 0.2, 0.1
    found = recognise(partial(shifted_regret, costs=At(cost), prevalence=At(prevalence))).form.slope(table, 400_000)
    threshold = logit(cost) - logit(prevalence) + logit(table.prevalence)
    missed, paid = norm.pdf(threshold, 0.4, 0.9), norm.pdf(threshold, -1.0, 0.9)
    assert_allclose(found, (1 - cost) * prevalence * missed - cost * (1 - prevalence) * paid, rtol=0.1)


def about_own_class(moved, positive):
    """Take off what a case does to the prevalence of the sample: the mean of its class."""
    return moved - np.where(positive, moved[positive].mean(), moved[~positive].mean())


@pytest.mark.slow
@pytest.mark.parametrize(("pair", "least"), [("points", 1.05), ("costs", 1.2), ("both", 1.15)])
def test_the_error_is_that_of_many_samples(pair, least):
    """Scores almost three times as high in odds as they should be, so that the sample's prevalence counts."""
    one, rng = measure(shifted_regret, pair), np.random.default_rng(6)
    found = []
    for _ in range(400):
        z = rng.normal(size=800)
        sample = Cases(rng.random(800) < expit(1.3 * z - 2), {"a": expit(1.3 * z - 1)})
        moved, positive = Study(sample, one).influence("a"), sample.positive
        parts = (moved, about_own_class(moved, positive))
        found.append([one(sample.table("a")), *(_analytic.influence_spread(part, positive).error for part in parts)])
    estimates, errors, without = np.array(found).T
    assert_allclose(math.sqrt(np.mean(errors**2)), np.std(estimates), rtol=0.1)
    assert np.std(estimates) > least * math.sqrt(np.mean(without**2))


@pytest.mark.slow
# At one cost and one prevalence the number is a step function of the sample's prevalence, and its replicates are rough.
@pytest.mark.parametrize(("pair", "off"), [("points", 0.2), ("costs", 0.1), ("prevalences", 0.1)])
@pytest.mark.parametrize("function", FAMILY)
def test_analytic_and_resampled_intervals_agree(function, pair, off):
    sample, one = sample_of(4000), measure(function, pair)
    formula, drawn = (interval(sample, one, method=method, rng=11)["good"] for method in ("auto", "percentile"))
    assert formula.method == "analytic"
    width = formula.upper - formula.lower
    assert_allclose([drawn.lower, drawn.upper], [formula.lower, formula.upper], atol=off * width)
    assert_allclose(drawn.upper - drawn.lower, width, rtol=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(("pair", "off"), [("points", 0.2), ("costs", 0.1)])
def test_analytic_and_resampled_comparisons_agree(pair, off):
    sample, one = sample_of(4000), measure(shifted_regret, pair)
    formula, drawn = (compare(sample, "good", "other", one, method=way, rng=11) for way in ("auto", "percentile"))
    width = formula.upper - formula.lower
    assert_allclose([drawn.lower, drawn.upper], [formula.lower, formula.upper], atol=off * width)
    assert_allclose(drawn.upper - drawn.lower, width, rtol=0.1)


def test_at_the_prevalence_of_the_sample_a_calibrated_model_has_nearly_the_interval_of_its_regret_by_class():
    sample = cases(3000)
    share = sample.table("good").prevalence
    there = interval(sample, partial(shifted_regret, costs=Uniform(0.1, 0.4), prevalence=At(share)))["good"]
    here = interval(sample, partial(expected_regret, costs=Uniform(0.1, 0.4)))["good"]
    assert_allclose(there.estimate, here.estimate)
    # How many positives there are is uncertain here and given there.
    assert 0.5 < (there.upper - there.lower) / (here.upper - here.lower) < 1


def test_ranking_uses_the_formula():
    found = rank(sample_of(500), measure(shifted_regret, "both"), rng=1)
    assert found.method == "quadrature"
    assert found.probability_best["other"] > 0.85


@pytest.mark.parametrize("pair", ["points", "costs", "both"])
def test_an_interval_does_not_depend_on_the_unit_of_weight(pair):
    y, good, _ = scores(200)
    one = measure(shifted_regret, pair)
    plain, heavy = (interval(Cases(y, {"a": good}, weight=w), one)["a"] for w in (None, np.full(200, 3.7)))
    assert_allclose([plain.lower, plain.upper], [heavy.lower, heavy.upper], rtol=1e-9)


@pytest.mark.parametrize("pair", ["points", "costs", "both"])
def test_a_cluster_of_copies_is_one_case(pair):
    y, good, _ = scores(100)
    numbers, one = np.arange(100), measure(shifted_regret, pair)
    once = interval(Cases(y, {"a": good}, cluster=numbers), one)["a"]
    twice = interval(Cases(np.tile(y, 2), {"a": np.tile(good, 2)}, cluster=np.tile(numbers, 2)), one)["a"]
    assert_allclose([once.lower, once.upper], [twice.lower, twice.upper], rtol=1e-9)


@pytest.mark.parametrize("pair", ["points", "costs"])
def test_of_a_table_alone_it_is_the_interval_of_its_cases(pair):
    sample, one = sample_of(300), measure(shifted_regret, pair)
    alone, cased = (
        TableStudy({"good": sample.table("good")}, one).intervals(level=0.9)["good"],
        interval(sample, one, level=0.9)["good"],
    )
    assert_allclose([alone.lower, alone.upper], [cased.lower, cased.upper], rtol=1e-10)
    assert alone.method == "analytic"


def test_a_value_that_is_infinite_has_no_interval():
    sample = Cases([0, 1, 0, 1], {"a": [1.0, 0.3, 0.2, 0.9]})
    found = interval(sample, partial(shifted_net_benefit, costs=Uniform(), prevalence=At(0.3)))["a"]
    assert found.estimate == -math.inf
    assert math.isnan(found.lower)


def test_replicates_of_one_class_are_left_out_and_counted():
    sample = Cases([1, 0, 0, 0, 0, 0], {"a": [0.9, 0.1, 0.2, 0.3, 0.95, 0.5]})
    one = measure(shifted_regret, "points")
    with pytest.warns(RuntimeWarning, match=r"`measure` is undefined on \d+ of 200 replicates, which are left out\."):
        found = interval(sample, one, method="percentile", n_resamples=200, rng=1)["a"]
    assert 0 <= found.lower <= found.upper
