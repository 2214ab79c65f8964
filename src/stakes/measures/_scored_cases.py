"""Scores of single cases and the values they add to means, without a sort."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray, blocks
from stakes.measures._case_values import Pair


@dataclass(frozen=True)
class ScoredCases:
    """Scores of cases in any order, their class, their weight (1 unless given), and that of all."""

    score: npt.NDArray[np.floating]
    positive: BoolArray
    weight: FloatArray | None
    total: float

    def added(self, values: Callable[[FloatArray], list[Pair]]) -> tuple[list[FloatArray], FloatArray]:
        """Return what each case adds to each mean, and the means, from one pass over the scores."""
        columns = [np.empty(len(self.score)) for _ in values(np.zeros(1))]
        sums: list[list[float]] = [[] for _ in columns]
        for rows in blocks(len(self.score)):
            pairs = values(self._scores(rows))
            for column, parts, pair in zip(columns, sums, pairs, strict=True):
                column[rows] = np.where(self.positive[rows], *pair)
                parts.append(self._sum(column[rows], rows))
        return columns, np.array([math.fsum(parts) for parts in sums]) / self.total

    def _scores(self, rows: slice) -> FloatArray:
        """Return the scores of some rows; only one if all cases share its place in memory."""
        here = self.score[:1] if self.score.strides == (0,) else self.score[rows]
        return here.astype(np.float64, copy=False)

    def _sum(self, column: FloatArray, rows: slice) -> float:
        # A dot product would start the threads of BLAS.
        return float(column.sum() if self.weight is None else (self.weight[rows] * column).sum())
