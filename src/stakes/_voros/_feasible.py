"""Two numbers that know the limits but not the costs: the best feasible recall, and the feasible part of the AUC."""

from __future__ import annotations

import math

import numpy as np

from stakes import _check
from stakes._check import FloatArray
from stakes._voros import _judge
from stakes._voros._hull import Counts
from stakes.limits import Limits, judged, region_in_counts
from stakes.table import ScoreTable


def max_feasible_recall(table: ScoreTable, limits: Limits) -> float:
    """Return the largest share of the positives that a cut within the limits finds.

    Larger is better; one is perfect, 0 means that no cut that finds anything is allowed. `best_recall_cut` is the cut.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    limits : Limits
        How many alarms can be answered, and how precise they must be.

    Returns
    -------
    float
        The recall; ``nan`` (with a warning) without positives.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", appendix D.4.

    Examples
    --------
    >>> from stakes import Limits, max_feasible_recall, score_table
    >>> max_feasible_recall(score_table(y=[0, 0, 1, 0, 1], score=[1, 2, 3, 4, 5]), Limits(capacity=0.4))
    0.5
    """
    _check.tables("table", table)
    bounds = judged(limits)
    if not _check.both_classes("max_feasible_recall", table.positive_total, math.inf):  # negatives are not needed
        return math.nan
    counts = Counts.of(table)
    return float(counts.true_alarms[counts.allowed(bounds)].max() / counts.positive)


def feasible_partial_auc(table: ScoreTable, limits: Limits) -> float:
    r"""Return the share of the feasible region that lies under the ROC curve.

    Larger is better; one is perfect. The curve is joined by straight lines, and the area
    :math:`\{(x, y) \in F : y \le ROC(x)\}` is divided by that of the feasible region :math:`F`. Without limits it is
    the AUC.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    limits : Limits
        How many alarms can be answered, and how precise they must be.

    Returns
    -------
    float
        The share; ``nan`` (with a warning) on one class only and where the limits leave no area.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", appendix D.4 (which names the number but does not define it).

    Examples
    --------
    >>> from stakes import Limits, feasible_partial_auc, score_table
    >>> table = score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])
    >>> feasible_partial_auc(table, Limits(capacity=0.5))  # 0.375 of 0.5
    0.75
    """
    _check.tables("table", table)
    bounds = judged(limits)
    if not _judge.is_defined("feasible_partial_auc", table, bounds):
        return math.nan
    counts = Counts.of(table)
    corners = region_in_counts(counts.positive, counts.negative, bounds)
    false_alarms, true_alarms = _up_to_capacity(counts, bounds)
    x, y = _upper_border(corners)
    beyond = np.maximum(x, false_alarms[-1])
    beside = _area_under(beyond, np.interp(beyond, x, y), bounds)
    return float((_area_under(false_alarms, true_alarms, bounds) + beside) / _area_under(x, y, bounds))


def _up_to_capacity(counts: Counts, limits: Limits) -> tuple[FloatArray, FloatArray]:
    """Return the ROC curve in counts, up to the point where it meets the capacity."""
    false_alarms, true_alarms = counts.false_alarms, counts.true_alarms
    if limits.capacity is None:
        return false_alarms, true_alarms
    alarms, most = false_alarms + true_alarms, limits.capacity * counts.total
    inside = int(np.searchsorted(alarms, most))
    meets = [np.interp(most, alarms, column) for column in (false_alarms, true_alarms)]
    return np.append(false_alarms[:inside], meets[0]), np.append(true_alarms[:inside], meets[1])


def _upper_border(corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the upper border of the region in counts, from its last corner, on the left edge, to its right end."""
    clockwise = corners[::-1]
    x, y = clockwise[: np.argmax(clockwise[:, 0]) + 1].T
    return x, y


def _area_under(false_alarms: FloatArray, true_alarms: FloatArray, limits: Limits) -> float:
    """Twice the area between a rising or falling line and the line of the smallest precision, where it is above."""
    alpha = limits.min_precision or 0.0
    room = true_alarms - alpha / (1 - alpha) * false_alarms
    first, last, width = room[:-1], room[1:], np.diff(false_alarms)
    upper, lower = np.maximum(first, last), np.minimum(first, last)
    crossing = upper * lower < 0
    fall = np.where(crossing, upper - lower, np.inf)
    height = np.where(crossing, upper**2 / fall, np.maximum(upper + lower, 0.0))  # twice the mean
    return float(width @ height)
