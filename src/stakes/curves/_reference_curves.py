"""Decision curves of acting without a model: on everyone, on no one, on the positives alone."""

from __future__ import annotations

import numpy as np

from stakes import _check
from stakes.curves._curve import Curve
from stakes.curves._decision_curves import NET_BENEFIT, benefit_curve, decision_curve
from stakes.curves._steps import CurveSteps
from stakes.table import ScoreTable, flatten


def _fixed_actions(table: ScoreTable, false_alarms: float, hits: float, threshold: float) -> Curve:
    _check.check_tables("table", table, anywhere=True)
    counts = np.array([[false_alarms], [hits]])
    steps = CurveSteps(
        np.array([0.0, 1.0]), counts[0], counts[1], table.positive_total, table.total, np.array([threshold])
    )
    return benefit_curve(steps, label=NET_BENEFIT)


def treat_all(table: ScoreTable) -> Curve:
    r"""Net benefit of acting on everyone.

    It is :math:`\pi - (1 - \pi) \frac{c}{1 - c}`, and 0 where the cost equals the prevalence.

    Parameters
    ----------
    table : ScoreTable
        The sample; only its prevalence matters.

    Returns
    -------
    Curve
        Net benefit for costs from 0 to, but not including, 1.

    Examples
    --------
    >>> from stakes import score_table, treat_all
    >>> table = score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])
    >>> treat_all(table).at([0, 0.2]).round(12).tolist()  # 1/4, then 1/4 - 3/4 * 1/4
    [0.25, 0.0625]
    """
    _check.check_tables("table", table, anywhere=True)
    return _fixed_actions(table, table.negative_total, table.positive_total, -np.inf)


def treat_none(table: ScoreTable) -> Curve:
    """Net benefit of acting on no one, zero at every cost.

    Parameters
    ----------
    table : ScoreTable
        The sample.

    Returns
    -------
    Curve
        Net benefit for costs from 0 to, but not including, 1.

    Examples
    --------
    >>> from stakes import score_table, treat_none
    >>> treat_none(score_table(y=[0, 1], score=[0.1, 0.2])).at([0.1, 0.9]).tolist()
    [0.0, 0.0]
    """
    return _fixed_actions(table, 0.0, 0.0, np.inf)


def treat_perfectly(table: ScoreTable) -> Curve:
    """Net benefit of acting on exactly the positives, the prevalence at every cost.

    Parameters
    ----------
    table : ScoreTable
        The sample; only its prevalence matters.

    Returns
    -------
    Curve
        Net benefit for costs from 0 to, but not including, 1.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import treat_perfectly
    >>> treat_perfectly(score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])).at([0.1, 0.9]).tolist()
    [0.25, 0.25]
    """
    _check.check_tables("table", table, anywhere=True)
    return _fixed_actions(table, 0.0, table.positive_total, np.nan)


def treat_by_prevalence(table: ScoreTable) -> Curve:
    """Net benefit of the best decisions without a model.

    Everyone is acted on if the cost is at most the prevalence. It is the larger of `treat_all` and `treat_none`, and
    the decision curve of the flattened table.

    Parameters
    ----------
    table : ScoreTable
        The sample; only its prevalence matters.

    Returns
    -------
    Curve
        Net benefit for costs from 0 to, but not including, 1.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import treat_by_prevalence
    >>> treat_by_prevalence(score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])).at([0, 0.25, 0.5]).tolist()
    [0.25, 0.0, 0.0]
    """
    return decision_curve(flatten(table))
