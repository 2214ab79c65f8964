"""Intervals of means from one more pass, which sums powers of influence where the cases are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.frames._frame import Arrays
from stakes.frames._poisson import cells_of, coarsen_for_workers
from stakes.measures import Form
from stakes.table import ScoreTable
from stakes.uncertainty import (
    Comparison,
    Interval,
    Options,
    PowerSums,
    Ranking,
    Spread,
    difference_ends,
    ends_of,
    models_among,
    normal_ranking,
    spread_of,
    unseen_variance,
)

_ROWS = 65536  # of each table, and of a block of cases: beyond that a standard error does not change any more


@dataclass(frozen=True)
class Moments:
    """A worker's task: sum powers of the influence of some rows on the models' numbers and differences.

    Attributes
    ----------
    edges : tuple of ndarray
        Of each model, the highest score of every row of its table; a model that gives everyone one score has one row.
    moved : tuple of ndarray
        What a positive of each row moves the number by, then what a negative does, for a weight of 1.
    best : int
        The model that the others are compared with.
    """

    edges: tuple[FloatArray, ...]
    moved: tuple[FloatArray, ...]
    best: int

    @property
    def size(self) -> int:
        """Number of sums: four for each model and each difference, and a product for each pair."""
        return len(self.edges) * (8 + len(self.edges))

    def __call__(self, rows: Arrays) -> FloatArray:
        """Return the sums of these rows."""
        sums = np.zeros(self.size)
        for at in range(0, len(rows["outcome"]), _ROWS):
            sums += self._of_block({name: column[at : at + _ROWS] for name, column in rows.items()})
        return sums

    def _of_block(self, rows: Arrays) -> FloatArray:
        own = np.stack([self._moves(model, rows) for model in range(len(self.edges))])
        both = np.concatenate([own, own - own[self.best]])
        squares = both * both
        powers = [
            squares.sum(axis=1),
            np.einsum("ij,ij->i", squares, both),
            np.einsum("ij,ij->i", squares, squares),
            squares @ (rows["outcome"] == 1),
        ]
        return np.concatenate([*powers, (own @ own.T).ravel()])

    def _moves(self, model: int, rows: Arrays) -> FloatArray:
        score = rows.get(str(model), np.zeros(len(rows["outcome"])))  # references, which come last, have no column
        cells = cells_of(self.edges[model], score, rows["outcome"])
        moves: FloatArray = self.moved[model][cells] * rows["weight"]
        return moves


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

    @property
    def least(self) -> str:
        """The model with the smallest number; undefined numbers come last."""
        values = np.array(list(self.estimates.values()))
        return list(self.estimates)[int(np.argmin(np.where(np.isnan(values), np.inf, values)))]

    def moments(self, baseline: str) -> Moments:
        """Return the task of the workers, for differences to `baseline`."""
        small = {name: coarsen_for_workers(self.tables[name], _ROWS) for name in self.estimates}
        edges = tuple(edge if len(table) > 1 else np.array([math.inf]) for table, edge in small.values())
        cases = self.units.cases
        moved = tuple(self.forms[name].influence(table, cases) / table.total for name, (table, _) in small.items())
        return Moments(edges, moved, list(self.estimates).index(baseline))

    def intervals(self, sums: FloatArray, level: float) -> dict[str, Interval]:
        """Return the interval of each model from the sums of the workers."""
        return {
            model: Interval(
                estimate, *ends_of(self.forms[model], estimate, self._spread(sums, model), level), method="analytic"
            )
            for model, estimate in self.estimates.items()
        }

    def difference(self, sums: FloatArray, model: str, baseline: str, level: float) -> Comparison:
        """Return the difference of a model to the baseline that the workers added up for."""
        difference = self.estimates[model] - self.estimates[baseline]
        ends, above = difference_ends(difference, self._spread(sums, model, len(self.estimates)), level)
        return Comparison(model, baseline, difference, *ends, 1 - above, "analytic")

    def _spread(self, sums: FloatArray, model: str, first: int = 0) -> Spread:
        """Return the spread of a model's number; of its difference, whose sums come after those of all models."""
        column = first + list(self.estimates).index(model)
        powers = sums[: 8 * len(self.estimates)].reshape(4, -1)[:, column]
        held = self.units.cases, self.units.positive
        return spread_of(PowerSums(*powers.tolist()), *held, by_class=self.forms[model].by_class)

    def ranking(self, sums: FloatArray) -> Ranking:
        """Rank the models, least first, by the joint normal law of their numbers."""
        count, held = len(self.estimates), (self.units.cases, self.units.positive)
        products = sums[8 * count :].reshape(count, count)
        tables = [self.tables[name] for name in self.estimates]
        unseen = [unseen_variance(self.forms[name], self.tables[name], *held) for name in self.estimates]
        options = Options(self.estimates, "smaller", models_among(tables), "near")
        return normal_ranking(options, products * (held[0] / max(held[0] - 1, 1)), np.array(unseen))
