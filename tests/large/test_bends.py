"""Between two bends a loss is convex or concave, as its second differences show."""

import itertools

import numpy as np
import pytest

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import Atoms, EveryLogOdds, IndependentCosts, LogOddsMeasure, Mixture, ShiftedUniform
from stakes.bounds._mean_loss import shape

LOSSES = ("loss_if_positive", "loss_if_negative", "share_above", "odds_up_to")
BENT = [
    Uniform(),
    Uniform(0.1, 0.4),
    LogOddsUniform(0.02, 0.7),
    LogOddsMeasure(0.1, 1.0),
    EveryLogOdds(),
    *(Beta(a, b) for a in (0.5, 1, 1.5, 4) for b in (0.6, 1, 1.8, 2.5, 7)),
    Beta(3, 4, low=0.1, high=0.45),
    *(ShiftedUniform(mode) for mode in (0.02, 0.09, 0.2, 0.34, 0.5, 0.6, 0.7, 0.97)),
    IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3)),
    IndependentCosts(false_negative=(2, 3), false_positive=(0.5, 9)),
    IndependentCosts(false_negative=(0, 1), false_positive=(0, 1)),
    IndependentCosts(false_negative=(3, 3), false_positive=(0, 2)),
    IndependentCosts(false_negative=(1, 9), false_positive=(2, 2)),
]
CASES = [(costs, loss) for costs in BENT for loss in LOSSES if hasattr(costs, loss)]


def second_differences(costs, loss, low, high):
    """Return second differences of a loss on a grid inside a range, in units of its rounding."""
    x = np.linspace(low, high, 402)[1:-1]
    value = getattr(costs, loss)(x)
    return np.diff(value, 2) / (np.abs(value).max() + 1e-300) / 2**-46


@pytest.mark.parametrize(("costs", "loss"), CASES)
def test_a_loss_is_convex_or_concave_between_bends(costs, loss):
    ends = [0.0, *shape(costs, loss).bends, 1.0]
    for low, high in itertools.pairwise(ends):
        if high - low > 1e-3:
            bend = second_differences(costs, loss, low, high)
            assert bend.min() > -1 or bend.max() < 1, (low, high)


@pytest.mark.parametrize(
    ("costs", "loss"), [(costs, loss) for costs, loss in CASES if len(shape(costs, loss).bends) > 2]
)
def test_no_bend_is_there_for_nothing(costs, loss):
    first, *turns, last = shape(costs, loss).bends
    for turn in turns:
        reach = 0.04 * min(turn - first, last - turn)
        if reach > 1e-4:
            before = second_differences(costs, loss, turn - reach, turn).mean()
            after = second_differences(costs, loss, turn, turn + reach).mean()
            assert before * after < 0 or isinstance(costs, IndependentCosts)


@pytest.mark.parametrize("loss", LOSSES[:3])
@pytest.mark.parametrize("costs", [Uniform(), Uniform(0.1, 0.4)])
def test_a_constant_curvature_is_the_second_derivative(costs, loss):
    x = np.linspace(costs.low, costs.high, 9)
    second = np.diff(getattr(costs, loss)(x), 2) / (x[1] - x[0]) ** 2
    np.testing.assert_allclose(second, shape(costs, loss).curvature, rtol=1e-11, atol=1e-12)


class Steeper(Uniform):
    """A user's own losses, under a name of ours."""

    def loss_if_positive(self, score):
        return (1 - np.asarray(score)) ** 9


@pytest.mark.parametrize(
    "costs",
    [
        At(0.3),
        Atoms([0.1, 0.4], [1, 1]),
        Mixture([Uniform()], [1]),
        IndependentCosts(false_negative=(2, 2), false_positive=(1, 1)),
        Steeper(),
    ],
)
def test_steps_and_unknown_losses_have_no_shape(costs):
    assert shape(costs, "loss_if_positive") is None
