"""Very many cases, dealt at random into groups that are drawn whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from stakes._arrays import BoolArray, FloatArray
from stakes.cases import Cases, IntArray, scores_of_cases
from stakes.table import ScoreTable
from stakes.uncertainty._resample import Level, Plan, ResampledModel, Stratum

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
    """The cases of a model in the order of their scores: row of a fine table, class, group, weight."""

    fine: Level
    coarse: Level
    whole: ScoreTable
    row: IntArray
    positive: BoolArray
    group: IntArray
    weight: FloatArray | None
    pooled: IntArray  # the row of the coarse table that each row of the fine one is in

    def coarse_model(self) -> ResampledModel:
        """Return the coarse table, with a full matrix of what each group adds to it."""
        rows, table = self.pooled[self.row], self.coarse.table
        cell = np.where(self.positive, rows, rows + len(table))
        full = np.bincount(cell.astype(np.intp) * GROUPS + self.group, self.weight, 2 * len(table) * GROUPS)
        exact = np.float32 if self.weight is None and len(cell) < _EXACT else np.float64
        return self._model(self.coarse, full.reshape(-1, GROUPS).astype(exact, copy=False))

    def fine_model(self) -> ResampledModel:
        """Return the fine table, with a sparse matrix of what each case adds to it."""
        sides = [self.positive, ~self.positive]
        ends = np.cumsum([np.bincount(self.row.compress(side), minlength=len(self.fine.table)) for side in sides])
        of_case = np.concatenate([self.group.compress(side) for side in sides])
        added = np.ones(len(of_case))
        if self.weight is not None:
            added = np.concatenate([self.weight.compress(side) for side in sides])
        shape = 2 * len(self.fine.table), GROUPS
        return self._model(self.fine, scipy.sparse.csr_array((added, of_case, np.append(0, ends)), shape=shape))

    def _model(self, level: Level, adds: scipy.sparse.csr_array | FloatArray) -> ResampledModel:
        return ResampledModel(self.whole, level.table, level.group, adds)


def dealt_model(cases: Cases, fine: Level, coarse: Level, dealt: IntArray) -> DealtModel:
    """Sort the cases of a model by their score."""
    whole = cases.table(fine.name)
    rows: IntArray = np.arange(len(fine.table), dtype=np.int32)
    first = rows if fine.group is None else np.searchsorted(fine.group, rows)
    score = scores_of_cases(cases, fine.name)
    order = np.argsort(score) if len(whole) > 1 else np.arange(len(score))
    starts = np.searchsorted(score[order], whole.score[first])
    return DealtModel(
        fine,
        coarse,
        whole,
        np.repeat(rows, np.diff(starts, append=len(score))),
        cases.positive[order],
        dealt[order],
        None if cases.weight is None else cases.weight[order],
        rows if coarse.group is None else coarse.group[first],
    )


def dealt_plan(models: list[ResampledModel]) -> Plan:
    """Plan to draw whole groups."""
    groups = np.arange(GROUPS)
    return Plan(tuple(models), (Stratum(groups, np.ones_like(groups)),), GROUPS)
