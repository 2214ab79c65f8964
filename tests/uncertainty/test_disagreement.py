"""Differences at one threshold, which depend on the few cases on which two models disagree."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import expit, logit
from uncertainty.simulated import KNOWN, cases, scores

from stakes import At, Cases, accuracy, compare, expected_regret, net_benefit, skill_score
from stakes.measures import recognise, weighted_accuracy
from stakes.prevalence import shifted_regret
from stakes.uncertainty import Study, _analytic
from stakes.uncertainty._compare import Disagreement, disagreement

ONE_THRESHOLD = {
    "regret": (partial(expected_regret, costs=At(0.2)), 0.2, (-0.8, 0.2)),
    "net benefit": (partial(net_benefit, costs=At(0.2)), 0.2, (1, -0.25)),
    "accuracy": (partial(accuracy, threshold=0.3), 0.3, (1, -1)),
}


def by_definition(sample, threshold, acting, z):
    """Return the ends, kind by kind; `acting` is what it brings to act on a positive and on a negative."""
    one, two = (sample.table(m).score[sample.rows(m)] >= threshold for m in sample.models)
    gap = (one * 1.0 - two) * np.where(sample.positive, *acting)
    size, square = len(sample), {"lower": 0.0, "upper": 0.0}
    variance = gap.var(ddof=1) / size
    for of_class, brings in zip((sample.positive, ~sample.positive), acting, strict=True):
        for here, moves in ((one & ~two, brings), (two & ~one, -brings)):
            seen = int((of_class & here).sum())
            low, high = stats.gamma.ppf(stats.norm.cdf([-z, z]), seen + 0.5)
            low = min(low, seen)
            square["upper"] += (moves / size) ** 2 * ((high - seen) if moves > 0 else (seen - low)) ** 2
            square["lower"] += (moves / size) ** 2 * ((seen - low) if moves > 0 else (high - seen)) ** 2
            variance -= (moves / size) ** 2 * seen
    lower, upper = (math.sqrt(square[end] + z**2 * variance) for end in ("lower", "upper"))
    return gap.mean() - lower, gap.mean() + upper


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("name", ONE_THRESHOLD)
def test_the_ends_are_those_of_the_four_kinds_of_disagreement(name, seed):
    measure, threshold, acting = ONE_THRESHOLD[name]
    sample = cases(60, seed=seed)
    found = compare(sample, "good", "other", measure, level=0.9)
    expected = by_definition(sample, threshold, acting, stats.norm.ppf(0.95))
    assert_allclose([found.lower, found.upper], expected, rtol=1e-9)


@pytest.mark.parametrize("name", ONE_THRESHOLD)
def test_a_score_at_the_threshold_is_acted_on(name):
    measure, threshold, acting = ONE_THRESHOLD[name]
    sample = cases(60, seed=5)
    scores = {model: sample.table(model).score[sample.rows(model)] for model in sample.models}
    tied = {m: np.where(np.arange(60) % 3 == k, threshold, score) for k, (m, score) in enumerate(scores.items())}
    sample = Cases(sample.positive, tied)
    found = compare(sample, "good", "other", measure, level=0.9)
    expected = by_definition(sample, threshold, acting, stats.norm.ppf(0.95))
    assert_allclose([found.lower, found.upper], expected, rtol=1e-9)


@pytest.mark.parametrize("name", ONE_THRESHOLD)
def test_the_probability_is_that_of_the_interval_that_ends_at_zero(name):
    measure, threshold, acting = ONE_THRESHOLD[name]
    for seed in range(12):
        sample = cases(60, seed=seed)
        found = compare(sample, "good", "other", measure)
        above = 1 - found.probability_better if name == "regret" else found.probability_better
        assert (above - 0.5) * found.difference >= 0
        if abs(above - 0.5) > 1e-9:
            ends = by_definition(sample, threshold, acting, stats.norm.ppf(max(above, 1 - above)))
            assert_allclose(ends[0 if found.difference > 0 else 1], 0.0, atol=1e-9)


def test_models_that_never_disagreed_may_differ_all_the_same():
    sample = Cases([0, 1, 0, 1, 0], {"a": [0.1, 0.9, 0.2, 0.8, 0.3], "b": [0.2, 0.8, 0.1, 0.9, 0.4]})
    found = compare(sample, "a", "b", accuracy)
    assert found.difference == 0.0
    assert found.probability_better == 0.5
    assert_allclose([-found.lower, found.upper], math.sqrt(2) * stats.gamma.ppf(0.975, 0.5) / 5)


def test_models_that_disagree_on_everything_are_surely_apart():
    y = np.arange(4000) % 2 == 0
    found = compare(
        Cases(y, {"right": np.where(y, 0.9, 0.1), "wrong": np.where(y, 0.1, 0.9)}), "right", "wrong", accuracy
    )
    assert found.probability_better > 1 - 1e-12


def test_misses_are_rare_on_either_side():
    """Where a sample of 100 holds five positives; an interval with ends at equal distances misses far more above."""
    rng, chance = np.random.default_rng(8), np.array([0.0245, 0.0005, 0.1, 0.006])
    each = np.array([1.0, -1.0, -1 / 9, 1 / 9]) / 100
    true, missed = 100 * chance @ each, np.zeros(3)
    for seen in rng.multinomial(100, [*chance, 1 - chance.sum()], size=1500)[:, :4].astype(float):
        difference = seen @ each
        variance = (seen @ each**2 - difference**2 / 100) * 100 / 99
        lower, upper = Disagreement(seen, each, variance - seen @ each**2).ends(difference, 0.95)
        flat = difference + stats.t.ppf(0.975, 99) * math.sqrt(variance + each @ each / 2)
        missed += true < lower, true > upper, true > flat
    below, above, flat_above = missed / 1500
    assert below < 0.03
    assert above < 0.045 < 0.06 < flat_above


@pytest.mark.parametrize("name", ONE_THRESHOLD)
def test_the_unit_of_weight_does_not_matter(name):
    y, good, other = scores(100)
    plain, heavy = (
        compare(Cases(y, {"a": good, "b": other}, weight=weight), "a", "b", ONE_THRESHOLD[name][0])
        for weight in (None, np.full(100, 2.5))
    )
    assert_allclose([plain.lower, plain.upper], [heavy.lower, heavy.upper], rtol=1e-9)


def test_cases_of_unequal_weight_count_as_fewer_that_weigh_more():
    """As many as have, weighing the same, the sum and the sum of squares of the weights of those that were seen."""
    y, good, other = scores(400)
    weight = np.where(np.arange(400) % 10 == 0, 20.0, 1.0)
    sample = Cases(y, {"a": good, "b": other}, weight=weight)
    measure, threshold, acting = ONE_THRESHOLD["accuracy"]
    found = disagreement(sample, recognise(measure).form, "a", "b", 0.1)
    one, two = good >= threshold, other >= threshold
    kinds = [weight[of_class & here] for of_class in (y, ~y) for here in (one & ~two, two & ~one)]
    assert_allclose(found.seen, [kind.sum() ** 2 / (kind**2).sum() for kind in kinds])
    brings = np.array([acting[0], -acting[0], acting[1], -acting[1]])
    assert_allclose(found.seen * found.each, brings * [kind.sum() for kind in kinds] / weight.sum())
    assert_allclose(found.other, 0.1**2 - found.seen @ found.each**2)


def test_under_another_prevalence_those_are_acted_on_whose_corrected_score_reaches_the_cost():
    table = cases(300).table("good")
    known = recognise(partial(shifted_regret, costs=At(0.2), prevalence=At(0.1))).form
    corrected = expit(logit(table.score) + logit(0.1) - logit(table.prevalence))
    assert known.acts(table).tolist() == (corrected >= 0.2).tolist()


def test_ratios_and_other_prevalences_know_what_an_act_brings():
    share = cases(80).table("good").prevalence
    for measure, jumps in (
        (partial(weighted_accuracy, cost=0.2), np.array([0.8, 0.2]) / (0.8 * share + 0.2 * (1 - share))),
        (partial(skill_score, costs=At(0.2)), np.array([0.8, 0.2]) / (0.2 * (1 - share))),
        (partial(shifted_regret, costs=At(0.2), prevalence=At(0.1)), np.array([0.08 / share, 0.18 / (1 - share)])),
    ):
        assert_allclose(np.abs(recognise(measure).form.jumps(share)), jumps)
        assert recognise(measure).form.at_one_threshold


def test_over_a_range_of_costs_and_by_clusters_kinds_are_not_counted():
    assert not any(
        recognise(KNOWN[name]).form.at_one_threshold for name in ("expected_regret", "brier_score", "skill_score")
    )
    sample = cases(200, cluster=np.arange(200) // 5)
    found = compare(sample, "good", "other", KNOWN["accuracy"])
    moved = [Study(sample, KNOWN["accuracy"]).influence(name) for name in sample.models]
    assert_allclose(
        found.upper - found.difference,
        _analytic.symmetric_ends(0.0, _analytic.influence_spread(moved[0] - moved[1]), 0.95)[1],
    )
