"""Calibration curve (reliability diagram), and histograms of the scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes.curves._by_class import ByClass
from stakes.curves._curve import Curve
from stakes.table import Recalibration, ScoreTable, in_memory


def calibration_curve(table: ScoreTable) -> Curve:
    """Calibration curve (reliability diagram), the isotonic estimate of the share of positives by score.

    Nearer to the diagonal is better. The estimate needs no bins. It is constant over each block of the fit, and linear
    between the highest score of one block and the lowest of the next, where there are no data.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    Curve
        Calibrated probability, from the lowest to the highest score.

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


def score_histograms(table: ScoreTable, *, bins: int = 50) -> ByClass:
    """Histograms of the scores of each class over [0, 1], as shares of the class.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes, scores being probabilities.
    bins : int, keyword-only
        Number of bins of equal width, at least 1, 50 unless given; a score on an edge belongs to the bin
        above, and a score of 1 to the last bin.

    Returns
    -------
    ByClass
        Histogram of each class, one step per bin, starting and ending at zero.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import score_histograms
    >>> shares = score_histograms(score_table(y=[0, 1, 1], score=[0.2, 0.5, 0.7]), bins=2)
    >>> shares.positive.x.tolist(), shares.positive.y.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    """
    table = in_memory(table)
    _columns.check_probability_scores(table.lowest, table.highest)
    _check.check_both_classes(table.positive_total, table.negative_total)
    edge = np.linspace(0.0, 1.0, _check.whole_number("bins", bins, 1) + 1)
    row = np.minimum(np.searchsorted(edge, table.score, side="right") - 1, bins - 1)
    return ByClass(positive=_histogram(edge, row, table.positive), negative=_histogram(edge, row, table.negative))


def _histogram(edge: FloatArray, row: npt.NDArray[np.intp], weight: FloatArray) -> Curve:
    """Share of the weight in each bin between neighbouring edges, given the bin of each score."""
    bins = len(edge) - 1
    share = np.bincount(row, weight, bins) / weight.sum()
    height = np.concatenate([[0.0], np.repeat(share, 2), [0.0]])
    return Curve(np.repeat(edge, 2), height, "score", "share of class", at_jump="after")
