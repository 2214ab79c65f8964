"""Skill, the parts of the mean regret, and the H-measure."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import COSTS, beliefs, samples, tables

from stakes import (
    At,
    Beta,
    ScoreTable,
    Uniform,
    brier_score,
    decompose,
    expected_regret,
    h_measure,
    log_loss,
    recalibrate,
    score_table,
    skill_score,
)
from stakes.beliefs import EveryLogOdds
from stakes.table import flatten

# A table in which each score is the share of positives there: recalibration has nothing to add.
CALIBRATED = ScoreTable.from_counts([0.0, 0.2, 0.75], [0, 3, 6], [7, 12, 2])


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-14)


# ------------------------------------------------------------------------------------------------------ skill


@given(tables(ends=True), beliefs(proper=False))
def test_skill_is_what_is_saved_of_the_regret_of_the_prevalence(table, belief):
    wanted = 1 - expected_regret(table, belief) / expected_regret(flatten(table), belief)
    assert skill_score(table, belief) == near(wanted)


@given(samples(), beliefs(proper=False))
def test_the_constant_prevalence_has_no_skill(sample, belief):
    y, _, weight = sample
    constant = score_table(y, np.full(len(y), score_table(y, y, weight).prevalence), weight)
    assert skill_score(constant, belief) == pytest.approx(0, abs=1e-14)


@given(samples(), st.sampled_from(COSTS), st.sampled_from([0.004, 0.1, 0.3, 0.5, 0.9]))
def test_no_constant_beats_the_prevalence_at_any_cost(sample, c, constant):
    y, _, weight = sample
    assert skill_score(score_table(y, np.full(len(y), constant), weight), At(c)) <= 1e-14


@given(samples(), beliefs(proper=False))
def test_perfect_scores_have_all_the_skill(sample, belief):
    y, _, weight = sample
    assert skill_score(score_table(y, y, weight), belief) == 1


@given(samples(), beliefs(proper=False), st.sampled_from([0.01, 23.7]))
def test_the_scale_of_weights_does_not_matter_to_skill(sample, belief, factor):
    y, score, weight = sample
    assert skill_score(score_table(y, score, factor * weight), belief) == near(
        skill_score(score_table(*sample), belief)
    )


@given(samples())
def test_the_skill_under_uniform_costs_is_the_brier_skill(sample):
    y, score, weight = sample
    spread = np.average((y - np.average(y, weights=weight)) ** 2, weights=weight)
    wanted = 1 - np.average((y - score) ** 2, weights=weight) / spread
    assert skill_score(score_table(*sample), Uniform()) == near(wanted)


@given(samples(), st.sampled_from([(0.05, 0.35), (0.3, 0.6), (0.6, 0.95)]))
def test_the_skill_over_a_range_uses_the_prevalence_even_outside_the_range(sample, ends):
    # The baseline is [p((1-k)^2 - (1-b)^2) + (1-p)(k^2 - a^2)] / (2(b-a)), k the prevalence in [a, b].
    (a, b), table = ends, score_table(*sample)
    p = table.prevalence
    k = min(max(p, a), b)
    baseline = (p * ((1 - k) ** 2 - (1 - b) ** 2) + (1 - p) * (k**2 - a**2)) / (2 * (b - a))
    wanted = 1 - expected_regret(table, Uniform(a, b)) / baseline
    assert skill_score(table, Uniform(a, b)) == pytest.approx(wanted, rel=1e-11, abs=1e-11)


def test_a_certain_score_that_was_wrong_has_infinitely_negative_log_skill():
    assert skill_score(score_table([1, 0, 0], [0.0, 0.3, 0.2]), EveryLogOdds()) == -math.inf


# ------------------------------------------------------------------------------------------------------ parts


@given(tables(ends=True, one_class=True), beliefs())
def test_the_parts_add_up_to_the_total(table, belief):
    parts = decompose(table, belief)
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == near(parts.total)


@given(tables(ends=True, one_class=True), beliefs(proper=False))
def test_no_part_is_negative(table, belief):
    parts = decompose(table, belief)
    assert min(parts.miscalibration, parts.discrimination, parts.uncertainty, parts.total) >= 0


@given(tables(ends=True, one_class=True), beliefs(proper=False))
def test_the_parts_are_differences_of_regrets(table, belief):
    parts = decompose(table, belief)
    total, best, constant = (expected_regret(made, belief) for made in (table, recalibrate(table), flatten(table)))
    assert parts.total == total
    assert parts.miscalibration == near(total - best)
    assert parts.discrimination == near(constant - best)
    assert parts.uncertainty == near(constant)


@given(tables())
def test_discrimination_under_uniform_costs_is_half_the_variance_of_the_recalibrated_score(table):
    best = recalibrate(table)
    weight = best.positive + best.negative
    wanted = np.average((best.score - table.prevalence) ** 2, weights=weight)
    assert 2 * decompose(table, Uniform()).discrimination == near(wanted)


@given(tables())
def test_discrimination_of_the_log_loss_is_the_mean_divergence_from_the_prevalence(table):
    best, p = recalibrate(table), table.prevalence
    divergence = [
        (s * math.log(s / p) if s else 0) + ((1 - s) * math.log((1 - s) / (1 - p)) if s < 1 else 0)
        for s in best.score.tolist()
    ]
    wanted = np.average(divergence, weights=best.positive + best.negative)
    assert decompose(table, EveryLogOdds()).discrimination == near(wanted)


@given(beliefs(proper=False))
def test_calibrated_scores_have_no_miscalibration(belief):
    assert decompose(CALIBRATED, belief).miscalibration == pytest.approx(0, abs=1e-15)


@given(tables(one_class=True), beliefs(proper=False))
def test_constant_scores_have_no_discrimination(table, belief):
    assert decompose(flatten(table), belief).discrimination == 0


@given(tables(ends=True))
def test_the_parts_of_the_brier_score_are_twice_those_of_uniform_costs(table):
    parts = decompose(table, Uniform())
    assert 2 * parts.total == near(brier_score(table))
    assert 2 * parts.miscalibration == near(brier_score(table) - brier_score(recalibrate(table)))


@given(tables())
def test_the_uncertainty_of_the_log_loss_is_the_entropy_of_the_prevalence(table):
    p = table.prevalence
    assert decompose(table, EveryLogOdds()).uncertainty == near(-p * math.log(p) - (1 - p) * math.log(1 - p))


def test_an_infinite_log_loss_is_all_miscalibration():
    parts = decompose(score_table([1, 0, 0], [0.0, 0.3, 0.2]), EveryLogOdds())
    assert parts.total == parts.miscalibration == math.inf
    assert math.isfinite(parts.discrimination)


# -------------------------------------------------------------------------------------------------- H-measure


@given(tables(), beliefs(proper=False))
def test_the_h_measure_is_the_skill_of_the_recalibrated_scores(table, belief):
    best = recalibrate(table)
    wanted = 1 - expected_regret(best, belief) / expected_regret(flatten(table), belief)
    assert h_measure(table, belief) == near(wanted)


@given(tables(), beliefs(proper=False))
def test_the_h_measure_lies_between_zero_and_one(table, belief):
    assert -1e-14 <= h_measure(table, belief) <= 1


@given(samples(), beliefs(proper=False))
def test_the_h_measure_only_needs_the_order_of_the_scores(sample, belief):
    y, score, weight = sample
    moved = score_table(y, np.log(score) * 30, weight)
    assert h_measure(moved, belief) == h_measure(score_table(*sample), belief)


@given(tables())
def test_hands_beta_is_meant_where_no_costs_are_given(table):
    assert h_measure(table) == h_measure(table, Beta(2, 2))


@given(tables())
def test_skill_is_never_above_the_h_measure(table):
    assert skill_score(table, Beta(2, 2)) <= h_measure(table) + 1e-14


def test_scores_upside_down_have_an_h_measure_of_zero():
    assert h_measure(score_table([1, 1, 0, 0, 0], [-3, -2, 1, 4, 9])) == 0


def test_perfect_order_has_an_h_measure_of_one():
    assert h_measure(score_table([0, 0, 0, 1, 1], [-3, -2, 1, 4, 9])) == 1


def test_numbers_and_parts_are_plain_floats():
    table = score_table([0, 1, 1], [0.2, 0.7, 0.4], [1.5, 2, 1])
    parts = decompose(table, At(0.3))
    numbers = (skill_score(table, At(0.3)), h_measure(table), log_loss(table), parts.miscalibration, parts.total)
    assert [type(number) for number in numbers] == [float] * 5
