"""Forms of measures: the values of each case, how they combine, and the influence of a case."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from stakes._arrays import FloatArray, blocks, running_sum
from stakes.beliefs import CostBelief, only_cost
from stakes.measures._case_values import CaseValues, Evaluate, Pair, ResampledCells, ScoredCases, Value
from stakes.table import ScoreTable

Scale = Literal["skewed", "log-odds", "symmetric"]


class Form(Protocol):
    """How a number depends on the cases, for intervals, comparisons and replicates."""

    @property
    def by_class(self) -> bool:
        """Whether each class has a variance of its own, as in DeLong's formula."""

    @property
    def scale(self) -> Scale:
        """The scale on which the ends of an interval are computed."""

    @property
    def at_one_threshold(self) -> bool:
        """Whether only the side of one threshold matters, so that models differ only in the cases acted on."""

    def case_values(self, prevalence: float) -> CaseValues | None:
        """Return the values of cases in a sample of this prevalence; None if they are unknown."""

    def influence(self, table: ScoreTable, cases: int) -> FloatArray:
        """Return the influence of a case of each cell times the total weight, among `cases` independent ones."""

    def influence_of_cases(self, cases: ScoredCases, at: float) -> tuple[FloatArray, FloatArray] | None:
        """Return the same of each case, and of a positive and a negative with the score `at`.

        None if it takes more than the scores of the cases, such as their order: then it is looked up in the table.
        """

    def evaluator(self, cells: ResampledCells) -> Evaluate:
        """Return a fast function from replicates to the number on each."""


class Floor(Protocol):
    """Values of cases of a number that recalibrates the sample, and what chance adds to it."""

    def gain(self, table: ScoreTable) -> float:
        """Return what recalibration gains on a table whose outcomes it has seen."""

    def values(self, table: ScoreTable) -> FloatArray:
        """Return the value of a case of each cell, of which the number is the mean."""


def cell_weights(table: ScoreTable) -> FloatArray:
    """Weight of each cell: of the positives of every row, then of the negatives."""
    return np.concatenate([table.positive, table.negative])


def zero_where_empty(values: FloatArray, table: ScoreTable) -> FloatArray:
    """Set the values of empty cells to 0 if any value is not finite, as weight 0 adds nothing."""
    return values if np.isfinite(values.sum()) else np.where(cell_weights(table) > 0, values, 0.0)


@dataclass(frozen=True)
class Means:
    """A smooth function of the means of pointwise values.

    `values` maps scores to one pair of arrays for each mean; `combine` maps the means (along the last axis) to the
    number, `gradient` to its derivative. If there is a `threshold`, only the side of it on which a score lies matters.
    A case adds the first of its values; `scores` are those at which that is least and largest, if they are known, and
    `unmoved` is the value that counts as nothing. `constant` maps the prevalence to the first value of a positive and
    of a negative under the constant score that the number is relative to, and `least` is the smallest number possible.
    `is_linear` says that the number is one mean times a factor, so that means over samples are those of one table.
    `apart` is the pair of functions that compute the only values of a positive and of a negative, if these are known.
    """

    values: Callable[[FloatArray], list[Pair]]
    combine: Callable[[FloatArray], FloatArray]
    gradient: Callable[[FloatArray], FloatArray]
    threshold: float | None = None
    scores: tuple[float, float] | None = None
    unmoved: float = 0.0
    constant: Callable[[float], tuple[float, float]] | None = None
    least: float | None = None
    is_linear: bool = False
    apart: tuple[Value, Value] | None = None

    by_class: ClassVar[bool] = False
    scale: ClassVar[Scale] = "skewed"

    @property
    def at_one_threshold(self) -> bool:
        """Whether only the side of one threshold matters."""
        return self.threshold is not None

    def case_values(self, prevalence: float) -> CaseValues | None:
        """Return the values of cases, in which the number is linear at a fixed prevalence."""
        if self.scores is None:
            return None
        means = np.array([0.0, prevalence])[: len(self.values(np.zeros(1)))]
        slope = float(self.gradient(means)[0])

        def values(score: FloatArray) -> Pair:
            with np.errstate(divide="ignore"):
                positive, negative = np.broadcast_arrays(*self.values(score)[0])
            return slope * (positive - self.unmoved), slope * (negative - self.unmoved)

        constant = None
        if self.constant is not None:
            positive, negative = self.constant(prevalence)
            constant = -slope * positive, -slope * negative
        return CaseValues(values, np.array(values(np.array(self.scores))), constant, self.least)

    def influence(self, table: ScoreTable, cases: int) -> FloatArray:
        """Return the influence of a case of each cell times the total weight."""
        values, weight = self.cell_values(table), cell_weights(table)
        means = np.array([np.einsum("i,i->", weight, column) for column in values]) / table.total
        return self._moved(values, means)

    def influence_of_cases(self, cases: ScoredCases, at: float) -> tuple[FloatArray, FloatArray]:
        """Return the influence of each case, and of a positive and a negative with the score `at`."""
        with np.errstate(divide="ignore"):
            added, means = cases.added(self.values) if self.apart is None else cases.added_apart(*self.apart)
            there = [np.concatenate(pair) for pair in self.values(np.array([at]))]
        return self._moved(added, means), self._moved(there, means)

    def evaluator(self, cells: ResampledCells) -> Evaluate:
        """Return a function that sums over units by a matrix product.

        `einsum` adds in the same order whatever the size of the block.
        """
        values = [cells.pooled(column) for column in self.cell_values(cells.fine)]
        columns = [cells.adds.T @ column for column in (*values, np.ones(2 * len(cells.table)))]

        def evaluate(counts: FloatArray) -> FloatArray:
            *sums, total = (np.einsum("ij,j->i", counts, column) for column in columns)
            return self.combine(np.stack(sums, axis=-1) / total[:, None])

        return evaluate

    def _moved(self, added: list[FloatArray], means: FloatArray) -> FloatArray:
        """Return how far cases that add these values move the number, in place of the first values."""
        moved, *others = added
        if not np.isfinite(means).all():
            return np.full(len(moved), np.nan)
        gradient = self.gradient(means)
        moved *= gradient[0]
        moved += -float(gradient @ means)
        for slope, column in zip(gradient[1:], others, strict=True):
            moved += slope * column
        return moved

    def cell_values(self, table: ScoreTable) -> list[FloatArray]:
        """Pointwise values of each cell, one array per mean."""
        with np.errstate(divide="ignore"):
            pieces = [
                [np.broadcast_arrays(*pair) for pair in self.values(table.score[rows])] for rows in blocks(len(table))
            ]
        return [
            zero_where_empty(np.concatenate([piece[side] for side in (0, 1) for piece in column]), table)
            for column in zip(*pieces, strict=True)
        ]


@dataclass(frozen=True)
class Area:
    """Form of the area under the ROC curve, a mean over pairs of cases."""

    by_class: ClassVar[bool] = True
    scale: ClassVar[Scale] = "log-odds"
    at_one_threshold: ClassVar[bool] = False

    def case_values(self, prevalence: float) -> None:
        """Return None, since cases add to the area in pairs only."""

    def influence_of_cases(self, cases: ScoredCases, at: float) -> None:
        """Return None, since the influence of a case depends on its rank."""

    def influence(self, table: ScoreTable, cases: int) -> FloatArray:
        """Return DeLong's components: the share of the other class that a case beats, less its mean, by class."""
        if not (table.positive_total > 0 and table.negative_total > 0):
            return np.full(2 * len(table), np.nan)
        below = (running_sum(table.negative) - table.negative / 2) / table.negative_total
        above = 1 - (running_sum(table.positive) - table.positive / 2) / table.positive_total
        area = table.positive @ below / table.positive_total
        share = table.prevalence
        return np.concatenate([(below - area) / share, (above - area) / (1 - share)])

    def evaluator(self, cells: ResampledCells) -> Evaluate:
        """Return a function that counts the concordant pairs of every replicate, whatever the unit of weight."""
        power = -math.frexp(cells.table.total)[1]
        adds = cells.adds * math.ldexp(1.0, min(power, 1023))  # a product of weights may be too large for a float

        def evaluate(counts: FloatArray) -> FloatArray:
            positive, negative = np.split(adds @ np.ascontiguousarray(counts.T), 2)
            won = (positive * (np.cumsum(negative, axis=0) - negative / 2)).sum(axis=0)
            with np.errstate(invalid="ignore"):
                area: FloatArray = won / (positive.sum(axis=0) * negative.sum(axis=0))
            return area

        return evaluate


# --------------------------------------------------------------------------------------- forms of particular measures


PROBABILITIES = (0.0, 1.0)  # the scores at which a loss is least and largest


def one_mean(
    values: Callable[[FloatArray], Pair],
    factor: float = 1.0,
    threshold: float | None = None,
    *,
    scores: tuple[float, float] | None = None,
    unmoved: float = 0.0,
) -> Means:
    """Return the form of a mean times a factor; its values are extreme at `scores`."""
    return Means(
        lambda score: [values(score)],
        lambda means: factor * means[..., 0],
        lambda means: np.full(means.shape, factor),
        threshold,
        scores,
        unmoved,
        is_linear=True,
        apart=(values.if_positive, values.if_negative) if isinstance(values, ClassLosses) else None,
    )


@dataclass(frozen=True)
class ClassLosses:
    """The losses of a positive and of a negative with each score, which can be computed apart."""

    if_positive: Value
    if_negative: Value

    def __call__(self, score: FloatArray) -> Pair:
        """Return both."""
        return self.if_positive(score), self.if_negative(score)


def losses(costs: CostBelief) -> ClassLosses:
    """Return a function from scores to the losses of a positive and of a negative."""
    return ClassLosses(costs.loss_if_positive, costs.loss_if_negative)


def relative_saving(
    costs: CostBelief,
    worst: Callable[[FloatArray], FloatArray],
    slope: Callable[[FloatArray], Any],
    constant: Callable[[float], tuple[float, float]],
    least: float,
) -> Means:
    """Form of one minus mean regret over `worst`, a function of the prevalence with derivative `slope`.

    `constant` maps the prevalence to the losses of a positive and of a negative whose mean is `worst`, and `least` is
    the smallest number possible.
    """
    lost = losses(costs)

    def combine(means: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            share: FloatArray = 1 - means[..., 0] / worst(means[..., 1])
        return share

    def gradient(means: FloatArray) -> FloatArray:
        regret, prevalence = means
        most = worst(prevalence)
        return np.array([-1 / most, regret * slope(prevalence) / most**2])

    return Means(
        lambda score: [lost(score), _is_positive(score)],
        combine,
        gradient,
        only_cost(costs),
        PROBABILITIES,
        constant=constant,
        least=least,
    )


def _is_positive(score: FloatArray) -> Pair:
    return np.ones(len(score)), np.zeros(len(score))
