"""Bootstrap resampling of cases with costs of their own: money, heads and floor of every replicate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from stakes._arrays import FloatArray
from stakes._case_columns import IntArray
from stakes.cases import Cases, scores_of_cases, stakes_of_cases
from stakes.table import Heads, ScoreTable, frozen_table
from stakes.uncertainty._resample import Level, Plan, ResampledModel, strata_of


@dataclass(frozen=True)
class StakedModel(ResampledModel):
    """A model's table of money, with what a unit adds to the heads and to sums beside them."""

    heads: Any = None  # twice the scores of heads x units: positives, then negatives
    sums: Any = None  # 5 x units: floor and crossed money, each of positives and negatives, and swapped heads

    def tables(self, counts: FloatArray) -> list[ScoreTable]:
        """Return the table of each replicate, with its heads."""
        drawn = np.ascontiguousarray(counts.T)
        columns = zip(*self.weights(counts), (self.heads @ drawn).T, (self.sums @ drawn).T, strict=True)
        return [self._replicate(*one) for one in columns]

    def _replicate(self, positive: FloatArray, negative: FloatArray, heads: FloatArray, sums: FloatArray) -> ScoreTable:
        assert self.table.heads is not None
        score, (of_positives, of_negatives) = self.table.heads.score, np.split(heads, 2)
        floor, crossed = (float(sums[0]), float(sums[1])), (float(sums[2]), float(sums[3]))
        people = Heads(score, of_positives, of_negatives, of_positives + of_negatives, floor, crossed, float(sums[4]))
        here = positive + negative > 0
        return frozen_table(self.table.score[here], positive[here], negative[here], heads=people)


def staked_plan(cases: Cases, levels: list[Level], *, by_class: bool) -> Plan:
    """Plan to draw cases, those without a stake too, or clusters."""
    unit = np.arange(len(cases)) if cases.cluster is None else cases.cluster
    models = tuple(_model(cases, level, unit) for level in levels)
    return Plan(models, strata_of(cases, unit, by_class), int(unit.max()) + 1)


def _model(cases: Cases, level: Level, unit: IntArray) -> StakedModel:
    stakes, table, whole = stakes_of_cases(cases), level.table, cases.table(level.name)
    assert stakes is not None
    assert table.heads is not None
    head = np.ones(len(cases)) if cases.weight is None else cases.weight
    score, units = scores_of_cases(cases, level.name), int(unit.max()) + 1
    row = np.maximum(np.searchsorted(whole.score, score, side="right") - 1, 0)  # between two rows: the lower
    row = row if level.group is None else level.group[row]
    place = np.searchsorted(table.heads.score, score if level.group is None else table.score[row])

    def added(values: FloatArray, cell: IntArray, size: int) -> scipy.sparse.csr_array:
        return scipy.sparse.csr_array((values, (cell, unit)), shape=(size, units))

    size, people = len(table), len(table.heads.score)
    money = added(head * stakes.stake, np.where(stakes.side, row, row + size), 2 * size)
    heads = added(head, np.where(cases.positive, place, place + people), 2 * people)
    outcome = np.where(cases.positive, 0, 1)
    sums = scipy.sparse.vstack(
        [
            added(head * stakes.floor, outcome, 2),
            added(head * stakes.crossed(cases.positive), outcome, 2),
            added(head * stakes.swapped, np.zeros_like(outcome), 1),
        ],
        format="csr",
    )
    return StakedModel(whole, table, level.group, money, heads=heads, sums=sums)
