"""Very many cases, dealt at random into groups that are drawn whole, without a sort."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from stakes._arrays import FloatArray
from stakes._case_columns import IntArray
from stakes.cases import Cases, scores_of_cases
from stakes.table import ScoreTable
from stakes.uncertainty._places import rows_between
from stakes.uncertainty._resample import MANY, Level, Plan, ResampledModel, Stratum

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
        by_cell = np.argsort(self.cell.astype(np.min_scalar_type(size)), kind="stable")  # 16 bits: sorted by counting
        added = np.ones(len(self.cell)) if self.weight is None else self.weight[by_cell]
        starts = np.append(0, np.cumsum(np.bincount(self.cell, minlength=size)))
        return self._model(
            self.fine, scipy.sparse.csr_array((added, self.group[by_cell], starts), shape=(size, GROUPS))
        )

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
