"""The best threshold at each cost: the hull of the feasible thresholds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray
from stakes.beliefs import CostScale
from stakes.limits._limits import NO_LIMITS, Limits, feasible, few_enough, precise_enough
from stakes.table import ScoreTable, counts_from_top, heads_from_top, isotonic_blocks

Indices = npt.NDArray[np.intp]

_FIRST_ROWS = 1 << 14  # of a table, to look at before the others where a capacity may rule these out


@dataclass(frozen=True, slots=True)
class People:
    """Heads of the false, true and all alarms at every threshold, and of the classes and of everyone."""

    false_alarms: FloatArray
    true_alarms: FloatArray
    alarms: FloatArray
    positive: float
    negative: float
    total: float

    def at(self, index: Indices) -> People:
        """Return the heads at some thresholds."""
        false_alarms, true_alarms, alarms = self.false_alarms[index], self.true_alarms[index], self.alarms[index]
        return replace(self, false_alarms=false_alarms, true_alarms=true_alarms, alarms=alarms)


@dataclass(frozen=True, slots=True)
class Counts:
    """Weight of the false and true alarms at every threshold, beginning with none, and of the two classes.

    `heads` are the people at the same thresholds where the rows hold something else; limits are about people.
    """

    false_alarms: FloatArray
    true_alarms: FloatArray
    positive: float
    negative: float
    heads: People | None = None

    @classmethod
    def of(cls, table: ScoreTable, limits: Limits = NO_LIMITS) -> Counts:
        """Return the counts of a table, from the highest score down, at least as far as limits allow alarms."""
        positive, negative = table.positive_total, table.negative_total
        # Heads may have scores of their own, so that what they allow is not known from the first rows.
        rows = len(table) if limits.capacity is None or table.heads is not None else _FIRST_ROWS
        while True:
            false_alarms, true_alarms = counts_from_top(table, rows)
            # Summed one by one, real weights may come out a last digit above their total.
            alarms = np.minimum(false_alarms, negative), np.minimum(true_alarms, positive)
            counts = cls(*alarms, positive, negative, _people_of(table))
            if rows >= len(table) or not counts._last_is_few_enough(limits):
                return counts
            rows *= 4

    def _last_is_few_enough(self, limits: Limits) -> bool:
        return bool(few_enough(limits, self.false_alarms[-1:], self.true_alarms[-1:], self.total)[0])

    @property
    def people(self) -> People:
        """The people at every threshold; the counts themselves unless rows hold something else."""
        if self.heads is not None:
            return self.heads
        alarms = self.false_alarms + self.true_alarms
        return People(self.false_alarms, self.true_alarms, alarms, self.positive, self.negative, self.total)

    @property
    def total(self) -> float:
        """The total weight."""
        return self.positive + self.negative

    def allowed(self, limits: Limits) -> Indices:
        """Return the indices of the feasible thresholds, of which the first never alarms."""
        if self.heads is None:
            return np.flatnonzero(feasible(limits, self.false_alarms, self.true_alarms, self.total))
        people = self.heads
        few = few_enough(limits, people.alarms, np.zeros_like(people.alarms), people.total)
        return np.flatnonzero(few & precise_enough(limits, people.false_alarms, people.true_alarms))


def _people_of(table: ScoreTable) -> People | None:
    """Return the heads at every threshold; None where the rows count people."""
    if table.heads is None:
        return None
    heads, columns = table.heads, heads_from_top(table)
    totals = heads.negative_total, heads.positive_total, heads.total
    false_alarms, true_alarms, alarms = (np.minimum(*both) for both in zip(columns, totals, strict=True))
    return People(false_alarms, true_alarms, alarms, heads.positive_total, heads.negative_total, heads.total)


@dataclass(frozen=True, slots=True)
class Stairs:
    """Numbers of a cost scale at which the best step changes, ascending."""

    bounds: FloatArray
    rising: bool

    def find(self, x: FloatArray) -> Indices:
        """Return the index of the step at each number; at a tie the one with more alarms."""
        return np.searchsorted(self.bounds, x, side="left" if self.rising else "right")

    def ranges(self, low: float, high: float) -> tuple[FloatArray, FloatArray]:
        """Return the start and the end of each step between two bounds; equal where they do not overlap."""
        inner = np.clip(self.bounds, low, high)
        return np.concatenate([[low], inner]), np.concatenate([inner, [high]])


@dataclass(frozen=True, slots=True)
class HullSteps:
    """The best operating points along a cost scale, and the numbers at which neighbours tie."""

    false_alarms: FloatArray
    true_alarms: FloatArray
    index: Indices  # of the threshold: 0 never alarms, k alarms from the k-th highest score on, -1 mixes two thresholds
    stairs: Stairs

    def thresholds(self, table: ScoreTable) -> FloatArray:
        """Return the threshold of each step, a score of its table; infinite where it never alarms."""
        return np.append(table.score, np.inf)[len(table) - self.index]

    def between(self, low: float, high: float) -> HullSteps:
        """Return the steps between two bounds."""
        starts, ends = self.stairs.ranges(low, high)
        kept = np.flatnonzero(ends > starts) if high > low else self.stairs.find(np.array([low]))
        stairs = Stairs(self.stairs.bounds[kept[:-1]], self.stairs.rising)
        return HullSteps(self.false_alarms[kept], self.true_alarms[kept], self.index[kept], stairs)


def best_steps(counts: Counts, allowed: Indices, scale: CostScale) -> HullSteps:
    """Return the best of the allowed thresholds at each cost, the hull of the *feasible* points only."""
    false_alarms, true_alarms = counts.false_alarms[allowed], counts.true_alarms[allowed]
    chain = concave_chain(false_alarms, true_alarms)
    false_alarms, true_alarms = false_alarms[chain], true_alarms[chain]
    return _order_steps(false_alarms, true_alarms, allowed[chain], _ties(false_alarms, true_alarms, scale), scale)


def best_mixed_steps(counts: Counts, limits: Limits, scale: CostScale) -> HullSteps:
    """Return the best feasible mixtures of two thresholds: the hull of all thresholds, up to the limits."""
    chain = concave_chain(counts.false_alarms, counts.true_alarms)
    false_alarms, true_alarms = counts.false_alarms[chain], counts.true_alarms[chain]
    ties = _ties(false_alarms, true_alarms, scale)
    # Along the hull precision falls and alarms grow, so that every point after an infeasible one is infeasible.
    inside = int(np.count_nonzero(feasible(limits, false_alarms, true_alarms, counts.total)))
    if inside == len(chain):
        return _order_steps(false_alarms, true_alarms, chain, ties, scale)
    start, end = ((float(false_alarms[k]), float(true_alarms[k])) for k in (inside - 1, inside))
    part = _part_before_limits(start, end, limits, counts.total)
    mixed = start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
    # The mixture ties where the end does; computed from its own distance to the start, the tie could be all rounding.
    false_alarms[inside], true_alarms[inside], chain[inside] = *mixed, -1
    kept = inside + (mixed != start)
    return _order_steps(false_alarms[:kept], true_alarms[:kept], chain[:kept], ties[: kept - 1], scale)


def concave_chain(false_alarms: FloatArray, true_alarms: FloatArray) -> Indices:
    """Return the indices of the points on the upper hull of a staircase, by the blocks of an isotonic fit."""
    false_steps, true_steps = np.diff(false_alarms), np.diff(true_alarms)
    ends = np.flatnonzero(false_steps + true_steps > 0)
    if not len(ends):
        return np.zeros(1, dtype=np.intp)
    # The hull goes from the highest score down, the fit from the lowest up: each block's start is its end here.
    starts, _, _ = isotonic_blocks(true_steps[ends][::-1], false_steps[ends][::-1])
    return np.concatenate([[0], ends[len(ends) - 1 - starts[::-1]] + 1])


def _ties(false_alarms: FloatArray, true_alarms: FloatArray, scale: CostScale) -> FloatArray:
    """Return the numbers of the cost scale at which neighbours on a hull tie."""
    return scale.tie(np.diff(false_alarms), np.diff(true_alarms))


def _order_steps(
    false_alarms: FloatArray, true_alarms: FloatArray, index: Indices, ties: FloatArray, scale: CostScale
) -> HullSteps:
    """Order the points of a hull, given from the fewest alarms on, along the cost scale."""
    if not scale.rising:
        return HullSteps(false_alarms, true_alarms, index, Stairs(ties, rising=False))
    return HullSteps(false_alarms[::-1], true_alarms[::-1], index[::-1], Stairs(ties[::-1], rising=True))


def _part_before_limits(start: tuple[float, float], end: tuple[float, float], limits: Limits, total: float) -> float:
    """Return the feasible fraction of the segment from a feasible to an infeasible point."""
    false_step, true_step = end[0] - start[0], end[1] - start[1]
    part = 1.0
    if limits.capacity is not None:
        part = min(part, (limits.capacity * total - start[0] - start[1]) / (false_step + true_step))
    if limits.min_precision is not None:
        alpha = limits.min_precision
        fall = alpha * false_step - (1 - alpha) * true_step
        # Compare as for thresholds: where the end is just precise enough, rounding may still make `fall` positive.
        if end[1] / (end[0] + end[1]) < alpha and fall > 0:
            part = min(part, ((1 - alpha) * start[1] - alpha * start[0]) / fall)
    return max(part, 0.0)
