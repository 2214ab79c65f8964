"""Bootstrap resampling without a sort: the units drawn, and what each adds to the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial, reduce

import numpy as np
import scipy

from stakes._arrays import BoolArray, FloatArray
from stakes._case_columns import IntArray
from stakes._errors import InputError
from stakes.cases import Cases, is_special
from stakes.measures import WeightsOf, cell_weights
from stakes.table import Heads, ScoreTable, frozen_table, pool_rows, runs_of_rows
from stakes.uncertainty._added import LateMatrix, Matrix, added_weights, first_rows_added_up

# A table with more than MANY rows is resampled with COARSE of them, unless `exact` is asked for. The error of that is
# estimated from a table FINER times as fine.
MANY, COARSE, FINER = 8192, 512, 4

BLOCK = 1 << 21  # numbers held at a time, whatever the number of replicates


@dataclass(frozen=True)
class ResampledModel:
    """A model's table to resample; `table` may be coarse, and `group` maps rows of `fine` to its rows."""

    fine: ScoreTable
    table: ScoreTable
    group: IntArray | None
    matrix: Matrix | LateMatrix
    # Rows x units: people, where rows hold censoring weights; with one row more, those below the lowest row come first.
    everyone: scipy.sparse.csr_array | None = None

    @cached_property
    def adds(self) -> Matrix:
        """Cells x units: the weight that a unit adds to each cell of `table`."""
        return self.matrix.whole() if isinstance(self.matrix, LateMatrix) else self.matrix

    def pooled(self, values: FloatArray) -> FloatArray:
        """Return the mean of values of the fine cells in each cell of the table, which keeps means exact."""
        if self.group is None:
            return values
        both = np.concatenate([self.group, self.group + len(self.table)])
        sums = np.bincount(both, cell_weights(self.fine) * values, minlength=2 * len(self.table))
        return np.asarray(sums / np.maximum(cell_weights(self.table), np.finfo(float).tiny))

    def weights(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weight of the positives and of the negatives of every row, replicates x rows."""
        return added_weights(self.adds, counts)

    def weights_pooled_below(self, row: int) -> WeightsOf | None:
        """Return `weights` with one row for all that are below some row; None unless there are several."""
        if row < 2:
            return None
        late = self.matrix if isinstance(self.matrix, LateMatrix) else None
        return partial(added_weights, late.pooled_below(row) if late else first_rows_added_up(self.adds, row))

    def tables(self, counts: FloatArray) -> list[ScoreTable]:
        """Return the table of each replicate."""
        weights = zip(*self.weights(counts), strict=True)
        if self.everyone is None:
            return [self._reweighted(*pair) for pair in weights]
        people = (self.everyone @ np.ascontiguousarray(counts.T)).T
        return [self._reweighted(*pair, one) for pair, one in zip(weights, people, strict=True)]

    def _reweighted(self, positive: FloatArray, negative: FloatArray, people: FloatArray | None = None) -> ScoreTable:
        """Return the table with other weights of its cells, without rows of weight 0."""
        here, score = positive + negative > 0, self.table.score
        heads = None if people is None else _heads(score, positive, negative, people)
        if here.all():
            return frozen_table(score, positive, negative, heads=heads)
        return frozen_table(score[here], positive[here], negative[here], heads=heads)


def _heads(score: FloatArray, positive: FloatArray, negative: FloatArray, people: FloatArray) -> Heads:
    """Return the heads of a replicate at the scores of its rows, and of people below the lowest."""
    if len(people) > len(score):
        score = np.append(np.nextafter(score[0], -np.inf), score)
        positive, negative = np.append(0.0, positive), np.append(0.0, negative)
    return Heads(score, positive, negative, people)


@dataclass(frozen=True)
class Stratum:
    """Units among which a fixed number is drawn; `held` is the multiplicity of each in the sample."""

    units: IntArray
    held: IntArray

    def draw(self, rng: np.random.Generator, out: FloatArray) -> None:
        """Draw replicates with replacement; write the multiplicity of each unit to the rows of `out`."""
        total = int(self.held.sum())
        if total == len(self.units):  # all different: several times as fast as a multinomial
            drawn = rng.integers(total, size=(len(out), total))
            drawn += total * np.arange(len(out))[:, None]  # replicates apart
            out[:, self.units] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        else:
            out[:, self.units] = rng.multinomial(total, self.held / total, size=len(out))


@dataclass(frozen=True)
class Plan:
    """The units to draw, by stratum, and the models they add to."""

    models: tuple[ResampledModel, ...]
    strata: tuple[Stratum, ...]
    units: int

    @property
    def sample(self) -> FloatArray:
        """Multiplicity of each unit in the sample itself."""
        counts = np.zeros(self.units)
        for stratum in self.strata:
            counts[stratum.units] = stratum.held
        return counts

    def blocks(self, n_resamples: int, rng: np.random.Generator) -> Iterator[tuple[int, FloatArray]]:
        """Draw replicates, a block at a time; the draws do not depend on the size of the blocks."""
        width = self.units + sum(2 * len(model.table) for model in self.models)
        size = max(1, BLOCK // width)
        for done in range(0, n_resamples, size):
            counts = np.zeros((min(size, n_resamples - done), self.units))
            for part in [counts] if len(self.strata) == 1 else counts[:, None]:  # strata take turns
                for stratum in self.strata:
                    stratum.draw(rng, part)
            yield done + len(counts), counts

    def jackknife(self, groups: int, rng: np.random.Generator) -> Iterator[FloatArray]:
        """Yield the sample without each of `groups` random groups of units of about the same size."""
        sample = self.sample
        members = rng.permutation(np.repeat(np.arange(self.units), sample.astype(np.intp)))
        parts = np.array_split(members, min(groups, len(members)))
        for part in parts:
            yield sample - np.bincount(part, minlength=self.units)


def cells(cases: Cases, model: str) -> IntArray:
    """Return the cell of each case in a model's table: its row, plus the number of rows for a negative."""
    rows = cases.rows(model)
    return np.where(cases.positive, rows, rows + len(cases.table(model)))


@dataclass(frozen=True)
class Level:
    """A model's table at one resolution; `group` maps the rows of the whole table to its rows."""

    name: str
    table: ScoreTable
    group: IntArray | None
    reach: float = 1.0  # share of the cases that a threshold may act on, which has finer rows if it is small

    def cells(self, cases: Cases) -> IntArray:
        """Return the cell of each case."""
        if self.group is None:
            return cells(cases, self.name)
        rows = self.group[cases.rows(self.name)]
        return np.where(cases.positive, rows, rows + len(self.table))

    def coarsen(self, rows: int) -> Level:
        """Return the table with at most `rows` rows."""
        starts = runs_of_rows(self.table, rows, self.reach)
        group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(self.table)))
        group = group if self.group is None else group[self.group]
        return Level(self.name, pool_rows(self.table, starts), group, self.reach)


def fine_levels(cases: Cases, models: tuple[str, ...], *, exact: bool, reach: float = 1.0) -> list[Level]:
    """Return the tables of models, coarsened to FINER times the rows to resample if they have very many."""
    whole = [Level(name, cases.table(name), None, reach) for name in models]
    return [one if exact or _is_small(one.table) else one.coarsen(FINER * COARSE) for one in whole]


def _is_small(table: ScoreTable) -> bool:
    return len(table) <= MANY or not np.isfinite(table.score[[0, -1]]).all()


def coarse_levels(fine: list[Level]) -> list[Level]:
    """Return the tables to resample: coarsened once more, if they have been coarsened."""
    return [one if one.group is None else one.coarsen(COARSE) for one in fine]


def _renumber(key: IntArray) -> IntArray:
    """Return keys renumbered from 0 without gaps, in order."""
    if int(key.max()) > 4 * len(key):
        return np.unique(key, return_inverse=True)[1].ravel()
    present = np.bincount(key) > 0
    return (np.cumsum(present) - 1)[key]


def _joint_cells(columns: list[IntArray]) -> IntArray:
    """Return the number of each case's combination of cells in several tables."""
    return reduce(
        lambda left, right: _renumber(left * (int(right.max()) + 1) + right), columns[1:], _renumber(columns[0])
    )


def _units(cases: Cases, columns: list[IntArray]) -> IntArray:
    """Return the unit of each case: its cluster, its combination of cells if these are few, or itself."""
    if cases.cluster is not None:
        return cases.cluster
    joint = _joint_cells(columns) if cases.weight is None else None
    return joint if joint is not None and _is_few(int(joint.max()) + 1, cases) else np.arange(len(cases))


def _is_few(units: int, cases: Cases) -> bool:
    """Return whether drawing a count for each unit is cheaper than drawing cases."""
    return units <= len(cases) / 4


def _incidence(cases: Cases, column: IntArray, unit: IntArray, shape: tuple[int, int]) -> scipy.sparse.csr_array:
    """Return the weight that a unit adds to each cell: of all cases of a cluster, or of one case."""
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    if cases.cluster is not None:
        return scipy.sparse.csr_array((weight, (column, unit)), shape=shape)
    one = np.empty(shape[1], dtype=np.intp)
    one[unit] = np.arange(len(cases))
    return scipy.sparse.csr_array((weight[one], (column[one], np.arange(shape[1]))), shape=shape)


def _strata(held: IntArray, positive: BoolArray, by_class: bool) -> tuple[Stratum, ...]:
    parts = [positive, ~positive] if by_class else [np.ones(len(held), dtype=np.bool_)]
    return tuple(Stratum(np.flatnonzero(part), held[part]) for part in parts if part.any())


def strata_of(cases: Cases, unit: IntArray, by_class: bool) -> tuple[Stratum, ...]:
    held = np.bincount(unit)
    if cases.cluster is not None:
        if by_class:
            raise InputError("by_class", "be False where cases come in clusters, which may hold both classes")
        if len(held) < 2:
            raise InputError("cases", "hold at least 2 clusters to be resampled", "1")
        held = np.ones_like(held)
    return _strata(held, np.bincount(unit, cases.positive) > 0, by_class)


def plan(cases: Cases, models: tuple[str, ...], *, by_class: bool = False, exact: bool = False) -> Plan:
    """Plan the resampling of some models on the same cases."""
    return plan_of(cases, coarse_levels(fine_levels(cases, models, exact=exact)), by_class=by_class)


def plan_of(cases: Cases, levels: list[Level], *, by_class: bool) -> Plan:
    """Plan the resampling of tables of the same cases; of one model, the finest comes first."""
    if is_special(cases):
        from stakes.uncertainty._special_plans import special_plan

        return special_plan(cases, levels, by_class=by_class)
    if cases.weight is None and cases.cluster is None and len({level.name for level in levels}) == 1:
        units = np.flatnonzero(cell_weights(levels[0].table))
        if _is_few(len(units), cases):
            return _plan_of_cells(cases, levels, units, by_class)
    columns = [level.cells(cases) for level in levels]
    unit = _units(cases, columns)
    count = int(unit.max()) + 1
    adds = [
        _incidence(cases, column, unit, (2 * len(level.table), count))
        for level, column in zip(levels, columns, strict=True)
    ]
    return Plan(_models(cases, levels, adds), strata_of(cases, unit, by_class), count)


def _plan_of_cells(cases: Cases, levels: list[Level], units: IntArray, by_class: bool) -> Plan:
    """Plan to draw cells of the first table; the others are of the same model and coarser."""
    finest = levels[0]
    first = np.arange(len(finest.table))  # of the rows of the whole table that are in each row
    if finest.group is not None:
        first = np.searchsorted(finest.group, first)
    positive, row = units < len(finest.table), first[units % len(finest.table)]
    adds = []
    for level in levels:
        cell = (row if level.group is None else level.group[row]) + np.where(positive, 0, len(level.table))
        shape = (2 * len(level.table), len(units))
        adds.append(scipy.sparse.csr_array((np.ones(len(units)), (cell, np.arange(len(units)))), shape=shape))
    held = np.rint(cell_weights(finest.table)[units]).astype(np.intp)
    return Plan(_models(cases, levels, adds), _strata(held, positive, by_class), len(units))


def _models(cases: Cases, levels: list[Level], adds: list[scipy.sparse.csr_array]) -> tuple[ResampledModel, ...]:
    return tuple(
        ResampledModel(cases.table(level.name), level.table, level.group, added)
        for level, added in zip(levels, adds, strict=True)
    )
