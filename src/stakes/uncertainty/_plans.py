"""Tables of models to resample: coarse if they are large, dealt into groups if cases are very many."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import FloatArray, blocks
from stakes._case_columns import IntArray
from stakes.cases import Cases, is_special, scores_of_cases
from stakes.table import ScoreTable
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
class DealtModel:
    """The cases of a model: cell of a fine table, group, weight."""

    fine: Level
    coarse: Level
    whole: ScoreTable
    cell: IntArray
    group: IntArray
    weight: FloatArray | None
    pooled: IntArray  # the cell of the coarse table that each cell of the fine one is in

    def coarse_model(self) -> ResampledModel:
        """Return the coarse table and what each group adds to it, as a full matrix unless it is huge."""
        table = self.coarse.table
        if len(table) > MANY:
            return self.fine_model()
        place = (self.pooled * GROUPS)[self.cell] + self.group
        full = np.bincount(place, self.weight, 2 * len(table) * GROUPS)
        exact = np.float32 if self.weight is None and len(place) < _EXACT else np.float64
        return self._model(self.coarse, full.reshape(-1, GROUPS).astype(exact, copy=False))

    def fine_model(self) -> ResampledModel:
        """Return the fine table, with a sparse matrix of what each case adds to it."""
        size = 2 * len(self.fine.table)
        added = np.ones(len(self.cell)) if self.weight is None else self.weight
        each = scipy.sparse.coo_array((added, (self.cell, self.group)), shape=(size, GROUPS))
        each.has_canonical_format = True  # so that nobody looks for cases that could be added up
        return self._model(self.fine, each.tocsr())

    def _model(self, level: Level, adds: scipy.sparse.csr_array | FloatArray) -> ResampledModel:
        return ResampledModel(self.whole, level.table, level.group, adds)


def dealt_model(cases: Cases, fine: Level, coarse: Level, dealt: IntArray) -> DealtModel:
    """Find the cell of each case of a model in a fine table."""
    whole = cases.table(fine.name)
    rows: IntArray = np.arange(len(fine.table), dtype=np.int32)
    first = rows if fine.group is None else np.searchsorted(fine.group, rows)
    row = rows_between(scores_of_cases(cases, fine.name), whole.score[first[1:]])
    cell = np.where(cases.positive, row, row + np.int32(len(rows)))
    pooled = rows if coarse.group is None else coarse.group[first]
    of_cell = np.concatenate([pooled, pooled + len(coarse.table)])
    return DealtModel(fine, coarse, whole, cell, dealt, cases.weight, of_cell)


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
            return dealt_plan([model.coarse_model() for model in self._dealt])
        return plan_of(self.cases, self._coarse, by_class=self.by_class)

    @property
    def pairs(self) -> Plan:
        """The plan of the finer tables, then of those to resample, drawn together."""
        if self._dealt is not None:
            return dealt_plan([*(model.fine_model() for model in self._dealt), *self.main.models])
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
        return [dealt_model(self.cases, *levels, groups) for levels in zip(self.fine, self._coarse, strict=True)]

    @property
    def _is_by_cells(self) -> bool:
        """Whether cells of one table can be drawn, of which there are few."""
        return len(self.fine) == 1 and self.cases.weight is None and self.cases.cluster is None
