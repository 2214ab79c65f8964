"""Mean regret from its definition: case by case, piece by piece, threshold by threshold."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from strategies import COSTS, OTHER_BELIEFS, beliefs, samples, tables, weights

from stakes import (
    At,
    Beta,
    LogOddsUniform,
    Uniform,
    accuracy,
    brier_score,
    expected_regret,
    log_loss,
    merge,
    net_benefit,
    recalibrate,
    score_table,
)
from stakes.beliefs import Atoms, EveryLogOdds, Mixture
from stakes.measures import weighted_accuracy
from stakes.table import unsorted_table

RANGES = st.sampled_from([(0.0, 1.0), (0.05, 0.35), (0.1, 0.9), (0.3, 0.6)])


def regret_at(sample, c, threshold):
    """Mean cost at cost proportion `c` of acting on scores of at least `threshold`, case by case."""
    y, score, weight = sample
    acts = score >= threshold
    return np.average(c * (acts & (y == 0)) + (1 - c) * (~acts & (y == 1)), weights=weight)


def mistakes_at(sample, threshold):
    """Shares of false alarms and of misses."""
    return regret_at(sample, 1.0, threshold), regret_at(sample, 0.0, threshold)


def pieces(sample, low, high):
    """Ranges of cost between neighbouring scores, each with the mistakes made anywhere inside it."""
    edges = sorted({low, high, *(score for score in sample[1].tolist() if low < score < high)})
    for left, right in itertools.pairwise(edges):
        yield left, right, *mistakes_at(sample, right)


def uniform_area(sample, low, high):
    """Integral of c FP + (1 - c) FN over the range."""
    return sum(
        false * (right**2 - left**2) / 2 + missed * ((1 - left) ** 2 - (1 - right) ** 2) / 2
        for left, right, false, missed in pieces(sample, low, high)
    )


def log_odds_area(sample, low, high):
    """Integral of (c FP + (1 - c) FN) / (c (1 - c)) over the range."""
    return sum(
        false * math.log((1 - left) / (1 - right)) + missed * math.log(right / left)
        for left, right, false, missed in pieces(sample, low, high)
    )


def quadrature(function, left, right):
    """Gauss-Legendre with 12 nodes: exact for polynomials of degree 23."""
    nodes, node_weights = np.polynomial.legendre.leggauss(12)
    middle, half = (left + right) / 2, (right - left) / 2
    return half * sum(w * function(middle + half * node) for node, w in zip(nodes, node_weights, strict=True))


def smallest_regret(sample, c):
    """Least cost of any threshold, acting on no one included."""
    return min(regret_at(sample, c, threshold) for threshold in {*sample[1].tolist(), math.inf})


def crossings(sample):
    """Costs at which two thresholds cost the same, with 0 and 1: between neighbours one is best throughout."""
    lines = [mistakes_at(sample, threshold) for threshold in {*sample[1].tolist(), math.inf}]
    found = {0.0, 1.0}
    for (false_a, missed_a), (false_b, missed_b) in itertools.combinations(lines, 2):
        slope = (false_a - missed_a) - (false_b - missed_b)
        if slope and 0 < (missed_b - missed_a) / slope < 1:
            found.add((missed_b - missed_a) / slope)
    return sorted(found)


# ----------------------------------------------------------------------------------------------- definitions


@given(samples(ends=True, one_class=True), st.sampled_from(COSTS))
def test_at_one_cost_it_is_the_mean_cost_of_the_decisions(sample, c):
    assert expected_regret(score_table(*sample), At(c)) == pytest.approx(regret_at(sample, c, c), rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True))
def test_at_a_few_costs_it_is_the_mean_over_them(sample):
    belief = Atoms([0.1, 0.35, 0.8], [5, 2, 1])
    wanted = (5 * regret_at(sample, 0.1, 0.1) + 2 * regret_at(sample, 0.35, 0.35) + regret_at(sample, 0.8, 0.8)) / 8
    assert expected_regret(score_table(*sample), belief) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True), RANGES)
def test_under_uniform_costs_it_is_the_area_under_the_regret_curve(sample, ends):
    low, high = ends
    wanted = uniform_area(sample, low, high) / (high - low)
    assert expected_regret(score_table(*sample), Uniform(low, high)) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True), RANGES.filter(lambda ends: ends[0] > 0))
def test_under_log_odds_uniform_costs_it_is_the_area_over_log_odds(sample, ends):
    low, high = ends
    wanted = log_odds_area(sample, low, high) / math.log(high / low * (1 - low) / (1 - high))
    belief = LogOddsUniform(low, high)
    assert expected_regret(score_table(*sample), belief) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True))
def test_under_beta_costs_it_is_the_weighted_area(sample):
    wanted = sum(
        quadrature(lambda c, f=false, m=missed: (c * f + (1 - c) * m) * 30 * c * (1 - c) ** 4, left, right)
        for left, right, false, missed in pieces(sample, 0.0, 1.0)
    )
    assert expected_regret(score_table(*sample), Beta(2, 5)) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True), beliefs())
def test_it_is_the_mean_of_the_pointwise_losses(sample, belief):
    y, score, weight = sample
    losses = np.where(y == 1, belief.loss_if_positive(score), belief.loss_if_negative(score))
    wanted = np.average(losses, weights=weight)
    assert expected_regret(score_table(*sample), belief) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


# ------------------------------------------------------------------------------------------ recalibrated: best
# thresholds


@given(samples(one_class=True), st.sampled_from(COSTS))
def test_recalibrated_it_is_the_least_of_any_cut_at_each_cost(sample, c):
    regret = expected_regret(recalibrate(score_table(*sample)), At(c))
    assert regret == pytest.approx(smallest_regret(sample, c), rel=1e-12, abs=1e-15)


@given(samples(one_class=True, max_size=7))
def test_recalibrated_under_uniform_costs_it_is_the_area_below_every_threshold(sample):
    corners = crossings(sample)
    wanted = np.trapezoid([smallest_regret(sample, c) for c in corners], corners)
    assert expected_regret(recalibrate(score_table(*sample)), Uniform()) == pytest.approx(wanted, rel=1e-11, abs=1e-14)


@given(samples(one_class=True, max_size=7))
def test_recalibrated_under_beta_costs_it_is_the_weighted_area_below_every_threshold(sample):
    wanted = sum(
        quadrature(lambda c: smallest_regret(sample, c) * 30 * c * (1 - c) ** 4, left, right)
        for left, right in itertools.pairwise(crossings(sample))
    )
    regret = expected_regret(recalibrate(score_table(*sample)), Beta(2, 5))
    assert regret == pytest.approx(wanted, rel=1e-11, abs=1e-14)


# ------------------------------------------------------------------------------------------------------ laws


@given(samples(one_class=True), beliefs(proper=False), st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(sample, belief, random):
    order = list(range(len(sample[0])))
    random.shuffle(order)
    shuffled = score_table(*(column[order] for column in sample))
    assert expected_regret(shuffled, belief) == pytest.approx(expected_regret(score_table(*sample), belief), rel=1e-14)


@given(samples(one_class=True, weight=weights(integer=True)), beliefs(proper=False))
def test_integer_weight_means_repeated_case(sample, belief):
    y, score, weight = sample
    repeated = score_table(np.repeat(y, weight), np.repeat(score, weight))
    assert expected_regret(score_table(*sample), belief) == pytest.approx(expected_regret(repeated, belief), rel=1e-14)


@given(samples(one_class=True), beliefs(proper=False), st.sampled_from([0.01, 23.7]))
def test_the_scale_of_weights_does_not_matter(sample, belief, factor):
    y, score, weight = sample
    scaled = score_table(y, score, factor * weight)
    assert expected_regret(scaled, belief) == pytest.approx(expected_regret(score_table(*sample), belief), rel=1e-13)


@given(tables(one_class=True), tables(one_class=True), beliefs(proper=False))
def test_merged_samples_average_by_weight(one, other, belief):
    wanted = one.total * expected_regret(one, belief) + other.total * expected_regret(other, belief)
    assert expected_regret(merge(one, other), belief) == pytest.approx(wanted / (one.total + other.total), rel=1e-13)


@given(samples(ends=True, one_class=True), beliefs(proper=False))
def test_an_unsorted_sample_gives_the_same(sample, belief):
    y, score, weight = sample
    cases = unsorted_table(y == 1, score, weight.astype(float))
    assert expected_regret(cases, belief) == pytest.approx(expected_regret(score_table(*sample), belief), rel=1e-13)


@given(tables(one_class=True))
def test_a_mixture_of_beliefs_mixes_the_regrets(table):
    one, other = Uniform(0.05, 0.35), Beta(2, 5)
    wanted = 0.25 * expected_regret(table, one) + 0.75 * expected_regret(table, other)
    assert expected_regret(table, Mixture([one, other], [1, 3])) == pytest.approx(wanted, rel=1e-13)


@given(samples(ends=True), beliefs(proper=False))
def test_perfect_scores_cost_nothing(sample, belief):
    y, _, weight = sample
    assert expected_regret(score_table(y, y, weight), belief) == 0


@pytest.mark.parametrize("belief", OTHER_BELIEFS)
def test_a_loss_that_no_one_has_is_not_paid(belief):
    # Neither the positive at score 1 nor the negative at score 0 pays, though the other class would pay much there.
    assert expected_regret(score_table([0, 1], [0.0, 1.0]), belief) == 0


def test_an_infinite_loss_that_someone_has_is_paid():
    assert expected_regret(score_table([1, 1, 0], [0.0, 0.4, 0.2]), EveryLogOdds()) == math.inf


def test_more_rows_than_fit_in_one_block_are_all_counted():
    rng = np.random.default_rng(5)
    score = rng.random(100_001)
    y, weight = rng.random(len(score)) < score**2, rng.random(len(score))
    wanted = math.fsum(weight * (y - score) ** 2) / math.fsum(weight)
    assert brier_score(score_table(y, score, weight)) == pytest.approx(wanted, rel=1e-13)


# --------------------------------------------------------------------------------------- its older scales


@given(samples(ends=True, one_class=True))
def test_the_brier_score_is_the_mean_squared_error(sample):
    y, score, weight = sample
    wanted = np.average((y - score) ** 2, weights=weight)
    assert brier_score(score_table(*sample)) == pytest.approx(wanted, rel=1e-13, abs=1e-16)


@given(samples(ends=True, one_class=True), RANGES)
def test_a_bounded_brier_score_is_twice_the_area_under_the_regret_curve(sample, ends):
    low, high = ends
    wanted = 2 * uniform_area(sample, low, high)
    assert brier_score(score_table(*sample), cost_range=(low, high)) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(tables(ends=True, one_class=True), st.sampled_from([0.05, 0.3, 0.47]))
def test_brier_scores_of_adjacent_ranges_add_up(table, middle):
    parts = [brier_score(table, cost_range=ends) for ends in ((0, middle), (middle, 0.8), (0.8, 1))]
    assert sum(parts) == pytest.approx(brier_score(table), rel=1e-13, abs=1e-16)


@given(samples(one_class=True))
def test_the_log_loss_is_the_mean_surprise(sample):
    y, score, weight = sample
    wanted = np.average(-np.log(np.where(y == 1, score, 1 - score)), weights=weight)
    assert log_loss(score_table(*sample)) == pytest.approx(wanted, rel=1e-13)


@given(samples(ends=True, one_class=True), RANGES.filter(lambda ends: ends[0] > 0))
def test_a_bounded_log_loss_is_the_area_over_log_odds(sample, ends):
    low, high = ends
    wanted = log_odds_area(sample, low, high)
    assert log_loss(score_table(*sample), cost_range=(low, high)) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(tables(one_class=True), st.sampled_from([0.05, 0.3, 0.47]))
def test_log_losses_of_adjacent_ranges_add_up(table, middle):
    parts = [log_loss(table, cost_range=ends) for ends in ((0, middle), (middle, 0.8), (0.8, 1))]
    assert sum(parts) == pytest.approx(log_loss(table), rel=1e-12)


def test_a_log_loss_bounded_above_only():
    # Up to 0.5 the positive at 0.2 pays ln(0.5 / 0.2), the negative at 0.3 pays -ln(0.7), that at 0.9 pays ln 2.
    table = score_table([1, 0, 0], [0.2, 0.3, 0.9])
    wanted = (math.log(2.5) - math.log(0.7) + math.log(2)) / 3
    assert log_loss(table, cost_range=(0, 0.5)) == pytest.approx(wanted, rel=1e-15)


def test_a_log_loss_bounded_below_only():
    # From 0.5 the positive at 0.2 pays ln 2, the negative at 0.3 nothing, that at 0.9 ln(0.5 / 0.1).
    table = score_table([1, 0, 0], [0.2, 0.3, 0.9])
    assert log_loss(table, cost_range=(0.5, 1)) == pytest.approx((math.log(2) + math.log(5)) / 3, rel=1e-15)


@pytest.mark.parametrize(("y", "score"), [([1, 0], [0.0, 0.4]), ([0, 1], [1.0, 0.4])])
def test_a_certain_score_that_was_wrong_costs_infinitely_much_unless_the_range_is_bounded(y, score):
    table = score_table(y, score)
    assert log_loss(table) == math.inf
    assert log_loss(table, cost_range=(0.001, 0.999)) < math.inf


def test_only_the_open_end_makes_a_certain_score_infinitely_dear():
    missed, false_alarm = score_table([1, 0], [0.0, 0.4]), score_table([0, 1], [1.0, 0.4])
    assert log_loss(missed, cost_range=(0, 0.5)) == math.inf
    assert log_loss(missed, cost_range=(0.1, 1)) < math.inf
    assert log_loss(false_alarm, cost_range=(0.5, 1)) == math.inf
    assert log_loss(false_alarm, cost_range=(0, 0.9)) < math.inf


@given(samples(ends=True, one_class=True), st.sampled_from([-0.5, 0.0, 0.1, 0.35, 0.5, 1.0, 1.5]))
def test_accuracy_is_the_share_of_right_decisions(sample, threshold):
    y, score, weight = sample
    wanted = np.average((score >= threshold) == (y == 1), weights=weight)
    assert accuracy(score_table(*sample), threshold=threshold) == pytest.approx(wanted, rel=1e-13, abs=1e-15)


@given(samples(ends=True, one_class=True))
def test_accuracy_is_one_minus_twice_the_regret_at_even_costs(sample):
    wanted = 1 - 2 * regret_at(sample, 0.5, 0.35)
    assert accuracy(score_table(*sample), threshold=0.35) == pytest.approx(wanted, rel=1e-13, abs=1e-15)


def test_accuracy_accepts_scores_that_are_not_probabilities():
    assert accuracy(score_table([0, 1, 1], [-math.inf, 7.5, -2.0]), threshold=-2.0) == 1


@given(samples(ends=True, one_class=True), st.sampled_from(COSTS))
def test_weighted_accuracy_weighs_each_class_by_what_its_mistakes_cost(sample, c):
    y, score, weight = sample
    value = np.where(y == 1, 1 - c, c) * weight
    wanted = value[(score >= c) == (y == 1)].sum() / value.sum()
    assert weighted_accuracy(score_table(*sample), cost=c) == pytest.approx(wanted, rel=1e-12, abs=1e-14)


# --------------------------------------------------------------------------------------------- net benefit


@given(samples(ends=True, one_class=True), st.sampled_from(COSTS))
def test_net_benefit_is_true_positives_less_false_ones_at_their_exchange_rate(sample, c):
    y, score, weight = sample
    acts = score >= c
    wanted = np.average((acts & (y == 1)) - c / (1 - c) * (acts & (y == 0)), weights=weight)
    assert net_benefit(score_table(*sample), At(c)) == pytest.approx(wanted, rel=1e-12, abs=1e-14)


@given(samples(ends=True, one_class=True), st.sampled_from(COSTS))
def test_net_benefit_is_the_prevalence_less_the_regret_per_miss(sample, c):
    table = score_table(*sample)
    wanted = table.prevalence - expected_regret(table, At(c)) / (1 - c)
    assert net_benefit(table, At(c)) == pytest.approx(wanted, rel=1e-12, abs=1e-14)


@given(
    samples(ends=True, one_class=True),
    st.sampled_from([Uniform(0.05, 0.35), LogOddsUniform(0.02, 0.7), Beta(2, 5, low=0.1, high=0.65)]),
)
def test_mean_net_benefit_is_the_mean_over_the_belief(sample, belief):
    prevalence = np.average(sample[0], weights=sample[2])
    wanted = sum(
        quadrature(
            lambda c, f=false, m=missed: (prevalence - f * c / (1 - c) - m) * float(belief.density(c)), left, right
        )
        for start, end, false, missed in pieces(sample, *belief.support)
        for left, right in itertools.pairwise(np.geomspace(start, end, 7))
    )
    assert net_benefit(score_table(*sample), belief) == pytest.approx(wanted, rel=1e-10, abs=1e-12)


def test_net_benefit_diverges_where_a_false_alarm_at_cost_one_is_certain():
    assert net_benefit(score_table([0, 1], [1.0, 0.4]), Uniform()) == -math.inf
    assert math.isfinite(net_benefit(score_table([0, 1], [0.9, 1.0]), Uniform()))


@given(tables(one_class=True), beliefs())
def test_net_benefit_is_at_most_the_prevalence(table, belief):
    assert net_benefit(table, belief) <= table.prevalence


def test_every_number_is_a_plain_float():
    table = score_table([0, 1, 1], [0.2, 0.7, 0.4], [1.5, 2, 1])
    numbers = (
        expected_regret(table, Beta(2, 5)),
        brier_score(table),
        log_loss(table),
        net_benefit(table, At(0.3)),
        accuracy(table),
        weighted_accuracy(table, cost=0.3),
    )
    assert [type(number) for number in numbers] == [float] * 6


def test_a_belief_of_ones_own_may_be_used():
    class Certain:
        def loss_if_positive(self, score):
            return np.where(np.asarray(score) < 0.3, 0.7, 0.0)

        def loss_if_negative(self, score):
            return np.where(np.asarray(score) >= 0.3, 0.3, 0.0)

    table = score_table([0, 1, 1, 0, 0], [0.2, 0.7, 0.1, 0.3, 0.9])
    assert_allclose(expected_regret(table, Certain()), expected_regret(table, At(0.3)), rtol=1e-15)
