"""The AUC family and the top of the list, from their definitions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import samples, tables, weights

from stakes import ScoreTable, auc, merge, recalibrate, score_table, top_k
from stakes.measures import bounded_auc, partial_auc
from stakes.prevalence import reweight_classes
from stakes.table import flatten

ANY_SCORE = st.sampled_from([-math.inf, -3.0, 0.0, 0.2, 0.5, 1.0, 4.5, math.inf])
RATES = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.8, 1.0])
BOUNDS = st.sampled_from([(-math.inf, math.inf), (0.0, 1.0), (0.1, 0.6), (0.12, 0.7), (0.3, 0.35), (0.91, 0.95)])


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-14)


def concordance(sample, counts=lambda score, other: True):
    """Share of pairs of a positive and a negative that are in order, ties half, where `counts` says they count."""
    y, score, weight = sample
    won = every = 0.0
    for i, j in itertools.product(np.flatnonzero(y == 1), np.flatnonzero(y == 0)):
        every += weight[i] * weight[j]
        if counts(score[i], score[j]):
            won += weight[i] * weight[j] * ((score[i] > score[j]) + (score[i] == score[j]) / 2)
    return won / every


def roc_area(sample, low, high):
    """Area under the ROC curve between two false positive rates, straight piece by straight piece."""
    y, score, weight = sample
    rates = [
        [weight[(score >= threshold) & (y == outcome)].sum() / weight[y == outcome].sum() for outcome in (0, 1)]
        for threshold in sorted(set(score.tolist()), reverse=True)
    ]
    area = 0.0
    for (x0, y0), (x1, y1) in itertools.pairwise([[0.0, 0.0], *rates]):
        left, right = max(x0, low), min(x1, high)
        if left < right:
            area += (right - left) * (y0 + (y1 - y0) * ((left + right) / 2 - x0) / (x1 - x0))
    return area


def regret_at_own_score(table, score):
    """Mean cost at the cost proportion that equals a score (0 and 1 included)."""
    acts = table.score >= score
    return (score * table.negative[acts].sum() + (1 - score) * table.positive[~acts].sum()) / table.total


# -------------------------------------------------------------------------------------------------------- AUC


@given(samples(score=ANY_SCORE))
def test_the_auc_is_the_share_of_pairs_in_order(sample):
    assert auc(score_table(*sample)) == near(concordance(sample))


@given(samples())
def test_the_auc_only_needs_the_order_of_the_scores(sample):
    y, score, weight = sample
    moved = score_table(y, np.exp(20 * score) - 1000, weight)
    assert auc(moved) == auc(score_table(*sample))


@given(samples())
def test_turning_the_scores_round_turns_the_auc_round(sample):
    y, score, weight = sample
    assert auc(score_table(y, -score, weight)) == near(1 - auc(score_table(*sample)))


@given(samples())
def test_exchanging_the_classes_turns_the_auc_round(sample):
    y, score, weight = sample
    assert auc(score_table(1 - y, score, weight)) == near(1 - auc(score_table(*sample)))


@given(tables(), st.sampled_from([7e-6, 0.2, 0.83]))
def test_the_auc_does_not_depend_on_the_prevalence(table, prevalence):
    assert auc(reweight_classes(table, prevalence)) == near(auc(table))


@given(samples(weight=weights(integer=True)))
def test_integer_weight_means_repeated_case(sample):
    y, score, weight = sample
    assert auc(score_table(*sample)) == auc(score_table(np.repeat(y, weight), np.repeat(score, weight)))


@given(tables())
def test_constant_scores_have_an_auc_of_one_half(table):
    assert auc(flatten(table)) == near(0.5)


@pytest.mark.parametrize("seed", range(20))
def test_perfect_order_never_has_an_auc_above_one(seed):
    rng = np.random.default_rng(seed)
    weight = rng.random(40)
    value = auc(score_table(np.arange(40) >= 23, np.arange(40), weight))
    assert value == near(1)
    assert value <= 1


# ---------------------------------------------------------------------------------------------------- partial


@given(samples(score=ANY_SCORE), RATES, RATES)
def test_a_partial_auc_is_the_area_between_two_rates(sample, low, high):
    low, high = sorted((low, high))
    if low < high:
        assert partial_auc(score_table(*sample), fpr_range=(low, high)) == near(roc_area(sample, low, high))


@given(tables())
def test_the_whole_partial_auc_is_the_auc(table):
    assert partial_auc(table) == near(auc(table))


@given(tables(), st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.8]))
def test_partial_aucs_of_adjacent_ranges_add_up(table, rate):
    assert partial_auc(table, fpr_range=(0, rate)) + partial_auc(table, fpr_range=(rate, 1)) == near(partial_auc(table))


def test_a_partial_auc_that_begins_at_a_vertical_step_counts_the_whole_step():
    # Two negatives, three positives: the curve rises at rates 0 and 1/2.
    table = score_table([1, 0, 1, 1, 0], [5, 4, 3, 2, 1])
    assert partial_auc(table, fpr_range=(0.5, 1)) == pytest.approx(0.5, rel=1e-15)
    assert partial_auc(table, fpr_range=(0, 0.5)) == pytest.approx(0.5 / 3, rel=1e-15)


def test_a_tie_is_crossed_in_a_straight_line():
    table = score_table([0, 1, 0, 0], [0.5, 0.5, 0.5, 0.5])
    assert partial_auc(table, fpr_range=(0.25, 0.75)) == pytest.approx(0.25, rel=1e-15)


# ---------------------------------------------------------------------------------------------------- bounded


@given(samples(), BOUNDS)
def test_the_area_below_pairs_negatives_in_the_range_with_positives_above(sample, ends):
    low, high = ends
    wanted = concordance(sample, lambda score, other: low <= other <= high)
    assert bounded_auc(score_table(*sample), score_range=(low, high)).below == near(wanted)


@given(samples(), BOUNDS)
def test_the_area_beside_pairs_positives_in_the_range_with_negatives_below(sample, ends):
    low, high = ends
    wanted = concordance(sample, lambda score, other: low <= score <= high)
    assert bounded_auc(score_table(*sample), score_range=(low, high)).beside == near(wanted)


@given(samples(), BOUNDS)
def test_the_concordant_area_divides_by_the_shadows_of_the_range(sample, ends):
    (low, high), (y, score, weight) = ends, sample
    inside = (low <= score) & (score <= high)
    shadows = sum(weight[inside & (y == outcome)].sum() / weight[y == outcome].sum() for outcome in (0, 1))
    areas = bounded_auc(score_table(*sample), score_range=(low, high))
    if shadows:
        assert areas.concordant == near((areas.below + areas.beside) / shadows)
    else:
        assert math.isnan(areas.concordant)


@given(tables())
def test_over_all_scores_both_areas_are_the_auc(table):
    areas = bounded_auc(table, score_range=(-math.inf, math.inf))
    assert (areas.below, areas.beside, areas.concordant) == (near(auc(table)),) * 3


@given(tables())
def test_areas_of_adjacent_ranges_add_up(table):
    parts = bounded_auc(table, score_range=(0, 0.2)), bounded_auc(table, score_range=(0.2, 1))
    assert sum(part.below for part in parts) == near(auc(table))
    assert sum(part.beside for part in parts) == near(auc(table))


def test_both_ends_of_the_range_belong_to_it():
    table = score_table([0, 1, 0, 1, 0, 1], [0.1, 0.1, 0.2, 0.3, 0.4, 0.4])
    assert bounded_auc(table, score_range=(0.1, 0.4)) == bounded_auc(table, score_range=(0, 1))


def test_a_range_without_scores_has_no_concordant_area():
    areas = bounded_auc(score_table([0, 1, 0], [0.1, 0.9, 0.9]), score_range=(0.2, 0.3))
    assert (areas.below, areas.beside) == (0, 0)
    assert math.isnan(areas.concordant)


@given(tables())
def test_hands_identity_gives_the_auc_of_calibrated_scores_from_regrets(table):
    # Hand (2009): AUC = 1 - E[R(s)] / (2 p (1 - p)), the mean over the scores themselves.
    best, p = recalibrate(table), table.prevalence
    regrets = [regret_at_own_score(best, score) for score in best.score]
    mean = np.average(regrets, weights=best.positive + best.negative)
    assert auc(best) == pytest.approx(1 - mean / (2 * p * (1 - p)), rel=1e-11, abs=1e-12)


@given(tables(), st.sampled_from([(0.0, 1.0), (0.1, 0.6), (0.2, 0.9)]))
def test_areas_of_calibrated_scores_follow_from_regrets_in_the_range(table, ends):
    # p (1 - p) (below + beside) / m = -E[R(s) | I] + p + (1 - 2p) E[y | I].
    (low, high), best, p = ends, recalibrate(table), table.prevalence
    inside = (low <= best.score) & (best.score <= high)
    if not inside.any():
        return
    weight = (best.positive + best.negative)[inside]
    regret = np.average([regret_at_own_score(best, score) for score in best.score[inside]], weights=weight)
    rate, mass = best.positive[inside].sum() / weight.sum(), weight.sum() / best.total
    areas = bounded_auc(best, score_range=(low, high))
    wanted = -regret + p + (1 - 2 * p) * rate
    assert p * (1 - p) * (areas.below + areas.beside) / mass == pytest.approx(wanted, rel=1e-11, abs=1e-12)
    shadows = best.positive[inside].sum() / best.positive_total + best.negative[inside].sum() / best.negative_total
    assert areas.concordant == pytest.approx(mass / (shadows * p * (1 - p)) * wanted, rel=1e-11, abs=1e-12)


@given(tables(), st.sampled_from([(0.0, 1.0), (0.1, 0.6), (0.2, 0.9)]))
def test_each_area_of_calibrated_scores_is_a_mean_over_the_range(table, ends):
    # p (1-p) below / m = E[p (1-s)(1-F1(s)) | I] and p (1-p) beside / m = E[(1-p) s F0(s) | I].
    (low, high), best, p = ends, recalibrate(table), table.prevalence
    inside = (low <= best.score) & (best.score <= high)
    if not inside.any():
        return
    weight = best.positive + best.negative
    above = 1 - (np.cumsum(best.positive) - best.positive / 2) / best.positive_total
    under = (np.cumsum(best.negative) - best.negative / 2) / best.negative_total
    mass = weight[inside].sum() / best.total
    areas = bounded_auc(best, score_range=(low, high))
    below = np.average((p * (1 - best.score) * above)[inside], weights=weight[inside])
    beside = np.average(((1 - p) * best.score * under)[inside], weights=weight[inside])
    assert p * (1 - p) * areas.below / mass == pytest.approx(below, rel=1e-11, abs=1e-12)
    assert p * (1 - p) * areas.beside / mass == pytest.approx(beside, rel=1e-11, abs=1e-12)


# ------------------------------------------------------------------------------------------------------ top K


def found_by_breaking_ties(y, score, k):
    """Mean number of positives among the top k over every way to break the tie at the edge, exactly."""
    edge = sorted(score.tolist(), reverse=True)[k - 1]
    above = [outcome for outcome, value in zip(y.tolist(), score.tolist(), strict=True) if value > edge]
    tied = [outcome for outcome, value in zip(y.tolist(), score.tolist(), strict=True) if value == edge]
    ways = list(itertools.combinations(tied, k - len(above)))
    return sum(above) + Fraction(sum(sum(way) for way in ways), len(ways))


@given(samples(score=ANY_SCORE, weight=st.just(1), one_class=True), st.integers(1, 10))
def test_top_k_is_the_mean_over_every_way_to_break_ties(sample, k):
    y, score, _ = sample
    k = min(k, len(y))
    assert top_k(score_table(y, score), k=k).true_positives == near(float(found_by_breaking_ties(y, score, k)))


@given(samples(score=ANY_SCORE), st.floats(0.01, 1), st.sampled_from([0.1, 0.42, 0.75]))
def test_top_k_measures_all_follow_from_the_true_positives(sample, share, c):
    table = score_table(*sample)
    k = share * table.total
    top = top_k(table, k=k, cost=c)
    false_alarms, missed = k - top.true_positives, table.positive_total - top.true_positives
    assert top.precision == near(top.true_positives / k)
    assert top.recall == near(top.true_positives / table.positive_total)
    assert top.regret == near((c * false_alarms + (1 - c) * missed) / table.total)
    assert top.net_benefit == near((top.true_positives - c / (1 - c) * false_alarms) / table.total)
    assert top.net_benefit == near(table.prevalence - top.regret / (1 - c))


@given(samples(weight=weights(integer=True)), st.integers(1, 30))
def test_top_k_counts_a_weighted_case_as_often_as_it_stands(sample, k):
    y, score, weight = sample
    k = min(k, int(weight.sum()))
    repeated = score_table(np.repeat(y, weight), np.repeat(score, weight))
    assert top_k(score_table(*sample), k=k, cost=0.3) == top_k(repeated, k=k, cost=0.3)


@given(tables(one_class=True))
def test_acting_on_everyone_finds_every_positive(table):
    assert top_k(table, k=table.total).true_positives == near(table.positive_total)


def test_as_many_places_as_weight_are_not_refused_for_a_rounding_error():
    table = score_table(np.arange(10) % 3 == 0, np.arange(10), np.full(10, 0.7))
    assert table.total < 7
    assert top_k(table, k=7, cost=0.3).recall == near(1)


def test_without_positives_recall_is_undefined():
    top = top_k(score_table([0, 0, 0], [0.1, 0.2, 0.3]), k=2, cost=0.25)
    assert math.isnan(top.recall)
    assert (top.true_positives, top.precision, top.regret) == (0, 0, pytest.approx(0.25 * 2 / 3))


def test_without_a_cost_regret_and_net_benefit_are_undefined():
    top = top_k(score_table([0, 1, 0], [0.1, 0.2, 0.3]), k=2)
    assert math.isnan(top.regret)
    assert math.isnan(top.net_benefit)


def test_ranking_numbers_are_plain_floats():
    table = merge(score_table([0, 1, 1], [2, 7, 4], [1.5, 2, 1]), ScoreTable.from_counts([5], [1], [3]))
    areas, top = bounded_auc(table, score_range=(3, 8)), top_k(table, k=2, cost=0.3)
    numbers = (
        auc(table),
        partial_auc(table, fpr_range=(0, 0.4)),
        areas.below,
        areas.beside,
        areas.concordant,
        top.true_positives,
        top.precision,
        top.recall,
        top.regret,
        top.net_benefit,
    )
    assert [type(number) for number in numbers] == [float] * len(numbers)
