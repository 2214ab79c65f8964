"""Intervals: analytic where the measure has a formula, resampled otherwise; and when to be cautious."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from stakes import _check
from stakes._check import Seed
from stakes._errors import InputError, InputTypeError
from stakes._wording import described, shown_ends
from stakes.beliefs import as_share
from stakes.cases import Cases
from stakes.table import ScoreTable
from stakes.uncertainty._analytic import UNDEFINED, analytic_ends, ends_of, spread_of_table
from stakes.uncertainty._bootstrap import Question, Request, drawn
from stakes.uncertainty._influence import units_of
from stakes.uncertainty._known import Area, Known, Statistic, recognise, takes, takes_several, without_formula
from stakes.uncertainty._replicates import evaluator, of_tables
from stakes.uncertainty._study import Study, number


def table_interval(table: ScoreTable, statistic: Statistic, *, level: float = 0.95) -> Interval:
    """Return the analytic interval of a mean, also under another prevalence; without ends for any other statistic."""
    known, estimate = recognise(statistic), number(statistic(table))
    if known is None or isinstance(known, Area):
        return Interval(estimate, *UNDEFINED, "none")
    return Interval(estimate, *ends_of(known, estimate, spread_of_table(known, table), level), "analytic")


RESAMPLED = ("percentile", "basic", "bca")


@dataclass(frozen=True, slots=True, repr=False)
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
    coarsening_error : float
        How far the ends may be, for that coarse table, from those of the whole one; 0 where all rows were resampled.
    caution : str
        Why not to trust it, if the sample is smaller than the intervals have been seen to hold for; else empty.

    Examples
    --------
    >>> from stakes import Interval
    >>> Interval(0.81, 0.78, 0.84, "analytic")
    Interval(0.81 [0.78, 0.84], analytic)
    """

    estimate: float
    lower: float
    upper: float
    method: str
    coarsening: float = 0.0
    coarsening_error: float = 0.0
    caution: str = ""

    def __repr__(self) -> str:
        return f"Interval({shown_ends(self.estimate, self.lower, self.upper)}, {described(self.method, self.caution)})"


def judged(cases: Cases, statistic: object, level: float | str, n_resamples: int, *, name: str = "statistic") -> float:
    """Check the arguments shared by interval, compare, rank and band; return the level as a number."""
    confidence = as_share("level", level, open_ends=True)
    if not isinstance(cases, Cases):
        raise InputTypeError("cases", "be Cases", type(cases).__name__)
    _check.function(name, statistic, of="a table")
    _check.whole("n_resamples", n_resamples, 100)
    return confidence


def chosen(method: str, known: Known | None, otherwise: str, resampled: tuple[str, ...] = RESAMPLED) -> str:
    """Return the method to use; `auto` is analytic where that is known, and `otherwise` elsewhere."""
    _check.known("method", method, ("auto", "analytic", *resampled))
    if method == "auto":
        return otherwise if known is None else "analytic"
    if method == "analytic" and known is None:
        raise InputError(
            "method",
            f"be one of {', '.join(resampled)} for a statistic without a formula",
            "'analytic'",
            hint="the formulas are for our own functions and `functools.partial` of them",
        )
    return method


def interval(
    cases: Cases,
    statistic: Statistic,
    *,
    method: str = "auto",
    level: float | str = 0.95,
    n_resamples: int = 2000,
    rng: Seed = None,
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
        A function of a table that returns a number; or of as many tables as there are models, in their order, on the
        same cases.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        The formula, or one of three intervals from replicates; auto is the formula where there is one, basic for
        `h_measure`, and bca elsewhere.
    level : float or words, such as "90%", keyword-only
        How often intervals like this one shall hold the truth.
    n_resamples : int, keyword-only
        How many replicates to draw, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives, as when a study chose how many to include.
    exact : bool, keyword-only
        Whether to resample all rows of a table with more than 8192, instead of 512 coarse ones.

    Returns
    -------
    dict of str to Interval
        The interval of each model; ``nan`` ends where the statistic is undefined or its variance is. For a function of
        several tables, one interval under the names of the models with commas between them.

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

    A function of two tables, here by what share one model's regret is below that of the other:

    >>> both = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> regret = partial(expected_regret, costs=Uniform(0.05, 0.2))
    >>> interval(both, lambda marker, family: 1 - regret(marker) / regret(family), n_resamples=1000, rng=1)
    {'marker, family': Interval(0.5549 [0.4556, 0.6344], bca)}
    """
    confidence = judged(cases, statistic, level, n_resamples)
    source = _check.generator(rng)
    if takes_several(statistic):
        return _of_several(cases, statistic, method, Request("", confidence, n_resamples, by_class, exact), source)
    study = Study(cases, statistic)
    way = chosen(method, study.formula, without_formula(statistic))
    doubt = caution(cases)
    if way == "analytic":
        return {
            name: Interval(study.estimate(name), *analytic_ends(study, name, confidence), way, caution=doubt)
            for name in cases.models
        }
    how = Request(way, confidence, n_resamples, by_class, exact)
    streams = source.spawn(len(cases.models))
    return {
        name: _resampled(
            Question(
                cases,
                (name,),
                lambda models: evaluator(statistic, models[0]),
                study.estimate(name),
                None if study.formula is None else partial(study.moves, name),
            ),
            how,
            stream,
        )
        for name, stream in zip(cases.models, streams, strict=True)
    }


def _of_several(
    cases: Cases, statistic: Callable[..., Any], method: str, how: Request, rng: np.random.Generator
) -> dict[str, Interval]:
    """Resample a function of the tables of all models, on the same cases."""
    models = cases.models
    if takes(statistic) != len(models):
        raise InputError(
            "statistic",
            f"take one table, or one of each of the {len(models)} models",
            f"a function of {takes(statistic)}",
        )
    estimate = number(statistic(*(cases.table(name) for name in models)))
    asked = Question(cases, models, partial(of_tables, statistic), estimate)
    found = _resampled(asked, replace(how, method=chosen(method, None, "bca")), rng)
    return {", ".join(models): found}


def _resampled(asked: Question, how: Request, rng: np.random.Generator) -> Interval:
    found = drawn(asked, how, rng)
    return Interval(
        asked.estimate, *found.ends, how.method, found.coarsening, found.coarsening_error, caution(asked.cases)
    )


# The fewest that `benchmarks/covering.py` found the intervals to hold for; the page on uncertainty has the figures.
FEWEST_OF_A_CLASS, FEWEST_CLUSTERS = 10, 30


def caution(cases: Cases) -> str:
    """Say what there is too little of, or nothing."""
    positive = int(np.count_nonzero(cases.positive))
    fewest = min(positive, len(cases) - positive)
    clusters = units_of(cases)
    if cases.cluster is not None and clusters < FEWEST_CLUSTERS:
        return f"only {clusters:,} clusters, too few for a level to be trusted"
    if fewest < FEWEST_OF_A_CLASS:
        which = "positives" if fewest == positive else "negatives"
        return f"only {fewest:,} {which}, too few for a level to be trusted"
    return ""
