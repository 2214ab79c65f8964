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
from stakes._arrays import BoolArray, FloatArray, blocks, class_totals
from stakes.beliefs import (
    At,
    DensityIntegrals,
    Integrals,
    PointIntegrals,
    PrevalenceShift,
    as_belief,
    integrals_by_part,
    integrate,
    tabulate,
)
from stakes.measures import Evaluate, Pair, ResampledCells, Scale, zero_where_empty
from stakes.prevalence._move import reweight_classes
from stakes.prevalence._pointwise import PointwiseMeasure, Share, WeightedAccuracy
from stakes.table import ScoreTable, TableLike, coarsen

Pointwise = Callable[[FloatArray], FloatArray]


Losses = tuple[Pointwise, Pointwise]


# Panels of 32 numbers each that one step of a quadrature may hold.
_PANELS = 2_048


# With more rows than this an expensive function is tabulated first.
_FEW = 1_024


def average(measure: type[PointwiseMeasure], table: TableLike, costs: Any, prevalence: Any) -> float:
    """Mean of the measure over both beliefs: the sum over the parts of each."""
    _check.check_tables("table", table)
    _columns.check_probability_scores(table.lowest, table.highest)
    _check.check_both_classes(table.positive_total, table.negative_total)
    cost_parts = list(integrals_by_part("costs", costs))
    prevalence_parts = list(integrals_by_part("prevalence", prevalence))
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        for _, part in prevalence_parts:
            if isinstance(part, DensityIntegrals):
                part.check_proper()
        return math.fsum(
            v * w * _pair(measure, table, cost, share) for v, cost in cost_parts for w, share in prevalence_parts
        )


def _pair(measure: type[PointwiseMeasure], table: TableLike, costs: Integrals, prevalence: Integrals) -> float:
    """Mean over one part of the costs and one of the prevalences."""
    if isinstance(prevalence, PointIntegrals) and not (costs.needs_quadrature and measure is WeightedAccuracy):
        return _class_means(table, *given_prevalence(measure, table, costs, prevalence))
    if isinstance(costs, PointIntegrals) and not prevalence.needs_quadrature:
        return _class_means(table, *_given_cost(measure, table, costs, prevalence))
    losses = (by_quadrature(measure, costs, prevalence, positive) for positive in (True, False))
    return _class_means(table, *(of_scores(table, loss, breaks_of(costs, prevalence)) for loss in losses))


def given_prevalence(
    measure: type[PointwiseMeasure], table: TableLike, costs: Integrals, prevalence: PointIntegrals
) -> Losses:
    """Return what each class adds at one prevalence, as functions of the score."""
    shift, at = PrevalenceShift(table.prevalence, _odds(table), prevalence.value), Share.of(prevalence.value)
    return (
        lambda score: measure.positive_given_prevalence(at, costs, costs.reach(score, shift)),
        lambda score: measure.negative_given_prevalence(at, costs, costs.reach(score, shift)),
    )


def _given_cost(
    measure: type[PointwiseMeasure], table: TableLike, cost: PointIntegrals, prevalence: Integrals
) -> Losses:
    """Return what each class adds at one cost, as functions of the score."""
    scale = cost.odds_here * _odds(table)
    return (
        lambda score: measure.positive_given_cost(cost, prevalence, scale * ((1 - score) / score)),
        lambda score: measure.negative_given_cost(cost, prevalence, scale * ((1 - score) / score)),
    )


def by_quadrature(
    measure: type[PointwiseMeasure], costs: Integrals, prevalence: Integrals, positive: bool
) -> Pointwise:
    """Return what a class adds, as a function of the log likelihood ratio that a score stands for."""
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

    def some(z: FloatArray) -> FloatArray:
        turns = costs.edges - z[:, None]
        edges = np.hstack([np.broadcast_to(prevalence.edges, (len(z), len(prevalence.edges))), turns])

        def integrand(log_odds: FloatArray) -> FloatArray:
            odds, reach = np.exp(log_odds), costs.from_odds(np.exp(log_odds + z[:, None]))
            return prevalence.density(odds) * given_prevalence(Share.of_odds(odds), costs, reach)

        return integrate(integrand, np.sort(np.clip(edges, *ends)))

    panels = (len(prevalence.edges) + len(costs.edges)) * (len(costs.edges) if costs.needs_quadrature else 1)
    size = max(_PANELS // panels, 1)
    return lambda z: np.concatenate([some(z[start : start + size]) for start in range(0, len(z), size)])


def breaks_of(costs: Integrals, prevalence: Integrals) -> FloatArray:
    """Log likelihood ratios between which a score is acted on at some costs and prevalences and not at others."""
    return np.unique(np.subtract.outer(costs.edges[[0, -1]], prevalence.edges[[0, -1]]))


def of_scores(table: TableLike, loss: Pointwise, breaks: FloatArray) -> Pointwise:
    """Turn a loss by likelihood ratio into one by score; for very many scores, by way of a table of it."""
    shift = math.log(_odds(table))

    def log_ratio(score: FloatArray) -> FloatArray:
        return np.log(score) - np.log1p(-score) - shift

    if len(table.score) <= _FEW:
        return lambda score: loss(log_ratio(score))
    first, last = log_ratio(_ends_inside(table.score))
    known = tabulate(loss, np.array([first, *np.clip(breaks, first, last), last]))
    never, always = loss(np.array([-np.inf, np.inf]))

    def looked_up(score: FloatArray) -> FloatArray:
        value = known(log_ratio(score))
        value[score == 0], value[score == 1] = never, always
        return value

    return looked_up


def _ends_inside(score: npt.NDArray[np.floating]) -> FloatArray:
    """Return the lowest and the highest score that are neither 0 nor 1; wide enough apart for a table between them."""
    lowest = np.min(score, where=score > 0, initial=0.25)
    highest = np.max(score, where=score < 1, initial=0.75)
    return np.array([lowest, highest], dtype=np.float64)


def _class_means(table: TableLike, if_positive: Pointwise, if_negative: Pointwise) -> float:
    """Mean over the positives of what they add, plus the mean over the negatives."""
    positives, negatives = class_totals(table, if_positive, if_negative)
    return positives / table.positive_total + negatives / table.negative_total


def _odds(table: TableLike) -> float:
    """Odds of the table's own prevalence."""
    return table.positive_total / table.negative_total


# ------------------------------------------------------------------------------------------- how it is made of cases


_LARGEST_STEP = 0.25  # in log-odds: over more than this a smooth function is not straight


_ROWS = 128  # enough for the slope of a function that is integrated: it is smooth, and slow


@dataclass(frozen=True)
class ShiftedMeans:
    """A mean over the positives plus a mean over the negatives, of values that the sample's own prevalence moves.

    `measure` is what a case adds at one cost and one prevalence.
    """

    measure: type[PointwiseMeasure]
    costs: Any
    prevalence: Any

    by_class: ClassVar[bool] = True
    scale: ClassVar[Scale] = "symmetric"

    def __post_init__(self) -> None:
        for name in ("costs", "prevalence"):
            object.__setattr__(self, name, as_belief(name, getattr(self, name)))

    @property
    def at_one_threshold(self) -> bool:
        """Whether all that counts is on which side of one threshold a score is."""
        return isinstance(self.costs, At) and isinstance(self.prevalence, At)

    def values(self, table: ScoreTable) -> Pair:
        """Return what a positive and a negative of each row of a table add to the mean of their class."""
        found = np.zeros((2, len(table)))
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            for weight, costs, prevalence in self._parts():
                losses = _losses(self.measure, table, costs, prevalence)
                for column, loss in zip(found, losses, strict=True):
                    for rows in blocks(len(table)):
                        column[rows] += weight * loss(table.score[rows])
        return found[0], found[1]

    def slope(self, table: ScoreTable, cases: int) -> float:
        """Return the derivative by the log-odds of the sample's prevalence, each class staying as it is.

        Scores are corrected from the sample's prevalence, so all of them move with it. Where costs and prevalence are
        points the number is a step function of it: the steps are counted as far as the sample's prevalence is unsure.
        """
        if any(part.needs_quadrature for _, *pair in self._parts() for part in pair):
            table = coarsen(table, rows=_ROWS)
        share = table.prevalence
        step = min(2 / math.sqrt(cases * share * (1 - share)), _LARGEST_STEP)
        moved = special.expit(special.logit(share) + np.array([-step, step]))
        down, up = (self._number(reweight_classes(table, float(other))) for other in moved)
        return (up - down) / (2 * step)

    def acts(self, table: ScoreTable) -> BoolArray:
        """Return whether each row of a table is acted on; ask only where there is one threshold."""
        never, always = self._extremes(table.prevalence)[0]
        found: BoolArray = (self.values(table)[0] > (never + always) / 2) == (always > never)
        return found

    def jumps(self, prevalence: float) -> FloatArray:
        """Return what it changes to act on a positive and on a negative, instead of not."""
        return np.asarray(np.diff(self._extremes(prevalence))[:, 0] / np.array([prevalence, 1 - prevalence]))

    def influence(self, table: ScoreTable, cases: int) -> FloatArray:
        """Each class about its own mean, and what a case does to the prevalence that the scores are corrected from."""
        if not _has_both_classes(table):
            return np.full(2 * len(table), np.nan)
        positive, negative = np.split(zero_where_empty(np.concatenate(self.values(table)), table), 2)
        first = float(np.einsum("i,i->", table.positive, positive)) / table.positive_total
        second = float(np.einsum("i,i->", table.negative, negative)) / table.negative_total
        if not np.isfinite(first + second):
            return np.full(2 * len(table), np.nan)
        share, slope = table.prevalence, self.slope(table, cases)
        return np.concatenate([(positive - first + slope) / share, (negative - second - slope) / (1 - share)])

    def evaluator(self, cells: ResampledCells) -> Evaluate:
        """Take the number of one replicate after another; one of a single class has none."""

        def evaluate(counts: FloatArray) -> FloatArray:
            tables = cells.tables(counts)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                return np.array([self._number(table) if _has_both_classes(table) else math.nan for table in tables])

        return evaluate

    def _number(self, table: ScoreTable) -> float:
        return average(self.measure, table, self.costs, self.prevalence)

    def _extremes(self, share: float) -> FloatArray:
        """Return what a positive (the first row) and a negative add with a score of 0 and with one of 1."""
        weight = np.array([share, 1 - share])
        return np.array(self.values(ScoreTable(np.array([0.0, 1.0]), *np.repeat(weight[:, None], 2, axis=1))))

    def _parts(self) -> list[tuple[float, Integrals, Integrals]]:
        """Take both beliefs apart: every pair of parts, with its probability."""
        costs = list(integrals_by_part("costs", self.costs))
        prevalences = list(integrals_by_part("prevalence", self.prevalence))
        return [(v * w, cost, share) for v, cost in costs for w, share in prevalences]


def _has_both_classes(table: ScoreTable) -> bool:
    return table.positive_total > 0 and table.negative_total > 0


def _losses(measure: type[PointwiseMeasure], table: ScoreTable, costs: Integrals, prevalence: Integrals) -> Losses:
    """Return what each class adds as functions of the score; one at the threshold is seen where both are points."""
    if isinstance(prevalence, PointIntegrals) and not costs.needs_quadrature:
        return given_prevalence(measure, table, costs, prevalence)
    breaks = breaks_of(costs, prevalence)
    first, second = (
        of_scores(table, by_quadrature(measure, costs, prevalence, positive), breaks) for positive in (True, False)
    )
    return first, second
