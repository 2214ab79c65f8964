"""Curves in decision space: net benefit over the cost, and its other scales."""

from __future__ import annotations

from functools import partial

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.curves._curve import Curve
from stakes.curves._steps import CurveSteps, Shares, by_best_threshold, by_score
from stakes.table import ScoreTable

# Net benefit exists for costs below 1, and interventions avoided for costs above 0.
_LAST, _FIRST = float(np.nextafter(1.0, 0.0)), 2.0**-512

NET_BENEFIT = "net benefit (true positives per case)"


def _net_benefit(cost: FloatArray, at: Shares) -> FloatArray:
    return at.hits - cost / (1 - cost) * at.false_alarms


def _of_negatives(cost: FloatArray) -> FloatArray:
    return 1 - cost


benefit_curve = partial(CurveSteps.curve, value=_net_benefit, weight=_of_negatives, high=_LAST, better="higher")


def decision_curve(table: ScoreTable, *, harm: float = 0.0) -> Curve:
    r"""Decision curve, the net benefit at each cost proportion, with that proportion as threshold.

    Higher is better; the prevalence is perfect, 0 is acting on no one.
    :math:`NB(c) = TP(c) - \frac{c}{1 - c} FP(c) = \pi - \frac{R(c)}{1 - c}` is a piece of a hyperbola between scores,
    with a jump after each score not calibrated there. The cost proportion :math:`c` is the threshold probability of
    decision curve analysis.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    harm : float, keyword-only
        Harm of the test per case, in true positives (1/harm is the number of tests worth doing to find one case);
        not negative, 0 unless given.

    Returns
    -------
    Curve
        Net benefit for costs from 0 to, but not including, 1.

    References
    ----------
    .. [1] A. J. Vickers and E. B. Elkin (2006), "Decision curve analysis: a novel method for evaluating
       prediction models", Medical Decision Making 26(6), 565-574.

    Examples
    --------
    >>> from stakes import decision_curve, score_table
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> float(decision_curve(table).at(0.2))  # 2/4 true positives - 1/4 * 1/4 false positives
    0.4375
    """
    curve = benefit_curve(by_score(table), label=NET_BENEFIT)
    return curve if harm == 0 else _rescale(curve, harm, 1.0, "net benefit less harm (true positives per case)")


def standardised_decision_curve(table: ScoreTable, *, harm: float = 0.0) -> Curve:
    r"""Net benefit as a share of its maximum, the prevalence.

    Higher is better; 1 is perfect, 0 is acting on no one.

    Parameters
    ----------
    table : ScoreTable
        The sample, with positives, scores being probabilities.
    harm : float, keyword-only
        Harm of the test per case, in true positives; not negative, 0 unless given.

    Returns
    -------
    Curve
        :math:`NB(c) / \pi` for costs from 0 to, but not including, 1.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import standardised_decision_curve
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.2, 0.7, 0.3, 0.1])
    >>> standardised_decision_curve(table).at([0.25, 0.5]).tolist()  # all found; one of two
    [1.0, 0.5]
    """
    curve = decision_curve(table)
    _check.check_both_classes(table.positive_total, 1.0)
    return _rescale(curve, harm, table.prevalence, "standardised net benefit")


def best_decision_curve(table: ScoreTable) -> Curve:
    r"""Net benefit at the best threshold for each cost, the upper envelope over all thresholds.

    Higher is better. It is :math:`\max_\tau NB(c, \tau) = \pi - LE(c) / (2(1 - c))`, with `cost_curve` as LE, and the
    `decision_curve` of the recalibrated table; optimistic, because recalibration is fitted to the outcomes.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers, only their order matters.

    Returns
    -------
    Curve
        Largest net benefit for costs from 0 to, but not including, 1; `threshold` is the score from which to act.

    References
    ----------
    .. [1] L. A. C. Millard and P. A. Flach, decision curves and cost curves, section 5.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import best_decision_curve
    >>> curve = best_decision_curve(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))
    >>> curve.at([0.25, 0.75]).round(12).tolist()  # 2/4 - 1/3 * 1/4, then 1/4
    [0.416666666667, 0.25]
    """
    return benefit_curve(by_best_threshold(table), label=NET_BENEFIT)


def _rescale(curve: Curve, harm: float, unit: float, label: str) -> Curve:
    benefit = (curve.y - _check.non_negative_number("harm", harm)) / unit
    return Curve(curve.x, benefit, curve.x_label, label, curve.threshold, weight=curve.weight, better=curve.better)


def comparable_decision_curve(table: ScoreTable) -> Curve:
    r"""Net benefit with utilities that sum to two, so that differences are comparable across costs.

    Higher is better. It is :math:`NB_c(c) = 2 (1 - c) NB(c) = 2 (1 - c) \pi - BC(c)`: the difference of two models is
    minus the difference of their `brier_curve`, and the area is the prevalence less the Brier score.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    Curve
        Comparable net benefit for costs from 0 to 1, linear between scores.

    References
    ----------
    .. [1] L. A. C. Millard and P. A. Flach, decision curves and cost curves, section 5.2 (its Fig. 6 lacks the 2).

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import comparable_decision_curve
    >>> comparable_decision_curve(score_table(y=[0, 1], score=[0.25, 0.5])).area()  # 1/2 - 0.15625
    0.34375
    """
    return by_score(table).curve(
        lambda c, at: 2 * ((1 - c) * at.hits - c * at.false_alarms), "comparable net benefit", better="higher"
    )


def relative_utility_curve(table: ScoreTable) -> Curve:
    r"""Relative utility, the share of the possible gain over acting on all or on none that a model reaches.

    Higher is better; 1 is perfect, 0 is no better than acting on all or on none, negative is worse. It is
    :math:`RU(c) = 1 - \frac{R(c)}{\min\{(1 - c)\pi,\, c(1 - \pi)\}}`; from the prevalence upwards it is
    the standardised net benefit.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes, scores being probabilities.

    Returns
    -------
    Curve
        Relative utility for costs strictly between 0 and 1, with a point at the prevalence.

    References
    ----------
    .. [1] S. G. Baker, N. R. Cook, A. Vickers and B. S. Kramer (2009), "Using relative utility curves to evaluate risk
       prediction", Journal of the Royal Statistical Society A 172(4), 729-748.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import relative_utility_curve
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.2, 0.7, 0.3, 0.1])
    >>> relative_utility_curve(table).at([0.15, 0.25, 0.5]).round(12).tolist()
    [0.5, 1.0, 0.5]
    """
    steps = by_score(table)
    _check.check_both_classes(table.positive_total, table.negative_total)
    positive, negative = table.prevalence, table.negative_total / table.total
    steps = steps.split(positive)

    def utility(cost: FloatArray, at: Shares) -> FloatArray:
        odds = cost / (1 - cost)
        row = int(np.searchsorted(cost, positive))
        low, high = slice(None, row), slice(row, None)
        against_all = (negative - at.false_alarms[low] - at.misses[low] / odds[low]) / negative
        return np.append(against_all, (at.hits[high] - odds[high] * at.false_alarms[high]) / positive)

    return steps.curve(
        utility,
        "relative utility",
        weight=lambda cost: np.minimum((1 - cost) * positive, cost * negative),
        low=_FIRST,
        high=_LAST,
        better="higher",
    )


def interventions_avoided_curve(table: ScoreTable) -> Curve:
    r"""Interventions avoided per case relative to acting on everyone, net of missed positives.

    Higher is better. It is :math:`(NB - NB_{all}) \frac{1 - c}{c} = TN(c) - \frac{1 - c}{c} FN(c)`, with the shares of
    true negatives and of misses.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    Curve
        Net interventions avoided for costs from just above 0 to 1.

    References
    ----------
    .. [1] A. J. Vickers et al. (2008), "Extensions to decision curve analysis", BMC Medical Informatics and Decision
       Making 8, 53.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import interventions_avoided_curve
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.2, 0.7, 0.3, 0.1])
    >>> interventions_avoided_curve(table).at([0.25, 0.5]).tolist()  # both negatives; less one miss
    [0.5, 0.25]
    """
    steps = by_score(table)
    negative = float(steps.false_alarms[0]) / table.total
    return steps.curve(
        lambda c, at: (negative - at.false_alarms) - (1 - c) / c * at.misses,
        "net interventions avoided per case",
        weight=lambda cost: cost,
        low=_FIRST,
        better="higher",
    )
