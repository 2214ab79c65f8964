"""Reliability: what happened, over what was said; and who got which score."""

from __future__ import annotations

import numpy as np

from stakes import _check, _columns
from stakes.curves._curve import Curve
from stakes.table import Recalibration, ScoreTable, in_memory


def calibration_curve(table: ScoreTable) -> Curve:
    """Share of positives over the score, as the isotonic fit estimates it: no bins to choose.

    Better is nearer to the diagonal. Flat over each block of the fit, and joined by a straight line between the
    highest score of one block and the lowest of the next, where there are no data.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    Curve
        The calibrated probability, from the lowest to the highest score.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for
       probabilistic classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    >>> from stakes import calibration_curve, score_table
    >>> curve = calibration_curve(score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4]))
    >>> curve.x.tolist(), curve.y.tolist()
    ([0.1, 0.2, 0.3, 0.4], [0.0, 0.5, 0.5, 1.0])
    """
    table = in_memory(table)
    _columns.check_probability_scores(table.lowest, table.highest)
    learnt = Recalibration.of(table)
    starts = np.searchsorted(table.score, learnt.score)
    ends = np.append(starts[1:], len(table)) - 1
    rows = np.stack([starts, ends], axis=1).ravel()
    keep = np.append(True, np.diff(rows) > 0)  # a block of one score is one point
    x, y = table.score[rows][keep], np.repeat(learnt.probability, 2)[keep]
    return Curve(x, y, "score", "share of positives", x)


def score_histograms(table: ScoreTable, *, bins: int = 50) -> tuple[Curve, Curve]:
    """How the scores of each class are spread over [0, 1]: what share of the class falls into each bin.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes, scores being probabilities.
    bins : int, keyword-only
        Number of bins of equal width; a score on an edge belongs to the bin above.

    Returns
    -------
    positive, negative : Curve
        A step per bin, from the zero line at 0 back to it at 1.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import score_histograms
    >>> positive, negative = score_histograms(score_table(y=[0, 1, 1], score=[0.2, 0.5, 0.7]), bins=2)
    >>> positive.x.tolist(), positive.y.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    """
    table = in_memory(table)
    _columns.check_probability_scores(table.lowest, table.highest)
    _check.check_both_classes(table.positive_total, table.negative_total)
    edge = np.linspace(0.0, 1.0, _check.whole_number("bins", bins, 1) + 1)
    row = np.minimum(np.searchsorted(edge, table.score, side="right") - 1, bins - 1)
    x = np.repeat(edge, 2)
    return tuple(  # type: ignore[return-value]
        Curve(
            x,
            np.concatenate([[0.0], np.repeat(np.bincount(row, weight, bins) / weight.sum(), 2), [0.0]]),
            "score",
            "share of class",
            at_jump="after",
        )
        for weight in (table.positive, table.negative)
    )
