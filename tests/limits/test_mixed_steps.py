"""Mixtures of two thresholds: the last step lies on the binding limit and has no threshold of its own."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stakes import Limits, best_thresholds, score_table
from stakes.beliefs import CostRatio
from stakes.beliefs._scales import cost_scale
from stakes.limits._hull import Counts, best_mixed_steps, best_steps
from stakes.policy import policy_cost

# From the highest score down: two positives, a negative, a positive, three negatives, a positive, two negatives.
TABLE = score_table([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], np.arange(10, 0, -1))
COUNTS = Counts.of(TABLE)
SCALE = cost_scale("cost proportion", COUNTS.positive, COUNTS.negative)


def last_point(limits):
    steps = best_mixed_steps(COUNTS, limits, SCALE)
    assert len(steps.index) == len(steps.false_alarms) == len(steps.true_alarms)
    most = int(np.argmax(steps.false_alarms + steps.true_alarms))
    return float(steps.false_alarms[most]), float(steps.true_alarms[most]), int(steps.index[most])


@given(st.floats(0.01, 0.99))
def test_where_the_capacity_binds_it_is_used_up(capacity):
    false_alarms, true_alarms, index = last_point(Limits(capacity=capacity))
    assert false_alarms + true_alarms == pytest.approx(10 * capacity, rel=1e-12)
    assert index in (-1, 2, 4, 8, 10)


@given(st.floats(0.41, 0.99))
def test_where_the_precision_binds_it_is_met_exactly(alpha):
    false_alarms, true_alarms, index = last_point(Limits(min_precision=alpha))
    assert true_alarms / (false_alarms + true_alarms) == pytest.approx(alpha, rel=1e-12)
    assert index in (-1, 2, 4, 8)


@given(st.floats(0.41, 0.99), st.floats(0.01, 0.99))
def test_of_two_limits_the_tighter_one_binds(alpha, capacity):
    assume(capacity > 0.2)  # so many alarms can all be true
    false_alarms, true_alarms, _ = last_point(Limits(min_precision=alpha, capacity=capacity))
    alarms = false_alarms + true_alarms
    assert min(true_alarms / alarms - alpha, capacity - alarms / 10) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("limits", [Limits(capacity=0.4), Limits(min_precision=0.75)])
def test_a_threshold_on_the_limit_needs_no_tossing(limits):
    assert last_point(limits) == (1.0, 3.0, 4)


@pytest.mark.parametrize("limits", [Limits(capacity=0.35), Limits(min_precision=0.8)])
def test_a_point_between_two_thresholds_is_no_threshold(limits):
    assert last_point(limits)[2] == -1


@pytest.mark.parametrize(
    ("scale", "rising"), [("cost ratio", True), ("cost proportion", True), ("inverse cost ratio", False)]
)
def test_at_a_tie_the_step_with_more_alarms_serves(scale, rising):
    stated = cost_scale(scale, COUNTS.positive, COUNTS.negative)
    steps = best_steps(COUNTS, COUNTS.allowed(Limits()), stated)
    alarms = steps.false_alarms + steps.true_alarms
    found = alarms[steps.stairs.find(steps.stairs.bounds)]
    assert found.tolist() == np.maximum(alarms[:-1], alarms[1:]).tolist()
    assert steps.stairs.rising is rising


def test_rounding_of_large_costs_is_forgiven():
    policy = best_thresholds(TABLE, CostRatio(0, 1e9))
    exact, wider = (policy_cost(policy, TABLE, CostRatio(0, high)) for high in (1e9, 1e9 * (1 + 1e-10)))
    assert wider.regret == pytest.approx(exact.regret, rel=1e-6)
