"""What costs say of themselves, and the parts that they are taken apart into."""

import pytest

from stakes import At, Beta, Limits, Uniform, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio, Mixture
from stakes.limits import partial_voros
from stakes.policy import policy_cost

# From the highest score down: two positives, a negative, a positive, three negatives, a positive, two negatives.
TABLE = score_table([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], list(range(10, 0, -1)))
OTHER = score_table([1, 0, 1, 0, 1, 0, 0], [9.5, 8.5, 7.5, 6.5, 4, 3, 1])
LIMITS = Limits(capacity=0.7, min_precision=0.3)
APART = Mixture([Uniform(0.1, 0.2), At(0.4), Beta(2, 5, low=0.3, high=0.8)], [4, 1, 3])


@pytest.mark.parametrize("kind", [CostRatio, InverseCostRatio])
def test_bounds_are_floats_whatever_they_were_given_as(kind):
    ratio = kind(1, 9)
    assert repr(ratio) == f"{kind.__name__}(low=1.0, high=9.0)"
    assert ratio == kind(1.0, 9.0)


@pytest.mark.parametrize(
    ("belief", "message"),
    [
        (30, "`belief` must lie strictly between 0 and 1, got 30; 30% is 0.3."),
        ("30", "`belief` must lie strictly between 0 and 1, got 30; 30% is 0.3."),
    ],
)
def test_a_fractional_cost_is_judged_when_it_is_stated(belief, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        FractionalCost.of(belief)
    assert str(caught.value) == message


def test_a_fractional_cost_may_be_a_number_or_words():
    assert FractionalCost.of(0.3) == FractionalCost.of("30%") == FractionalCost.of(At(0.3))
    assert FractionalCost.of("20%..50%") == FractionalCost(0.2, 0.5)


def test_a_mixture_of_mixtures_is_one_mixture():
    inner = Mixture([Uniform(0.1, 0.3), At(0.4)], [1, 3])
    nested, flat = Mixture([inner, Beta(2, 5)], [2, 5]), Mixture([*inner.parts, Beta(2, 5)], [0.5, 1.5, 5])
    assert partial_voros(TABLE, nested, LIMITS) == pytest.approx(partial_voros(TABLE, flat, LIMITS), rel=1e-14)


def test_a_policy_for_a_mixture_serves_from_its_lowest_to_its_highest_cost():
    policy = best_thresholds(TABLE, APART)
    assert (policy.from_cost[0], policy.to_cost[-1]) == (0.1, 0.8)
    assert policy.share.sum() == pytest.approx(1, rel=1e-12)


def test_a_mixture_pays_the_mean_of_what_its_parts_pay():
    policy = best_thresholds(TABLE, APART)
    paid = policy_cost(policy, OTHER, APART)
    parts = [policy_cost(policy, OTHER, part) for part in APART.parts]
    assert paid.regret == pytest.approx(
        sum(weight * part.regret for weight, part in zip(APART.weights, parts, strict=True)), rel=1e-12
    )
    assert paid.normalised_cost == pytest.approx(
        sum(weight * part.normalised_cost for weight, part in zip(APART.weights, parts, strict=True)), rel=1e-12
    )
