"""Intervals of a saving relative to a constant score: all savings that the sample does not exclude."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from stakes._arrays import FloatArray
from stakes._case_columns import IntArray
from stakes.cases import Cases
from stakes.measures import CaseValues
from stakes.uncertainty._bounded_means import Sampling
from stakes.uncertainty._ends import UNDEFINED, Ends, root
from stakes.uncertainty._half_case import Kinds

_LARGEST_RATIO = 2.0**40  # of the two losses: a saving below minus this counts as minus infinity


@dataclass(frozen=True)
class SortedLosses:
    """Losses of the cases of one class in ascending order, with sums from the first to each.

    `sums` has a row for each of: weight; weight times loss; squared weight; that times loss; that times squared loss.
    `bound` is the largest loss possible, and `constant` that of the constant score.
    """

    loss: FloatArray
    sums: FloatArray
    bound: float
    constant: float

    @classmethod
    def of(
        cls, loss: FloatArray, weight: FloatArray, square: FloatArray, bound: float, constant: float
    ) -> SortedLosses:
        """Add up over rows in the order of their scores, of which the loss is a monotone function."""
        if len(loss) and loss[0] > loss[-1]:
            loss, weight, square = loss[::-1], weight[::-1], square[::-1]
        columns = np.stack([weight, weight * loss, square, square * loss, square * loss**2])
        return cls(loss, np.hstack([np.zeros((5, 1)), np.cumsum(columns, axis=1)]), bound, constant)

    def moments(self, ratio: float) -> FloatArray:
        """Return sums of the losses less `ratio` times the constant's.

        The first row is of those above 0, the second of those below. The columns are the weighted sum, the sum of
        squares, and the sum with squared weights.
        """
        zero = ratio * self.constant
        at = self.sums[:, np.searchsorted(self.loss, zero, side="right")]
        weight, first, square, second, third = np.stack([self.sums[:, -1] - at, at], axis=1)
        return np.column_stack(
            [first - zero * weight, third - 2 * zero * second + zero**2 * square, second - zero * square]
        )

    def sizes(self, ratio: float) -> FloatArray:
        """Return how far above 0 a loss less `ratio` times the constant's may be, and how far below, if heavy."""
        weight, _, square, *_ = self.sums[:, -1]
        heavy, zero = square / weight if weight > 0 else 1.0, ratio * self.constant
        return heavy * np.array([max(self.bound - zero, 0.0), zero])


@dataclass(frozen=True)
class Saving:
    """A number that is 1 less the ratio of the mean loss to that of a constant score."""

    classes: tuple[SortedLosses, SortedLosses]
    cases: int
    by_cluster: FloatArray | None = None  # weighted sums of loss, of the constant's, and of 1

    def end(self, ratio: float, level: float, *, up: bool) -> float:
        """Return an end of the interval of the mean of each loss less `ratio` times the constant's."""
        sums = np.concatenate([one.moments(ratio) for one in self.classes])
        mean = float(sums[:, 0].sum()) / self.cases
        sampling = self._sampling(sums, mean, ratio)
        sizes = np.concatenate([one.sizes(ratio) for one in self.classes])
        here, design = sizes > 0, sampling.design
        added, squares = np.abs(sums[here, 0]) / design, np.maximum(sums[here, 1], 0.0) / design
        raises, counted = np.array([True, False] * 2)[here], np.full(np.count_nonzero(here), self.cases / design)
        room = self._room(mean, ratio)
        kinds = Kinds(added, squares, sizes[here], raises, counted, sampling.variance, room)
        reach = kinds.reach(sampling.deviate(level), up=up)
        return mean + reach if up else mean - reach

    def _room(self, mean: float, ratio: float) -> Ends:
        """Return the distances of a mean from the ends of its range."""
        lowest = min(-ratio * one.constant for one in self.classes)
        highest = max(one.bound - ratio * one.constant for one in self.classes)
        return max(mean - lowest, 0.0), max(highest - mean, 0.0)

    def _sampling(self, sums: FloatArray, mean: float, ratio: float) -> Sampling:
        n, weight = self.cases, sum(float(one.sums[2, -1]) for one in self.classes)
        square = float(sums[:, 1].sum() - 2 * mean * sums[:, 2].sum() + mean**2 * weight)
        if self.by_cluster is None:
            return Sampling(max(square, 0.0) / (n * (n - 1)))
        lost, constant, held = self.by_cluster
        return Sampling.of_clusters((lost - ratio * constant - mean * held) / n, max(square, 0.0) / n**2, n)


def saving_ends(cases: Cases, model: str, values: CaseValues, estimate: float, level: float) -> Ends:
    """Return the smallest and the largest saving that the sample does not exclude."""
    units = len(cases) if cases.cluster is None else int(cases.cluster.max()) + 1
    if not math.isfinite(estimate) or units < 2:
        return UNDEFINED
    saving, ratio, least = _saving(cases, model, values), 1 - estimate, values.least
    assert least is not None
    highest = _crossing(cache(lambda q: saving.end(q, level, up=False)), ratio, 0.0)
    lowest = _crossing(cache(lambda q: saving.end(q, level, up=True)), ratio, 1 - least)
    return min(1 - lowest, estimate), max(1 - highest, estimate)  # despite rounding


def _crossing(end: Callable[[float], float], inside: float, last: float) -> float:
    """Return where an end of the interval passes 0, from a ratio inside towards the last possible one."""
    if inside == last:
        return last
    sign = -1.0 if last < inside else 1.0  # of the end inside: above 0 if it is the upper one, else below
    outside, step = (last, 0.0) if math.isfinite(last) else (inside + max(inside, 1.0), max(inside, 1.0))
    while -sign * end(outside) <= 0:
        if step == 0 or outside > _LARGEST_RATIO:
            return last
        step *= 2
        outside += step
    if -sign * end(inside) >= 0:  # the interval is a point but for rounding
        return inside
    return root(end, inside, outside)


def _saving(cases: Cases, model: str, values: CaseValues) -> Saving:
    table, rows, n = cases.table(model), cases.rows(model), len(cases)
    assert values.constant is not None
    losses, bounds = [-value for value in values.values(table.score)], -values.lowest
    scale = n / table.total
    classes = []
    of_class = ((cases.positive, table.positive), (~cases.positive, table.negative))
    for (here, weight), loss, bound, constant in zip(of_class, losses, bounds.tolist(), values.constant, strict=True):
        square = weight if cases.weight is None else _square_weights(rows[here], cases.weight[here], len(table))
        classes.append(SortedLosses.of(loss, weight * scale, square * scale**2, bound, constant))
    by_cluster = None
    if cases.cluster is not None:
        weight = np.full(n, scale) if cases.weight is None else cases.weight * scale
        lost = np.where(cases.positive, *(loss[rows] for loss in losses))
        columns = weight * lost, weight * np.where(cases.positive, *values.constant), weight
        by_cluster = np.stack([np.bincount(cases.cluster, column).astype(np.float64) for column in columns])
    return Saving((classes[0], classes[1]), n, by_cluster)


def _square_weights(rows: IntArray, weight: FloatArray, length: int) -> FloatArray:
    return np.bincount(rows, weight**2, minlength=length).astype(np.float64, copy=False)
