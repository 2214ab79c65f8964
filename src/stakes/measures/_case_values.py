"""Values of single cases: by class and score, without a sort, and of replicates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray, blocks
from stakes.table import ScoreTable

Value = Callable[[FloatArray], FloatArray]
Pair = tuple[FloatArray, FloatArray]  # values of a positive and of a negative with each score


@dataclass(frozen=True)
class CaseValues:
    """Values that cases of each class and score add to a number.

    The number is their mean, up to a constant.

    Attributes
    ----------
    values : callable
        Function from scores to the values of a positive and of a negative, monotone in the score.
    extremes : ndarray of float64
        The values of a positive (first row) and of a negative with the lowest and with the highest possible score.
    constant : tuple of float or None
        For a number relative to a constant score: what a positive and a negative would lose with that, in the same
        unit. The number is then 1 less the ratio of the two means, and the values are losses with a minus sign.
    least : float
        The smallest possible number, if it is not that of the extremes.
    score : float or None
        The score of all cases, if they have only one; that of a case not seen is then known, too.
    of_any_score : ndarray of float64 or None
        The extremes if there were more scores than that.
    """

    values: Callable[[FloatArray], Pair]
    extremes: FloatArray
    constant: tuple[float, float] | None = None
    least: float | None = None
    score: float | None = None
    of_any_score: FloatArray | None = None

    def at(self, score: float) -> CaseValues:
        """Return the values of a model that gives every case, seen or not, one score."""
        extremes = np.array(self.values(np.array([score, score])))
        return replace(self, extremes=extremes, score=score, of_any_score=self.extremes)

    @property
    def at_any_score(self) -> CaseValues:
        """The values of a model that may give any score."""
        if self.of_any_score is None:
            return self
        return replace(self, extremes=self.of_any_score, score=None, of_any_score=None)

    @property
    def is_certain(self) -> bool:
        """Whether all cases have the score 0 or 1, which says the same at every prevalence."""
        return self.score in (0.0, 1.0)

    @property
    def is_bounded(self) -> bool:
        """Whether a case adds no more than a known amount."""
        return bool(np.isfinite(self.extremes).all())

    @property
    def lowest(self) -> FloatArray:
        """The smallest value of a positive and of a negative."""
        least: FloatArray = self.extremes.min(axis=1)
        return least

    @property
    def highest(self) -> FloatArray:
        """The largest value of a positive and of a negative."""
        most: FloatArray = self.extremes.max(axis=1)
        return most


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

    def added_apart(self, if_positive: Value, if_negative: Value) -> tuple[list[FloatArray], FloatArray]:
        """Return what `added` does for one mean, whose value is computed for the class of each case alone."""
        column, sums = np.empty(len(self.score)), []
        for rows in blocks(len(self.score)):
            score, here, rare = self._scores(rows), column[rows], np.flatnonzero(self.positive[rows])
            values = if_negative, if_positive
            if 2 * len(rare) > len(here):
                values, rare = values[::-1], np.flatnonzero(~self.positive[rows])
            here[:] = values[0](score)
            here[rare] = values[1](score if len(score) == 1 else score.take(rare))
            sums.append(self._sum(here, rows))
        return [column], np.array([math.fsum(sums)]) / self.total

    def _scores(self, rows: slice) -> FloatArray:
        """Return the scores of some rows; only one if all cases share its place in memory."""
        here = self.score[:1] if self.score.strides == (0,) else self.score[rows]
        return here.astype(np.float64, copy=False)

    def _sum(self, column: FloatArray, rows: slice) -> float:
        # A dot product would start the threads of BLAS.
        return float(column.sum() if self.weight is None else (self.weight[rows] * column).sum())


Evaluate = Callable[[FloatArray], FloatArray]  # replicates x units -> replicates
WeightsOf = Callable[[FloatArray], Pair]  # replicates x units -> two times replicates x rows


class ResampledCells(Protocol):
    """The table of a model as resampled, in cells: the positives of every row, then the negatives."""

    @property
    def fine(self) -> ScoreTable:
        """The whole table."""

    @property
    def table(self) -> ScoreTable:
        """The table that is resampled, which may be coarser."""

    @property
    def adds(self) -> Any:
        """Sparse matrix, cells x units, of the weight that one draw of a unit adds to each cell of `table`."""

    def pooled(self, values: FloatArray) -> FloatArray:
        """Return the mean of values of the cells of `fine` in each cell of `table`."""

    def weights(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weight of the positives and of the negatives of every row, replicates x rows."""

    def weights_pooled_below(self, row: int) -> WeightsOf | None:
        """Return `weights` with one row for all that are below some row; None unless there are several."""

    def tables(self, counts: FloatArray) -> list[ScoreTable]:
        """Return the table of each replicate."""
