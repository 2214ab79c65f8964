"""What is known about the numbers under another prevalence: what each class adds, and how the sample's own counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from stakes import _check
from stakes._arrays import BoolArray, FloatArray, blocks
from stakes.beliefs import (
    At,
    Integrals,
    LogOddsUniform,
    PointIntegrals,
    as_belief,
    as_cost,
    as_range,
    integrals_by_part,
)
from stakes.prevalence import (
    Losses,
    Measure,
    NetBenefit,
    PriorAdjustedNetBenefit,
    Regret,
    WeightedAccuracy,
    breaks_of,
    by_quadrature,
    dca_log_score,
    given_prevalence,
    of_scores,
    prior_adjusted_net_benefit,
    reweight_classes,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)
from stakes.table import ScoreTable, coarsen

Pair = tuple[FloatArray, FloatArray]  # what a positive and a negative with each score contribute


_LARGEST_STEP = 0.25  # in log-odds: over more than this a smooth function is not straight


_ROWS = 128  # enough for the slope of a function that is integrated: it is smooth, and slow


@dataclass(frozen=True)
class Shifted:
    """A mean over the positives plus a mean over the negatives, of values that the sample's own prevalence moves.

    `number` is the function itself, `measure` what a case adds at one cost and one prevalence.
    """

    number: Callable[..., float]
    measure: type[Measure]
    costs: Any
    prevalence: Any

    @property
    def one_cut(self) -> bool:
        """Whether all that counts is on which side of one cut a score is."""
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

    def slope(self, table: ScoreTable, units: int) -> float:
        """Return the derivative by the log-odds of the sample's prevalence, each class staying as it is.

        Scores are corrected from the sample's prevalence, so all of them move with it. Where costs and prevalence are
        points the number is a step function of it: the steps are counted as far as the sample's prevalence is unsure.
        """
        if any(part.needs_quadrature for _, *pair in self._parts() for part in pair):
            table = coarsen(table, rows=_ROWS)
        share = table.prevalence
        step = min(2 / math.sqrt(units * share * (1 - share)), _LARGEST_STEP)
        moved = special.expit(special.logit(share) + np.array([-step, step]))
        down, up = (self.number(reweight_classes(table, float(other)), self.costs, self.prevalence) for other in moved)
        return (up - down) / (2 * step)

    def jumps(self, share: float) -> FloatArray:
        """Return what it is to act on a positive and on a negative instead of not; `share` is the prevalence."""
        return np.asarray(np.diff(self._extremes(share))[:, 0] / np.array([share, 1 - share]))

    def acts(self, table: ScoreTable) -> BoolArray:
        """Return whether each row of a table is acted on; ask only where there is one cut."""
        never, always = self._extremes(table.prevalence)[0]
        found: BoolArray = (self.values(table)[0] > (never + always) / 2) == (always > never)
        return found

    def _extremes(self, share: float) -> FloatArray:
        """Return what a positive (the first row) and a negative add with a score of 0 and with one of 1."""
        weight = np.array([share, 1 - share])
        return np.array(self.values(ScoreTable(np.array([0.0, 1.0]), *np.repeat(weight[:, None], 2, axis=1))))

    def _parts(self) -> list[tuple[float, Integrals, Integrals]]:
        """Take both beliefs apart: every pair of parts, with its probability."""
        costs = list(integrals_by_part("costs", self.costs))
        prevalences = list(integrals_by_part("prevalence", self.prevalence))
        return [(v * w, cost, share) for v, cost in costs for w, share in prevalences]


def _losses(measure: type[Measure], table: ScoreTable, costs: Integrals, prevalence: Integrals) -> Losses:
    """Return what each class adds as functions of the score; a score equal to the cut is seen where both are points."""
    if isinstance(prevalence, PointIntegrals) and not costs.needs_quadrature:
        return given_prevalence(measure, table, costs, prevalence)
    breaks = breaks_of(costs, prevalence)
    first, second = (
        of_scores(table, by_quadrature(measure, costs, prevalence, positive), breaks) for positive in (True, False)
    )
    return first, second


def _shifted(number: Callable[..., float], measure: type[Measure], costs: Any, prevalence: Any) -> Shifted:
    return Shifted(number, measure, as_belief("costs", costs), as_belief("prevalence", prevalence))


_prior_adjusted = partial(_shifted, prior_adjusted_net_benefit, PriorAdjustedNetBenefit)


SHIFTED: dict[Callable[..., float], Callable[..., Shifted]] = {
    shifted_regret: partial(_shifted, shifted_regret, Regret),
    shifted_net_benefit: partial(_shifted, shifted_net_benefit, NetBenefit),
    shifted_weighted_accuracy: partial(_shifted, shifted_weighted_accuracy, WeightedAccuracy),
    prior_adjusted_net_benefit: _prior_adjusted,
    shifted_accuracy: lambda prevalence: _prior_adjusted(At(0.5), prevalence),
    dca_log_score: lambda cost, prevalence_range: _prior_adjusted(
        At(as_cost("cost", cost)), LogOddsUniform(*as_range("prevalence_range", prevalence_range, _check.inside))
    ),
}
