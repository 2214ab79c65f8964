"""Intervals of means of bounded values and of their differences, by half a case more than was seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.measures import CaseValues, Form
from stakes.table import ScoreTable
from stakes.uncertainty._ends import UNDEFINED, Ends, single_deviate
from stakes.uncertainty._half_case import BothWays, Reaches
from stakes.uncertainty._kind_sums import KindSums


@dataclass(frozen=True)
class Sampling:
    """How precisely a sample tells a number: its variance, and how many cases count as one.

    Where cases come in clusters, the variance is that over clusters, and the deviates are Student's.
    """

    variance: float
    design: float = 1.0
    clusters: int | None = None

    @classmethod
    def of(cls, sums: KindSums, by_cluster: FloatArray | None, *, by_class: bool) -> Self:
        """Return the precision of a number, from its cases, or the influence of their clusters."""
        if by_cluster is None:
            return cls(sums.variance(by_class=by_class))
        return cls.of_clusters(by_cluster, float(sums.influence_squares.sum()), float(sums.cases.sum()))

    @classmethod
    def of_clusters(cls, influence: FloatArray, by_case: float, cases: float) -> Self:
        r"""Return the precision from the influence of clusters, and its squares over all cases.

        The design effect is the ratio of the variance over clusters, :math:`S_J J/(J - 1)`, to that over as many
        independent cases as there seem to be, :math:`S_n m/(m - 1)` with :math:`m = n/d`. So it solves
        :math:`d = \frac{S_J}{S_n} \frac{J}{J - 1} (1 - d/n)`, and a cluster of copies counts as exactly one case.
        """
        units, square = len(influence), float(np.einsum("i,i->", influence, influence))
        if units < 2 or not by_case > 0:
            return cls(math.nan if units < 2 else units / (units - 1) * square, 1.0, units)
        return cls(units / (units - 1) * square, float(design_effect(square, by_case, units, cases)), units)

    def deviate(self, level: float) -> float:
        """Return the deviate of the ends of an interval."""
        return single_deviate(level, None if self.clusters is None else self.clusters - 1)

    def probability(self, deviate: float) -> float:
        """Return the probability below a deviate."""
        return float(special.ndtr(deviate) if self.clusters is None else special.stdtr(self.clusters - 1, deviate))


def design_effect(
    square: float | FloatArray, by_case: float | FloatArray, units: int, cases: float
) -> np.float64 | FloatArray:
    """Return how many cases count as one, from squares of the influence over clusters and over cases."""
    ratio = units * square / by_case
    effect: np.float64 | FloatArray = np.maximum(1.0, ratio / (units - 1 + ratio / cases))
    return effect


@dataclass(frozen=True)
class BoundedMean:
    """A mean of values of cases that lie between known bounds, or the difference of two such means.

    Attributes
    ----------
    estimate : float
        The mean.
    bound : ndarray of float64
        How much a positive (in the first row) and a negative may raise it (in the first column) and lower it.
    within : tuple of float
        The range of the mean.
    sums : KindSums
        Sums over the cases.
    sampling : Sampling
        How precisely they tell the mean.
    by_class : bool
        Whether it is a mean over positives plus one over negatives.
    value : float
        What each of some cases adds, where all others add nothing, so that the mean is a share of cases; 0 if not.
    """

    estimate: float
    bound: FloatArray
    within: Ends
    sums: KindSums
    sampling: Sampling
    by_class: bool = False
    value: float = 0.0

    @classmethod
    def of_model(cls, estimate: float, form: Form, values: CaseValues, sums: KindSums, sampling: Sampling) -> Self:
        """Return the mean of one model."""
        if values.score is not None:
            return cls._of_constant(estimate, (values,), values.lowest, sums, sampling, by_class=form.by_class)
        within = _range(estimate, values.lowest, values.highest, sums, by_class=form.by_class)
        bound = np.maximum(np.column_stack([values.highest, -values.lowest]), 0.0) * sums.weight_doubt[:, None]
        return cls(estimate, bound, within, sums, sampling, form.by_class, _value_of_share(form, values))

    @classmethod
    def of_difference(
        cls,
        estimate: float,
        forms: tuple[Form, Form],
        values: Sequence[CaseValues],
        sums: KindSums,
        sampling: Sampling,
    ) -> Self:
        """Return the difference of two models.

        At one threshold they either agree on a case or differ by all that acting changes. Under a belief they usually
        differ by less, and how much less on a case not seen is half way between the most that was seen and the most
        that is possible.
        """
        (one, two), by_class = values, any(form.by_class for form in forms)
        if one.score is not None and two.score is not None:
            return cls._of_constant(estimate, values, one.lowest - two.lowest, sums, sampling, by_class=by_class)
        highest, lowest = one.highest - two.lowest, one.lowest - two.highest
        bound = np.maximum(np.column_stack([highest, -lowest]), 0.0)
        if not (forms[0] is forms[1] and forms[0].at_one_threshold):
            bound = (np.minimum(sums.largest[:, None], bound) + bound) / 2
        least, most = _range(estimate, lowest, highest, sums, by_class=by_class)
        if one.least is not None and two.least is not None:  # shares of which 1 is the largest
            least, most = max(least, one.least - 1), min(most, 1 - two.least)
        return cls(estimate, bound, (least, most), sums, sampling, by_class)

    @classmethod
    def _of_constant(
        cls,
        estimate: float,
        values: Sequence[CaseValues],
        added: FloatArray,
        sums: KindSums,
        sampling: Sampling,
        *,
        by_class: bool,
    ) -> Self:
        """Return the mean of a model with one score for all, or the difference of two.

        All positives add the same, and so do all negatives, so that the mean is a share of the cases times what the two
        classes differ by: its interval is that of a binomial share, the same for either class. At a stated prevalence
        that share is known; what is left is the correction of the score for the prevalence of the sample, which does
        not change a score of 0 or 1.
        """
        if by_class:
            if all(one.is_certain for one in values):
                return cls(estimate, np.zeros((2, 2)), (estimate, estimate), sums, Sampling(0.0), by_class)
            first, *second = (one.at_any_score for one in values)
            lowest = first.lowest - sum(one.highest for one in second)
            highest = first.highest - sum(one.lowest for one in second)
            within = _range(estimate, lowest, highest, sums, by_class=by_class)
            return cls(estimate, np.zeros((2, 2)), within, sums, sampling, by_class)
        above = added - added.min()
        shares = sums.of_constant(above)
        bound = np.column_stack([above, np.zeros(2)])
        return cls(estimate, bound, _range(estimate, above, above, shares, by_class=False), shares, sampling)

    def ends(self, level: float) -> Ends:
        """Return the ends of the interval; nan where the estimate or its variance is undefined."""
        if not self._is_defined:
            return UNDEFINED
        return self._kinds.ends(self.estimate, self.sampling.deviate(level))

    def probability_above_zero(self) -> float:
        """Return the probability of a mean above 0, from the level at which an end of the interval is 0."""
        if not self._is_defined:
            return math.nan
        return self.sampling.probability(self._kinds.deviate_of_zero(self.estimate))

    @cached_property
    def _kinds(self) -> Reaches:
        """The kinds of cases; of a share whose cases differ in weight, both those counted and the others.

        The half-case interval of the errors, say, is then no mirror image of that of the right decisions: their weights
        tell how precise the mean is, and by chance either may be the heavy ones. Each way of counting is right where
        what it counts is rare, and has as much of the average as the others have of the weight.
        """
        room = self.estimate - self.within[0], self.within[1] - self.estimate
        how = self.sampling.variance, self.sampling.design, room
        kinds = self.sums.kinds(self.bound, *how, by_class=self.by_class)
        spread = self.sums.weight_spread if self.value else 0.0
        if not spread:
            return kinds
        share = min(float(self.sums.added.sum()) / abs(self.value), 1.0)
        rest = self.sums.of_the_rest(self.value).kinds(self.bound[:, ::-1], *how, by_class=self.by_class)
        return BothWays(kinds, rest, share * min(spread, 1.0), room)

    @property
    def _is_defined(self) -> bool:
        return math.isfinite(self.estimate) and math.isfinite(self.sampling.variance)


def _range(estimate: float, lowest: FloatArray, highest: FloatArray, sums: KindSums, *, by_class: bool) -> Ends:
    """Return the smallest and the largest mean possible; rounding leaves no estimate outside."""
    constant = estimate - float(np.subtract(*sums.added.sum(axis=0)))
    if by_class:
        share = sums.weight / sums.weight.sum()
        least, most = float(share @ lowest), float(share @ highest)
    else:
        least, most = float(lowest.min()), float(highest.max())
    return min(constant + least, estimate), max(constant + most, estimate)


def _value_of_share(form: Form, values: CaseValues) -> float:
    """Return what each case adds that adds anything, if positives and negatives add the same; otherwise 0."""
    extremes = np.unique(np.stack([values.lowest, values.highest]), axis=1)
    if form.by_class or not form.at_one_threshold or extremes.shape[1] > 1 or np.count_nonzero(extremes) != 1:
        return 0.0
    return float(extremes.sum())


def possible_values(form: Form, table: ScoreTable) -> CaseValues | None:
    """Return the values that cases may have, for a reference those of its one score.

    A reference is certain of all cases, and of the same outcome. A model whose scores are all alike here, but not
    certain, may have others elsewhere. A number relative to a constant score keeps all scores, since what it is
    relative to is estimated, too.
    """
    values = form.case_values(table.prevalence)
    if values is None or values.constant is not None or len(table) != 1 or table.lowest not in (0.0, 1.0):
        return values
    return values.at(float(table.score[0]))


def offset_of(values: CaseValues, table: ScoreTable, first_row: FloatArray) -> FloatArray:
    """Return the excess of the value of a positive and of a negative over its influence.

    The influence is that of a case with all the weight. The excess is the same for all cases of a class, so that the
    `first_row` tells it.
    """
    first = np.array([one[0] for one in values.values(table.score[:1])])
    offset: FloatArray = first - first_row
    return offset
