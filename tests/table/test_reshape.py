"""From one table to another: constant scores, fewer rows, another prevalence."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies import samples, tables, weights

from stakes import ScoreTable, at_prevalence, auc, expected_regret, recalibrate, score_table
from stakes.beliefs import At
from stakes.prevalence import reweight_classes, shift_scores
from stakes.table import coarsen, flatten

PREVALENCES = st.sampled_from([7e-6, 0.03, 0.2, 0.61, 0.97])
ODD_WEIGHTS = st.floats(0.01, 9)
ODD_SCORES = st.floats(-3, 4)


def log_odds(p):
    return np.log(p) - np.log1p(-np.asarray(p))


# --------------------------------------------------------------------------------------------------- flatten


@given(tables(one_class=True))
def test_flattening_gives_everyone_the_prevalence(table):
    flat = flatten(table)
    assert flat.score.tolist() == [table.prevalence]
    assert (flat.positive_total, flat.negative_total) == (table.positive_total, table.negative_total)


@given(tables(one_class=True))
def test_flattening_twice_is_flattening_once(table):
    assert flatten(flatten(table)) == flatten(table)


# --------------------------------------------------------------------------------------------------- coarsen


@given(tables(one_class=True, score=ODD_SCORES, weight=ODD_WEIGHTS), st.integers(1, 12))
def test_coarsening_leaves_at_most_as_many_rows_as_asked_for(table, rows):
    assert 1 <= len(coarsen(table, rows=rows)) <= min(rows, len(table))


@given(tables(one_class=True, score=ODD_SCORES, weight=ODD_WEIGHTS), st.integers(1, 12))
def test_coarsening_keeps_the_mean_score(table, rows):
    def mean(given):
        return math.fsum((given.positive + given.negative) * given.score) / given.total

    assert mean(coarsen(table, rows=rows)) == pytest.approx(mean(table), rel=1e-13, abs=1e-13)


@given(tables(one_class=True, weight=weights(integer=True)), st.integers(1, 12))
def test_coarsening_keeps_the_weight_of_each_class(table, rows):
    small = coarsen(table, rows=rows)
    assert (small.positive_total, small.negative_total) == (table.positive_total, table.negative_total)


@given(tables(one_class=True, score=ODD_SCORES, weight=ODD_WEIGHTS), st.integers(1, 12))
def test_coarsening_pools_neighbours_between_the_scores_they_had(table, rows):
    small = coarsen(table, rows=rows)
    weight, small_weight = table.positive + table.negative, small.positive + small.negative
    ends = np.searchsorted(np.cumsum(weight), np.cumsum(small_weight) * (1 - 1e-12))
    starts = np.append(0, ends[:-1] + 1)
    assert np.all(table.score[starts] <= small.score)
    assert np.all(small.score <= table.score[ends])


@given(tables(one_class=True, score=ODD_SCORES, weight=ODD_WEIGHTS), st.integers(1, 12))
def test_coarsened_scores_ascend_and_are_distinct(table, rows):
    assert np.all(np.diff(coarsen(table, rows=rows).score) > 0)


@given(tables(one_class=True), st.integers(0, 5))
def test_a_table_with_few_enough_rows_is_returned_as_it_is(table, more):
    assert coarsen(table, rows=len(table) + more) is table


def test_coarsened_rows_weigh_about_the_same():
    table = score_table(np.arange(1000) % 7 == 0, np.sqrt(np.arange(1000)))
    small = coarsen(table, rows=40)
    assert_array_equal(small.positive + small.negative, np.full(40, 25))


def test_a_heavy_row_stays_by_itself():
    table = ScoreTable.from_counts([0.1, 0.2, 0.3, 0.4], [1, 90, 1, 0], [1, 5, 1, 1])
    small = coarsen(table, rows=3)
    assert small.score.tolist() == pytest.approx([0.1, 0.2, (2 * 0.3 + 0.4) / 3])
    assert small.positive.tolist() == [1, 90, 1]


def test_a_row_that_could_go_either_way_goes_where_its_middle_is():
    # Of 7 the middle row is 1 to 5, so that most of it lies in the lower half.
    table = ScoreTable.from_counts([0.1, 0.2, 0.3], [1, 4, 2], [0, 0, 0])
    assert coarsen(table, rows=2).positive.tolist() == [5, 2]


def test_a_last_row_too_light_to_count_does_not_make_one_row_more():
    table = ScoreTable.from_counts([0.1, 0.2, 0.3], [1, 1, 1e-20], [0, 0, 0])
    assert len(coarsen(table, rows=2)) == 2


def test_a_row_that_stays_alone_keeps_its_score_to_the_last_digit():
    # (3 * 0.1) / 3 is not 0.1: a score that equals a threshold must not be moved off it.
    table = ScoreTable.from_counts([0.1, 0.7, 0.8], [1, 1, 1], [2, 0, 0])
    assert 3 * 0.1 / 3 != 0.1
    assert coarsen(table, rows=2).score[0] == 0.1
    assert expected_regret(coarsen(table, rows=2), At(0.1)) == expected_regret(table, At(0.1))


def test_pooled_scores_never_pass_the_largest():
    score = np.array([0.2, np.nextafter(1, 0), 1.0])
    for weight in np.linspace(0.1, 3.3, 97):
        table = ScoreTable.from_counts(score, [9, weight, 0], [0, 0, 0.7])
        assert coarsen(table, rows=2).score[-1] <= 1


# ---------------------------------------------------------------------------------------- another prevalence


@given(tables(ends=True), PREVALENCES)
def test_reweighting_reaches_the_prevalence(table, prevalence):
    assert reweight_classes(table, prevalence).prevalence == pytest.approx(prevalence, rel=1e-13)


@given(tables(ends=True), PREVALENCES)
def test_reweighting_keeps_the_scores_and_the_whole_weight(table, prevalence):
    moved = reweight_classes(table, prevalence)
    assert_array_equal(moved.score, table.score)
    assert moved.total == pytest.approx(table.total, rel=1e-13)


@given(tables(ends=True), PREVALENCES)
def test_reweighting_keeps_each_class_as_it_is(table, prevalence):
    moved = reweight_classes(table, prevalence)
    assert_allclose(moved.positive / moved.positive_total, table.positive / table.positive_total, rtol=1e-13)
    assert_allclose(moved.negative / moved.negative_total, table.negative / table.negative_total, rtol=1e-13)


@given(tables(ends=True), PREVALENCES)
def test_reweighting_there_and_back_changes_nothing(table, prevalence):
    back = reweight_classes(reweight_classes(table, prevalence), table.prevalence)
    assert_allclose(back.positive, table.positive, rtol=1e-13)
    assert_allclose(back.negative, table.negative, rtol=1e-13)


@given(tables(ends=True), PREVALENCES)
def test_shifting_adds_one_number_to_the_log_odds_of_every_score(table, prevalence):
    inside = (table.score > 0) & (table.score < 1)
    shift = log_odds(prevalence) - log_odds(table.prevalence)
    moved = shift_scores(table, prevalence)
    assert_allclose(log_odds(moved.score[inside]), log_odds(table.score[inside]) + shift, rtol=1e-11, atol=1e-11)


@given(tables(ends=True), PREVALENCES)
def test_shifting_keeps_the_weights(table, prevalence):
    moved = shift_scores(table, prevalence)
    assert_array_equal(moved.positive, table.positive)
    assert_array_equal(moved.negative, table.negative)


@given(tables(ends=True), PREVALENCES)
def test_scores_of_zero_and_one_do_not_move(table, prevalence):
    certain = (table.score == 0) | (table.score == 1)
    assert_array_equal(shift_scores(table, prevalence).score[certain], table.score[certain])


@given(tables(ends=True), PREVALENCES)
def test_shifting_there_and_back_changes_nothing(table, prevalence):
    there = shift_scores(table, prevalence)
    back = shift_scores(there, table.prevalence, from_prevalence=prevalence)
    assert_allclose(back.score, table.score, rtol=1e-10)


@given(tables(one_class=True, ends=True), PREVALENCES)
def test_shifting_from_the_prevalence_that_is_wanted_changes_nothing(table, prevalence):
    assert shift_scores(table, prevalence, from_prevalence=prevalence) == table


@given(tables(ends=True))
def test_moving_to_its_own_prevalence_changes_nothing(table):
    assert shift_scores(table, table.prevalence) == table
    assert reweight_classes(table, table.prevalence) == table
    assert at_prevalence(table, table.prevalence) == table


@given(tables(), PREVALENCES)
def test_the_assumed_prevalence_is_that_of_the_table_unless_said(table, prevalence):
    assert shift_scores(table, prevalence) == shift_scores(table, prevalence, from_prevalence=table.prevalence)


@given(samples(), st.sampled_from([0.03, 0.2, 0.61]))
def test_moving_to_a_prevalence_shifts_the_scores_and_then_reweights(sample, prevalence):
    table = score_table(*sample)
    moved = at_prevalence(table, prevalence)
    assert moved.prevalence == pytest.approx(prevalence, rel=1e-13)
    assert_array_equal(moved.score, shift_scores(table, prevalence).score)
    assert_allclose(moved.positive, reweight_classes(table, prevalence).positive, rtol=1e-13)


@given(tables(), st.sampled_from([0.03, 0.2, 0.61, 0.97]))
def test_a_calibrated_table_stays_calibrated_at_another_prevalence(table, prevalence):
    moved = at_prevalence(recalibrate(table), prevalence)
    assert_allclose(moved.positive / (moved.positive + moved.negative), moved.score, rtol=1e-12)


@given(st.floats(0.05, 0.95), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_rounding_does_not_make_neighbouring_scores_change_places(start, prevalence, assumed):
    assume(prevalence != assumed)
    score = start + np.arange(60) * np.spacing(start)
    table = ScoreTable(score, np.arange(60.0), np.ones(60))
    moved = shift_scores(table, prevalence, from_prevalence=assumed)
    groups = np.searchsorted(np.cumsum(moved.negative), np.cumsum(table.negative))
    assert_array_equal(np.bincount(groups, weights=table.positive), moved.positive)


def test_a_shift_keeps_the_order_where_rounding_alone_would_turn_it_round():
    low = 0.19851304450925533
    high = np.nextafter(low, 1)
    up, down = np.array([low, high]) * (0.3 * (1 - 0.2)), (1 - np.array([low, high])) * (0.2 * (1 - 0.3))
    assert up[0] / (up[0] + down[0]) > up[1] / (up[1] + down[1])
    moved = shift_scores(score_table([0, 1], [low, high]), 0.3, from_prevalence=0.2)
    assert auc(moved) == 0.5  # now a tie, which is as far as the digits go


def test_a_rare_prevalence_keeps_its_digits():
    table = score_table([0, 1, 1], [0.25, 0.5, 0.9999999])
    rho, pi = 7e-6, 2 / 3
    ratio = rho / (1 - rho) * (1 - pi) / pi
    odds = np.array([1 / 3, 1.0, 0.9999999 / (1 - 0.9999999)]) * ratio
    moved = at_prevalence(table, rho)
    assert_allclose(moved.score, odds / (1 + odds), rtol=1e-14)
    assert moved.prevalence == pytest.approx(rho, rel=1e-15)


def test_scores_close_to_zero_keep_their_digits():
    table = score_table([0, 1], [1e-300, 0.5])
    assert shift_scores(table, 0.2).score.tolist() == pytest.approx([2.5e-301, 0.2], rel=1e-15)


def test_one_class_may_be_shifted_when_the_assumed_prevalence_is_said():
    table = score_table([0, 0], [0.5, 0.8])
    assert shift_scores(table, 0.2, from_prevalence=0.5).score.tolist() == pytest.approx([0.2, 0.5], rel=1e-15)
