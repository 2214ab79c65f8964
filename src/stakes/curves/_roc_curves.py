"""Curves in ROC space, its hull, precision over recall, and isometrics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs import as_cost
from stakes.curves._curve import Curve
from stakes.table import Recalibration, ScoreTable, counts_from_top, in_memory, people_table

FALSE_POSITIVE_RATE, TRUE_POSITIVE_RATE = "false positive rate", "true positive rate"


def _cumulative_counts(table: ScoreTable) -> tuple[FloatArray, FloatArray]:
    _check.check_both_classes(table.positive_total, table.negative_total)
    return counts_from_top(table)


def _rates(false_alarms: FloatArray, hits: FloatArray, threshold: FloatArray) -> Curve:
    x, y = false_alarms / false_alarms[-1], hits / hits[-1]
    return Curve(x, y, FALSE_POSITIVE_RATE, TRUE_POSITIVE_RATE, threshold, better="higher", at_jump="after")


def roc_curve(table: ScoreTable) -> Curve:
    """ROC curve, the true positive rate over the false positive rate.

    Higher is better. It runs from acting on no one to acting on everyone. Ties are one slanted piece (positives and
    negatives that share a score enter together), so the area is `auc`, ties counted one half. If several thresholds
    have the same false positive rate, `at` gives the best of them.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes; scores may be any numbers.

    Returns
    -------
    Curve
        The curve from (0, 0) to (1, 1); `threshold` starts at infinity and falls.

    Examples
    --------
    >>> from stakes import roc_curve, score_table
    >>> curve = roc_curve(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))
    >>> curve.x.tolist(), curve.y.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> curve.threshold.tolist(), curve.area()
    ([inf, 4.0, 3.0, 2.0, 1.0], 0.75)
    """
    table = in_memory(table)
    return _rates(*_cumulative_counts(table), np.append(np.inf, table.score[::-1]))


def roc_hull(table: ScoreTable) -> Curve:
    """ROC convex hull, the smallest concave curve above the ROC curve.

    Its vertices are the thresholds that are best at some cost. Each segment is one block of the isotonic fit, so it is
    also the ROC curve of the recalibrated table.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes; scores may be any numbers.

    Returns
    -------
    Curve
        The hull from (0, 0) to (1, 1); `threshold` starts at infinity and falls.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import roc_hull
    >>> hull = roc_hull(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))
    >>> hull.x.tolist(), hull.y.tolist(), hull.threshold.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 4.0, 2.0, 1.0])
    """
    table = in_memory(table)
    false_alarms, hits = _cumulative_counts(table)
    threshold = Recalibration.of(table).score
    row = np.append(len(table), np.searchsorted(table.score, threshold)[::-1])
    return _rates(false_alarms[len(table) - row], hits[len(table) - row], np.append(np.inf, threshold[::-1]))


def precision_recall_curve(table: ScoreTable) -> Curve:
    r"""Precision-recall curve, interpolated as the ROC curve is, by hyperbolas.

    Higher is better. Between two thresholds both alarms and hits grow linearly, so precision is the ratio of two linear
    functions, with the alarms as weight. At recall 0, where no alarm is raised, it has its limit. Alarms and hits count
    cases, also where costs differ by case.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes; scores may be any numbers.

    Returns
    -------
    Curve
        The curve from recall 0 to 1, where it ends at the prevalence.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006), "The relationship between precision-recall and ROC curves", ICML, 233-240.

    Examples
    --------
    >>> from stakes import precision_recall_curve, score_table
    >>> curve = precision_recall_curve(score_table(y=[0, 1, 0, 1], score=[1, 2, 2, 4]))
    >>> curve.x.tolist()
    [0.0, 0.5, 1.0, 1.0]
    >>> curve.y.round(3).tolist(), float(curve.at(0.75))  # 1.5 hits of 2 alarms
    ([1.0, 1.0, 0.667, 0.5], 0.75)
    """
    table = people_table(in_memory(table))
    false_alarms, hits = _cumulative_counts(table)
    alarms = false_alarms + hits
    precision = hits[1:] / alarms[1:]
    threshold = np.append(np.inf, table.score[::-1])
    columns = (hits / hits[-1], np.append(precision[0], precision))
    return Curve(*columns, "recall", "precision", threshold, weight=alarms / alarms[-1], better="higher")


def isometrics(
    table: ScoreTable, *, values: npt.ArrayLike, measure: str = "accuracy", cost: float | str = 0.5
) -> dict[float, Curve]:
    r"""Isometrics, the lines in ROC space along which a measure is constant.

    They are parallel, of slope :math:`\frac{c (1 - \pi)}{(1 - c) \pi}`: at one cost all measures prefer the same
    classifier and differ only in where their values lie.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes; only its prevalence matters.
    values : array-like, keyword-only
        Values of the measure.
    measure : {"accuracy", "net benefit", "Brier loss", "regret"}, keyword-only
        Name of the measure; "accuracy" unless given.
    cost : float or words, such as "10%" or "1:9", keyword-only
        Cost proportion, strictly between 0 and 1, 0.5 unless given; accuracy requires 0.5.

    Returns
    -------
    dict of float to Curve
        A line for each value that occurs in the unit square.

    References
    ----------
    .. [1] L. A. C. Millard and P. A. Flach, decision curves and cost curves, section 5.3.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import isometrics
    >>> table = score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])
    >>> line = isometrics(table, values=[0.0], measure="net benefit", cost=0.25)[0.0]
    >>> line.x.tolist(), line.y.tolist()  # at the prevalence: the diagonal
    ([0.0, 1.0], [0.0, 1.0])
    """
    c = as_cost("cost", cost)
    _check.check_tables("table", table, anywhere=True)
    _check.check_both_classes(table.positive_total, table.negative_total)
    pi = table.prevalence
    if (
        _check.choice("measure", measure, ("accuracy", "net benefit", "Brier loss", "regret")) == "accuracy"
        and c != 0.5
    ):
        raise InputError("cost", "be 0.5 for accuracy, which counts both mistakes alike", f"{c:g}")
    chosen = _columns.scores("values", values).astype(np.float64)
    regret = {
        "accuracy": (1 - chosen) / 2,
        "net benefit": (1 - c) * (pi - chosen),
        "Brier loss": chosen / 2,
        "regret": chosen,
    }[measure]
    slope, intercept = c * (1 - pi) / ((1 - c) * pi), 1 - regret / ((1 - c) * pi)
    first, last = np.maximum(-intercept / slope, 0.0) + 0.0, np.minimum(1.0, (1 - intercept) / slope)
    return {
        value: Curve([x0, x1], [a + slope * x0, a + slope * x1], FALSE_POSITIVE_RATE, TRUE_POSITIVE_RATE)
        for value, a, x0, x1 in zip(*(v.tolist() for v in (chosen, intercept, first, last)), strict=True)
        if x0 < x1
    }
