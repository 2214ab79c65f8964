"""Sums over cases of their values, by class and direction, and kinds of cases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray, blocks
from stakes.measures import CaseValues, Form, cell_weights
from stakes.table import ScoreTable
from stakes.uncertainty._ends import Ends
from stakes.uncertainty._half_case import Kinds

_VARIED = 1e-9  # squared coefficient of variation from which weights vary by more than rounding


@dataclass(frozen=True)
class KindSums:
    """Sums over the positives and over the negatives; those of two samples add up.

    Attributes
    ----------
    cases : ndarray of float64
        Number of cases.
    weight, square_weight : ndarray of float64
        Sum of the weights of the cases, and of their squares.
    influence_squares : ndarray of float64
        Sum of the squares of their influence.
    added, squares : ndarray of float64
        Sum of what those cases add that raise the number (first column) and of what the others take off it, each
        divided by the weight of all cases; and of the squares.
    largest : ndarray of float64
        The largest value of a case, whatever its weight and direction; of two samples, the larger of theirs.
    """

    cases: FloatArray
    weight: FloatArray
    square_weight: FloatArray
    influence_squares: FloatArray
    added: FloatArray
    squares: FloatArray
    largest: FloatArray

    @property
    def heaviness(self) -> FloatArray:
        """The share of the weight that a case of each class has, as far as its class has cases."""
        seen, total = self.weight > 0, float(self.weight.sum())
        typical = np.divide(self.square_weight, self.weight, out=np.full(2, total / self.cases.sum()), where=seen)
        return np.asarray(typical / total)

    @property
    def weight_spread(self) -> float:
        """The squared coefficient of variation of the weights within classes; 0 if it is only rounding."""
        if not (self.weight > 0).all():
            return 0.0
        varied = self.square_weight * self.cases / self.weight**2 - 1
        spread = float((self.cases * np.maximum(varied, 0.0)).sum() / self.cases.sum())
        return spread if spread > _VARIED else 0.0

    @property
    def weight_doubt(self) -> FloatArray:
        r"""How many times as heavy as those seen a case of each class may be.

        Where weights vary, the few cases of the rarer class may all be light by chance, and then one that was not seen
        is heavier. It weighs what a case of the whole sample typically does, as far as that is plausible: with the
        squared coefficient of variation :math:`c^2` of the weights within classes, up to :math:`1 + c^2` times the mean
        weight of the class and two of its standard errors. Weights that depend on the class alone leave no doubt.
        """
        doubt, total, spread = np.ones(2), float(self.weight.sum()), self.weight_spread
        if spread > 0 and self.cases[0] != self.cases[1]:
            rarer = int(np.argmin(self.cases))
            mean = self.weight[rarer] / self.cases[rarer] * (1 + spread)
            plausible = mean * (1 + 2 * math.sqrt(spread / self.cases[rarer])) / total
            typical = float(self.square_weight.sum()) / total**2
            doubt[rarer] = max(1.0, min(typical, plausible) / self.heaviness[rarer])
        return doubt

    def of_constant(self, values: FloatArray) -> KindSums:
        """Return the sums where every positive adds the first of two values and every negative the second.

        Neither may be below 0.
        """
        total = float(self.weight.sum())
        added, squares = values * self.weight / total, values**2 * self.square_weight / total**2
        none = np.zeros(2)
        return replace(self, added=np.column_stack([added, none]), squares=np.column_stack([squares, none]))

    def of_the_rest(self, value: float) -> KindSums:
        """Return the sums over the other cases, where some add `value` and all others nothing.

        Each of the others then takes `value` off what it would be if all cases added it.
        """
        total, down = float(self.weight.sum()), [value < 0, value > 0]
        added = abs(value) * self.weight / total - self.added.sum(axis=1)
        squares = value**2 * self.square_weight / total**2 - self.squares.sum(axis=1)
        columns = (np.outer(np.maximum(one, 0.0), down) for one in (added, squares))
        return replace(self, **dict(zip(("added", "squares"), columns, strict=True)))

    def variance(self, *, by_class: bool) -> float:
        """Return the variance of the number; nan where too few cases tell it."""
        size, square = (self.cases, self.influence_squares)
        if not by_class:
            size, square = size.sum(), square.sum()
        if np.min(size) < 2:
            return math.nan
        return float(np.sum(size / (size - 1) * square))

    def kinds(self, bound: FloatArray, variance: float, design: float, room: Ends, *, by_class: bool) -> Kinds:
        """Return the kinds; `bound` is the largest value of each class (in a row), up and down (in a column).

        `design` is the number of cases that count as one where they come in clusters, and `room` is that of the mean.
        """
        every = np.broadcast_to(self.cases[:, None] if by_class else self.cases.sum(), bound.shape)
        parts = (
            every * self.added / design,
            every**2 * self.squares / design,
            every * bound * self.heaviness[:, None],
            np.broadcast_to([True, False], bound.shape),
            every / design,
        )
        here = (bound > 0) & (every > 0)
        added, squares, sizes, up, cases = (np.asarray(part)[here] for part in parts)
        return Kinds(added, squares, sizes, up, cases, variance, room)


@dataclass(frozen=True)
class Classes:
    """Cases by class: in each block of rows, the places of the positives and then those of the negatives.

    Places from one list are looked up several times as fast as cases are chosen by whether they are positive.
    """

    positive: BoolArray
    place: npt.NDArray[np.uint16]
    positives: list[int]  # in each block

    @classmethod
    def of(cls, positive: BoolArray) -> Classes:
        """Find the places of the cases of each class."""
        place, positives = np.empty(len(positive), dtype=np.uint16), []
        for rows in blocks(len(positive)):
            found = np.flatnonzero(positive[rows])
            place[rows][: len(found)], place[rows][len(found) :] = found, np.flatnonzero(~positive[rows])
            positives.append(len(found))
        return cls(positive, place, positives)

    def split(self, column: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the values of the positives and of the negatives, block by block."""
        for rows, positives in zip(blocks(len(column)), self.positives, strict=True):
            ordered = column[rows].take(self.place[rows])
            yield ordered[:positives], ordered[positives:]


def sums_of_cases(
    moved: FloatArray, offset: FloatArray, classes: Classes, weight: FloatArray | None, *, paired: bool
) -> KindSums:
    """Add up what cases add to a number, from their influence.

    `moved` is the influence of each case, and `offset` is by how much the value of a positive and of a negative exceeds
    the influence of one that has all the weight. Only a difference has cases of a class that raise it and others that
    lower it, and only there is the largest value needed.
    """
    cases, weights, square_weights = weights_by_class(classes.positive, weight)
    total, sums, largest = float(weights.sum()), np.zeros((5, 2)), np.zeros(2)
    split_weights = repeat((np.array(1.0), np.array(1.0))) if weight is None else classes.split(weight)
    for parts, heavy in zip(classes.split(moved), split_weights, strict=False):
        for side, (one, share) in enumerate(zip(parts, (part / total for part in heavy), strict=True)):
            sums[:3, side] += _product(one, one), one.sum(), 0.0 if weight is None else _product(one, share)
            if paired and len(one):
                added = one + offset[side] * share
                raised = np.maximum(added, 0.0)
                sums[3:, side] += raised.sum(), _product(raised, raised)
                size = added if weight is None else added / share
                largest[side] = max(largest[side], size.max(), -size.min())
    square, plain, crossed, *raised_sums = sums
    if weight is None:
        crossed, largest = plain / total, largest * total
    added_sums = plain + offset * weights / total
    added_squares = np.maximum(square + 2 * offset * crossed + offset**2 * square_weights / total**2, 0.0)
    columns = np.array([square, added_sums, added_squares, *raised_sums])
    return _signed(columns, largest, cases, weights, square_weights, paired=paired)


def sum_of_squares(column: FloatArray) -> float:
    """Add up the squares of a column."""
    return _product(column, column)


def _product(one: FloatArray, other: FloatArray) -> float:
    return float(np.einsum("i,i->", one, other))  # a dot product would start the threads of BLAS


def _by_class(column: FloatArray, positive: BoolArray) -> tuple[float, float]:
    of_positives = float(column.compress(positive).sum())
    return of_positives, float(column.sum()) - of_positives


def weights_by_class(positive: BoolArray, weight: FloatArray | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the number of cases of each class, their weight, and the sum of its squares."""
    cases = np.array([np.count_nonzero(positive), np.count_nonzero(~positive)], dtype=np.float64)
    if weight is None:
        return cases, cases, cases
    return cases, np.array(_by_class(weight, positive)), np.array(_by_class(weight**2, positive))


def _signed(
    sums: FloatArray, largest: FloatArray, cases: FloatArray, weight: FloatArray, square: FloatArray, *, paired: bool
) -> KindSums:
    """Return sums by direction, from those over all cases and over the cases that raise the number."""
    influence_squares, added, squares, raised, squares_raised = sums
    if not paired:  # all cases of a class have one direction
        up = added > 0
        raised, squares_raised = np.where(up, added, 0.0), np.where(up, squares, 0.0)
    lowered, squares_lowered = np.maximum(raised - added, 0.0), np.maximum(squares - squares_raised, 0.0)
    return KindSums(
        cases,
        weight,
        square,
        influence_squares,
        np.column_stack([raised, lowered]),
        np.column_stack([squares_raised, squares_lowered]),
        largest,
    )


def sums_of_table(form: Form, values: CaseValues, table: ScoreTable) -> KindSums:
    """Add up what the cases of a table add to a number; every unit of weight is one independent case."""
    times, of_positives = cell_weights(table), np.arange(2 * len(table)) < len(table)
    moved = form.influence(table, round(table.total)) / table.total
    added = np.concatenate(values.values(table.score)) / table.total
    columns = [moved**2, added, added**2]
    sums = np.zeros((5, 2))
    sums[:3] = [_by_class(times * column, of_positives) for column in columns]
    cases = np.round([table.positive_total, table.negative_total])
    weight = np.array([table.positive_total, table.negative_total])
    return _signed(sums, np.zeros(2), cases, weight, weight, paired=False)
