"""Costs of a policy at which only one of its steps applies, ties, and bad tables."""

import numpy as np
import pytest

from stakes import At, Limits, Uniform, best_thresholds, expected_regret, recalibrate, score_table
from stakes.beliefs import FractionalCost
from stakes.limits import (
    PartialVorosMap,
    feasible_partial_auc,
    lesser_area_curve,
    max_feasible_recall,
    partial_voros,
    voros,
)
from stakes.policy import best_recall_threshold, policy_cost

TABLE = score_table([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], np.arange(10, 0, -1))
COSTS, LIMITS = FractionalCost(0.2, 0.6), Limits(capacity=0.5)


@pytest.mark.parametrize("cost", [0.15, 0.45, 0.85])
def test_at_one_cost_a_policy_pays_the_smallest_regret(cost):
    policy = best_thresholds(TABLE, Uniform(0.1, 0.9))
    assert len(policy) >= 3
    assert policy_cost(policy, TABLE, At(cost)).regret == pytest.approx(expected_regret(recalibrate(TABLE), At(cost)))


@pytest.mark.parametrize(("apart", "tied"), [(0.0075, True), (0.0125, False)])
def test_models_within_a_hundredth_are_tied_unless_said_otherwise(apart, tied):
    values = np.array([0.5, 0.5 + apart])[:, None, None]
    grid = PartialVorosMap(("a", "b"), np.array([0.5]), np.array([0.5]), values)
    assert grid.tied().tolist() == [[tied]]
    assert grid.near_best().sum() == 1 + tied


def test_an_undefined_curve_still_runs_over_every_fractional_cost():
    with pytest.warns(RuntimeWarning, match="lesser_area_curve"):
        curve = lesser_area_curve(score_table([1, 1], [1, 2]))
    assert curve.x.tolist() == [0.0, 1.0]
    assert np.isnan(curve.y).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda table: voros(table, COSTS),
        lambda table: partial_voros(table, COSTS, LIMITS),
        lambda table: best_thresholds(table, COSTS),
        lambda table: best_recall_threshold(table, COSTS, LIMITS),
        lambda table: policy_cost(best_thresholds(TABLE, COSTS), table, COSTS),
        lambda table: max_feasible_recall(table, LIMITS),
        lambda table: feasible_partial_auc(table, LIMITS),
        lambda table: lesser_area_curve(table, LIMITS),
    ],
)
def test_what_is_no_table_is_refused(call):
    with pytest.raises(TypeError, match=r"^`table` must be a ScoreTable \(see `score_table`\), got list\.$"):
        call([0.1, 0.9])
