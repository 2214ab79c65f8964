"""The mean of a measure over a table, for any pair of beliefs about costs and prevalence."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check, _columns
from stakes._arrays import FloatArray, blocks, class_totals
from stakes.beliefs import (
    At,
    DensityIntegrals,
    Integrals,
    PointIntegrals,
    PrevalenceShift,
    as_belief,
    integrals_by_part,
    integrate,
    only_cost,
    tabulate,
)
from stakes.measures import CaseValues, Evaluate, Pair, ResampledCells, Scale, ScoredCases, zero_where_empty
from stakes.prevalence._move import reweight_classes
from stakes.prevalence._per_head import per_head
from stakes.prevalence._pointwise import PointwiseMeasure, Share, WeightedAccuracy
from stakes.table import ScoreTable, TableLike, coarsen, frozen_table

Pointwise = Callable[[FloatArray], FloatArray]

Losses = tuple[Pointwise, Pointwise]


_PANELS = 2_048  # of 32 numbers each that one block of a quadrature may hold

# With more rows than this a function that needs quadrature is tabulated first.
_FEW = 1_024


def average(measure: type[PointwiseMeasure], table: TableLike, costs: Any, prevalence: Any) -> float:
    """Return the mean of a measure over both beliefs, summed over the parts of each."""
    _check.check_tables("table", table)
    _columns.check_probability_scores(table.lowest, table.highest)
    has_stakes = isinstance(table, ScoreTable) and table.has_stakes
    summed = per_head(measure, table) if has_stakes else [(measure, table)]
    _check.check_both_classes(summed[0][1].positive_total, summed[0][1].negative_total)
    cost_parts = list(integrals_by_part("costs", costs))
    prevalence_parts = list(integrals_by_part("prevalence", prevalence))
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        for _, part in prevalence_parts:
            if isinstance(part, DensityIntegrals):
                part.check_proper()
        return math.fsum(
            v * w * _pair(*one, cost, share)
            for one in summed
            for v, cost in cost_parts
            for w, share in prevalence_parts
        )


def _pair(measure: type[PointwiseMeasure], table: TableLike, costs: Integrals, prevalence: Integrals) -> float:
    """Return the mean over one part of the costs and one of the prevalences."""
    if isinstance(prevalence, PointIntegrals) and not (costs.needs_quadrature and measure is WeightedAccuracy):
        return _class_means(table, *given_prevalence(measure, table, costs, prevalence))
    if isinstance(costs, PointIntegrals) and not prevalence.needs_quadrature:
        return _class_means(table, *_given_cost(measure, table, costs, prevalence))
    losses = (by_quadrature(measure, costs, prevalence, positive) for positive in (True, False))
    return _class_means(table, *(loss_by_score(table, loss, breaks_of(costs, prevalence)) for loss in losses))


def given_prevalence(
    measure: type[PointwiseMeasure], table: TableLike, costs: Integrals, prevalence: PointIntegrals
) -> Losses:
    """Return the contribution of each class at one prevalence, as functions of the score."""
    shift, at = PrevalenceShift(table.prevalence, _odds(table), prevalence.value), Share.of(prevalence.value)
    return (
        lambda score: measure.positive_given_prevalence(at, costs, costs.reach(score, shift)),
        lambda score: measure.negative_given_prevalence(at, costs, costs.reach(score, shift)),
    )


def _given_cost(
    measure: type[PointwiseMeasure], table: TableLike, cost: PointIntegrals, prevalence: Integrals
) -> Losses:
    """Return the contribution of each class at one cost, as functions of the score."""
    scale = cost.odds_here * _odds(table)
    return (
        lambda score: measure.positive_given_cost(cost, prevalence, scale * ((1 - score) / score)),
        lambda score: measure.negative_given_cost(cost, prevalence, scale * ((1 - score) / score)),
    )


def by_quadrature(
    measure: type[PointwiseMeasure], costs: Integrals, prevalence: Integrals, positive: bool
) -> Pointwise:
    """Return the contribution of a class, as a function of the log likelihood ratio of a score."""
    if isinstance(costs, PointIntegrals):
        given_cost = measure.positive_given_cost if positive else measure.negative_given_cost
        return lambda z: given_cost(costs, prevalence, prevalence.from_odds(costs.odds_here * np.exp(-z)))
    given_prevalence = measure.positive_given_prevalence if positive else measure.negative_given_prevalence
    if isinstance(prevalence, PointIntegrals):
        here = prevalence.odds_here
        return lambda z: given_prevalence(
            Share.of_odds(np.full(len(z), here)), costs, costs.from_odds(here * np.exp(z))
        )
    ends = prevalence.edges[0], prevalence.edges[-1]

    def integrate_block(z: FloatArray) -> FloatArray:
        turns = costs.edges - z[:, None]
        edges = np.hstack([np.broadcast_to(prevalence.edges, (len(z), len(prevalence.edges))), turns])

        def integrand(log_odds: FloatArray) -> FloatArray:
            odds, reach = np.exp(log_odds), costs.from_odds(np.exp(log_odds + z[:, None]))
            return prevalence.density(odds) * given_prevalence(Share.of_odds(odds), costs, reach)

        return integrate(integrand, np.sort(np.clip(edges, *ends)))

    panels = (len(prevalence.edges) + len(costs.edges)) * (len(costs.edges) if costs.needs_quadrature else 1)
    size = max(_PANELS // panels, 1)
    return lambda z: np.concatenate([z[:0], *(integrate_block(z[at : at + size]) for at in range(0, len(z), size))])


def breaks_of(costs: Integrals, prevalence: Integrals) -> FloatArray:
    """Return the log likelihood ratios at which an end of the costs meets an end of the prevalences."""
    return np.unique(np.subtract.outer(costs.edges[[0, -1]], prevalence.edges[[0, -1]]))


def loss_by_score(table: TableLike, loss: Pointwise, breaks: FloatArray) -> Pointwise:
    """Return a function of the log likelihood ratio as one of the score, tabulated for very many scores."""
    shift = math.log(_odds(table))

    def log_ratio(score: FloatArray) -> FloatArray:
        return np.log(score) - np.log1p(-score) - shift

    if len(table.score) <= _FEW:
        return lambda score: loss(log_ratio(score))
    first, last = log_ratio(_ends_inside(table.score))
    known = tabulate(loss, np.array([first, *np.clip(breaks, first, last), last]))
    at_zero, at_one = loss(np.array([-np.inf, np.inf]))

    def look_up(score: FloatArray) -> FloatArray:
        value = known(log_ratio(score))
        value[score == 0], value[score == 1] = at_zero, at_one
        return value

    return look_up


def _ends_inside(score: npt.NDArray[np.floating]) -> FloatArray:
    """Return a range that covers 0.25 to 0.75 and every score other than 0 and 1."""
    lowest = np.min(score, where=score > 0, initial=0.25)
    highest = np.max(score, where=score < 1, initial=0.75)
    return np.array([lowest, highest], dtype=np.float64)


def _class_means(table: TableLike, if_positive: Pointwise, if_negative: Pointwise) -> float:
    """Return the mean contribution of the positives plus that of the negatives."""
    positives, negatives = class_totals(table, if_positive, if_negative)
    return positives / table.positive_total + negatives / table.negative_total


def _odds(table: TableLike) -> float:
    """Return the odds of the table's own prevalence."""
    return table.positive_total / table.negative_total


# ------------------------------------------------------------------------------------------- influence of cases


_LARGEST_STEP = 0.25  # in log-odds: over more than this a smooth function is not linear

_ROWS = 128  # enough for the slope of a function found by quadrature, which is smooth and slow


@dataclass(frozen=True)
class ShiftedMeans:
    """A mean over the positives plus one over the negatives, of values that depend on the prevalence.

    `measure` is the contribution of a case at one cost and one prevalence. The scores are corrected from the sample's
    own prevalence, so every value depends on it.
    """

    measure: type[PointwiseMeasure]
    costs: Any
    prevalence: Any

    by_class: ClassVar[bool] = True
    scale: ClassVar[Scale] = "symmetric"

    def __post_init__(self) -> None:
        for name in ("costs", "prevalence"):
            belief = as_belief(name, getattr(self, name), case_costs=name == "costs")  # the measure itself refuses them
            object.__setattr__(self, name, belief)

    @property
    def at_one_threshold(self) -> bool:
        """Whether a case counts only by the side of one threshold on which its score lies."""
        return only_cost(self.costs) is not None and isinstance(self.prevalence, At)

    def values(self, table: ScoreTable) -> Pair:
        """Return the contribution of a positive and a negative of each row to the mean of their class."""
        positive, negative = np.split(self._cell_values(table), 2)
        return positive, negative

    def _cell_values(self, table: ScoreTable) -> FloatArray:
        sums = np.zeros((2, len(table)))
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            for weight, costs, prevalence in self._parts():
                losses = _losses(self.measure, table, costs, prevalence)
                for column, loss in zip(sums, losses, strict=True):
                    for rows in blocks(len(table)):
                        column[rows] += weight * loss(table.score[rows])
        return sums.ravel()

    def slope(self, table: ScoreTable, cases: int) -> float:
        """Return the derivative by the log-odds of the sample's prevalence, the classes unchanged.

        Scores are corrected from the sample's prevalence, so all of them move with it. Where costs and prevalence are
        points the measure is a step function of it: the difference quotient spans about two standard errors either way.
        """
        if any(part.needs_quadrature for _, *pair in self._parts() for part in pair):
            table = coarsen(table, rows=_ROWS)
        share = table.prevalence
        step = min(2 / math.sqrt(cases * share * (1 - share)), _LARGEST_STEP)
        shares = special.expit(special.logit(share) + np.array([-step, step]))
        down, up = (self._value(reweight_classes(table, float(other))) for other in shares)
        return (up - down) / (2 * step)

    def case_values(self, prevalence: float) -> CaseValues:
        """Return the values of cases, divided by the share of their class."""
        share = np.array([[prevalence], [1 - prevalence]])

        def values(score: FloatArray) -> Pair:
            table = frozen_table(score, *np.repeat(share, len(score), axis=1))
            positive, negative = np.array(self.values(table)) / share
            return positive, negative

        return CaseValues(values, np.array(values(np.array([0.0, 1.0]))))

    def influence(self, table: ScoreTable, cases: int) -> FloatArray:
        """Return the influence of each cell: on the mean of its class, and by way of the prevalence."""
        if not _has_both_classes(table):
            return np.full(2 * len(table), np.nan)
        cells = zero_where_empty(self._cell_values(table), table)
        positive, negative = np.split(cells, 2)
        first = float(np.einsum("i,i->", table.positive, positive)) / table.positive_total
        second = float(np.einsum("i,i->", table.negative, negative)) / table.negative_total
        if not np.isfinite(first + second):
            return np.full(2 * len(table), np.nan)
        share, slope = table.prevalence, self.slope(table, cases)
        for part, away, size in ((positive, (first, -slope), share), (negative, (second, slope), 1 - share)):
            for rows in blocks(len(part)):  # in place: fresh memory takes longer than the arithmetic
                part[rows] -= away[0]
                part[rows] -= away[1]
                part[rows] /= size
        return cells

    def influence_of_cases(self, cases: ScoredCases, at: float) -> None:
        """Return None, since the influence of a case takes the slope along the prevalence of the whole table."""

    def evaluator(self, cells: ResampledCells) -> Evaluate:
        """Return an evaluator of replicates, one at a time; nan for a replicate of one class."""

        def evaluate(counts: FloatArray) -> FloatArray:
            tables = cells.tables(counts)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                return np.array([self._value(table) if _has_both_classes(table) else math.nan for table in tables])

        return evaluate

    def _value(self, table: ScoreTable) -> float:
        return average(self.measure, table, self.costs, self.prevalence)

    def _parts(self) -> list[tuple[float, Integrals, Integrals]]:
        """Return every pair of parts of the two beliefs, with its probability."""
        costs = list(integrals_by_part("costs", self.costs))
        prevalences = list(integrals_by_part("prevalence", self.prevalence))
        return [(v * w, cost, share) for v, cost in costs for w, share in prevalences]


def _has_both_classes(table: ScoreTable) -> bool:
    return table.positive_total > 0 and table.negative_total > 0


def _losses(measure: type[PointwiseMeasure], table: ScoreTable, costs: Integrals, prevalence: Integrals) -> Losses:
    """Return the contribution of each class by score; a step at a threshold is kept if both are points."""
    if isinstance(prevalence, PointIntegrals) and not costs.needs_quadrature:
        return given_prevalence(measure, table, costs, prevalence)
    breaks = breaks_of(costs, prevalence)
    first, second = (
        loss_by_score(table, by_quadrature(measure, costs, prevalence, positive), breaks) for positive in (True, False)
    )
    return first, second
