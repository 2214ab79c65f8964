"""Measures of ranking: the AUC family."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import EXACT, FloatArray, blocks, running_sum
from stakes.beliefs import RangeLike, as_range
from stakes.measures._forms import Area
from stakes.measures._measure import measure
from stakes.table import ScoreTable, counts_from_top


@measure(better="larger", reads="order", form=Area)
def auc(table: ScoreTable) -> float:
    r"""Area under the ROC curve, the probability that a positive scores above a negative.

    Ties count one half. Larger is better; one is perfect, one half is no discrimination. It does not depend on
    costs: which mistakes it weighs most is determined by the scores themselves.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.

    Returns
    -------
    float
        The area, between 0 and 1; ``nan`` (with a warning) on one class only.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil (1982), "The meaning and use of the area under a receiver
       operating characteristic (ROC) curve", Radiology 143(1), 29-36.

    Examples
    --------
    >>> from stakes import auc, score_table
    >>> auc(score_table(y=[0, 1, 0, 1], score=[1, 1, 2, 3]))  # 2.5 of 4 pairs
    0.625
    """
    _check.check_tables("table", table, anywhere=can_be_shortened(table))
    if not _check.is_defined("auc", table.positive_total, table.negative_total):
        return math.nan
    table = shortened(table)
    area = _all_concordant_pairs(table) / table.positive_total / table.negative_total
    return min(area, 1.0)  # real weights may sum to slightly more by rounding


def can_be_shortened(table: object) -> bool:
    return hasattr(table, "shortened")


def shortened(table: ScoreTable, **kept: tuple[float, ...]) -> ScoreTable:
    """Return the table, or for one on a device a short table that is exact at the counts or scores `kept`."""
    return table.shortened(**kept) if hasattr(table, "shortened") else table


def _all_concordant_pairs(table: ScoreTable) -> float:
    """Weight of the concordant pairs of a table, by ranks where every row is one case."""
    if table.row_label is None or table.positive_total * table.negative_total > EXACT:
        return _concordant_pairs(table.positive, table.negative)
    pairs = found = 0
    for rows in blocks(len(table)):
        ranks = np.flatnonzero(table.row_label[rows]) + rows.start
        pairs += int(ranks.sum())
        found += len(ranks)
    return float(pairs - found * (found - 1) // 2)  # cases below each, less the positives among them


def _concordant_pairs(positive: FloatArray, negative: FloatArray) -> float:
    """Weight of the concordant pairs, ties counted half."""
    below, concordant = 0.0, []
    for rows in blocks(len(positive)):
        negatives_below = running_sum(negative[rows])
        beaten = negative[rows] / -2
        beaten += negatives_below
        beaten += below
        beaten *= positive[rows]
        concordant.append(float(beaten.sum()))
        below += float(negatives_below[-1])
    return math.fsum(concordant)


def top_rows(table: ScoreTable, wanted: float, *weights: FloatArray) -> ScoreTable:
    """Return the highest rows of a table, just enough to contain the `wanted` amount of the weights."""
    rows = 1 << 16
    while rows < len(table) and sum(float(weight[-rows:].sum()) for weight in weights) <= wanted:
        rows *= 2
    return ScoreTable(table.score[-rows:], table.positive[-rows:], table.negative[-rows:])


@measure(better="larger", reads="order", why_resampled="where the range begins and ends depends on the sample")
def partial_auc(table: ScoreTable, *, fpr_range: RangeLike = (0.0, 1.0)) -> float:
    r"""Area under the ROC curve between two false positive rates, not divided by their distance.

    Larger is better; the width of the range is perfect. The curve is linear between the points of neighbouring scores
    (ties are shared evenly).

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    fpr_range : pair of float or words, such as "0%..20%", keyword-only
        Range of false positive rates within [0, 1], which is the default.

    Returns
    -------
    float
        The area; ``nan`` (with a warning) on one class only.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.measures import partial_auc
    >>> partial_auc(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), fpr_range=(0, 0.5))
    0.25
    """
    first, last = as_range("fpr_range", fpr_range)
    _check.check_tables("table", table, anywhere=can_be_shortened(table))
    if not _check.is_defined("partial_auc", table.positive_total, table.negative_total):
        return math.nan
    start, stop = first * table.negative_total, last * table.negative_total
    table = shortened(table, false_alarms=(start, stop))
    false_alarms, true_alarms = counts_from_top(top_rows(table, stop, table.negative))
    # The points inside the range, and where the curve enters and leaves it (at a vertical step: after and before it).
    begin, end = np.searchsorted(false_alarms, start, "right"), np.searchsorted(false_alarms, stop, "left")
    x = np.concatenate([[start], false_alarms[begin:end], [stop]])
    entry, leave = (
        np.interp(edge, false_alarms[at - 1 : at + 1], true_alarms[at - 1 : at + 1])
        for edge, at in ((start, begin), (stop, end))
    )
    y = np.concatenate([[entry], true_alarms[begin:end], [leave]])
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2 / table.positive_total / table.negative_total)


@dataclass(frozen=True, slots=True)
class BoundedAUC:
    """Three areas of the ROC curve between two scores.

    Attributes
    ----------
    below : float
        Area under the part of the curve between the two scores, down to the axis.
    beside : float
        Area beside that part, to the right edge.
    concordant : float
        Their sum divided by the lengths of that part's projections on the axes: balanced accuracy, averaged over the
        range.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.measures import bounded_auc
    >>> bounded_auc(score_table(y=[0, 1], score=[0.2, 0.8]), score_range=(0, 1))
    BoundedAUC(below=1.0, beside=1.0, concordant=1.0)
    """

    below: float
    beside: float
    concordant: float


@measure(
    fields={"below": "larger", "beside": "larger", "concordant": "larger"},
    why_resampled="a mean over the pairs within a range, for which no variance has been worked out",
)
def bounded_auc(table: ScoreTable, *, score_range: RangeLike) -> BoundedAUC:
    r"""Areas of the ROC curve over a range of scores, ends included.

    With :math:`F_1, F_0` the distribution functions of the score within the positives and the negatives, ties
    counted half, and :math:`I` the closed range: ``below`` is :math:`E_0[1\{s \in I\}(1 - F_1(s))]`, ``beside``
    :math:`E_1[1\{s \in I\} F_0(s)]`, and ``concordant`` their sum over :math:`P_0(I) + P_1(I)`. Over all scores the
    first two are the AUC.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    score_range : pair of float or words, such as "5%..20%", keyword-only
        Range of scores, ends included.

    Returns
    -------
    BoundedAUC
        The three areas; ``nan`` (with a warning) on one class only, `concordant` also where no score lies in the range.

    References
    ----------
    .. [1] A. M. Carrington et al. (2020), "A new concordant partial AUC and partial c statistic for imbalanced
       data in the evaluation of machine learning algorithms", BMC Medical Informatics 20:4.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.measures import bounded_auc
    >>> table = score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4])
    >>> bounded_auc(table, score_range=(0.15, 0.35))
    BoundedAUC(below=0.25, beside=0.25, concordant=0.5)
    """
    first, last = as_range("score_range", score_range, _check.number)
    _check.check_tables("table", table, anywhere=can_be_shortened(table))
    if not _check.is_defined("bounded_auc", table.positive_total, table.negative_total):
        return BoundedAUC(math.nan, math.nan, math.nan)
    table = shortened(table, scores=(first, last))
    start, stop = np.searchsorted(table.score, first, "left"), np.searchsorted(table.score, last, "right")
    positive, negative = table.positive[start:stop], table.negative[start:stop]
    within = _concordant_pairs(positive, negative)
    pairs = table.positive_total * table.negative_total
    below = (within + float(negative.sum() * table.positive[stop:].sum())) / pairs
    beside = (within + float(positive.sum() * table.negative[:start].sum())) / pairs
    projections = float(positive.sum() / table.positive_total + negative.sum() / table.negative_total)
    return BoundedAUC(below, beside, (below + beside) / projections if projections else math.nan)
