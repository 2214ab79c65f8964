"""Calibration in a few numbers, and the prevalence that scores assume or imply."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs import as_share
from stakes.table import ScoreTable, at_ordinary_scale

# Most steps of Newton's method: a few are enough unless the scores all but separate the classes.
_STEPS = 1_000


# A step that changes nothing by more than this is the last: the remaining error is about its square.
_CLOSE = 1e-9


# Least curvature of a case, so that extreme log-odds do not make a step infinite.
_FLATTEST = 1e-280


@dataclass(frozen=True, slots=True)
class CalibrationSummary:
    r"""Calibration of the scores of a sample, in a few numbers.

    Attributes
    ----------
    observed : float
        Share of positives.
    expected : float
        Mean score.
    ratio : float
        Observed over expected; 1 is calibrated, more means that the scores are too low. nan when none is expected.
    in_the_large : float
        Calibration in the large: the shift of all log-odds at which as many positives are expected as observed; 0 is
        calibrated.
    intercept, slope : float
        The fit :math:`\operatorname{logit} P(y = 1) = \text{intercept} + \text{slope} \cdot \operatorname{logit} s`;
        0 and 1 are calibrated, a slope below 1 means scores that are too extreme.
    assumed_prevalence : float
        The prevalence at which the scores, shifted, would have been calibrated in the large.

    Examples
    --------
    >>> from stakes import calibration_summary, score_table
    >>> calibration_summary(score_table(y=[0, 1, 0, 1], score=[0.25, 0.25, 0.5, 0.5])).ratio  # 0.5 / 0.375
    1.3333333333333333
    """

    observed: float
    expected: float
    ratio: float
    in_the_large: float
    intercept: float
    slope: float
    assumed_prevalence: float


def calibration_summary(table: ScoreTable) -> CalibrationSummary:
    r"""Return calibration intercept and slope, observed over expected, and the assumed prevalence.

    The intercept and the slope are those of an unpenalised logistic regression of the outcome on the log-odds of the
    score; `in_the_large` is the intercept when the slope is held at one. If nothing but the prevalence has
    changed since the model was developed, the log-odds of the truth are those of the score plus
    :math:`\operatorname{logit} \pi - \operatorname{logit} \pi_s`, so that

    .. math:: \operatorname{logit} \pi_s = \operatorname{logit} \pi - \text{in the large}

    is the prevalence that the scores assume.

    Scores of 0 and 1 that were right do not affect the fit and are left out of it. One that was wrong has infinite
    log-odds: the fitted numbers are then ``nan``, with a warning. So are intercept and slope where the scores separate
    the classes, or are all equal.

    Parameters
    ----------
    table : ScoreTable
        The sample, with scores that are probabilities.

    Returns
    -------
    CalibrationSummary
        The numbers; those that need both classes are ``nan`` (with a warning) on one class only.

    References
    ----------
    .. [1] B. Van Calster et al. (2019), "Calibration: the Achilles heel of predictive analytics", BMC Medicine 17:230.
    .. [2] D. R. Cox (1958), "Two further applications of a model for binary regression", Biometrika 45, 562-565.

    Examples
    --------
    Scores calibrated where the prevalence is 1/2, used where it is 1/10:

    >>> from stakes import ScoreTable, calibration_summary
    >>> table = ScoreTable.from_counts(score=[0.2, 0.8], positive=[20, 80], negative=[720, 180])
    >>> summary = calibration_summary(table)
    >>> round(summary.ratio, 3), round(summary.slope, 6), round(summary.assumed_prevalence, 6)
    (0.281, 1.0, 0.5)
    """
    _check.check_tables("table", table)
    if table.has_stakes:
        hint = "use the table of the same cases without them, since money has no calibration"
        raise InputError("table", "have no case costs for `calibration_summary`", "a table with them", hint=hint)
    table = at_ordinary_scale(table)
    _columns.check_probability_scores(table.lowest, table.highest)
    expected = float((table.positive + table.negative) @ table.score / table.total)
    ratio = table.prevalence / expected if expected else math.nan
    in_the_large, intercept, slope = _fits(table)
    shifted = special.logit(table.prevalence) - in_the_large
    return CalibrationSummary(
        table.prevalence, expected, ratio, in_the_large, intercept, slope, float(special.expit(shifted))
    )


def _fits(table: ScoreTable) -> tuple[float, float, float]:
    """Return the intercept at slope 1, then intercept and slope; nan where they do not exist."""
    undefined = (math.nan, math.nan, math.nan)
    if not _check.is_defined("calibration_summary", table.positive_total, table.negative_total):
        return undefined
    certain = (table.score == 0) | (table.score == 1)
    wrong = table.positive[table.score == 0].sum() + table.negative[table.score == 1].sum()
    positive, negative = table.positive[~certain], table.negative[~certain]
    if wrong > 0:
        _check.warn_undefined("calibration intercept and slope", f"with wrong scores of 0 or 1 ({wrong:g})")
        return undefined
    if not (positive.any() and negative.any()):
        _check.warn_undefined("calibration intercept and slope", "when all cases of a class have scores of 0 or 1")
        return undefined
    log_odds = special.logit(table.score[~certain])
    ones = np.ones(len(log_odds))
    in_the_large = _fit_logistic(ones[None], log_odds, positive, negative).item()
    if _is_separated(positive, negative):
        reason = "when all scores are equal" if len(log_odds) == 1 else "when the scores separate the classes"
        _check.warn_undefined("calibration slope", reason)
        return in_the_large, math.nan, math.nan
    intercept, slope = _fit_logistic(np.stack([ones, log_odds]), np.zeros(len(log_odds)), positive, negative).tolist()
    return in_the_large, intercept, slope


def _is_separated(positive: FloatArray, negative: FloatArray) -> bool:
    """Return whether a threshold separates the classes, up to a tie at it, so that no logistic fit exists."""
    ones, zeros = np.flatnonzero(positive), np.flatnonzero(negative)
    return bool(zeros[-1] <= ones[0] or ones[-1] <= zeros[0])


def _fit_logistic(columns: FloatArray, offset: FloatArray, positive: FloatArray, negative: FloatArray) -> FloatArray:
    """Fit an unpenalised logistic regression to counts by Newton's method, without overshooting.

    Where no log-odds changes by more than r the curvature changes by a factor of no more than exp(r), so that
    log(1 + r) / r of Newton's step always leads downhill.
    """
    coefficients = np.zeros(len(columns))
    for _ in range(_STEPS):
        log_odds = offset + coefficients @ columns
        risk, rest = special.expit(log_odds), special.expit(-log_odds)
        weight = np.maximum((positive + negative) * risk * rest, _FLATTEST)
        step = np.linalg.solve((columns * weight) @ columns.T, columns @ (positive * rest - negative * risk))
        reach = np.abs(step @ columns).max()
        if reach < _CLOSE:
            return coefficients + step
        coefficients = coefficients + step * (np.log1p(reach) / reach)
    return coefficients


def estimate_prevalence(
    score: npt.ArrayLike, *, from_prevalence: float | str, weight: npt.ArrayLike | None = None
) -> float:
    r"""Estimate the prevalence of a sample without outcomes, from its scores alone.

    If the scores were calibrated where the prevalence was :math:`\pi_s`, and nothing but the prevalence :math:`\pi` has
    changed, its maximum likelihood estimate is the maximum of

    .. math:: \sum_i w_i \ln\left(\frac{\pi}{\pi_s} s_i + \frac{1 - \pi}{1 - \pi_s} (1 - s_i)\right),

    to which the EM algorithm of Saerens et al. converges: the prevalence at which the scores, corrected for it, have it
    as their mean. It is found by Newton's method, with steps that cannot overshoot. It is biased where the scores are
    not calibrated.

    Parameters
    ----------
    score : array-like
        Scores of the new sample, which are probabilities.
    from_prevalence : float or words, such as "2%", keyword-only
        The prevalence where the scores are calibrated, strictly between 0 and 1.
    weight : array-like, keyword-only, optional
        Weights of the cases, not negative.

    Returns
    -------
    float
        The estimate, from 0 to 1; ``nan`` (with a warning) where every score equals `from_prevalence`, which carries no
        information.

    References
    ----------
    .. [1] M. Saerens, P. Latinne and C. Decaestecker (2002), "Adjusting the outputs of a classifier to new a priori
       probabilities: a simple procedure", Neural Computation 14(1), 21-41, equation 2.9.

    Examples
    --------
    A test with a sensitivity and a specificity of 80%, whose scores (0.8 if positive, 0.2 if negative) are calibrated
    at a prevalence of 1/2, is positive in 26 of 100 cases:

    >>> from stakes.prevalence import estimate_prevalence
    >>> round(estimate_prevalence([0.8] * 26 + [0.2] * 74, from_prevalence=0.5), 12)
    0.1
    """
    scores = np.asarray(_columns.probabilities("score", score), dtype=np.float64)
    assumed = as_share("from_prevalence", from_prevalence, open_ends=True)
    weights = _columns.weights("weight", weight)
    _columns.check_same_length(score=scores, weight=weights)
    if weights is None:
        weights = np.ones(len(scores))
    scores, weights = scores[weights > 0], weights[weights > 0]
    if (scores == assumed).all():
        _check.warn_undefined("estimate_prevalence", "when every score equals `from_prevalence`")
        return math.nan
    return _maximise_likelihood(weights, scores / assumed, (1 - scores) / (1 - assumed))


def _maximise_likelihood(weight: FloatArray, positive: FloatArray, negative: FloatArray) -> float:
    """Return the x in [0, 1] that maximises the mean of ``log(x positive + (1 - x) negative)``.

    Where no logarithm's argument changes by more than the share r the curvature changes by a factor of no more than
    1 / (1 - r)**2, so that 1 / (1 + r) of Newton's step always leads uphill.
    """

    def slopes(x: float) -> FloatArray:
        with np.errstate(divide="ignore"):
            return (positive - negative) / (x * positive + (1 - x) * negative)

    if weight @ slopes(0.0) <= 0:
        return 0.0
    if weight @ slopes(1.0) >= 0:
        return 1.0
    x = 0.5
    for _ in range(_STEPS):
        each = slopes(x)
        step = float(weight @ each / (weight @ np.square(each)))
        reach = float(np.abs(step * each).max())
        if reach < _CLOSE:
            return x + step
        x += step / (1 + reach)
        if not 0 < x < 1:  # nearer to the end than a float can say
            return min(max(x, 0.0), 1.0)
    return x
