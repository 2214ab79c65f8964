"""Share of a region that costs more than an operating point, at one cost or averaged over costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stakes._arrays import BoolArray, FloatArray, log_excess_ratio
from stakes.beliefs import (
    CostScale,
    Distributions,
    MoneyRange,
    PointMasses,
    PricedThresholds,
    SmoothDensity,
    UniformRange,
)
from stakes.limits._hull import HullSteps, Indices


@dataclass(frozen=True, slots=True)
class Fans:
    r"""A convex region divided into triangles, one for each operating point and each edge.

    The line of equal cost through the point divides the region into a costlier and a cheaper part. It passes through
    the apex of every triangle, so the costlier share of a triangle is that of its edge: with
    :math:`\delta = C_{FP}\,\Delta FP - C_{FN}\,\Delta TP` the extra cost of either end of the edge, 1 where both cost
    more, 0 where neither does, and otherwise :math:`\delta_+/(\delta_+ - \delta_-)`. The extra costs are linear in the
    number of the cost scale, so that share is a ratio of linear functions. (The usual sum over the corners has products
    of two such ratios; this has the same area without products and without cancellation.)
    """

    area: FloatArray  # twice that of each triangle; points x edges
    here: tuple[FloatArray, FloatArray]  # extra cost of an edge's first end: value at 0 and slope
    there: tuple[FloatArray, FloatArray]  # the same of its other end

    @classmethod
    def of(cls, corners: FloatArray, false_alarms: FloatArray, true_alarms: FloatArray, scale: CostScale) -> Fans:
        """Divide a region, or one region for each point, into triangles; corners are in counts."""
        x, y = corners[..., 0] - false_alarms[:, None], corners[..., 1] - true_alarms[:, None]
        area = np.maximum(x * _next(y) - _next(x) * y, 0.0)  # rounding may put a point on the border just beyond it
        offset, slope = (cost * x - miss * y for cost, miss in zip(scale.alarm, scale.miss, strict=True))
        return cls(area, (offset, slope), (_next(offset), _next(slope)))

    def at(self, point: Indices, x: FloatArray) -> FloatArray:
        """Return the share of the region that costs more than the points of these indices, at the numbers `x`."""
        here, there = (offset[point] + slope[point] * x[:, None] for offset, slope in (self.here, self.there))
        costlier, cheaper = np.maximum(np.maximum(here, there), 0.0), np.maximum(-np.minimum(here, there), 0.0)
        span = costlier + cheaper
        part = np.divide(costlier, span, out=np.zeros_like(span), where=span > 0)
        return _mean_by_area(self.area[point], part)

    def turns(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Return the numbers at which corners change sides, clipped to each point's range; points x corners."""
        offset, slope = self.here
        root = np.divide(-offset, slope, out=np.full_like(slope, np.nan), where=slope != 0)
        return np.clip(np.where(np.isnan(root), low[:, None], root), low[:, None], high[:, None])

    def mean(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Return the mean costlier share of the region, over numbers uniform in the range of each point."""
        turn = self.turns(low, high)
        knots = np.empty((4, *turn.shape))
        knots[0], knots[3] = low[:, None], high[:, None]
        np.minimum(turn, _next(turn), out=knots[1])
        np.maximum(turn, _next(turn), out=knots[2])
        middle, width = (knots[1:] + knots[:-1]) / 2, knots[1:] - knots[:-1]
        here_up, there_up = (offset + slope * middle > 0 for offset, slope in (self.here, self.there))
        part = here_up.astype(np.float64)
        split = (here_up != there_up) & (width > 0)  # a piece without width adds nothing and needs no logarithm
        part[split] = self._split_means(knots, split, here_up[split])
        return _mean_by_area(self.area, (part * width).sum(axis=0) / width.sum(axis=0))

    def _split_means(self, knots: FloatArray, split: BoolArray, here_up: BoolArray) -> FloatArray:
        """Return the mean costlier part of an edge, over the pieces between knots on which the line splits it."""
        _, row, edge = np.nonzero(split)
        costlier, whole = [], []
        for x in (knots[:-1][split], knots[1:][split]):
            here, there = (offset[row, edge] + slope[row, edge] * x for offset, slope in (self.here, self.there))
            costlier.append(np.maximum(np.where(here_up, here, there), 0.0))
            whole.append(costlier[-1] + np.maximum(-np.where(here_up, there, here), 0.0))
        return mean_ratio(*costlier, *whole)


def _next(values: FloatArray) -> FloatArray:
    """Return the value at the other end of each edge, which is the next column, cyclically."""
    return np.concatenate([values[:, 1:], values[:, :1]], axis=1)


def _mean_by_area(area: FloatArray, part: FloatArray) -> FloatArray:
    """Return the mean of the parts weighted by area, exactly 1 where every part is: both sums round alike."""
    return np.asarray((area * part).sum(axis=1) / area.sum(axis=1))


def mean_ratio(n0: FloatArray, n1: FloatArray, d0: FloatArray, d1: FloatArray) -> FloatArray:
    r"""Return the mean of a ratio of linear functions between ``n0 / d0`` and ``n1 / d1``, both at most 1.

    With :math:`q = d_1/d_0 \le 1` (the ends may be exchanged) and :math:`\phi = (q - 1 - \ln q)/(q - 1)^2`, it is
    :math:`[n_0 (1 - q\phi) + n_1 \phi]/d_0`, in which nothing cancels.
    """
    swap = d1 > d0
    n0, n1, d0, d1 = np.where(swap, n1, n0), np.where(swap, n0, n1), np.where(swap, d1, d0), np.where(swap, d0, d1)
    whole = np.where(d0 > 0, d0, np.inf)  # 0 / 0 counts as 0
    q = d1 / whole
    # Where q is 0 so are q phi and n1 phi, whatever replaces its logarithm.
    phi = log_excess_ratio((d1 - d0) / whole, np.log(q, out=np.zeros_like(q), where=q > 0))
    return np.asarray((n0 * (1 - q * phi) + n1 * phi) / whole)


def mean_shares(
    regions: Sequence[FloatArray], steps: Sequence[HullSteps], scale: CostScale, costs: Distributions
) -> FloatArray:
    """Return the mean share of each region that costs more than its best step at each cost."""
    total = np.zeros(len(regions))
    for weight, distribution in costs:
        if isinstance(distribution, UniformRange):
            total += weight * _uniform_means(regions, steps, scale, distribution)
        else:
            pairs = zip(regions, steps, strict=True)
            total += weight * np.array([_node_mean(corners, some, scale, distribution) for corners, some in pairs])
    return total


def _uniform_means(
    regions: Sequence[FloatArray], steps: Sequence[HullSteps], scale: CostScale, costs: UniformRange
) -> FloatArray:
    """Return the means over a uniform range, for all regions at once."""
    ranges = [some.stairs.ranges(*costs.support) for some in steps]
    low, high = (np.concatenate(ends) for ends in zip(*ranges, strict=True))
    serving = high > low
    low, high = low[serving], high[serving]
    false_alarms = np.concatenate([some.false_alarms for some in steps])[serving]
    true_alarms = np.concatenate([some.true_alarms for some in steps])[serving]
    owner = np.repeat(np.arange(len(steps)), [len(start) for start, _ in ranges])[serving]
    fans = Fans.of(_stack(regions)[owner], false_alarms, true_alarms, scale)
    width = high - low
    # Both sums run in one order, so that a mean of ones is exactly one.
    return np.bincount(owner, width * fans.mean(low, high)) / np.bincount(owner, width)


def _stack(regions: Sequence[FloatArray]) -> FloatArray:
    """Stack regions with different numbers of corners; repeating the last corner changes no area."""
    most = max(len(corners) for corners in regions)
    return np.stack([corners[np.minimum(np.arange(most), len(corners) - 1)] for corners in regions])


def _node_mean(
    corners: FloatArray,
    steps: HullSteps,
    scale: CostScale,
    costs: PointMasses | SmoothDensity | MoneyRange | PricedThresholds,
) -> float:
    """Return the mean over points, or over a density by quadrature."""
    fans = Fans.of(corners, steps.false_alarms, steps.true_alarms, scale)
    turns = fans.turns(*steps.stairs.ranges(*costs.support))
    x, weight = costs.nodes(np.concatenate([steps.stairs.bounds, turns.ravel()]), edge_poles(corners, scale))
    return float((weight * fans.at(steps.stairs.find(x), x)).sum() / weight.sum())


def edge_poles(corners: FloatArray, scale: CostScale) -> FloatArray:
    """Return the numbers at which an edge of the region is a line of equal cost."""
    false_step, true_step = (np.roll(corners, -1, axis=0) - corners).T
    return scale.zero_of(false_step, -true_step)
