"""Steps of curves over the cost: shares of alarms, hits and misses, which change only at a score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stakes import _columns
from stakes._arrays import FloatArray, blocks
from stakes.curves._curve import Better, Curve
from stakes.table import Recalibration, ScoreTable, counts_from_top, in_memory

COST = "cost proportion of a false alarm"


class Shares(NamedTuple):
    """Shares of the total weight for some pieces: false alarms, hits and misses."""

    false_alarms: FloatArray
    hits: FloatArray
    misses: FloatArray


@dataclass(frozen=True)
class CurveSteps:
    """Weights of false alarms and of hits that are constant between neighbouring costs.

    Piece k goes from ``edge[k]`` (excluded) to ``edge[k + 1]`` (included, as a score at the threshold is acted on).
    """

    edge: FloatArray
    false_alarms: FloatArray
    hits: FloatArray
    positive: float
    total: float
    threshold: FloatArray | None  # None: the cost itself

    def curve(
        self,
        value: Callable[[FloatArray, Shares], FloatArray],
        label: str,
        *,
        better: Better,
        weight: Callable[[FloatArray], FloatArray] | None = None,
        low: float = 0.0,
        high: float = 1.0,
    ) -> Curve:
        """Curve of a function of the cost and the shares from `low` to `high`, two points per piece."""
        pieces = len(self.hits)
        columns = np.empty((2 if weight is None else 3, 2 * pieces))
        for block in blocks(pieces):
            start, stop = block.start, block.stop
            edge, at = np.clip(self.edge[start : stop + 1], low, high), self._shares(block)
            weights = None if weight is None else weight(edge)
            for end, ends in enumerate((slice(None, -1), slice(1, None))):
                rows = slice(2 * start + end, 2 * stop, 2)
                columns[0, rows], columns[1, rows] = edge[ends], value(edge[ends], at)
                if weights is not None:
                    columns[2, rows] = weights[ends]
        kept = self._rows(low, high)
        x, y = columns[0, kept], columns[1, kept]
        threshold = x if self.threshold is None else np.repeat(self.threshold, 2)[kept]
        return Curve(x, y, COST, label, threshold, weight=None if weight is None else columns[2, kept], better=better)

    def _shares(self, rows: slice) -> Shares:
        hits = self.hits[rows]
        return Shares(self.false_alarms[rows] / self.total, hits / self.total, (self.positive - hits) / self.total)

    def _rows(self, low: float, high: float) -> slice:
        """Return the points to keep; without width the first piece keeps only cost 0, and the last none."""
        if len(self.hits) == 1:
            return slice(None)
        first = (2 if low else 1) * int(self.edge[1] <= low)
        return slice(first, 2 * (len(self.hits) - int(self.edge[-2] >= high)))

    def split(self, cost: float) -> CurveSteps:
        """Split the piece that contains `cost` in two, for a curve with a kink there."""
        row = int(np.searchsorted(self.edge, cost)) - 1
        if self.edge[row + 1] == cost:
            return self
        threshold = None if self.threshold is None else _with_twin(self.threshold, row)
        edge, false_alarms, hits = (_with_twin(values, row) for values in (self.edge, self.false_alarms, self.hits))
        edge[row + 1] = cost
        return CurveSteps(edge, false_alarms, hits, self.positive, self.total, threshold)


def _with_twin(values: FloatArray, row: int) -> FloatArray:
    """Return the values with that of a row twice."""
    return np.concatenate([values[: row + 1], values[row:]])


def regret(cost: FloatArray, at: Shares) -> FloatArray:
    """Mean cost of mistakes, a false alarm at the cost proportion and a miss at one minus it."""
    return cost * at.false_alarms + (1 - cost) * at.misses


def brier_loss(cost: FloatArray, at: Shares) -> FloatArray:
    """Twice the regret, whose area is the Brier score."""
    return 2 * regret(cost, at)


def by_score(table: ScoreTable) -> CurveSteps:
    """Return the steps with the cost itself as threshold."""
    table = in_memory(table)
    _columns.check_probability_scores(table.lowest, table.highest)
    false_alarms, hits = (counts[::-1] for counts in counts_from_top(table))
    edge = np.concatenate([[0.0], table.score, [1.0]])
    return CurveSteps(edge, false_alarms, hits, float(hits[0]), table.total, None)


def by_best_threshold(table: ScoreTable) -> CurveSteps:
    """Return the steps at the best threshold for each cost."""
    table = in_memory(table)
    learnt = Recalibration.of(table)
    row = np.append(np.searchsorted(table.score, learnt.score), len(table))
    false_alarms, hits = (counts[::-1][row] for counts in counts_from_top(table))
    edge = np.concatenate([[0.0], learnt.probability, [1.0]])
    return CurveSteps(edge, false_alarms, hits, float(hits[0]), table.total, np.append(learnt.score, np.inf))
