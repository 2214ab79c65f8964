"""Analytic intervals: influence by its definition, DeLong by all pairs, weights, clusters, and undefined cases."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from uncertainty.simulated import KNOWN, cases, scores

from stakes import At, Cases, Measure, ScoreTable, auc, compare, h_measure, interval, log_loss, net_benefit
from stakes.measures import cell_weights, partial_auc, recognise
from stakes.uncertainty import Study, _analytic


def weighted(size=60):
    y, good, other = scores(size, decimals=2)
    weight = np.random.default_rng(3).choice([0.5, 1.0, 2.5], size)
    return Cases(y, {"good": good, "other": other}, weight=weight)


@pytest.mark.parametrize("name", [name for name in KNOWN if name != "auc"])
def test_the_pointwise_values_make_the_measure(name):
    table = weighted().table("good")
    known = recognise(KNOWN[name]).form
    means = np.array(known.cell_values(table)) @ cell_weights(table) / table.total
    assert_allclose(known.combine(means), KNOWN[name](table), rtol=1e-12)


@pytest.mark.parametrize("name", KNOWN)
def test_influence_is_what_a_little_more_weight_of_a_case_does(name):
    table = weighted().table("good")
    found = recognise(KNOWN[name]).form.influence(table, 60)
    step, before = 1e-6, KNOWN[name](table)
    for cell in range(0, 2 * len(table), 5):
        weight = np.concatenate([table.positive, table.negative])
        if weight[cell] == 0:
            continue
        weight[cell] += step
        after = KNOWN[name](ScoreTable(table.score, *np.split(weight, 2)))
        assert_allclose(found[cell], (after - before) / step * table.total, rtol=1e-4, atol=1e-5)


def delong(y, one, two):
    """Variance of each AUC and of their difference, by comparing every positive with every negative."""
    won = [(s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y]) for s in (one, two)]
    ones, zeros = np.stack([w.mean(axis=1) for w in won]), np.stack([w.mean(axis=0) for w in won])
    covariance = np.cov(ones) / y.sum() + np.cov(zeros) / (~y).sum()
    return covariance[0, 0], covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]


@pytest.mark.parametrize("decimals", [1, 17])
def test_the_error_of_auc_is_that_of_delong(decimals):
    y, good, other = scores(150, decimals=decimals)
    sample = Cases(y, {"good": good, "other": other})
    moves = [Study(sample, auc).influence(name) for name in sample.models]
    single, difference = delong(y, good, other)
    assert_allclose(_analytic.influence_spread(moves[0], sample.positive).error ** 2, single, rtol=1e-10)
    assert_allclose(_analytic.influence_spread(moves[0] - moves[1], sample.positive).error ** 2, difference, rtol=1e-10)


def test_the_interval_of_auc_is_symmetric_in_log_odds():
    found = interval(cases(), auc)["good"]
    low, middle, high = (math.log(x / (1 - x)) for x in (found.lower, found.estimate, found.upper))
    assert_allclose(high - middle, middle - low)


def own_mean(name):
    """Return a measure of one's own, of which nobody knows how much a case may add."""
    values = {
        "symmetric": lambda score: (np.where(score > 0.5, 1.0, -1.0), np.where(score > 0.5, -1.0, 1.0)),
        "squared": lambda score: ((1 - score) ** 2, score**2),
    }[name]
    return Measure.mean(name, values, better="smaller")


def test_a_symmetric_mean_without_bounds_has_students_interval():
    y, size = np.tile([True, False], 20), 40
    sample = Cases(y, {"a": np.tile([0.9, 0.1, 0.1, 0.9], 10)})  # half are right: the errors have no skewness
    found = interval(sample, own_mean("symmetric"))["a"]
    right = np.tile([1.0, 1.0, -1.0, -1.0], 10)
    reach = stats.t.ppf(0.975, size - 1) * right.std(ddof=1) / math.sqrt(size)
    assert_allclose([found.lower, found.upper], [-reach, reach])


def test_the_ends_of_a_skewed_mean_without_bounds_are_those_of_its_formula():
    sample = cases(300)
    found = interval(sample, own_mean("squared"), level=0.9)["good"]
    score = sample.table("good").score[sample.rows("good")]
    loss = (sample.positive - score) ** 2
    error = loss.std(ddof=1) / math.sqrt(300)
    a = stats.skew(loss) / (6 * math.sqrt(300))
    w = a + stats.t.ppf([0.05, 0.95], 299)
    assert a > 0.01
    assert_allclose([found.lower, found.upper], loss.mean() + error * w / (1 - a * w) ** 2)


def test_a_paired_difference_without_bounds_has_the_degrees_of_freedom_of_its_kurtosis():
    sample = cases(300)
    found = compare(sample, "good", "other", own_mean("squared"))
    losses = [(sample.positive - sample.table(name).score[sample.rows(name)]) ** 2 for name in sample.models]
    gap = losses[0] - losses[1]
    freedom = 2 * 300 / (stats.kurtosis(gap, fisher=False) - 1)
    reach = stats.t.ppf(0.975, freedom) * gap.std(ddof=1) / math.sqrt(300)
    assert freedom < 250
    assert_allclose([found.lower, found.upper], [gap.mean() - reach, gap.mean() + reach])
    assert_allclose(found.probability_better, stats.t.cdf(-gap.mean() / (gap.std(ddof=1) / math.sqrt(300)), freedom))


@pytest.mark.parametrize("name", KNOWN)
def test_an_interval_does_not_depend_on_the_unit_of_weight(name):
    y, good, _ = scores(200)
    plain, heavy = (interval(Cases(y, {"a": good}, weight=w), KNOWN[name])["a"] for w in (None, np.full(200, 3.7)))
    assert_allclose([plain.lower, plain.upper], [heavy.lower, heavy.upper], rtol=1e-10)


@pytest.mark.parametrize("name", KNOWN)
def test_a_cluster_of_copies_is_one_case(name):
    y, good, _ = scores(100)
    numbers = np.arange(100)
    once = interval(Cases(y, {"a": good}, cluster=numbers), KNOWN[name])["a"]
    twice = interval(Cases(np.tile(y, 2), {"a": np.tile(good, 2)}, cluster=np.tile(numbers, 2)), KNOWN[name])["a"]
    assert_allclose([once.lower, once.upper], [twice.lower, twice.upper], rtol=1e-10)


def test_a_case_of_weight_two_is_one_observation_and_two_cases_are_two():
    y, good, _ = scores(100)
    heavy = interval(Cases(y, {"a": good}, weight=np.full(100, 2.0)), KNOWN["brier_score"])["a"]
    listed = interval(Cases(np.tile(y, 2), {"a": np.tile(good, 2)}), KNOWN["brier_score"])["a"]
    ratio = (heavy.upper - heavy.lower) / (listed.upper - listed.lower)
    assert_allclose(ratio, math.sqrt(2), rtol=0.05)


@pytest.mark.parametrize("name", KNOWN)
def test_a_higher_level_is_a_wider_interval(name):
    narrow, wide = (interval(cases(), KNOWN[name], level=level)["good"] for level in (0.5, 0.99))
    assert wide.lower < narrow.lower < narrow.estimate < narrow.upper < wide.upper


def test_separated_classes_have_the_bound_of_their_disjoint_pairs():
    score = np.arange(80)
    sample = Cases(score >= 50, {"up": score, "down": -score})
    found = interval(sample, auc)
    assert_allclose([found["up"].lower, found["up"].upper], [0.025 ** (1 / 30), 1.0])
    assert_allclose([found["down"].lower, found["down"].upper], [0.0, 1 - 0.025 ** (1 / 30)])


def test_separated_clusters_have_the_bound_of_pairs_of_different_clusters():
    sample = Cases([0, 1, 0, 1, 0, 1], {"a": [1, 9, 2, 8, 3, 7]}, cluster=[0, 0, 1, 1, 2, 2])
    assert_allclose(interval(sample, auc)["a"].lower, 0.025)  # three clusters: one pair of different ones


def test_what_is_undefined_is_nan():
    sample = Cases([0, 1, 1], {"a": [0.0, 0.0, 0.5]})
    for measure in (log_loss, auc):  # an infinite loss; a single negative
        found = interval(sample, measure)["a"]
        assert math.isnan(found.lower)
        assert math.isnan(found.upper)
    assert math.isnan(compare(Cases([0, 1], {"a": [0.0, 0.0], "b": [0.5, 0.5]}), "a", "b", log_loss).lower)


def test_on_one_class_skill_has_no_interval():
    with pytest.warns(RuntimeWarning, match="`skill_score` is undefined without negatives"):
        found = interval(Cases([1, 1, 1], {"a": [0.2, 0.4, 0.7]}), KNOWN["skill_score"])["a"]
    assert math.isnan(found.estimate)
    assert math.isnan(found.lower)


def test_a_partial_with_the_table_itself_is_not_taken_for_ours():
    assert recognise(partial(auc, cases().table("good"))).form is None


def test_where_there_is_no_formula_a_biased_measure_gets_the_interval_that_takes_bias_off():
    assert recognise(partial(h_measure, costs=At(0.2))).resampled == recognise(h_measure).resampled == "basic"
    assert recognise(partial(partial_auc, fpr_range=(0, 0.2))).resampled == "bca"


def test_net_benefit_at_one_cost_counts_the_uncertain_prevalence():
    y, good, _ = scores(500)
    sample = Cases(y, {"all": np.ones(500), "good": good})
    found = interval(sample, partial(net_benefit, costs=At(0.2)))["all"]
    share = interval(sample, partial(KNOWN["accuracy"], threshold=0.5))[
        "all"
    ]  # acting on all: accuracy is the prevalence
    assert_allclose(found.upper - found.lower, (share.upper - share.lower) * 1.25, rtol=0.02)
