"""Bounds of a mean of pointwise losses, bin by bin."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes.beliefs import (
    Beta,
    CostBelief,
    EveryLogOdds,
    IndependentCosts,
    LogOddsMeasure,
    LogOddsUniform,
    Mixture,
    ShiftedUniform,
    Uniform,
)
from stakes.large import BinSums, QuantisedTable


class Ends(NamedTuple):
    """Both bounds of several numbers, or of one."""

    lower: FloatArray
    upper: FloatArray

    @classmethod
    def of(cls, one: FloatArray, other: FloatArray) -> Ends:
        """Order two values."""
        return cls(np.minimum(one, other), np.maximum(one, other))


def mean_loss(table: QuantisedTable, costs: CostBelief, if_positive: str, if_negative: str) -> tuple[float, float]:
    """Bound the mean of two losses, one per class, before rounding of weights and losses."""
    classes = ((table.positive, if_positive), (table.negative, if_negative))
    lower, upper = zip(*(_total(sums.rows(sums.weight > 0), costs, loss) for sums, loss in classes), strict=True)
    return sum(lower) / table.total, sum(upper) / table.total


def _total(sums: BinSums, costs: CostBelief, loss: str) -> tuple[float, float]:
    """Bound the sum of weight times loss of one class; a mixture's is the mixture of its parts'."""
    if isinstance(costs, Mixture):
        for k, part in enumerate(costs.parts):
            _check.check_methods(f"parts[{k}]", part, loss)
        parts = [(share, *_total(sums, part, loss)) for part, share in zip(costs.parts, costs.weights, strict=True)]
        return sum(share * low for share, low, _ in parts), sum(share * high for share, _, high in parts)
    each = _bounded_by_extremes(sums, costs, loss)
    if np.isinf(each.upper).any():  # the extreme scores occur, so at least one case has this loss
        return np.inf, np.inf
    bent = shape(costs, loss)
    if bent is not None:
        each = _bounded_by_mean(sums, costs, loss, bent, each)
    return float((sums.weight * each.lower).sum()), float((sums.weight * each.upper).sum())


def _bounded_by_extremes(sums: BinSums, costs: CostBelief, loss: str) -> Ends:
    """Bound the mean loss in each bin by the losses of its extreme scores, since losses are monotone."""
    value = getattr(costs, loss)
    return Ends.of(np.asarray(value(sums.least)), np.asarray(value(sums.most)))


def _bounded_by_mean(sums: BinSums, costs: CostBelief, loss: str, bent: Shape, extremes: Ends) -> Ends:
    """Tighten the bounds by the mean score where the loss is convex or concave between the extremes.

    It is then between the loss of the mean score (Jensen) and the straight line that joins the losses of the
    extremes. Where the second derivative is one number, the mean square says where between the two.
    """
    value = getattr(costs, loss)
    mean = _mean_score(sums)
    line = _on_line(sums, mean, np.asarray(value(sums.least)), np.asarray(value(sums.most)))
    if bent.curvature is None:
        at_mean = Ends.of(value(mean.lower), value(mean.upper))
        found = Ends(np.minimum(at_mean.lower, line.lower), np.maximum(at_mean.upper, line.upper))
    else:
        below = _below_line(sums, mean)
        inside = (sums.least >= bent.bends[0]) & (sums.most <= bent.bends[-1])
        half = np.where(inside, bent.curvature / 2, 0.0)
        found = Ends(line.lower - half * below.upper, line.upper - half * below.lower)
    clipped = Ends(np.maximum(found.lower, extremes.lower), np.minimum(found.upper, extremes.upper))
    usable = _between_bends(sums, bent) & (sums.least < sums.most)
    return Ends(*(np.where(usable, *pair) for pair in zip(clipped, extremes, strict=True)))


def _between_bends(sums: BinSums, bent: Shape) -> BoolArray:
    """Return the bins without a bend between the lowest and the highest score."""
    return np.searchsorted(bent.bends, sums.least, "right") >= np.searchsorted(bent.bends, sums.most, "left")


def _mean_score(sums: BinSums) -> Ends:
    """Bound the mean score of each bin: it is known but for the rounding of its sums."""
    mean, off = sums.score / sums.weight, 2 * sums.rounding
    return Ends(*(np.clip(end, sums.least, sums.most) for end in (mean * (1 - off), mean * (1 + off))))


def _on_line(sums: BinSums, mean: Ends, at_least: FloatArray, at_most: FloatArray) -> Ends:
    """Where the straight line from one extreme to the other is at the mean score."""
    with np.errstate(invalid="ignore"):  # a bin of one score
        first, last = ((end - sums.least) / (sums.most - sums.least) for end in mean)
        return Ends.of(*((1 - share) * at_least + share * at_most for share in (first, last)))


def _below_line(sums: BinSums, mean: Ends) -> Ends:
    """Bound the mean of ``(score - least) (most - score)``, the distance of ``score**2`` from its chord.

    With the distances of the mean score itself the product would be larger, or the same where all scores are equal.
    """
    largest = sums.score / sums.weight * (sums.least + sums.most)
    found = largest - sums.least * sums.most - sums.square / sums.weight
    off = 6 * sums.rounding * largest  # two for each of the three terms, of which this is the largest
    most = (mean.upper - sums.least) * (sums.most - mean.lower)
    return Ends(np.clip(found - off, 0.0, most), np.clip(found + off, 0.0, most))


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
    """Return the shape of a loss of a belief; None if it has steps or is not known."""
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
        return Shape(_of_shifted(loss, costs.median))
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
