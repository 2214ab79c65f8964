"""Resampling without a sort: what is drawn, how often, and what each draw adds to the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np
from scipy import sparse

from stakes._check import FloatArray
from stakes.cases import Cases, IntArray
from stakes.table import ScoreTable, coarsen
from stakes.uncertainty._influence import cell_weights, cells

# A table with more rows than the first number is resampled with the second, unless all of them are asked for.
MANY, COARSE = 8192, 768
BLOCK = 1 << 21  # numbers held at a time, whatever the number of replicates


@dataclass(frozen=True)
class Model:
    """A model's table as it is resampled: `table` may be coarse, and `group` says where each fine row went."""

    fine: ScoreTable
    table: ScoreTable
    group: IntArray | None
    adds: sparse.csr_array  # cells x units: what a unit adds to each cell of `table`

    def pooled(self, values: FloatArray) -> FloatArray:
        """Mean of values of the fine cells in each cell of the table: means of pointwise values stay exact."""
        if self.group is None:
            return values
        both = np.concatenate([self.group, self.group + len(self.table)])
        sums = np.bincount(both, cell_weights(self.fine) * values, minlength=2 * len(self.table))
        return np.asarray(sums / np.maximum(cell_weights(self.table), np.finfo(float).tiny))


@dataclass(frozen=True)
class Stratum:
    """Units among which a fixed number is drawn: `held` times each stands in the sample."""

    units: IntArray
    held: IntArray

    def draw(self, rng: np.random.Generator, out: FloatArray) -> None:
        """Draw with replacement; write how often each unit was drawn."""
        total = int(self.held.sum())
        if total == len(self.units):  # all different: several times as fast as a multinomial
            out[self.units] = np.bincount(rng.integers(total, size=total), minlength=total)
        else:
            out[self.units] = rng.multinomial(total, self.held / total)


@dataclass(frozen=True)
class Plan:
    """The units that are drawn, by stratum, and the models they add to."""

    models: tuple[Model, ...]
    strata: tuple[Stratum, ...]
    units: int

    @property
    def sample(self) -> FloatArray:
        """How often each unit stands in the sample itself."""
        counts = np.zeros(self.units)
        for stratum in self.strata:
            counts[stratum.units] = stratum.held
        return counts

    def blocks(self, n_resamples: int, rng: np.random.Generator) -> Iterator[tuple[int, FloatArray]]:
        """Draw replicates, a block at a time; the numbers do not depend on how many fit in a block."""
        width = self.units + sum(2 * len(model.table) for model in self.models)
        size = max(1, BLOCK // width)
        for done in range(0, n_resamples, size):
            counts = np.zeros((min(size, n_resamples - done), self.units))
            for replicate in counts:
                for stratum in self.strata:
                    stratum.draw(rng, replicate)
            yield done + len(counts), counts

    def jackknife(self, groups: int, rng: np.random.Generator) -> Iterator[FloatArray]:
        """Yield the sample without each of some groups of units, drawn at random, of about the same size."""
        sample = self.sample
        members = rng.permutation(np.repeat(np.arange(self.units), sample.astype(np.intp)))
        parts = np.array_split(members, min(groups, len(members)))
        for part in parts:
            yield sample - np.bincount(part, minlength=self.units)


def _coarse(table: ScoreTable, exact: bool) -> tuple[ScoreTable, IntArray | None]:
    if exact or len(table) <= MANY or not np.isfinite(table.score[[0, -1]]).all():
        return table, None
    small = coarsen(table, COARSE)
    weight, ends = table.positive + table.negative, np.cumsum(small.positive + small.negative)
    return small, np.minimum(np.searchsorted(ends, np.cumsum(weight) - weight / 2), len(small) - 1)


def _coarse_cells(cases: Cases, name: str, small: ScoreTable, group: IntArray | None) -> IntArray:
    if group is None:
        return cells(cases, name)
    rows = group[cases.rows(name)]
    return np.where(cases.positive, rows, rows + len(small))


def _numbered(key: IntArray) -> IntArray:
    """Return keys numbered from 0, in order."""
    if int(key.max()) > 4 * len(key):
        return np.unique(key, return_inverse=True)[1].ravel()
    present = np.bincount(key) > 0
    return (np.cumsum(present) - 1)[key]


def _joint(columns: list[IntArray]) -> IntArray:
    """Return the number of each case's combination of cells."""
    return reduce(
        lambda left, right: _numbered(left * (int(right.max()) + 1) + right), columns[1:], _numbered(columns[0])
    )


def _units(cases: Cases, columns: list[IntArray]) -> IntArray:
    """Return the unit of each case: its cluster, its combination of cells where these are few, or the case itself."""
    if cases.cluster is not None:
        return cases.cluster
    joint = _joint(columns) if cases.weight is None else None
    return joint if joint is not None and int(joint.max()) < len(cases) / 4 else np.arange(len(cases))


def _adds(cases: Cases, column: IntArray, unit: IntArray, shape: tuple[int, int]) -> sparse.csr_array:
    """Return what drawing a unit adds to each cell: the weights of a cluster's cases, or of one case of that unit."""
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    if cases.cluster is not None:
        return sparse.csr_array((weight, (column, unit)), shape=shape)
    one = np.empty(shape[1], dtype=np.intp)
    one[unit] = np.arange(len(cases))
    return sparse.csr_array((weight[one], (column[one], np.arange(shape[1]))), shape=shape)


def _strata(cases: Cases, unit: IntArray, by_class: bool) -> tuple[Stratum, ...]:
    held = np.bincount(unit)
    if cases.cluster is not None:
        if by_class:
            raise ValueError("`by_class` must be False where cases come in clusters: one may hold both classes.")
        if len(held) < 2:
            raise ValueError("`cases` must hold at least 2 clusters to be resampled, got 1.")
        held = np.ones_like(held)
    positive = np.bincount(unit, cases.positive) > 0
    parts = [positive, ~positive] if by_class else [np.ones(len(held), dtype=np.bool_)]
    return tuple(Stratum(np.flatnonzero(part), held[part]) for part in parts if part.any())


def plan(cases: Cases, models: tuple[str, ...], *, by_class: bool = False, exact: bool = False) -> Plan:
    """Prepare the resampling of some models on the same cases."""
    small = [_coarse(cases.table(name), exact) for name in models]
    columns = [_coarse_cells(cases, name, *pair) for name, pair in zip(models, small, strict=True)]
    unit = _units(cases, columns)
    units = int(unit.max()) + 1
    made = [
        Model(cases.table(name), table, group, _adds(cases, column, unit, (2 * len(table), units)))
        for name, (table, group), column in zip(models, small, columns, strict=True)
    ]
    return Plan(tuple(made), _strata(cases, unit, by_class), units)
