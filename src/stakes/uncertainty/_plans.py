"""Tables of models to resample: coarse if they are large, dealt into groups if cases are very many."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import BoolArray, FloatArray, blocks
from stakes._case_columns import IntArray
from stakes.cases import Cases, is_special, scores_of_cases
from stakes.uncertainty._added import LateMatrix, Matrix
from stakes.uncertainty._resample import MANY, Level, Plan, ResampledModel, Stratum, coarse_levels, fine_levels, plan_of

_CELLS = 1 << 16  # of equal width, few of which hold two bounds


def rows_between(score: npt.NDArray[np.floating], bounds: FloatArray) -> npt.NDArray[np.int32]:
    """Return how many ascending bounds are at most as large as each score.

    It is ``np.searchsorted(bounds, score, side="right")``, several times as fast where scores are many and in no order:
    the cell of a score among cells of equal width tells it, and one comparison with the next bound.

    Parameters
    ----------
    score : ndarray
        Scores in any order; if all share one place in memory, one is looked up.
    bounds : ndarray of float64
        Bounds between rows, ascending.

    Returns
    -------
    ndarray of int32
        The number of bounds that each score reaches.
    """
    per_unit = _cells_per_unit(bounds)
    if score.strides == (0,) or per_unit is None:
        one = score[:1] if score.strides == (0,) else score
        return np.broadcast_to(np.searchsorted(bounds, one, side="right").astype(np.int32), len(score))
    of_bound = _cell(bounds, bounds[0], per_unit)
    fewest, most = (np.searchsorted(of_bound, np.arange(_CELLS + 2), side=side) for side in ("left", "right"))
    at_least, following, is_crowded = fewest.astype(np.int32), np.append(bounds, np.inf)[fewest], most - fewest > 1
    found = np.empty(len(score), dtype=np.int32)
    for rows in blocks(len(score)):
        here = score[rows].astype(np.float64, copy=False)
        cell = _cell(here, bounds[0], per_unit)
        found[rows] = at_least[cell] + (here >= following[cell])
        crowded = np.flatnonzero(is_crowded[cell])
        found[rows][crowded] = np.searchsorted(bounds, here[crowded], side="right")
    return found


def _cells_per_unit(bounds: FloatArray) -> float | None:
    """Return how many cells there are for each unit of the score; None where cells do not help."""
    if len(bounds) < 2:
        return None
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        found = float(_CELLS / (bounds[-1] - bounds[0]))
    return found if 0 < found < np.inf else None


def _cell(score: FloatArray, lowest: float, per_unit: float) -> npt.NDArray[np.intp]:
    """Return the cell of each score, in their order; the first and the last hold all beyond."""
    with np.errstate(over="ignore"):
        return np.clip((score - lowest) * per_unit + 1, 0, _CELLS + 1).astype(np.intp)


# More than CROWD cases or clusters are dealt into GROUPS. That leaves a standard error as it is on average, and moves
# it by a share of about 1 / sqrt(2 GROUPS): less than a thousand replicates do.
CROWD, GROUPS = 1 << 15, 1 << 11
_EXACT = 1 << 22  # cases whose counts, drawn several times, are exact in 32 bits


def deal(cases: Cases) -> IntArray | None:
    """Return the group of each case, the same every time; None if there are few cases or clusters."""
    units = len(cases) if cases.cluster is None else int(cases.cluster.max()) + 1
    if units <= CROWD:
        return None
    groups = (np.arange(units) % GROUPS).astype(np.int32)  # half the memory to move about
    dealt = np.random.Generator(np.random.PCG64(0)).permutation(groups)
    return dealt if cases.cluster is None else dealt[cases.cluster]


@dataclass(frozen=True)
class Dealt:
    """Cases dealt into groups: the group of each, and how many of each class a group has."""

    cases: Cases
    group: IntArray

    @cached_property
    def sizes(self) -> npt.NDArray[np.intp]:
        """The number of positives and of negatives of each group, in two rows."""
        return sizes_of(self.group, ~self.cases.positive)


def sizes_of(group: IntArray, negative: BoolArray) -> npt.NDArray[np.intp]:
    """Return the number of positives and of negatives in each group, in two rows."""
    return np.bincount(group + np.int32(GROUPS) * negative, minlength=2 * GROUPS).reshape(2, GROUPS)


@dataclass(frozen=True)
class DealtModel:
    """The cases of a model in groups, with its table at two resolutions."""

    dealt: Dealt
    fine: Level
    coarse: Level

    @property
    def models(self) -> tuple[ResampledModel, ResampledModel]:
        """The fine and the coarse table, with what each group adds to them."""
        return self._model(DealtMatrix(self, self.fine)), self._model(DealtMatrix(self, self.coarse, is_coarse=True))

    def _model(self, matrix: DealtMatrix) -> ResampledModel:
        cases, level = self.dealt.cases, matrix.level
        made = matrix if cases.weight is None else matrix.whole()  # sums of weights depend on their order
        return ResampledModel(cases.table(level.name), level.table, level.group, made)

    def first_rows(self, level: Level) -> IntArray:
        """Return the first row of the whole table in each row of a table."""
        rows: IntArray = np.arange(len(level.table), dtype=np.int32)
        return rows if level.group is None else np.searchsorted(level.group, rows)

    @cached_property
    def cell(self) -> IntArray:
        """The cell of each case in the fine table."""
        cases, rows = self.dealt.cases, len(self.fine.table)
        whole = cases.table(self.fine.name)
        row = rows_between(scores_of_cases(cases, self.fine.name), whole.score[self.first_rows(self.fine)[1:]])
        return np.where(cases.positive, row, row + np.int32(rows))

    @property
    def coarse_cell(self) -> IntArray:
        """The cell of each case in the coarse table."""
        first = self.first_rows(self.fine)
        pooled = first if self.coarse.group is None else self.coarse.group[first]
        found: IntArray = np.concatenate([pooled, pooled + len(self.coarse.table)])[self.cell]
        return found


@dataclass(frozen=True)
class DealtMatrix(LateMatrix):
    """The weight that groups of cases add to a table, in full for a coarse table unless that is huge."""

    model: DealtModel
    level: Level
    is_coarse: bool = False
    pooled: dict[int, Matrix] = field(default_factory=dict)  # as far as they were needed

    def whole(self) -> Matrix:
        """Return the matrix of all cells."""
        cell = self.model.coarse_cell if self.is_coarse else self.model.cell
        return self._filled(cell, self.model.dealt.group, self.model.dealt.cases.weight, 2 * len(self.level.table))

    def pooled_below(self, row: int) -> Matrix:
        """Return the matrix with one row for the rows before some row; only cases beyond them are looked at."""
        if row not in self.pooled:
            self.pooled[row] = self._pooled_below(row)
        return self.pooled[row]

    def _pooled_below(self, row: int) -> Matrix:
        dealt = self.model.dealt
        cases, first = dealt.cases, self.model.first_rows(self.level)
        bounds, score = cases.table(self.level.name).score[first[row:]], scores_of_cases(cases, self.level.name)
        beyond = np.flatnonzero(score >= bounds[0])
        group, negative, rows = dealt.group[beyond], ~cases.positive[beyond], 1 + len(bounds)
        cell = rows_between(score[beyond], bounds) + np.int32(rows) * negative
        below = (dealt.sizes - sizes_of(group, negative)).ravel()
        every = np.arange(len(below)) % GROUPS
        cell = np.concatenate([cell, np.repeat([0, rows], GROUPS)])
        added = np.concatenate([np.ones(len(group)), below])
        return self._filled(cell, np.concatenate([group, every]), added, 2 * rows)

    def _filled(self, cell: IntArray, group: IntArray, added: FloatArray | None, cells: int) -> Matrix:
        """Return the matrix of what each entry, given by its cell and its group, adds there."""
        cases = self.model.dealt.cases
        if not self.is_coarse or len(self.level.table) > MANY:
            each = scipy.sparse.coo_array(
                (np.ones(len(cell)) if added is None else added, (cell, group)), shape=(cells, GROUPS)
            )
            each.has_canonical_format = True  # so that nobody looks for cases that could be added up
            return each.tocsr()
        full = np.bincount(cell * GROUPS + group, added, cells * GROUPS)
        exact = np.float32 if cases.weight is None and len(cases) < _EXACT else np.float64
        return full.reshape(-1, GROUPS).astype(exact, copy=False)


def dealt_plan(models: list[ResampledModel]) -> Plan:
    """Plan to draw whole groups."""
    groups = np.arange(GROUPS)
    return Plan(tuple(models), (Stratum(groups, np.ones_like(groups)),), GROUPS)


@dataclass(frozen=True)
class Plans:
    """Plans of resampling some models on the same cases."""

    cases: Cases
    fine: list[Level]
    by_class: bool

    @classmethod
    def of(
        cls,
        cases: Cases,
        models: tuple[str, ...],
        *,
        by_class: bool = False,
        exact: bool = False,
        reach: float = 1.0,
    ) -> Plans:
        """Coarsen the tables of models that have very many rows, unless they are to be exact.

        `reach` is the share of the cases that thresholds may act on under limits.
        """
        return cls(cases, fine_levels(cases, models, exact=exact, reach=reach), by_class)

    @property
    def is_coarse(self) -> bool:
        """Whether any table is coarsened."""
        return any(level.group is not None for level in self.fine)

    @cached_property
    def main(self) -> Plan:
        """The plan of the tables to resample."""
        if self._dealt is not None:
            return dealt_plan([model.models[1] for model in self._dealt])
        return plan_of(self.cases, self._coarse, by_class=self.by_class)

    @property
    def pairs(self) -> Plan:
        """The plan of the finer tables, then of those to resample, drawn together."""
        if self._dealt is not None:
            return dealt_plan([*(model.models[0] for model in self._dealt), *self.main.models])
        return plan_of(self.cases, [*self.fine, *self._coarse], by_class=self.by_class)

    @cached_property
    def _coarse(self) -> list[Level]:
        return coarse_levels(self.fine)

    @cached_property
    def _dealt(self) -> list[DealtModel] | None:
        """The models with their cases dealt into groups, if cases are many and tables coarse anyway."""
        whole = self.by_class or not self.is_coarse or self._is_by_cells or is_special(self.cases)
        groups = None if whole else deal(self.cases)
        if groups is None:
            return None
        dealt = Dealt(self.cases, groups)
        return [DealtModel(dealt, *levels) for levels in zip(self.fine, self._coarse, strict=True)]

    @property
    def _is_by_cells(self) -> bool:
        """Whether cells of one table can be drawn, of which there are few."""
        return len(self.fine) == 1 and self.cases.weight is None and self.cases.cluster is None
