"""The table of a model as it is resampled, for functions that compute many replicates at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from stakes._arrays import FloatArray
from stakes.table import ScoreTable

Evaluate = Callable[[FloatArray], FloatArray]  # replicates x units -> replicates


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

    def pooled_below(self, row: int) -> ResampledCells:
        """Return the same with one row for all that are below some row, if that saves work."""

    def tables(self, counts: FloatArray) -> list[ScoreTable]:
        """Return the table of each replicate."""
