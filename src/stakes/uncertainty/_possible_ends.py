"""Possible ends of intervals: within the range of the measure, and stakes not seen to be lost."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes._cases_alike import with_ordinary_weights
from stakes.cases import Cases, horizons_of
from stakes.measures import CaseValues, Form, Measure, PerCase, added_to
from stakes.table import ScoreTable
from stakes.uncertainty._answers import Interval
from stakes.uncertainty._bounded_means import BoundedMean, Sampling, possible_values
from stakes.uncertainty._ends import Ends
from stakes.uncertainty._kind_sums import KindSums, weights_by_class

NOTHING_LOST = "nothing lost in the sample: the upper end is that of half a case of each class"

_ANY: Ends = (-math.inf, math.inf)
_ROUNDING = 1e-12  # of the largest value of a case


@dataclass(frozen=True)
class ClassCounts:
    """Numbers and weights of positives and of negatives, and the number of clusters."""

    cases: FloatArray
    weight: FloatArray
    square_weight: FloatArray
    clusters: int | None = None

    @classmethod
    def of(cls, cases: Cases) -> Self:
        """Count cases in memory, at the first of several horizons, by which the fewest have had the event."""
        cases = cases.at(next(iter(horizons))) if (horizons := horizons_of(cases)) else cases
        clusters = None if cases.cluster is None else int(cases.cluster.max()) + 1
        positive, weight = cases.positive, with_ordinary_weights(cases).weight
        if weight is not None and not weight.all():  # those whose outcome is unknown
            positive, weight = positive[weight > 0], weight[weight > 0]
        return cls(*weights_by_class(positive, weight), clusters)

    @property
    def sums(self) -> KindSums:
        """Sums over cases none of which adds anything."""
        none = np.zeros((2, 2))
        return KindSums(self.cases, self.weight, self.square_weight, none[0], none, none, none[0])


@dataclass(frozen=True)
class UnseenMoney:
    """Money for each case of a model that lost nothing beyond what was added to it."""

    form: PerCase
    table: ScoreTable
    least: float

    def ends(self, level: float) -> Ends:
        """Return the ends of its interval."""
        none = self.least, self.least
        return with_unseen_stakes(none, self.least, self.form, self.table, level, least=self.least)


@dataclass(frozen=True)
class Possible:
    """Range of a resampled number, and the most that may be lost where nothing was.

    Replicates repeat the cases that were seen. Their quantiles, mirrored at the estimate, may leave the range of the
    number; and where nothing was lost, nothing is lost in any replicate, so that their interval would be 0 to 0.
    The upper end is then that of the half-case interval: half a case of each class more than was seen, which loses as
    much as a case can.

    Attributes
    ----------
    within : tuple of float
        The range of the number.
    unseen : BoundedMean, UnseenMoney or None
        The mean of losses none of which was seen, if the number is 0 and such a mean.
    rounding : float
        How far from its smallest value a number may be by rounding alone.
    """

    within: Ends
    unseen: BoundedMean | UnseenMoney | None = None
    rounding: float = 0.0

    @classmethod
    def of(cls, measure: Measure, table: ScoreTable, estimate: float, counts: ClassCounts) -> Self:
        """Return the range of the number of a model."""
        form = measure.form or measure.bounds
        if table.has_stakes and isinstance(form, PerCase) and math.isfinite(estimate):
            return cls._of_money(form, table, estimate, added_to(measure))
        if form is None or table.has_stakes or not math.isfinite(estimate) or not 0 < table.prevalence < 1:
            return cls(_ANY)
        if form.scale == "log-odds":
            return cls((0.0, 1.0))
        # A measure that chooses a threshold does so even where all scores are the same.
        values = form.case_values(table.prevalence) if measure.form is None else possible_values(form, table)
        if values is None or values.constant is not None:
            return cls(_ANY if values is None else (-math.inf, 1.0))
        within = _range(form, values, table, 0.0 if measure.form is None else _beyond(values, table, estimate))
        rounding = _ROUNDING * float(values.highest.max())
        if not (values.is_bounded and abs(within[0]) <= rounding and estimate <= rounding):
            return cls((min(within[0], estimate), max(within[1], estimate)))
        sampling = Sampling(0.0, clusters=counts.clusters)
        unseen = BoundedMean.of_model(0.0, form, values, counts.sums, sampling)
        return cls(within, unseen, _ROUNDING * within[1])

    @classmethod
    def _of_money(cls, form: PerCase, table: ScoreTable, estimate: float, least: float) -> Self:
        """Return the range of money per case, which is not below what was added to it."""
        rounding = _ROUNDING * (least + table.total / table.cases)
        unseen = UnseenMoney(form, table, least) if estimate <= least + rounding else None
        return cls((least, math.inf), unseen, rounding)

    def __sub__(self, other: Possible) -> Possible:
        """Return the range of the difference of two numbers."""
        return Possible((self.within[0] - other.within[1], self.within[1] - other.within[0]))

    def ends(self, ends: Ends, level: float) -> Ends:
        """Return the ends of an interval, as far as they are possible."""
        least, largest = self.within
        lower, upper = (min(max(end, least), largest) for end in ends)
        if self.unseen is None or upper > least + self.rounding:
            return lower, upper
        mirrored = 2 * least - ends[0]  # replicates that lose something were mirrored below the least
        return lower, min(max(mirrored, self.unseen.ends(level)[1]), largest)

    def keep(self, interval: Interval, level: float) -> Interval:
        """Return an interval with possible ends; its caution says where nothing was lost."""
        if not math.isfinite(interval.lower + interval.upper):
            return interval
        lower, upper = self.ends((interval.lower, interval.upper), level)
        doubt = interval.caution
        if self.unseen is not None and upper > interval.upper:
            doubt = "; ".join(filter(None, [doubt, NOTHING_LOST]))
        return replace(interval, lower=lower, upper=upper, caution=doubt)


def _beyond(values: CaseValues, table: ScoreTable, estimate: float) -> float:
    """Return the part of a number that is not the mean of the values of its cases."""
    positive, negative = values.values(table.score)
    with np.errstate(invalid="ignore"):
        return estimate - float(table.positive @ positive + table.negative @ negative) / table.total


def _range(form: Form, values: CaseValues, table: ScoreTable, beyond: float) -> Ends:
    """Return the range of a number; without an end where a case may lose any amount."""
    if form.by_class:
        share = np.array([table.prevalence, 1 - table.prevalence])
        least, most = float(share @ values.lowest), float(share @ values.highest)
    else:
        least, most = float(values.lowest.min()), float(values.highest.max())
    lower, upper = beyond + least, beyond + most
    return -math.inf if math.isnan(lower) else lower, math.inf if math.isnan(upper) else upper


def with_unseen_stakes(
    ends: Ends, estimate: float, form: Form, table: ScoreTable, level: float, *, least: float = 0.0
) -> Ends:
    r"""Return ends of an interval, the upper one at least as far as half a case more than was seen.

    Such a case has the mean stake :math:`m` of its side and loses all of it, and among *n* heads it adds
    :math:`m/n` times the quantile of a gamma distribution of shape one half. So a model that lost nothing here does not
    have an interval from 0 to 0. What was lost is not below 0, so that the number is not below its `least`.
    """
    values = form.case_values(table.prevalence_of_cases)
    if values is None or table.heads is None or not all(map(math.isfinite, ends)):
        return ends
    people = table.heads.positive_total, table.heads.negative_total
    sides = np.array([table.positive_total, table.negative_total]) / np.maximum(people, 1.0)
    largest = np.max(np.abs(values.extremes), axis=1) * sides / table.heads.total
    unseen = float(np.hypot(*largest)) * float(special.gammaincinv(0.5, (1 + level) / 2))
    return max(ends[0], least), max(ends[1], estimate + unseen if np.isfinite(unseen) else 0.0)
