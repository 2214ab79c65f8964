"""The range of costs of a policy, on any scale and up to rounding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import Uniform, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio
from stakes.policy import policy_cost

TABLE = score_table([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], np.arange(10, 0, -1))


@pytest.mark.parametrize(
    ("made_for", "wanted", "said"),
    [
        (Uniform(0.1, 0.3), Uniform(0.05, 0.2), "cost proportion 0.1 to 0.3, got 0.05 to 0.2"),
        (Uniform(0.1, 0.3), Uniform(0.2, 0.35), "cost proportion 0.1 to 0.3, got 0.2 to 0.35"),
        (Uniform(0.2, 1.0), CostRatio(0.01, 0.2), "cost ratio 0.25 to inf, got 0.01 to 0.2"),
        (Uniform(0.0, 0.8), InverseCostRatio(0.01, 0.9), "inverse cost ratio 0.25 to inf, got 0.01 to 0.9"),
        (CostRatio(0.1, 1e10), CostRatio(0.01, 0.2), "cost ratio 0.1 to 1e+10, got 0.01 to 0.2"),
    ],
    ids=repr,
)
def test_costs_beyond_either_end_are_refused(made_for, wanted, said):
    with pytest.raises(ValueError, match="`costs` must lie within") as caught:
        policy_cost(best_thresholds(TABLE, made_for), TABLE, wanted)
    assert str(caught.value) == f"`costs` must lie within the range of the policy, {said}."


@pytest.mark.parametrize("factor", [1 - 1e-10, 1 + 1e-10])
def test_a_last_digit_of_a_large_ratio_is_forgiven_at_both_ends(factor):
    policy = best_thresholds(TABLE, CostRatio(1e9, 2e9))
    exact, other = (policy_cost(policy, TABLE, CostRatio(1e9 * f, 2e9 * f)) for f in (1, factor))
    assert other.regret == pytest.approx(exact.regret, rel=1e-6)


def test_what_translation_costs_a_tiny_ratio_is_forgiven():
    """A cost proportion of almost 1 holds few digits of the ratio that it stands for."""
    for ratio in np.geomspace(1e6, 1e9, 20):
        inverse = InverseCostRatio(1 / ratio, 2)
        paid = policy_cost(best_thresholds(TABLE, CostRatio(0.5, ratio)), TABLE, inverse)
        assert paid.regret == pytest.approx(best_thresholds(TABLE, inverse).mean_regret, rel=1e-9)


@given(st.floats(0.001, 0.998), st.floats(0.001, 0.998))
def test_the_same_range_on_another_scale_is_within_it_and_served_as_well(a, b):
    low, high = min(a, b), max(a, b) + 0.001
    policy, negatives_to_positives = best_thresholds(TABLE, Uniform(low, high)), 6 / 4
    ratios = low / (1 - low), high / (1 - high)
    fractions = (ratio * negatives_to_positives / (1 + ratio * negatives_to_positives) for ratio in ratios)
    for costs in (CostRatio(*ratios), InverseCostRatio(1 / ratios[1], 1 / ratios[0]), FractionalCost(*fractions)):
        assert policy_cost(policy, TABLE, costs).regret == pytest.approx(
            best_thresholds(TABLE, costs).mean_regret, rel=1e-9
        )
