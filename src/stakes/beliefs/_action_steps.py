"""Steps between actions: the hull of their costs, and the charges of each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray
from stakes.beliefs._belief import CostBelief, as_scores

# Slopes of the hull that differ by less than this are one line, so that the action between them is never needed.
_STRAIGHT = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Steps from each action to the next more active one, and what no forecast changes.

    A negative pays `alarm` for every threshold up to its score, a positive `miss` for every threshold above it.
    `spread` holds steps whose threshold is uncertain, each a mass times a belief about the threshold. `floor` is what a
    negative and a positive pay under the best action for each.
    """

    threshold: FloatArray
    alarm: FloatArray
    miss: FloatArray
    floor: tuple[float, float]
    spread: tuple[tuple[float, CostBelief], ...] = ()

    @classmethod
    def total(cls, parts: Iterable[tuple[float, Steps]]) -> Steps:
        """Return the mean of several lists of steps, by probability, in the order of their thresholds."""
        weighted = list(parts)
        columns = [
            np.concatenate([one.threshold for _, one in weighted]),
            *(np.concatenate([w * getattr(one, name) for w, one in weighted]) for name in ("alarm", "miss")),
        ]
        order = np.argsort(columns[0], kind="stable")
        negative, positive = (sum(w * one.floor[k] for w, one in weighted) for k in (0, 1))
        spread = tuple((w * mass, belief) for w, one in weighted for mass, belief in one.spread)
        threshold, alarm, miss = (column[order] for column in columns)
        return cls(threshold, alarm, miss, (float(negative), float(positive)), spread)

    @property
    def mass(self) -> FloatArray:
        """Cost of both mistakes together at each threshold."""
        return self.alarm + self.miss

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Sum of the misses at thresholds above the score."""
        return self._spread("loss_if_positive", score) + self.sum_above(score, self.miss)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Sum of the alarms at thresholds up to the score."""
        return self._spread("loss_if_negative", score) + self.sum_up_to(score, self.alarm)

    def sum_up_to(self, score: npt.ArrayLike, charge: FloatArray) -> FloatArray:
        """Sum of a charge of each threshold over those up to the score."""
        sums = np.concatenate([[0.0], np.cumsum(charge)])
        return np.asarray(sums[np.searchsorted(self.threshold, as_scores(score), side="right")])

    def sum_above(self, score: npt.ArrayLike, charge: FloatArray) -> FloatArray:
        """Sum of a charge of each threshold over those above the score, exactly 0 above the last."""
        sums = np.concatenate([np.cumsum(charge[::-1])[::-1], [0.0]])
        return np.asarray(sums[np.searchsorted(self.threshold, as_scores(score), side="right")])

    def _spread(self, method: str, score: npt.ArrayLike) -> FloatArray:
        total: FloatArray = np.zeros(np.shape(score))
        for mass, belief in self.spread:
            total = total + mass * getattr(belief, method)(score)
        return total


def lower_hull(costs: FloatArray) -> npt.NDArray[np.intp]:
    """Return the actions that some forecast needs, mildest first, for each of many matrices.

    `costs` has matrices, actions and the two outcomes as axes; an action that a matrix lacks has infinite costs. Each
    row of the result holds the indices of the actions on the lower left hull, filled up with -1. From one action the
    next is that to which the false alarm costs least per miss avoided; of several on a line it is the farthest.
    """
    negative, positive = costs[..., 0], costs[..., 1]
    rows = np.arange(len(costs))
    here = np.lexsort((positive, negative), axis=-1)[:, 0]
    path = [here]
    for _ in range(costs.shape[1] - 1):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            alarm, miss = negative - negative[rows, here, None], positive[rows, here, None] - positive
            slope = np.where((alarm > 0) & (miss > 0), alarm / miss, np.inf)
        least = slope.min(axis=1, keepdims=True)
        reach = np.where((slope <= least * (1 + _STRAIGHT)) & np.isfinite(slope), miss, -np.inf)
        farthest = reach.argmax(axis=1)
        ends = ~np.isfinite(least[:, 0])
        path.append(np.where(ends, -1, farthest))
        here = np.where(ends, here, farthest)
    return np.stack(path, axis=1)


def steps_of(costs: FloatArray, weight: FloatArray) -> Steps:
    """Return the steps of many matrices together, each with its probability."""
    path = lower_hull(costs)
    rows = np.arange(len(costs))
    last = path[rows, (path >= 0).sum(axis=1) - 1]
    floor = weight @ costs[rows, path[:, 0], 0], weight @ costs[rows, last, 1]
    matrix, step = np.nonzero(path[:, 1:] >= 0)
    before, after = costs[matrix, path[matrix, step]], costs[matrix, path[matrix, step + 1]]
    alarm, miss = after[:, 0] - before[:, 0], before[:, 1] - after[:, 1]
    threshold = alarm / (alarm + miss)
    order = np.argsort(threshold, kind="stable")
    each = weight[matrix]
    return Steps(threshold[order], (each * alarm)[order], (each * miss)[order], (float(floor[0]), float(floor[1])))


def kept_actions(costs: Sequence[tuple[float, float]]) -> list[int]:
    """Return the indices of the actions that some forecast needs, mildest first."""
    path = lower_hull(np.array([costs], dtype=np.float64))[0]
    return [int(action) for action in path if action >= 0]
