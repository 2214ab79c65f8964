"""One question about a measure of models on the same cases: its intervals, a difference, the ranking."""

from __future__ import annotations

import inspect
from typing import Any

from stakes._check import Seed
from stakes.cases import Cases
from stakes.measures import Better, MeasureLike, with_parameters
from stakes.uncertainty._compare import Comparison
from stakes.uncertainty._interval import Interval
from stakes.uncertainty._rank import Ranking
from stakes.uncertainty._study import Study


def interval(
    cases: Cases,
    measure: MeasureLike,
    *,
    better: Better | None = None,
    method: str = "auto",
    level: float | str = 0.95,
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
    **parameters: Any,
) -> dict[str, Interval]:
    r"""Interval of any measure, for every model.

    For `expected_regret`, `brier_score`, `log_loss`, `net_benefit`, `accuracy`, `weighted_accuracy`, `skill_score`,
    `auc`, the numbers under another prevalence (`shifted_regret` and its family), and one's own `Measure.mean`, it is a
    formula. With :math:`\psi_i` the influence of case (or cluster) *i* on the measure,
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
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number; or of as many tables as there are models,
        in their order, on the same cases.
    better : {"smaller", "larger"}, keyword-only, optional
        Which way is better; an interval does not depend on it.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        The formula, or one of three intervals from replicates; auto is the formula where there is one, basic for
        `h_measure`, and bca elsewhere.
    level : float or words, such as "90%", keyword-only
        Confidence level.
    n_resamples : int, keyword-only
        How many replicates to draw, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives, as when a study chose how many to include.
    exact : bool, keyword-only
        Whether to resample all rows of a table with more than 8192, instead of 512 coarse ones.
    **parameters
        Parameters of the measure, such as ``costs=Uniform(0.05, 0.2)``.

    Returns
    -------
    dict of str to Interval
        The interval of each model; ``nan`` ends where the measure is undefined or its variance is. For a function of
        several tables, one interval under the names of the models with commas between them.

    References
    ----------
    .. [1] T. J. DiCiccio and B. Efron (1992), "More accurate confidence intervals in exponential families",
       Biometrika 79(2), 231-245.
    .. [2] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), "Comparing the areas under two or more correlated
       receiver operating characteristic curves", Biometrics 44(3), 837-845.

    Examples
    --------
    >>> from stakes import Cases, Uniform, expected_regret, interval
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"]})
    >>> found = interval(cases, expected_regret, costs=Uniform(0.05, 0.2))["marker"]
    >>> print(f"{found.estimate:.4f} [{found.lower:.4f}, {found.upper:.4f}], {found.method}")
    0.0488 [0.0405, 0.0596], analytic

    A function of two tables, here by what share one model's regret is below that of the other:

    >>> both = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> def saved(marker, family, costs):
    ...     return 1 - expected_regret(marker, costs) / expected_regret(family, costs)
    >>> interval(both, saved, costs=Uniform(0.05, 0.2), n_resamples=1000, rng=1)
    {'marker, family': Interval(0.5549 [0.4556, 0.6344], bca)}
    """
    study = Study(cases, _bound("interval", measure, parameters), better=better)
    return study.intervals(method=method, level=level, n_resamples=n_resamples, rng=rng, by_class=by_class, exact=exact)


def compare(
    cases: Cases,
    a: str,
    b: str,
    measure: MeasureLike,
    *,
    better: Better | None = None,
    method: str = "auto",
    level: float | str = 0.95,
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
    **parameters: Any,
) -> Comparison:
    r"""Difference between two models on the same cases, with its interval.

    Both models meet the same easy and the same hard cases, so the difference is surer than either number. With
    :math:`\psi_i` the difference of the influence of case (or cluster) *i* on the two numbers, the analytic interval is
    :math:`\hat\delta \pm t_\nu \sigma`, where :math:`\sigma^2 = \frac{n}{n - 1} \sum \psi_i^2` and *t* has
    :math:`\nu = 2 / (\sum \psi_i^4 / (\sum \psi_i^2)^2 - 1/n)` degrees of freedom: few where the difference comes
    from a few cases.

    At one cost, or at one threshold, models can only agree or disagree, and there are four kinds of disagreement: on a
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
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number.
    better : {"smaller", "larger"}, keyword-only, optional
        Which way is better; known for our own measures, and needed for any other.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        As in `interval`; auto is the formula where there is one, and basic elsewhere.
    level : float or words, such as "90%", keyword-only
        Confidence level.
    n_resamples : int, keyword-only
        How many replicates to draw, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.
    **parameters
        Parameters of the measure, such as ``costs=Uniform(0.05, 0.2)``.

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
    study = Study(cases, _bound("compare", measure, parameters), better=better)
    return study.compare(
        a, b, method=method, level=level, n_resamples=n_resamples, rng=rng, by_class=by_class, exact=exact
    )


def rank(
    cases: Cases,
    measure: MeasureLike,
    *,
    better: Better | None = None,
    method: str = "auto",
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
    **parameters: Any,
) -> Ranking:
    r"""Rank models by a measure, and say how sure the ranking is.

    With :math:`g_m` the measure of model *m*, turned so that larger is better, and the mean taken over what its value
    may be where the sample comes from (all models together, on the same cases):

    .. math:: P(\text{m is best}) = P(g_m = \max_k g_k), \quad L_m = E[\max_k g_k - g_m], \quad EVPI = \min_m L_m.

    All models are compared at once, so the probabilities need no correction for their number; the winner's own number
    does, and `optimism` estimates it: the mean over replicates of how much better the replicate's winner looks there
    than in the sample, less the same for all models.

    Parameters
    ----------
    cases : Cases
        The sample.
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number.
    better : {"smaller", "larger"}, keyword-only, optional
        Which way is better; known for our own measures, and needed for any other.
    method : {"auto", "analytic", "bootstrap"}, keyword-only
        Draws from the normal distribution with the covariance of the influence functions, or replicates of the sample;
        auto is analytic where the measure has a formula.
    n_resamples : int, keyword-only
        How many draws, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.
    **parameters
        Parameters of the measure, such as ``costs=Uniform(0.05, 0.2)``.

    Returns
    -------
    Ranking
        The models, best first, with the probability of every rank and what each choice is expected to lose.

    Examples
    --------
    >>> from stakes import At, Cases, net_benefit, rank
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> models = {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]}
    >>> found = rank(Cases(cohort["cancer"], models), net_benefit, costs=At(0.15), rng=1)
    >>> {name: round(probability, 2) for name, probability in found.probability_best.items()}
    {'marker': 1.0, 'family': 0.0}
    """
    study = Study(cases, _bound("rank", measure, parameters), better=better)
    return study.rank(method=method, n_resamples=n_resamples, rng=rng, by_class=by_class, exact=exact)


_OWN = {
    function.__name__: [
        one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY
    ]
    for function in (interval, compare, rank)
}


def _bound(question: str, measure: MeasureLike, parameters: dict[str, Any]) -> MeasureLike:
    """Give the measure the keywords that are not the question's own."""
    return with_parameters(measure, parameters, of=question, own=_OWN[question])
