"""Where the loss of a belief turns from convex to concave or back: between two such scores a mean score bounds it.

A loss falls or rises with a slope that is the belief's density times a power of the score and of one minus the score,
so it is convex or concave wherever that product only rises or only falls.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from stakes.beliefs import (
    Beta,
    CostBelief,
    EveryLogOdds,
    IndependentCosts,
    LogOddsMeasure,
    LogOddsUniform,
    ShiftedUniform,
    Uniform,
)

# Powers of the score and of one minus the score by which the slope of each loss differs from the density.
_POWERS = {
    "loss_if_positive": (0, 1),
    "loss_if_negative": (1, 0),
    "share_above": (0, 0),
    "odds_up_to": (1, -1),
}


class Shape(NamedTuple):
    """How a loss bends."""

    bends: tuple[float, ...]  # no change from convex to concave between neighbours, nor outside
    curvature: float | None = None  # the second derivative between the first and the last, where it is one number


def shape(costs: CostBelief, loss: str) -> Shape | None:
    """Say how a loss of a belief bends; none where it has steps, or where that is not known."""
    kind = type(costs)
    if isinstance(costs, Uniform) and kind is Uniform:
        curved = {"share_above": 0.0, "odds_up_to": None}.get(loss, 1 / (costs.high - costs.low))
        return Shape(_of_powers(loss, 0, 0, costs.low, costs.high), curved)
    if isinstance(costs, LogOddsUniform | LogOddsMeasure) and kind in (LogOddsUniform, LogOddsMeasure):
        return Shape(_of_powers(loss, -1, -1, costs.low, costs.high))
    if kind is EveryLogOdds:
        return Shape(_of_powers(loss, -1, -1, 0.0, 1.0))
    if isinstance(costs, Beta) and kind is Beta:
        return Shape(_of_powers(loss, costs.alpha - 1, costs.beta - 1, costs.low, costs.high))
    if isinstance(costs, ShiftedUniform) and kind is ShiftedUniform:
        return Shape(_of_shifted(loss, costs.mode))
    if isinstance(costs, IndependentCosts) and kind is IndependentCosts:
        return _of_independent(costs)
    return None


def _of_powers(loss: str, a: float, b: float, low: float, high: float) -> tuple[float, ...]:
    """Bends where the density is ``s**a (1 - s)**b`` between `low` and `high`."""
    a, b = a + _POWERS[loss][0], b + _POWERS[loss][1]
    turn = a / (a + b) if a * b > 0 else math.nan  # else the slope only rises or only falls
    return (low, turn, high) if low < turn < high else (low, high)


def _of_shifted(loss: str, mode: float) -> tuple[float, ...]:
    """Bends where the density is ``1 / (mode + d s)**2`` with ``d = 1 - 2 mode``."""
    d = 1 - 2 * mode
    if loss == "share_above" or d == 0:
        turns = []
    elif loss == "loss_if_positive":
        turns = [2 + mode / d]
    elif loss == "loss_if_negative":
        turns = [mode / d]
    else:
        root = math.sqrt(1 - 8 * mode / d) if d > 8 * mode else math.nan
        turns = [(1 - root) / 4, (1 + root) / 4]
    return (0.0, *(turn for turn in turns if 0 < turn < 1), 1.0)


def _of_independent(costs: IndependentCosts) -> Shape | None:
    """Bends where the boundary of the rectangle of costs has a corner."""
    (f0, f1), (g0, g1) = costs.false_negative, costs.false_positive
    if f0 == f1 and g0 == g1:
        return None
    corners = [(g0, f1), (g0, f0), (g1, f1), (g1, f0)]
    return Shape(tuple(sorted(g / (g + f) for g, f in corners if g + f > 0)))
