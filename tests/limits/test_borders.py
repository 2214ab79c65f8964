"""Exact ties of points, limits and weights: on an edge, on a limit, and beside far larger weights."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stakes import Limits, ScoreTable, Uniform, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio
from stakes.beliefs._scales import cost_scale
from stakes.limits import feasible_partial_auc, feasible_region, lesser_area, lesser_area_curve, partial_voros
from stakes.limits._area import Fans
from stakes.limits._hull import Counts, best_mixed_steps
from stakes.limits._region import region_in_counts

COUNTS, THRESHOLDS = st.lists(st.integers(1, 40), min_size=3, max_size=3), st.integers(1, 2)
TABLE = score_table([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], np.arange(10, 0, -1))


@pytest.mark.parametrize("edge", range(4))
def test_no_triangle_has_a_negative_area_seen_from_the_border(edge):
    corners = region_in_counts(7.0, 13.0, Limits(capacity=0.61, min_precision=0.23))
    way = np.random.default_rng(edge).random((300, 1))
    x, y = (corners[edge] + way * (np.roll(corners, -1, axis=0)[edge] - corners[edge])).T
    assert Fans.of(corners, x, y, cost_scale("cost ratio", 7.0, 13.0)).area.min() == 0


@pytest.mark.parametrize("costs", [Uniform(0.1, 0.6), CostRatio(0.1, 3), InverseCostRatio(0.1, 3)], ids=repr)
@pytest.mark.parametrize("randomised", [False, True])
def test_a_weight_that_drowns_in_the_others_changes_nothing(costs, randomised):
    y, score, weight = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1], [1, 1, 1, 1, 1e-20]
    with_it, without = (score_table(y[:size], score[:size], weight[:size]) for size in (5, 4))
    limits = Limits(capacity=0.8)
    values = [partial_voros(table, costs, limits, randomised=randomised) for table in (with_it, without)]
    assert values[0] == values[1]


@pytest.mark.parametrize(("k", "n"), [(1, 49), (15, 22), (31, 39)])
def test_a_threshold_that_uses_the_capacity_up_needs_no_tossing(k, n):
    assert k / n * n < k  # as it is rounded
    counts = Counts.of(ScoreTable.from_counts([1, 2], [0, k], [n - k, 0]))
    steps = best_mixed_steps(
        counts, Limits.from_count(k, n), cost_scale("cost ratio", counts.positive, counts.negative)
    )
    assert sorted(steps.index.tolist()) == [0, 1]


@example([31, 35], [31, 31], 1)
@example([4, 36, 2], [3, 16, 12], 2)
@given(COUNTS, COUNTS, THRESHOLDS)
def test_a_capacity_that_a_threshold_uses_up_is_worth_what_a_little_less_is(positive, negative, rows):
    """Weights in thirds, so that what is left of the capacity is rounding, in no direction that means anything."""
    table = ScoreTable.from_counts(range(len(positive)), np.array(positive) / 3, np.array(negative) / 3)
    capacity = (table.positive[-rows:] + table.negative[-rows:]).sum() / table.total
    used_up, a_little_less = (
        partial_voros(table, Uniform(0.05, 0.9), Limits(capacity=part * capacity), randomised=True)
        for part in (1, 1 - 1e-11)
    )
    assert used_up == pytest.approx(a_little_less, abs=1e-9)


def test_a_threshold_that_is_just_precise_enough_needs_no_tossing():
    """Three true among ten alarms meet a precision of 0.3, though 0.7 times 3 is less than 0.3 times 7 in floats."""
    counts = Counts.of(ScoreTable.from_counts([1, 2], [2, 3], [40, 7]))
    steps = best_mixed_steps(counts, Limits(min_precision=0.3), cost_scale("cost ratio", 5.0, 47.0))
    assert sorted(steps.index.tolist()) == [0, 1]


@pytest.mark.parametrize("true_alarms", range(1, 10))
def test_along_the_line_of_the_smallest_precision_only_the_capacity_ends_the_way(true_alarms):
    """So many of ten alarms are true, which is precise enough, whatever the products round to."""
    counts = Counts.of(ScoreTable.from_counts([1, 2], [1, true_alarms], [19, 10 - true_alarms]))
    limits = Limits(capacity=0.2, min_precision=true_alarms / 10)
    steps = best_mixed_steps(counts, limits, cost_scale("inverse cost ratio", counts.positive, counts.negative))
    assert steps.false_alarms.tolist() == pytest.approx([0, 0.6 * (10 - true_alarms)])
    assert steps.true_alarms.tolist() == pytest.approx([0, 0.6 * true_alarms])


@pytest.mark.parametrize(("false_alarms", "true_alarms"), [(7, 2), (6, 3), (5, 4)])
def test_a_way_that_does_not_fall_in_floats_ends_at_its_end(false_alarms, true_alarms):
    """The smallest precision is a last digit above the threshold's, and their difference is lost in the products."""
    alpha = float(np.nextafter(true_alarms / (false_alarms + true_alarms), 1))
    assert alpha * false_alarms == (1 - alpha) * true_alarms  # as they are rounded
    counts = Counts.of(ScoreTable.from_counts([1, 2], [1, true_alarms], [20, false_alarms]))
    steps = best_mixed_steps(counts, Limits(min_precision=alpha), cost_scale("inverse cost ratio", 1.0, 1.0))
    assert (steps.false_alarms.tolist(), steps.true_alarms.tolist()) == ([0, false_alarms], [0, true_alarms])


@example([5, 5, 4], [1, 1, 7], [1, 1])  # two thresholds that are just precise enough; the first uses the capacity up
@given(COUNTS, COUNTS, st.lists(THRESHOLDS, min_size=2, max_size=2))
def test_tossing_never_hurts_under_limits_that_real_thresholds_just_meet(positive, negative, rows):
    table = ScoreTable.from_counts([3, 2, 1], positive, negative)
    alarms, true_alarms = np.cumsum(np.add(positive, negative)), np.cumsum(positive)
    answered, precise = (row - 1 for row in rows)
    limits = Limits(capacity=alarms[answered] / alarms[-1], min_precision=true_alarms[precise] / alarms[precise])
    real, tossed = (partial_voros(table, Uniform(0.05, 0.9), limits, randomised=toss) for toss in (False, True))
    assert tossed >= real - 1e-14


def test_a_curve_along_the_line_of_the_smallest_precision_has_no_area_there():
    """In counts: half of every alarm must be true; the curve runs on that line, and then over a triangle of area 1."""
    table = ScoreTable.from_counts([1, 2, 3], [0, 2, 2], [1, 1, 2])
    assert feasible_partial_auc(table, Limits(min_precision=0.5)) == pytest.approx(1 / 8, rel=1e-14)


@given(st.integers(0, 2**10 - 1), st.sampled_from([None, 0.2, 0.5, 0.8]))
def test_a_capacity_of_every_case_is_no_limit(positives, alpha):
    y = [1, 0, *(positives >> k & 1 for k in range(10))]
    table = score_table(y, [0.5, 3.5, *range(10)])
    limited, free = (Limits(capacity=capacity, min_precision=alpha) for capacity in (1.0, None))
    assert feasible_partial_auc(table, limited) == pytest.approx(feasible_partial_auc(table, free), rel=1e-14)


@pytest.mark.parametrize("t", [0.1, 0.5, 0.9])
def test_nothing_costs_more_than_to_alarm_for_the_negatives_alone(t):
    region = feasible_region(TABLE, Limits(min_precision=0.5))
    assert lesser_area(region, false_positive_rate=1.0, true_positive_rate=0.0, t=t) == 0


@pytest.mark.parametrize("limits", [Limits(), Limits(capacity=0.5), Limits(min_precision=0.6)], ids=repr)
def test_where_two_thresholds_tie_the_lesser_area_curve_names_both(limits):
    policy, curve = best_thresholds(TABLE, FractionalCost(0, 1), limits), lesser_area_curve(TABLE, limits)
    assert len(policy) >= 2
    for step, tie in enumerate(policy.to_cost[:-1]):
        here = curve.x == tie
        assert {*curve.threshold[here]} == {*policy.threshold[step : step + 2]}
        assert np.ptp(curve.y[here]) < 1e-15
        assert curve.threshold[np.flatnonzero(here)[-1]] == policy.threshold[step + 1]
