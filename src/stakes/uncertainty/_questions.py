"""Intervals, comparisons and rankings of models on the same cases, by any measure."""

from __future__ import annotations

import inspect
from typing import Any

from stakes._check import Seed
from stakes.cases import Cases
from stakes.measures import Better, MeasureLike, with_parameters
from stakes.uncertainty._answers import Comparison, Interval
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
    r"""Return the confidence interval of a measure, for every model.

    For `expected_regret`, `brier_score`, `log_loss`, `net_benefit`, `accuracy`, `weighted_accuracy`, `skill_score`,
    `auc`, the measures at another prevalence (`shifted_regret` and its family), and one's own `Measure.mean`, there is
    a formula. Any other function is resampled.

    A mean of bounded values is a sum over kinds *k* of cases: of a class, raising or lowering it. A kind adds up to
    :math:`Y_k` among *n* cases; with half a case of its largest size :math:`m_k` more, a beta distribution on
    :math:`[0, m_k]` has a quantile :math:`u_k` above :math:`Y_k / n`, with one of size 0 a quantile :math:`d_k` below.
    The upper end is

    .. math:: \hat\theta + \Bigl[\sum_\text{raises} u_k^2 + \sum_\text{lowers} d_k^2
              + z^2 \bigl(\sigma^2 - \textstyle\sum \sigma_k^2\bigr)\Bigr]^{1/2},

    with the variances :math:`\sigma^2` of the mean and :math:`\sigma_k^2` of the kinds, and the lower end likewise
    [1]_; both stay in the range of the measure. `skill_score` and `weighted_accuracy` have all values for which the
    interval of the loss, less what is left of the constant score's, holds 0. With weights, half a case has the typical
    weight of its class, in the rarer class that of the sample if chance may have made its cases light; with clusters,
    *n* is divided by the ratio of the variances over clusters and over cases, and *z* is Student's.

    An AUC has the score interval of Newcombe [2]_ while a class has fewer than 30 cases (with clusters, 30 that count,
    by the same ratio of variances), or that of two shares where scores have two values, and otherwise DeLong's variance
    [3]_ on the scale of log-odds. Where a single case may add any amount (`log_loss` of scores up to 0 and 1, costs up
    to 1), or nobody knows how much (`Measure.mean`), the ends are those of the BCa interval of a mean without
    resampling [4]_: :math:`\hat\theta + \sigma w / (1 - a w)^2` with :math:`w = a \pm t` and
    :math:`a = \frac16 \sum \psi_i^3 / (\sum \psi_i^2)^{3/2}`, with the influence :math:`\psi_i` of unit *i*.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number; or a function of as many tables as there
        are models, in their order, on the same cases.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; an interval does not depend on it.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        The formula, or one of three bootstrap intervals; auto is the formula where there is one, that of
        `miscalibration` for the parts of `decompose`, basic for `h_measure`, and bca elsewhere.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    n_resamples : int, keyword-only
        Number of resamples, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether each resample keeps the number of positives, as when a study fixed it by design.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.
    **parameters
        Parameters of the measure, such as ``costs=Uniform(0.05, 0.2)``.

    Returns
    -------
    dict of str to Interval
        The interval of each model; ``nan`` ends where the measure is undefined or its variance is. For a function of
        several tables, one interval under the names of the models with commas between them.

    References
    ----------
    .. [1] G. Y. Zou and A. Donner (2008), "Construction of confidence limits about effect measures: a general
       approach", Statistics in Medicine 27(10), 1693-1702.
    .. [2] R. G. Newcombe (2006), "Confidence intervals for an effect size measure based on the Mann-Whitney statistic.
       Part 2", Statistics in Medicine 25(4), 559-573.
    .. [3] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), "Comparing the areas under two or more correlated
       receiver operating characteristic curves", Biometrics 44(3), 837-845.
    .. [4] T. J. DiCiccio and B. Efron (1992), "More accurate confidence intervals in exponential families",
       Biometrika 79(2), 231-245.

    Examples
    --------
    >>> from stakes import Cases, Uniform, expected_regret, interval
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"]})
    >>> result = interval(cases, expected_regret, costs=Uniform(0.05, 0.2))["marker"]
    >>> print(f"{result.estimate:.4f} [{result.lower:.4f}, {result.upper:.4f}], {result.method}")
    0.0488 [0.0403, 0.0598], analytic

    A function of two tables, here the share by which one model's regret is below that of the other:

    >>> both = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> def saved(marker, family, costs):
    ...     return 1 - expected_regret(marker, costs) / expected_regret(family, costs)
    >>> interval(both, saved, costs=Uniform(0.05, 0.2), n_resamples=1000, rng=1)
    {'marker, family': Interval(0.5549 [0.4556, 0.6344], bca)}
    """
    study = Study(cases, _bind("interval", measure, parameters), better=better)
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
    r"""Return the difference between two models on the same cases, with its confidence interval.

    Both models meet the same easy and the same hard cases, so the difference is more certain than either measure. The
    interval of a mean of bounded values is that of `interval`, with four kinds of cases: positives and negatives, each
    better served by `a` or by `b` [1]_. At one cost, or at one threshold, models either agree on a case or differ by
    all that acting changes; under a belief, a case that was not seen counts half way between the largest difference
    seen in its class and the largest possible. The probability that `a` is better comes from the smallest deviate *z*
    at which the interval holds 0, so that it is 0.5 where what was not seen could explain the difference.

    Two areas have the distances to the ends of their own intervals combined, with DeLong's correlation as far as chance
    does not explain it, while a class has fewer than 30 cases. Otherwise, and for means without a bound, the interval
    is :math:`\hat\delta \pm t_\nu \sigma`, where :math:`\psi_i` is the difference of the influence of case (or cluster)
    *i* on the two measures, :math:`\sigma^2 = \frac{n}{n - 1} \sum \psi_i^2`, and *t* has
    :math:`\nu = 2 / (\sum \psi_i^4 / (\sum \psi_i^2)^2 - 1/n)` degrees of freedom: few where the difference comes from
    a few cases.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    a, b : str
        The names of the models to compare.
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; known for our own measures, and needed for any other.
    method : {"auto", "analytic", "percentile", "basic", "bca"}, keyword-only
        The formula, or one of three bootstrap intervals; auto is the formula where there is one, and basic elsewhere.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    n_resamples : int, keyword-only
        Number of resamples, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether each resample keeps the number of positives, as when a study fixed it by design.
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

    Examples
    --------
    >>> from stakes import Cases, auc, compare
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> result = compare(cases, "marker", "family", auc)
    >>> print(f"{result.difference:.3f} [{result.lower:.3f}, {result.upper:.3f}]")
    0.317 [0.264, 0.370]
    """
    study = Study(cases, _bind("compare", measure, parameters), better=better)
    return study.compare(
        a, b, method=method, level=level, n_resamples=n_resamples, rng=rng, by_class=by_class, exact=exact
    )


def rank(
    cases: Cases,
    measure: MeasureLike,
    *,
    better: Better | None = None,
    prior: str = "near",
    method: str = "auto",
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
    **parameters: Any,
) -> Ranking:
    r"""Rank models by a measure, with the probability of each rank and the expected loss of each choice.

    With :math:`g_m` the measure of model *m*, signed so that larger is better, and the mean taken over the joint
    distribution of the measures of all models, on the same cases:

    .. math:: P(\text{m is best}) = P(g_m = \max_k g_k), \quad L_m = E[\max_k g_k - g_m], \quad EVPI = \min_m L_m.

    All models are compared at once, so the probabilities need no correction for multiplicity. The winner's estimate
    does, and `optimism` estimates it: how much better than its estimate the winner of another such sample would look
    there, on average.

    The analytic law is normal, with the covariance of the influence functions, and with half a case of each class added
    to each model that would move it as far as a case can: a kind of case that the sample happens not to have is not
    impossible. Two and three options have closed forms, by Owen's T and Afonja's formula [1]_; for more, the
    closed form of the likeliest three is corrected at 65,536 fixed points. Nothing is drawn, so nothing depends on a
    seed, and `error` says how exact the answer is.

    The near prior is uniform shrinkage [2]_ [3]_: models that people compare are near each other, so true differences
    are normal with an unknown variance, and how much of what is seen is chance may be any share. It applies among the
    models within 4 standard errors of the leading one. The flat prior takes differences of any size to be equally
    likely beforehand. A model that gives every case the same score is a reference, and is not shrunk.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; known for our own measures, and needed for any other.
    prior : {"near", "flat"}, keyword-only
        Whether models are believed to be near each other beforehand, or differences of any size to be equally likely.
    method : {"auto", "analytic", "bootstrap"}, keyword-only
        The normal law with the covariance of the influence functions, or bootstrap resamples; auto is analytic where
        the measure has a formula.
    n_resamples : int, keyword-only
        Number of resamples, at least 100; for the bootstrap only.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator of the bootstrap; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether each resample keeps the number of positives, as when a study fixed it by design.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.
    **parameters
        Parameters of the measure, such as ``costs=Uniform(0.05, 0.2)``.

    Returns
    -------
    Ranking
        The models, best first, with the probability of every rank and the expected loss of each choice.

    References
    ----------
    .. [1] B. Afonja (1972), "The moments of the maximum of correlated normal and t-variates", Journal of the Royal
       Statistical Society B 34(2), 251-262.
    .. [2] W. E. Strawderman (1971), "Proper Bayes minimax estimators of the multivariate normal mean", Annals of
       Mathematical Statistics 42(1), 385-388.
    .. [3] M. J. Daniels (1999), "A prior for the variance in hierarchical models", Canadian Journal of Statistics
       27(3), 567-578.

    Examples
    --------
    >>> from stakes import At, Cases, net_benefit, rank
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> models = {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]}
    >>> result = rank(Cases(cohort["cancer"], models), net_benefit, costs=At(0.15))
    >>> {name: round(probability, 2) for name, probability in result.probability_best.items()}
    {'marker': 1.0, 'family': 0.0}
    """
    study = Study(cases, _bind("rank", measure, parameters), better=better)
    return study.rank(prior=prior, method=method, n_resamples=n_resamples, rng=rng, by_class=by_class, exact=exact)


_OWN = {
    function.__name__: [
        one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY
    ]
    for function in (interval, compare, rank)
}


def _bind(function: str, measure: MeasureLike, parameters: dict[str, Any]) -> MeasureLike:
    """Return the measure with the keywords that are not the function's own as its parameters."""
    return with_parameters(measure, parameters, of=function, own=_OWN[function])
