"""How sure a mean is, from one more pass: powers of what each case moves it by, added up where the cases are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.frames._collect import Arrays
from stakes.frames._frame_replicates import cells_of, coarsened
from stakes.measures import Form
from stakes.table import ScoreTable
from stakes.uncertainty import (
    Comparison,
    Interval,
    PowerSums,
    Spread,
    difference_ends,
    ends_of,
    normal_ranking,
    spread_of,
)

_ROWS = 65536  # of each table, and of a block of cases: beyond that a standard error does not change any more


_DRAWS = 2000  # of the numbers of all models together, as `rank` draws them


@dataclass(frozen=True)
class Moments:
    """What a worker does with some rows: add powers of what each moves the models' numbers and their differences by.

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
        """How many sums there are: four for each model and each difference, and a product for each pair."""
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
    """How many independent cases there are, and how many of them are positive."""

    cases: int
    positive: int


@dataclass(frozen=True)
class JointMoments:
    """The numbers of several models on the same cases, and how sure they are together."""

    form: Form
    estimates: dict[str, float]
    tables: Mapping[str, ScoreTable]
    units: Units

    @property
    def best(self) -> int:
        """The model with the least number; what is undefined comes last."""
        values = np.array(list(self.estimates.values()))
        return int(np.argmin(np.where(np.isnan(values), np.inf, values)))

    def moments(self) -> Moments:
        """Return what the workers add up."""
        small = [coarsened(table, _ROWS) for table in self.tables.values()]
        edges = tuple(edge if len(table) > 1 else np.array([math.inf]) for table, edge in small)
        moved = tuple(self.form.influence(table, self.units.cases) / table.total for table, _ in small)
        return Moments(edges, moved, self.best)

    def intervals(self, sums: FloatArray, level: float) -> dict[str, Interval]:
        """Return the interval of each model, from what the workers added up."""
        return {
            model: Interval(
                estimate, *ends_of(self.form, estimate, self._spread(sums, number), level), method="analytic"
            )
            for number, (model, estimate) in enumerate(self.estimates.items())
        }

    def differences(self, sums: FloatArray, level: float) -> dict[str, Comparison]:
        """Return the difference of each model to the best, which is left out."""
        names = list(self.estimates)
        return {
            name: self._compared(name, names[self.best], self._spread(sums, len(names) + number), level)
            for number, name in enumerate(names)
            if number != self.best
        }

    def _compared(self, model: str, best: str, found: Spread, level: float) -> Comparison:
        difference = self.estimates[model] - self.estimates[best]
        ends, above = difference_ends(difference, found, level)
        return Comparison(model, best, difference, *ends, 1 - above, "analytic")

    def _spread(self, sums: FloatArray, column: int) -> Spread:
        powers = sums[: 8 * len(self.estimates)].reshape(4, -1)[:, column]
        held = self.units.cases, self.units.positive
        return spread_of(PowerSums(*powers.tolist()), *held, by_class=self.form.by_class)

    def probability_best(self, sums: FloatArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the probability of each model to have the least number, drawn from their joint normal law."""
        count = len(self.estimates)
        products = sums[8 * count :].reshape(count, count)
        found = normal_ranking(self.estimates, "smaller", products, self.units.cases, _DRAWS, rng)
        return {name: found.probability_best[name] for name in self.estimates}
