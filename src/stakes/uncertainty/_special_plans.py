"""Resampling of cases whose weights are not those of people: money, and censored outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from stakes._arrays import FloatArray
from stakes._case_columns import IntArray
from stakes._errors import InputError
from stakes.cases import Cases, scores_of_cases, stakes_of_cases, weighed_cases
from stakes.table import Heads, ScoreTable, frozen_table
from stakes.uncertainty._plans import deal, dealt_plan
from stakes.uncertainty._resample import BLOCK, Level, Plan, ResampledModel, strata_of

if TYPE_CHECKING:
    from stakes.outcome import WeightedOutcome


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
    """Plan to draw cases, those without a stake too, or clusters; very many are dealt into groups."""
    is_coarse = any(level.group is not None for level in levels)
    dealt = deal(cases) if is_coarse and not by_class else None
    if dealt is not None:
        return dealt_plan([_staked_model(cases, level, dealt) for level in levels])
    unit = np.arange(len(cases)) if cases.cluster is None else cases.cluster
    models = tuple(_staked_model(cases, level, unit) for level in levels)
    return Plan(models, strata_of(cases, unit, by_class), int(unit.max()) + 1)


def _staked_model(cases: Cases, level: Level, unit: IntArray) -> StakedModel:
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


_MOST_LOST = 0.05  # share of replicates whose last case leaves before the horizon


@dataclass(frozen=True)
class FollowedPlan(Plan):
    """A plan that draws cases or clusters, those unknown too, and weighs what was drawn.

    A replicate has two counts of each case: first how often it counts in the table, its censoring weight relative to
    that in the sample, then how often it was drawn, which counts people.
    """

    weighed: WeightedOutcome
    cluster: IntArray | None

    @property
    def sample(self) -> FloatArray:
        """Both counts of each case in the sample itself."""
        return np.ones(self.units)

    def blocks(self, n_resamples: int, rng: np.random.Generator) -> Iterator[tuple[int, FloatArray]]:
        """Draw replicates, a block at a time; those whose risk is not identified are drawn again."""
        size, lost = max(1, BLOCK // self.units), 0
        for done in range(0, n_resamples, size):
            counts = np.empty((min(size, n_resamples - done), self.units))
            for row in counts:
                while (found := self._both(self._draw(rng))) is None:
                    lost += 1
                    if lost > max(_MOST_LOST * n_resamples, 10):
                        raise _lost(n_resamples)
                row[:] = found
            yield done + len(counts), counts

    def jackknife(self, groups: int, rng: np.random.Generator) -> Iterator[FloatArray]:
        """Yield the sample without each of `groups` random groups of cases or clusters."""
        units = self._drawn_units
        for part in np.array_split(rng.permutation(units), min(groups, units)):
            drawn = np.ones(units)
            drawn[part] = 0.0
            found = self._both(drawn if self.cluster is None else drawn[self.cluster])
            if found is not None:
                yield found

    @property
    def _drawn_units(self) -> int:
        return self.units // 2 if self.cluster is None else int(self.cluster.max()) + 1

    def _draw(self, rng: np.random.Generator) -> FloatArray:
        """Return how often each case is drawn."""
        units = self._drawn_units
        drawn = np.bincount(rng.integers(units, size=units), minlength=units).astype(np.float64)
        return drawn if self.cluster is None else drawn[self.cluster]

    def _both(self, drawn: FloatArray) -> FloatArray | None:
        counted = self.weighed.ratios(drawn)
        return None if counted is None else np.concatenate([counted, drawn])


def _lost(n_resamples: int) -> InputError:
    wanted = f"be within follow-up in at least {1 - _MOST_LOST:.0%} of {n_resamples:,} replicates"
    return InputError("horizon", wanted, "fewer", hint="choose an earlier one")


def followed_plan(cases: Cases, weighed: WeightedOutcome, levels: list[Level], *, by_class: bool) -> Plan:
    """Plan the resampling of cases that were not all followed."""
    if by_class:
        raise InputError("by_class", "be False where the class of some cases is unknown")
    if cases.cluster is not None and int(cases.cluster.max()) < 1:
        raise InputError("cases", "hold at least 2 clusters to be resampled", "1")
    if weighed.horizons:
        from stakes.uncertainty._horizon_plans import horizon_plan  # which extends this one

        return horizon_plan(cases, levels)
    models = tuple(followed_model(cases, weighed, level) for level in levels)
    return FollowedPlan(models, (), 2 * len(cases), weighed, cases.cluster)


def followed_model(cases: Cases, weighed: WeightedOutcome, level: Level) -> ResampledModel:
    """Return a model's table, what each case adds to it, and how many people each case is."""
    size, many, case = len(level.table), 2 * len(cases), np.arange(len(cases))
    weight = np.ones(len(cases)) if cases.weight is None else np.asarray(cases.weight)
    adds = scipy.sparse.csr_array((weight, (level.cells(cases), case)), shape=(2 * size, many))
    everyone = None
    if weighed.counts:
        score, lowest = scores_of_cases(cases, level.name), 0
        row = np.searchsorted(cases.table(level.name).score, score, "right") - 1  # between two rows: the lower
        if level.group is not None:
            row = level.group[np.maximum(row, 0)]
        elif row.min() < 0:  # below the lowest row, from which nobody else acts on them
            row, lowest = row + 1, 1
        everyone = scipy.sparse.csr_array((weighed.cases, (row, case + len(cases))), shape=(lowest + size, many))
    return ResampledModel(cases.table(level.name), level.table, level.group, adds, everyone)


def special_plan(cases: Cases, levels: list[Level], *, by_class: bool) -> Plan:
    """Plan the resampling of cases that were not all followed, or that have costs of their own."""
    weighed = weighed_cases(cases)
    if weighed is not None:
        return followed_plan(cases, weighed, levels, by_class=by_class)
    return staked_plan(cases, levels, by_class=by_class)
