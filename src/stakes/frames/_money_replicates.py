"""Bootstrap replicates of tables of money, and of the heads beside it, drawn where the data are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import FloatArray
from stakes.frames._frame import Arrays
from stakes.frames._frame_replicates import FrameReplicates
from stakes.frames._frame_tables import FrameTables
from stakes.frames._poisson import BLOCK, draws, keys_of
from stakes.table import Heads, ScoreTable, frozen_table, pool_rows, runs_of_rows

BESIDE = ("floor", "crossed", "swapped")  # columns of a prepared frame that heads add up
_SUMS = 5  # floor and crossed money, each of positives and of negatives, and swapped heads

Cell = tuple[npt.NDArray[np.intp], FloatArray]  # of each row, and what it adds there for every unit of weight


@dataclass(frozen=True)
class MoneyResampling:
    """A worker's task: sum the resampled stakes and weights of some rows by cells of tables of money.

    The result has a row for every cell (of each model the stakes of either side, then the heads of either outcome; last
    what all heads add up) and a column for every replicate, written in one line.

    Attributes
    ----------
    starts, places : tuple of ndarray
        The lowest score of each row of a model's table, and of its heads.
    n_resamples, seed : int
        How many replicates, and where they start from.
    """

    starts: tuple[FloatArray, ...]
    places: tuple[FloatArray, ...]
    n_resamples: int
    seed: int

    @property
    def ends(self) -> list[int]:
        """Where the cells of each model end."""
        pairs = zip(self.starts, self.places, strict=True)
        return list(accumulate(2 * (len(starts) + len(places)) for starts, places in pairs))

    @property
    def size(self) -> int:
        """Number of sums."""
        return (self.ends[-1] + _SUMS) * self.n_resamples

    def __call__(self, rows: Arrays) -> FloatArray:
        """Return the sums of these rows."""
        sums = np.zeros((self.ends[-1] + _SUMS, self.n_resamples))
        cells, keys = self._cells(rows), keys_of(rows["unit"], self.seed)
        for at in range(0, len(keys), BLOCK):
            block = slice(at, at + BLOCK)
            weights = draws(keys[block], self.n_resamples) * rows["weight"][block, None]
            sums += _adds([(cell[block], added[block]) for cell, added in cells], len(sums)) @ weights
        return sums.ravel()

    def _cells(self, rows: Arrays) -> list[Cell]:
        """Return the cells to which each row adds something."""
        positive, found = rows["outcome"] == 1, []
        stake, one = rows["stake"].astype(np.float64), np.ones(len(positive))
        for model, (starts, places, end) in enumerate(zip(self.starts, self.places, self.ends, strict=True)):
            first, score = end - 2 * (len(starts) + len(places)), rows[str(model)]
            found.append((first + _row(starts, score) + np.where(rows["side"] == 1, 0, len(starts)), stake))
            people = _row(places, score) + np.where(positive, 0, len(places))
            found.append((first + 2 * len(starts) + people, one))
        last = self.ends[-1]
        floor, crossed, swapped = (rows[name].astype(np.float64) for name in BESIDE)
        outcome = np.where(positive, last, last + 1)
        return [*found, (outcome, floor), (outcome + 2, crossed), (np.full_like(outcome, last + 4), swapped)]


def _row(starts: FloatArray, score: FloatArray) -> npt.NDArray[np.intp]:
    """Return the row of each score; between two rows, the lower."""
    return np.maximum(np.searchsorted(starts, score, side="right") - 1, 0)


def _adds(cells: list[Cell], size: int) -> scipy.sparse.csr_array:
    rows = len(cells[0][0])
    cell, added = (np.concatenate(columns) for columns in zip(*cells, strict=True))
    return scipy.sparse.csr_array((added, (cell, np.tile(np.arange(rows), len(cells)))), shape=(size, rows))


@dataclass(frozen=True, eq=False, repr=False)
class MoneyReplicates(FrameReplicates):
    """Tables of money of a frame, and what rows and heads weigh in many replicates of its cases."""

    heads: Mapping[str, FloatArray]
    beside: FloatArray

    def _table_of(self, model: str, replicate: int) -> ScoreTable | None:
        """Return the table of a model in a replicate; None where nothing is at stake."""
        coarse = self.coarse[model]
        assert coarse.heads is not None
        positive, negative = np.split(self.weights[model][replicate], 2)
        here = positive + negative > 0
        if not here.any():
            return None
        up, down = np.split(self.heads[model][replicate], 2)
        won, lost, crossed_up, crossed_down, swapped = self.beside[replicate].tolist()
        people = Heads(coarse.heads.score, up, down, up + down, (won, lost), (crossed_up, crossed_down), swapped)
        return frozen_table(coarse.score[here], positive[here], negative[here], heads=people)

    def with_constants(self, constants: Mapping[str, ScoreTable]) -> MoneyReplicates:
        """Add models that give every case one score."""
        first = next(iter(self.weights))
        tables = replace(self.tables, tables={**self.tables.tables, **constants})
        weights, heads = (
            {**of_models, **dict.fromkeys(constants, _by_class(of_models[first]))}
            for of_models in (self.weights, self.heads)
        )
        return MoneyReplicates(tables, {**self.coarse, **constants}, weights, heads, self.beside)


def _by_class(weights: FloatArray) -> FloatArray:
    positive, negative = np.split(weights, 2, axis=1)
    return np.column_stack([positive.sum(axis=1), negative.sum(axis=1)])


@dataclass(frozen=True)
class MoneyDrawing:
    """Tables of money to resample, with the task of the workers."""

    tables: FrameTables
    coarse: dict[str, ScoreTable]
    resampling: MoneyResampling

    @classmethod
    def of(cls, tables: FrameTables, n_resamples: int, rows: int, seed: int) -> MoneyDrawing:
        """Pool the tables to some rows, with the heads of those cases."""
        runs = {model: runs_of_rows(table, rows) for model, table in tables.items()}
        coarse = {
            model: table if len(runs[model]) == len(table) else pool_rows(table, runs[model])
            for model, table in tables.items()
        }
        starts = {model: table.score[runs[model]] for model, table in tables.items()}
        places = tuple(
            starts[model] if table is not tables[model] or table.heads is None else table.heads.score
            for model, table in coarse.items()
        )
        return cls(tables, coarse, MoneyResampling(tuple(starts.values()), places, n_resamples, seed))

    def filled(self, sums: FloatArray) -> MoneyReplicates:
        """Return the replicates from the sums of the workers."""
        by_cell, task = sums.reshape(-1, self.resampling.n_resamples), self.resampling
        *of_models, beside = np.split(by_cell, task.ends)
        weights, heads = {}, {}
        for model, starts, sums_of_model in zip(self.coarse, task.starts, of_models, strict=True):
            money, people = np.split(sums_of_model, [2 * len(starts)])
            weights[model], heads[model] = np.ascontiguousarray(money.T), np.ascontiguousarray(people.T)
        return MoneyReplicates(self.tables, self.coarse, weights, heads, np.ascontiguousarray(beside.T))
