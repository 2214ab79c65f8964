"""Numbers of a quantised table that read its scores as probabilities."""

from __future__ import annotations

import stakes.measures
from stakes import _check
from stakes.beliefs import (
    At,
    BeliefLike,
    LogOddsMeasure,
    RangeLike,
    Uniform,
    as_belief,
    as_cost,
    as_costs,
    as_number,
    check_proportion,
)
from stakes.bounds._bounded import Bounded, around, between_zero_and_one, check_table, one_minus
from stakes.bounds._bracket import bracket
from stakes.bounds._mean_loss import mean_loss
from stakes.large import QuantisedTable
from stakes.measures import cost_ends


def expected_regret(table: QuantisedTable, costs: BeliefLike) -> Bounded:
    r"""Bounds of `stakes.expected_regret`, the expected cost of mistakes when each cost has its threshold.

    In a bin the loss of a class lies between those of its lowest and its highest score, since losses only rise
    or only fall. Where the loss is convex or concave there, it also lies between the loss of the mean score
    :math:`\bar s` (Jensen's inequality) and the straight line between the two ends,

    .. math:: \frac{(s_{max} - \bar s)\,\ell(s_{min}) + (\bar s - s_{min})\,\ell(s_{max})}{s_{max} - s_{min}},

    which is closer by the order of the width of a bin. Under `Uniform` the loss is a parabola, and the mean square
    gives it exactly in every bin that neither bound of the belief divides. A single cost is exact when it is an edge
    of a bin (see `Bins`).

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    costs : belief, number or words, such as "5%..20%"
        What is believed about the cost proportion.

    Returns
    -------
    Bounded
        The mean regret.

    Examples
    --------
    >>> from stakes import At, Uniform
    >>> from stakes.large import quantise
    >>> from stakes.bounds import expected_regret
    >>> table = quantise(y=[0, 1, 1], score=[0.25, 0.5, 0.625], bins=1)
    >>> expected_regret(table, Uniform())  # (0.25**2 + 0.5**2 + 0.375**2) / 3 / 2
    Bounded(lower=0.07552083333, estimate=0.07552083333, upper=0.07552083333)
    >>> expected_regret(table, At(0.6))  # the positives are at 0.5 to 0.625: one of them, or both, may be missed
    Bounded(lower=0.0, estimate=0.1333333333, upper=0.2666666667)
    """
    believed = as_costs("costs", costs)
    check_table(table)
    return around(table, *mean_loss(table, believed, "loss_if_positive", "loss_if_negative"))


def brier_score(table: QuantisedTable, *, cost_range: RangeLike = (0.0, 1.0)) -> Bounded:
    """Bounds of `stakes.brier_score`, exact if the range is full or its ends are edges of bins.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        Range of cost proportions, between 0 and 1; all of them unless given.

    Returns
    -------
    Bounded
        The score.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import brier_score
    >>> brier_score(quantise(y=[0, 1], score=[0.25, 0.5], bins=1))  # (0.25**2 + 0.5**2) / 2
    Bounded(lower=0.15625, estimate=0.15625, upper=0.15625)
    """
    first, last = cost_ends(cost_range)
    return _times(2 * (last - first), expected_regret(table, Uniform(first, last)))


def log_loss(table: QuantisedTable, *, cost_range: RangeLike = (0.0, 1.0)) -> Bounded:
    """Bounds of `stakes.log_loss`.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        Range of cost proportions, between 0 and 1; all of them unless given.

    Returns
    -------
    Bounded
        The score, in nats; infinite, and known to be, where a score of 0 or 1 was wrong.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import log_loss
    >>> log_loss(quantise(y=[0, 1, 1], score=[0.5, 0.5, 0.0]))
    Bounded(lower=inf, estimate=inf, upper=inf)
    """
    return expected_regret(table, LogOddsMeasure(*cost_ends(cost_range)))


def net_benefit(table: QuantisedTable, costs: BeliefLike) -> Bounded:
    """Bounds of `stakes.net_benefit`: true positives per case, less the false ones at their exchange rate.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    costs : belief, number or words, such as "5%..20%"
        What is believed about the cost proportion.

    Returns
    -------
    Bounded
        Net benefit per case.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.large import Bins, quantise
    >>> from stakes.bounds import net_benefit
    >>> table = quantise(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1], bins=Bins(4, edges=[0.3]))
    >>> net_benefit(table, At(0.3))  # 2/4 - 3/7 * 1/4: exact, for 0.3 is an edge
    Bounded(lower=0.3928571429, estimate=0.3928571429, upper=0.3928571429)
    """
    believed = as_belief("costs", costs)
    check_table(table)
    check_proportion("costs", believed)
    _check.check_methods("costs", believed, "share_above", "odds_up_to")
    lost = around(table, *mean_loss(table, believed, "share_above", "odds_up_to"))
    most = around(table, table.prevalence, table.prevalence)
    return Bounded(most.lower - lost.upper, most.estimate - lost.estimate, most.upper - lost.lower)


def accuracy(table: QuantisedTable, *, threshold: float | str = 0.5) -> Bounded:
    """Bounds of `stakes.accuracy`: exact where the threshold is an edge of a bin, as one half always is.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    threshold : float or words, such as "10%", keyword-only
        Act on scores of at least this.

    Returns
    -------
    Bounded
        The share of right decisions.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import accuracy
    >>> accuracy(quantise(y=[0, 1, 1, 0], score=[0.5, 0.7, 0.3, 0.1], bins=2))
    Bounded(lower=0.5, estimate=0.5, upper=0.5)
    """
    least = as_number("threshold", threshold)
    found = bracket(check_table(table), lambda one: stakes.measures.accuracy(one, threshold=least))
    return between_zero_and_one(around(table, found.lower, found.upper))


def weighted_accuracy(table: QuantisedTable, *, cost: float | str) -> Bounded:
    """Bounds of `stakes.measures.weighted_accuracy`: exact where the cost is an edge of a bin.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion, strictly between 0 and 1.

    Returns
    -------
    Bounded
        The share of right decisions, each class weighed by what its mistakes cost.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import weighted_accuracy
    >>> weighted_accuracy(quantise(y=[0, 1, 1, 0], score=[0.5, 0.7, 0.3, 0.1], bins=2), cost=0.5)
    Bounded(lower=0.5, estimate=0.5, upper=0.5)
    """
    c = as_cost("cost", cost)
    regret = expected_regret(table, At(c))
    return between_zero_and_one(one_minus(regret, (1 - c) * table.prevalence + c * (1 - table.prevalence)))


def _times(factor: float, found: Bounded) -> Bounded:
    return Bounded(factor * found.lower, factor * found.estimate, factor * found.upper)
