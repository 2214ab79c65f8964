"""Intervals of means from one more pass, which sums powers of influence where the cases are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes.frames._frame import Arrays
from stakes.frames._poisson import cells_of, coarsen_for_workers
from stakes.measures import CaseValues, Form
from stakes.table import ScoreTable, at_ordinary_scale
from stakes.uncertainty import (
    BoundedMean,
    Comparison,
    Interval,
    KindSums,
    Options,
    PowerSums,
    Ranking,
    Sampling,
    Spread,
    difference_ends,
    ends_of,
    models_among,
    normal_ranking,
    possible_values,
    spread_of,
    unseen_variance,
)

_ROWS = 65536  # of each table, and of a block of cases: beyond that a standard error does not change any more

POWERS = 4  # squares, cubes and fourths of the influence, and squares of that of positives
_BY_CLASS = 10  # of positives and of negatives: influence squared; added and squared, up and down


@dataclass(frozen=True)
class Moments:
    """A worker's task: sum powers of the influence of some rows on the models' numbers and differences.

    Attributes
    ----------
    edges : tuple of ndarray
        Of each model, the highest score of every row of its table; a model that gives everyone one score has one row.
    moved : tuple of ndarray
        What a positive of each row moves the number by, then what a negative does, for a weight of 1.
    added : tuple of ndarray
        What they add to the number, if that is a mean of bounded values; else 0.
    best : int
        The model that the others are compared with.
    unit : float
        What weights are multiplied by, a power of two, so that their squares neither overflow nor underflow.
    """

    edges: tuple[FloatArray, ...]
    moved: tuple[FloatArray, ...]
    added: tuple[FloatArray, ...]
    best: int
    unit: float = 1.0

    @property
    def size(self) -> int:
        """Number of sums, and of largest values."""
        return len(self.largest)

    @property
    def largest(self) -> BoolArray:
        """Which of the numbers are the largest of some, and not sums."""
        models = len(self.edges)
        sums = 2 * models * (POWERS + _BY_CLASS) + models**2 + 2
        return np.arange(sums + 4 * models) >= sums

    def __call__(self, rows: Arrays) -> FloatArray:
        """Return the sums of these rows."""
        sums, largest = np.zeros(self.size), self.largest
        for at in range(0, len(rows["outcome"]), _ROWS):
            block = self._of_block({name: column[at : at + _ROWS] for name, column in rows.items()})
            sums = np.where(largest, np.maximum(sums, block), sums + block)
        return sums

    def _of_block(self, rows: Arrays) -> FloatArray:
        own, added = (
            np.stack([self._cells(values, model, rows) for model, values in enumerate(each)])
            for each in (self.moved, self.added)
        )
        weight, positive = rows["weight"].astype(np.float64) * self.unit, rows["outcome"] == 1
        moves, adds = (np.concatenate([each, each - each[self.best]]) for each in (own, added))
        moves, values, adds = moves * weight, np.abs(adds), adds * weight
        squares = moves * moves
        powers = [
            squares.sum(axis=1),
            np.einsum("ij,ij->i", squares, moves),
            np.einsum("ij,ij->i", squares, squares),
            squares @ positive,
        ]
        up, down = np.maximum(adds, 0.0), np.maximum(-adds, 0.0)
        classes = positive, ~positive
        by_class = [each @ here for each in (squares, up, up * up, down, down * down) for here in classes]
        pushed = moves[: len(own)]
        heavy = [float((weight * weight) @ here) for here in classes]
        most = [np.max(values, axis=1, where=here, initial=0.0) for here in classes]
        return np.concatenate([*powers, *by_class, (pushed @ pushed.T).ravel(), heavy, *most])

    def _cells(self, values: FloatArray, model: int, rows: Arrays) -> FloatArray:
        score = rows.get(str(model), np.zeros(len(rows["outcome"])))  # references, which come last, have no column
        found: FloatArray = values[cells_of(self.edges[model], score, rows["outcome"])]
        return found


@dataclass(frozen=True)
class Units:
    """Numbers of independent cases and of positives among them, and the effective numbers of both classes."""

    cases: int
    positive: int
    effective: tuple[float, float]


@dataclass(frozen=True)
class JointMoments:
    """Numbers of several models on the same cases, with their joint uncertainty."""

    forms: Mapping[str, Form]
    estimates: dict[str, float]
    tables: Mapping[str, ScoreTable]
    units: Units

    before_products: ClassVar[int] = POWERS + _BY_CLASS  # sums of each number and difference

    @cached_property
    def _ordinary(self) -> dict[str, ScoreTable]:
        """The tables in a unit of weight whose squares neither overflow nor underflow."""
        return {name: at_ordinary_scale(table) for name, table in self.tables.items()}

    @property
    def least(self) -> str:
        """The model with the smallest number; undefined numbers come last."""
        values = np.array(list(self.estimates.values()))
        return list(self.estimates)[int(np.argmin(np.where(np.isnan(values), np.inf, values)))]

    def moments(self, baseline: str) -> Moments:
        """Return the task of the workers, for differences to `baseline`."""
        small = {name: coarsen_for_workers(self._ordinary[name], _ROWS) for name in self.estimates}
        edges = tuple(edge if len(table) > 1 else np.array([math.inf]) for table, edge in small.values())
        cases = self.units.cases
        moved = tuple(self.forms[name].influence(table, cases) / table.total for name, (table, _) in small.items())
        added = tuple(self._added(name, table) for name, (table, _) in small.items())
        unit = self._ordinary[baseline].total / self.tables[baseline].total
        return Moments(edges, moved, added, list(self.estimates).index(baseline), unit)

    def _added(self, model: str, table: ScoreTable) -> FloatArray:
        values = self._bounded_values(model)
        return np.zeros(2 * len(table)) if values is None else np.concatenate(values.values(table.score)) / table.total

    def _bounded_values(self, model: str) -> CaseValues | None:
        """Return what a case adds to a model's number; None if it is not a mean of bounded values."""
        values = possible_values(self.forms[model], self.tables[model])
        return values if values is not None and values.is_bounded else None

    def intervals(self, sums: FloatArray, level: float) -> dict[str, Interval]:
        """Return the interval of each model from the sums of the workers."""
        return {
            model: Interval(estimate, *self._ends(sums, model, estimate, level), method="analytic")
            for model, estimate in self.estimates.items()
        }

    def _ends(self, sums: FloatArray, model: str, estimate: float, level: float) -> tuple[float, float]:
        form, values = self.forms[model], self._bounded_values(model)
        if values is None or values.constant is not None:
            return ends_of(form, estimate, self._spread(sums, model), level)
        kinds = self._kind_sums(sums, model)
        sampling = Sampling(kinds.variance(by_class=form.by_class))
        return BoundedMean.of_model(estimate, form, values, kinds, sampling).ends(level)

    def difference(self, sums: FloatArray, model: str, baseline: str, level: float) -> Comparison:
        """Return the difference of a model to the baseline that the workers added up for."""
        difference, pair = self.estimates[model] - self.estimates[baseline], (model, baseline)
        forms, values = [self.forms[name] for name in pair], [self._bounded_values(name) for name in pair]
        bounded = [one for one in values if one is not None]
        if model == baseline or len(bounded) < 2:
            ends, above = difference_ends(difference, self._spread(sums, model, len(self.estimates)), level)
        else:
            kinds = self._kind_sums(sums, model, len(self.estimates))
            sampling = Sampling(kinds.variance(by_class=any(form.by_class for form in forms)))
            mean = BoundedMean.of_difference(difference, (forms[0], forms[1]), bounded, kinds, sampling)
            ends, above = mean.ends(level), mean.probability_above_zero()
        return Comparison(model, baseline, difference, *ends, 1 - above, "analytic")

    def _kind_sums(self, sums: FloatArray, model: str, first: int = 0) -> KindSums:
        """Return the sums by class and direction of a model's number; of its difference, if `first` is given."""
        count, table = len(self.estimates), self._ordinary[model]
        column, start = first + list(self.estimates).index(model), 2 * count * POWERS
        end = start + 2 * count * _BY_CLASS
        influence_squares, up, up_squares, down, down_squares = sums[start:end].reshape(5, 2, -1)[..., column]
        heavy, most = sums[end + count**2 :][:2], sums[end + count**2 + 2 :].reshape(2, -1)[:, column]
        cases = np.array([self.units.positive, self.units.cases - self.units.positive], dtype=np.float64)
        weight = np.array([table.positive_total, table.negative_total])
        added, squares = np.column_stack([up, down]), np.column_stack([up_squares, down_squares])
        return KindSums(cases, weight, heavy, influence_squares, added, squares, most * table.total)

    def _spread(self, sums: FloatArray, model: str, first: int = 0) -> Spread:
        """Return the spread of a model's number; of its difference, whose sums come after those of all models."""
        column = first + list(self.estimates).index(model)
        powers = sums[: 2 * len(self.estimates) * POWERS].reshape(POWERS, -1)[:, column]
        held = self.units.cases, self.units.positive
        return spread_of(PowerSums(*powers.tolist()), *held, by_class=self.forms[model].by_class)

    def ranking(self, sums: FloatArray) -> Ranking:
        """Rank the models, least first, by the joint normal law of their numbers."""
        count, held = len(self.estimates), (self.units.cases, self.units.positive)
        products = sums[2 * count * self.before_products :][: count**2].reshape(count, count)
        tables = [self.tables[name] for name in self.estimates]
        unseen = [unseen_variance(self.forms[name], self._ordinary[name], *held) for name in self.estimates]
        options = Options(self.estimates, "smaller", models_among(tables), "near")
        factor = held[0] / (held[0] - 1) if held[0] > 1 else math.nan
        return normal_ranking(options, products * factor, np.array(unseen))
