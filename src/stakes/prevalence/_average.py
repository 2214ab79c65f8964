"""The mean of a measure over a table, for any pair of beliefs about costs and prevalence."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray, class_totals
from stakes.beliefs import (
    DensityIntegrals,
    Integrals,
    PointIntegrals,
    PrevalenceShift,
    integrals_by_part,
    integrate,
    tabulate,
)
from stakes.prevalence._pointwise import Measure, Share, WeightedAccuracy
from stakes.table import Sample

Pointwise = Callable[[FloatArray], FloatArray]


Losses = tuple[Pointwise, Pointwise]


# Panels of 32 numbers each that one step of a quadrature may hold.
_PANELS = 2_048


# With more rows than this an expensive function is tabulated first.
_FEW = 1_024


def average(measure: type[Measure], table: Sample, costs: Any, prevalence: Any) -> float:
    """Mean of the measure over both beliefs: the sum over the parts of each."""
    _check.tables("table", table)
    _columns.probability_scores(table.lowest, table.highest)
    _check.has_both_classes(table.positive_total, table.negative_total)
    cost_parts = list(integrals_by_part("costs", costs))
    prevalence_parts = list(integrals_by_part("prevalence", prevalence))
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        for _, part in prevalence_parts:
            if isinstance(part, DensityIntegrals):
                part.must_be_proper()
        return math.fsum(
            v * w * _pair(measure, table, cost, share) for v, cost in cost_parts for w, share in prevalence_parts
        )


def _pair(measure: type[Measure], table: Sample, costs: Integrals, prevalence: Integrals) -> float:
    """Mean over one part of the costs and one of the prevalences."""
    if isinstance(prevalence, PointIntegrals) and not (costs.needs_quadrature and measure is WeightedAccuracy):
        return _class_means(table, *given_prevalence(measure, table, costs, prevalence))
    if isinstance(costs, PointIntegrals) and not prevalence.needs_quadrature:
        return _class_means(table, *_given_cost(measure, table, costs, prevalence))
    losses = (by_quadrature(measure, costs, prevalence, positive) for positive in (True, False))
    return _class_means(table, *(of_scores(table, loss, breaks_of(costs, prevalence)) for loss in losses))


def given_prevalence(measure: type[Measure], table: Sample, costs: Integrals, prevalence: PointIntegrals) -> Losses:
    """Return what each class adds at one prevalence, as functions of the score."""
    shift, at = PrevalenceShift(table.prevalence, _odds(table), prevalence.value), Share.of(prevalence.value)
    return (
        lambda score: measure.positive_given_prevalence(at, costs, costs.reach(score, shift)),
        lambda score: measure.negative_given_prevalence(at, costs, costs.reach(score, shift)),
    )


def _given_cost(measure: type[Measure], table: Sample, cost: PointIntegrals, prevalence: Integrals) -> Losses:
    """Return what each class adds at one cost, as functions of the score."""
    scale = cost.odds_here * _odds(table)
    return (
        lambda score: measure.positive_given_cost(cost, prevalence, scale * ((1 - score) / score)),
        lambda score: measure.negative_given_cost(cost, prevalence, scale * ((1 - score) / score)),
    )


def by_quadrature(measure: type[Measure], costs: Integrals, prevalence: Integrals, positive: bool) -> Pointwise:
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


def of_scores(table: Sample, loss: Pointwise, breaks: FloatArray) -> Pointwise:
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


def _class_means(table: Sample, if_positive: Pointwise, if_negative: Pointwise) -> float:
    """Mean over the positives of what they add, plus the mean over the negatives."""
    positives, negatives = class_totals(table, if_positive, if_negative)
    return positives / table.positive_total + negatives / table.negative_total


def _odds(table: Sample) -> float:
    """Odds of the table's own prevalence."""
    return table.positive_total / table.negative_total
