"""Compare two models on the same cases: the difference, its interval, and the probability that one is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeGuard

import numpy as np
import scipy
from scipy import special

from stakes import _check
from stakes._arrays import FloatArray
from stakes._check import Seed
from stakes._wording import described, shown_ends
from stakes.cases import Cases, short
from stakes.uncertainty._analytic import UNDEFINED, Ends, classes_of, spread, symmetric
from stakes.uncertainty._bootstrap import Question, Request, drawn
from stakes.uncertainty._interval import caution, chosen, judged
from stakes.uncertainty._known import Known, Means, Statistic, is_smaller_better
from stakes.uncertainty._replicates import Evaluate, evaluator
from stakes.uncertainty._resample import ResampledModel
from stakes.uncertainty._shifted import Shifted
from stakes.uncertainty._study import Study


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The difference between two models on the same cases.

    Attributes
    ----------
    a, b : str
        The names of the models.
    difference : float
        The statistic of `a` minus that of `b`.
    lower, upper : float
        The ends of its interval.
    probability_better : float
        The probability that `a` is better than `b` where the sample comes from; a tie counts half.
    method : str
        How they were found: analytic, percentile, basic or bca.
    coarsening, coarsening_error : float
        How far the coarse tables that were resampled are from the difference, and how far the ends may be from those
        of the whole tables; as in `Interval`.
    caution : str
        Why not to trust it, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import Comparison
    >>> Comparison("new", "old", 0.02, 0.01, 0.03, 0.999, "analytic")
    Comparison(new - old: 0.02 [0.01, 0.03], better with probability 0.999, analytic)
    """

    a: str
    b: str
    difference: float
    lower: float
    upper: float
    probability_better: float
    method: str
    coarsening: float = 0.0
    coarsening_error: float = 0.0
    caution: str = ""

    def __repr__(self) -> str:
        found = shown_ends(self.difference, self.lower, self.upper)
        better = f"better with probability {self.probability_better:.3f}"
        names = f"{short(self.a)} - {short(self.b)}"
        return f"Comparison({names}: {found}, {better}, {described(self.method, self.caution)})"


def compare(
    cases: Cases,
    a: str,
    b: str,
    statistic: Statistic,
    *,
    smaller_is_better: bool | None = None,
    method: str = "auto",
    level: float | str = 0.95,
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
) -> Comparison:
    r"""Difference between two models on the same cases, with its interval.

    Both models meet the same easy and the same hard cases, so the difference is surer than either number. With
    :math:`\psi_i` the difference of what case (or cluster) *i* moves the two statistics by, the analytic interval is
    :math:`\hat\delta \pm t_\nu \sigma`, where :math:`\sigma^2 = \frac{n}{n - 1} \sum \psi_i^2` and *t* has
    :math:`\nu = 2 / (\sum \psi_i^4 / (\sum \psi_i^2)^2 - 1/n)` degrees of freedom: few where the difference comes
    from a few cases.

    At one cost, or at one cut, models can only agree or disagree, and there are four kinds of disagreement: on a
    positive or a negative, this way or that. With :math:`x_k` cases of kind *k*, each of which moves the difference by
    :math:`d_k`, and :math:`[l_k, u_k]` Jeffreys' interval of a Poisson number, the quantiles of the gamma distribution
    with shape :math:`x_k + \frac12`, the upper end is

    .. math:: \hat\delta + \Bigl[\sum_{d_k > 0} d_k^2 (u_k - x_k)^2 + \sum_{d_k < 0} d_k^2 (x_k - l_k)^2
              + z^2 \bigl(\sigma^2 - \sum d_k^2 x_k\bigr)\Bigr]^{1/2},

    and the lower end likewise [1]_ [2]_: that no case of a kind was seen does not mean that there are none. The
    probability of being better is that of the same distribution, or the share of replicates.

    Parameters
    ----------
    cases : Cases
        The sample.
    a, b : str
        The names of the models to compare.
    statistic : callable
        A function of a table that returns a number.
    smaller_is_better : bool, keyword-only, optional
        Which way is better; known for our own functions, and needed for any other.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        As in `interval`; auto is the formula where there is one, and basic elsewhere.
    level : float or words, such as "90%", keyword-only
        How often intervals like this one shall hold the truth.
    n_resamples : int, keyword-only
        How many replicates to draw, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.

    Returns
    -------
    Comparison
        The difference, `a` minus `b`, its interval, and the probability that `a` is better.

    References
    ----------
    .. [1] G. Y. Zou and A. Donner (2008), "Construction of confidence limits about effect measures: a general
       approach", Statistics in Medicine 27(10), 1693-1702.
    .. [2] L. D. Brown, T. T. Cai and A. DasGupta (2003), "Interval estimation in exponential families", Statistica
       Sinica 13(1), 19-49.

    Examples
    --------
    >>> from stakes import Cases, auc, compare
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> found = compare(cases, "marker", "family", auc)
    >>> print(f"{found.difference:.3f} [{found.lower:.3f}, {found.upper:.3f}]")
    0.317 [0.264, 0.370]
    """
    confidence = judged(cases, statistic, level, n_resamples)
    source = _check.generator(rng)
    for name, model in (("a", a), ("b", b)):
        _check.known(name, model, cases.models)
    study, smaller = Study(cases, statistic), is_smaller_better(statistic, smaller_is_better)
    way = chosen(method, study.formula, "basic")
    difference, doubt = study.estimate(a) - study.estimate(b), caution(cases)
    if way == "analytic":
        ends, above = _analytic(study, a, b, difference, confidence)
        return Comparison(a, b, difference, *ends, 1 - above if smaller else above, way, caution=doubt)
    moved = None if study.formula is None else partial(_moves, study, a, b)
    asked = Question(cases, (a, b), partial(_difference, statistic), difference, moved)
    found = drawn(asked, Request(way, confidence, n_resamples, by_class, exact), source)
    above = float(np.mean(found.values > 0) + np.mean(found.values == 0) / 2)
    better = 1 - above if smaller else above
    return Comparison(a, b, difference, *found.ends, better, way, found.coarsening, found.coarsening_error, doubt)


def _difference(statistic: Statistic, models: Sequence[ResampledModel]) -> Evaluate:
    first, second = (evaluator(statistic, model) for model in models)
    return lambda counts: first(counts) - second(counts)


def _moves(study: Study, a: str, b: str) -> FloatArray:
    return study.moves(a) - study.moves(b)


def _analytic(study: Study, a: str, b: str, difference: float, level: float) -> tuple[Ends, float]:
    """Return the ends of the analytic interval, and the probability that the true difference is above 0."""
    cases, known = study.cases, study.known
    found = spread(_moves(study, a, b), classes_of(cases, known))
    if not (math.isfinite(difference) and math.isfinite(found.error)) or found.units < 2:
        return UNDEFINED, math.nan
    if only_act_or_not(known) and cases.cluster is None and a != b:
        kinds = disagreement(study, known, a, b, found.error)
        return kinds.ends(difference, level), kinds.probability_above_zero(difference)
    if found.error == 0:
        return (difference, difference), 0.5 + 0.5 * float(np.sign(difference))
    return symmetric(difference, found, level), float(special.stdtr(found.freedom, difference / found.error))


_FARTHEST = 37.0  # standard errors; beyond this a probability is 0 or 1


def only_act_or_not(known: Known) -> TypeGuard[Means | Shifted]:
    """Whether all that a statistic sees of a score is on which side of one cut it is."""
    return isinstance(known, Means | Shifted) and known.one_cut


@dataclass(frozen=True)
class Disagreement:
    """The four kinds of disagreement: on a positive or on a negative, where only the one or only the other model acts.

    `seen` counts the cases of each kind, `each` is what one of them moves the difference by, and `other` is the
    variance of the difference that does not come from how many of each kind there are (it may be below 0: that one case
    is of one kind only).
    """

    seen: FloatArray
    each: FloatArray
    other: float

    def reach(self, deviate: float, *, up: bool) -> float:
        """How far above (or below) the difference that was seen the true one may be, at a normal deviate."""
        more = (self.each > 0) if up else (self.each < 0)
        # The number of a kind has Jeffreys' interval of a Poisson number: none seen does not mean that there are none.
        upper = special.gammaincinv(self.seen + 0.5, special.ndtr(deviate)) - self.seen
        lower = self.seen - special.gammaincinv(self.seen + 0.5, special.ndtr(-deviate))
        farthest = np.maximum(np.where(more, upper, lower), 0.0)
        return float(np.sqrt(max(deviate**2 * self.other + ((self.each * farthest) ** 2).sum(), 0.0)))

    def ends(self, difference: float, level: float) -> Ends:
        """Return the ends of the interval of the difference."""
        deviate = float(special.ndtri((1 + level) / 2))
        return difference - self.reach(deviate, up=False), difference + self.reach(deviate, up=True)

    def probability_above_zero(self, difference: float) -> float:
        """Return one minus half of what the smallest interval that holds 0 leaves out, or the other way round."""
        up, distance = difference < 0, abs(difference)
        if self.reach(0.0, up=up) >= distance:
            return 0.5
        if self.reach(_FARTHEST, up=up) <= distance:
            return float(difference > 0)
        deviate = scipy.optimize.brentq(lambda z: self.reach(z, up=up) - distance, 0.0, _FARTHEST)
        return float(special.ndtr(-deviate if up else deviate))


def disagreement(study: Study, known: Means | Shifted, a: str, b: str, error: float) -> Disagreement:
    """Count on which cases two models disagree; `error` is the standard error of their difference."""
    cases = study.cases
    acts = [known.acts(cases.table(name))[cases.rows(name)] for name in (a, b)]
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    kinds = [
        weight[of_class & first & ~second]
        for of_class in (cases.positive, ~cases.positive)
        for first, second in (acts, acts[::-1])
    ]
    total = float(weight.sum())
    # Cases that weigh differently count as fewer cases that weigh the same.
    heavy = np.array([(kind**2).sum() / kind.sum() if len(kind) else total / len(cases) for kind in kinds])
    seen = np.array([kind.sum() for kind in kinds]) / heavy
    each = np.repeat(known.jumps(cases.table(a).prevalence), 2) * np.array([1, -1, 1, -1]) * heavy / total
    return Disagreement(seen, each, error**2 - float(seen @ each**2))
