"""How sure a number is: its interval, analytic where the number is one of ours and by resampling otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from stakes import _check
from stakes._check import FloatArray
from stakes.cases import Cases
from stakes.uncertainty import _bootstrap
from stakes.uncertainty._known import Known, Statistic, without_formula
from stakes.uncertainty._replicates import Evaluate, evaluator, replicates
from stakes.uncertainty._resample import Plan, plan
from stakes.uncertainty._spread import Ends, analytic_ends
from stakes.uncertainty._study import Study

RESAMPLED = ("percentile", "basic", "bca")
Rng = int | np.random.Generator | np.random.SeedSequence | None


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and how sure it is.

    Attributes
    ----------
    estimate : float
        The statistic of the sample, exact.
    lower, upper : float
        The ends of the interval.
    method : str
        How they were found: analytic, percentile, basic or bca.
    coarsening : float
        How far the coarse table that was resampled is from the estimate; the ends have been moved back by it.

    Examples
    --------
    >>> from stakes import Interval
    >>> Interval(0.81, 0.78, 0.84, "analytic")
    Interval(estimate=0.81, lower=0.78, upper=0.84, method='analytic', coarsening=0.0)
    """

    estimate: float
    lower: float
    upper: float
    method: str
    coarsening: float = 0.0


def judged(cases: Cases, statistic: object, level: float, n_resamples: int) -> None:
    """Refuse what is no sample, no function, no level, or too few replicates for a quantile."""
    if not isinstance(cases, Cases):
        raise TypeError(f"`cases` must be Cases, got {type(cases).__name__}.")
    if not callable(statistic):
        raise TypeError(f"`statistic` must be a function of a table, got {type(statistic).__name__}.")
    _check.inside("level", level)
    _check.whole("n_resamples", n_resamples, 100)


def chosen(method: str, known: Known | None, otherwise: str, resampled: tuple[str, ...] = RESAMPLED) -> str:
    """Return the method to use; `auto` is analytic where that is known, and `otherwise` elsewhere."""
    _check.known("method", method, ("auto", "analytic", *resampled))
    if method == "auto":
        return otherwise if known is None else "analytic"
    if method == "analytic" and known is None:
        raise ValueError(
            f"`method` must be one of {', '.join(resampled)} for a statistic without a formula, got 'analytic'; "
            "the formulas are for our own functions and `functools.partial` of them."
        )
    return method


def interval(
    cases: Cases,
    statistic: Statistic,
    *,
    method: str = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Rng = None,
    by_class: bool = False,
    exact: bool = False,
) -> dict[str, Interval]:
    r"""Interval of any function of a table, for every model.

    For `expected_regret`, `brier_score`, `log_loss`, `net_benefit`, `accuracy`, `weighted_accuracy`, `skill_score`,
    `auc`, and the numbers under another prevalence (`shifted_regret` and its family), and a `functools.partial` of
    them, it is a formula. With :math:`\psi_i` what case (or cluster) *i* moves the statistic by,
    :math:`\sigma^2 = \frac{n}{n - 1} \sum \psi_i^2`, *t* Student's quantile, and
    :math:`a = \frac16 \sum \psi_i^3 / (\sum \psi_i^2)^{3/2}`, the ends are

    .. math:: \hat\theta + \sigma \frac{w}{(1 - a w)^2}, \quad w = a \pm t,

    the BCa interval of a mean without the resampling. AUC has DeLong's variance, on the scale of log-odds, with
    :math:`2 / (\sum \psi_i^4 / (\sum \psi_i^2)^2 - 1/n)` degrees of freedom. Under another prevalence each class has a
    variance of its own, as in DeLong's; :math:`\psi_i` holds what the case does to the sample's prevalence, from which
    all scores are corrected; and the ends are :math:`\hat\theta \pm t\sigma` with the same degrees of freedom. Any
    other function is resampled. The page on uncertainty shows what these intervals really cover.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    statistic : callable
        A function of a table that returns a number.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        The formula, or one of three intervals from replicates; auto is the formula where there is one, basic for
        `h_measure`, and bca elsewhere.
    level : float, keyword-only
        How often intervals like this one shall hold the truth.
    n_resamples : int, keyword-only
        How many replicates to draw, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives, as when a study chose how many to include.
    exact : bool, keyword-only
        Whether to resample all rows of a table with more than 8192, instead of 768 coarse ones.

    Returns
    -------
    dict of str to Interval
        The interval of each model; ``nan`` ends where the statistic is undefined or its variance is.

    References
    ----------
    .. [1] T. J. DiCiccio and B. Efron (1992), "More accurate confidence intervals in exponential families",
       Biometrika 79(2), 231-245.
    .. [2] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), "Comparing the areas under two or more correlated
       receiver operating characteristic curves", Biometrics 44(3), 837-845.

    Examples
    --------
    >>> from functools import partial
    >>> from stakes import Cases, Uniform, expected_regret, interval
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"]})
    >>> found = interval(cases, partial(expected_regret, costs=Uniform(0.05, 0.2)))["marker"]
    >>> print(f"{found.estimate:.4f} [{found.lower:.4f}, {found.upper:.4f}], {found.method}")
    0.0488 [0.0405, 0.0596], analytic
    """
    judged(cases, statistic, level, n_resamples)
    study = Study(cases, statistic)
    way = chosen(method, study.formula, without_formula(statistic))
    if way == "analytic":
        return {name: Interval(study.estimate(name), *analytic_ends(study, name, level), way) for name in cases.models}
    streams = np.random.default_rng(rng).spawn(len(cases.models))
    return {
        name: _resampled(
            Interval(study.estimate(name), 0.0, 0.0, way),
            plan(cases, (name,), by_class=by_class, exact=exact),
            statistic,
            level,
            n_resamples,
            stream,
            None if study.formula is None else partial(study.moves, name),
        )
        for name, stream in zip(cases.models, streams, strict=True)
    }


def _resampled(
    wanted: Interval,
    units: Plan,
    statistic: Statistic,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
    moved: Callable[[], FloatArray] | None,
) -> Interval:
    """Fill in the ends, from replicates moved so that their sample has the exact estimate."""
    evaluate = evaluator(statistic, units.models[0])
    off = coarsening(wanted.estimate, units, evaluate)
    values = replicates(units, [evaluate], n_resamples, rng)[:, 0] - off
    skewness = skewed(wanted.method, units, evaluate, moved, rng)
    ends: Ends = _bootstrap.ends(wanted.method, values, wanted.estimate, level, skewness)
    return Interval(wanted.estimate, *ends, wanted.method, off)


def coarsening(estimate: float, units: Plan, evaluate: Evaluate) -> float:
    """How far the statistic of the tables that are resampled is from the exact one; 0 where they are the same."""
    if all(model.group is None for model in units.models):
        return 0.0
    return float(evaluate(units.sample[None])[0]) - estimate


def skewed(
    method: str, units: Plan, evaluate: Evaluate, moved: Callable[[], FloatArray] | None, rng: np.random.Generator
) -> float:
    """Acceleration for BCa: from the influence of every case where it is known, else from a jackknife of groups."""
    if method != "bca":
        return 0.0
    return _bootstrap.acceleration(_bootstrap.jackknifed(units, evaluate, rng) if moved is None else moved())
