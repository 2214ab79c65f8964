"""Two models on the same cases: the difference, its interval, and the probability that one is better."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import special

from stakes._check import FloatArray
from stakes.cases import Cases
from stakes.uncertainty import _bootstrap
from stakes.uncertainty._interval import Rng, chosen, coarsening, judged, skewed
from stakes.uncertainty._known import Statistic, is_smaller_better
from stakes.uncertainty._replicates import Evaluate, evaluator, replicates
from stakes.uncertainty._resample import Plan, plan
from stakes.uncertainty._spread import UNDEFINED, Ends, classes_of, of_difference, spread, symmetric
from stakes.uncertainty._study import Study


@dataclass(frozen=True, slots=True)
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

    Examples
    --------
    >>> from stakes import Comparison
    >>> Comparison("new", "old", 0.02, 0.01, 0.03, 0.999, "analytic").difference
    0.02
    """

    a: str
    b: str
    difference: float
    lower: float
    upper: float
    probability_better: float
    method: str


def compare(
    cases: Cases,
    a: str,
    b: str,
    statistic: Statistic,
    *,
    smaller_is_better: bool | None = None,
    method: str = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Rng = None,
    by_class: bool = False,
    exact: bool = False,
) -> Comparison:
    r"""Difference between two models on the same cases, with its interval.

    Both models meet the same easy and the same hard cases, so the difference is surer than either number. With
    :math:`\psi_i` the difference of what case (or cluster) *i* moves the two statistics by, the analytic interval is
    :math:`\hat\delta \pm t_\nu \sigma`, where :math:`\sigma^2 = \frac{n}{n - 1} \sum \psi_i^2` and *t* has
    :math:`\nu = 2 / (\sum \psi_i^4 / (\sum \psi_i^2)^2 - 1/n)` degrees of freedom: few where the difference comes
    from a few cases. At one cost, or at one cut, models can only agree or disagree, and of each of the four kinds of
    disagreement (on a positive or a negative, this way or that) half a case more is counted than was seen [1]_; then
    :math:`\nu = n - 1`. The probability of being better is that of the same distribution, or the share of replicates.

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
    level : float, keyword-only
        How often intervals like this one shall hold the truth.
    n_resamples : int, keyword-only
        How many replicates to draw, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 768 coarse ones.

    Returns
    -------
    Comparison
        The difference, `a` minus `b`, its interval, and the probability that `a` is better.

    References
    ----------
    .. [1] A. Agresti and Y. Min (2005), "Simple improved confidence intervals for comparing matched proportions",
       Statistics in Medicine 24(5), 729-740.

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
    judged(cases, statistic, level, n_resamples)
    study, smaller = Study(cases, statistic), is_smaller_better(statistic, smaller_is_better)
    way = chosen(method, study.formula, "basic")
    difference = study.estimate(a) - study.estimate(b)
    if way == "analytic":
        ends, above = _analytic(study, a, b, difference, level)
    else:
        units = plan(cases, (a, b), by_class=by_class, exact=exact)
        moved = None if study.formula is None else partial(_moves, study, a, b)
        evaluate, stream = _difference(statistic, units), np.random.default_rng(rng)
        off = coarsening(difference, units, evaluate)
        values = replicates(units, [evaluate], n_resamples, stream)[:, 0] - off
        ends = _bootstrap.ends(way, values, difference, level, skewed(way, units, evaluate, moved, stream))
        above = float(np.mean(values > 0) + np.mean(values == 0) / 2)
    return Comparison(a, b, difference, *ends, 1 - above if smaller else above, way)


def _difference(statistic: Statistic, units: Plan) -> Evaluate:
    first, second = (evaluator(statistic, model) for model in units.models)
    return lambda counts: first(counts) - second(counts)


def _moves(study: Study, a: str, b: str) -> FloatArray:
    return study.moves(a) - study.moves(b)


def _analytic(study: Study, a: str, b: str, difference: float, level: float) -> tuple[Ends, float]:
    """Return the ends of the analytic interval, and the probability that the true difference is above 0."""
    cases, known = study.cases, study.known
    found = spread(_moves(study, a, b), classes_of(cases, known))
    if cases.cluster is None and a != b:
        found = of_difference(found, known, cases.table(a).prevalence)
    if not (math.isfinite(difference) and math.isfinite(found.error)) or found.units < 2:
        return UNDEFINED, math.nan
    if found.error == 0:
        return (difference, difference), 0.5 + 0.5 * float(np.sign(difference))
    return symmetric(difference, found, level), float(special.stdtr(found.freedom, difference / found.error))
