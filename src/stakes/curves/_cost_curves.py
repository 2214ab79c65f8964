"""Curves in cost space: mean cost over the cost proportion, with thresholds as scored and optimal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._errors import InputError
from stakes.curves._by_class import ByClass
from stakes.curves._curve import Curve
from stakes.curves._steps import COST, brier_loss, by_best_threshold, by_score, regret
from stakes.table import ScoreTable, counts_from_top, in_memory

_MOST_LINES = 10_000


def regret_curve(table: ScoreTable) -> Curve:
    r"""Regret curve, the expected cost at each cost proportion, with that proportion as threshold.

    Lower is better; zero is perfect. :math:`R(c) = c\,FP(c) + (1 - c)\,FN(c)` with the shares of false alarms
    and of misses at threshold :math:`c`: linear between scores, with a jump after each score not calibrated there.
    Its mean under a belief about the cost is `expected_regret`; its area is half the Brier score.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    Curve
        Mean regret, in units of one false alarm plus one miss, for costs from 0 to 1.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", section 2.

    Examples
    --------
    >>> from stakes import regret_curve, score_table
    >>> curve = regret_curve(score_table(y=[0, 1], score=[0.25, 0.5]))
    >>> curve.x.tolist()
    [0.0, 0.25, 0.25, 0.5, 0.5, 1.0]
    >>> curve.y.tolist()
    [0.0, 0.125, 0.0, 0.0, 0.25, 0.0]
    """
    return by_score(table).curve(regret, "mean regret", better="lower")


def brier_curve(table: ScoreTable) -> Curve:
    r"""Brier curve, twice the regret over the cost, whose area is the Brier score.

    Lower is better; zero is perfect. It is :math:`BC(c) = 2\,[c\,FP(c) + (1 - c)\,FN(c)]`, at the threshold
    :math:`c`. The area between it and `cost_curve` is the calibration loss.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    Curve
        Loss for costs from 0 to 1.

    References
    ----------
    .. [1] J. Hernández-Orallo, P. Flach and C. Ferri (2011), "Brier curves: a new cost-based visualisation of
       classifier performance", ICML.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import brier_curve
    >>> brier_curve(score_table(y=[0, 1], score=[0.25, 0.5])).area()  # (0.25**2 + 0.5**2) / 2
    0.15625
    """
    return by_score(table).curve(brier_loss, "Brier loss", better="lower")


def cost_curve(table: ScoreTable) -> Curve:
    r"""Cost curve, the loss over the cost at the best threshold, the lower envelope of all cost lines.

    Lower is better. It is the `brier_curve` of the recalibrated scores (isotonic, in-sample). Its area is the
    refinement loss, :math:`\sum_g \frac{n_g}{n} v_g (1 - v_g)` over isotonic blocks.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers, only their order matters.

    Returns
    -------
    Curve
        Smallest loss for costs from 0 to 1, concave; `threshold` is the score from which to act, infinite for no
        alarm.

    References
    ----------
    .. [1] C. Drummond and R. C. Holte (2006), "Cost curves: an improved method for visualizing classifier
       performance", Machine Learning 65, 95-130.

    Examples
    --------
    >>> from stakes import cost_curve, score_table
    >>> curve = cost_curve(score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4]))
    >>> float(curve.at(0.5)), curve.area()  # half of the cases in a block with value 1/2
    (0.25, 0.125)
    """
    return by_best_threshold(table).curve(brier_loss, "Brier loss", better="lower")


def cost_lines(table: ScoreTable, *, thresholds: npt.ArrayLike | None = None) -> tuple[Curve, ...]:
    r"""Loss over the cost at fixed thresholds, a line in cost space for each point in ROC space.

    The scale is that of `brier_curve`, from :math:`2 FN` where a false alarm costs nothing to :math:`2 FP` where a miss
    costs nothing.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    thresholds : array-like, keyword-only, optional
        Scores from which cases are acted on; ``-inf`` acts on all, ``inf`` on none. Every score and ``inf`` unless
        given; required for tables of more than 10,000 rows.

    Returns
    -------
    tuple of Curve
        One line per threshold, in the order given.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import cost_lines
    >>> table = score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])
    >>> everyone, no_one = cost_lines(table, thresholds=[float("-inf"), float("inf")])
    >>> everyone.y.tolist(), no_one.y.tolist()
    ([0.0, 1.5], [0.5, 0.0])
    """
    table = in_memory(table)
    if thresholds is None and len(table) > _MOST_LINES:
        raise InputError(
            "thresholds", f"be given for a table of more than {_MOST_LINES:,} rows", f"{len(table):,} rows"
        )
    chosen = (
        np.append(table.score, np.inf)
        if thresholds is None
        else _columns.scores("thresholds", thresholds).astype(np.float64)
    )
    row = np.searchsorted(table.score, chosen)
    false_alarms, true_alarms = (shares[::-1] / table.total for shares in counts_from_top(table))
    ends = np.stack([2 * (true_alarms[0] - true_alarms[row]), 2 * false_alarms[row]], axis=1)
    return tuple(
        Curve([0.0, 1.0], line, COST, "Brier loss", threshold, better="lower")
        for line, threshold in zip(ends, chosen, strict=True)
    )


def class_loss_curves(table: ScoreTable) -> ByClass:
    r"""Brier curve by class, the loss from missed positives and from false alarms over the cost.

    Lower is better. It is :math:`2 (1 - c)\,FN(c)` for the positives and :math:`2 c\,FP(c)` for the negatives; they sum
    to `brier_curve`, and their areas to the Brier score.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.

    Returns
    -------
    ByClass
        The loss from missed positives, and from false alarms on negatives.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import class_loss_curves
    >>> losses = class_loss_curves(score_table(y=[0, 1], score=[0.25, 0.5]))
    >>> losses.positive.area(), losses.negative.area()  # 0.5**2 / 2, 0.25**2 / 2
    (0.125, 0.03125)
    """
    steps = by_score(table)
    return ByClass(
        positive=steps.curve(lambda c, at: 2 * (1 - c) * at.misses, "Brier loss from missed positives", better="lower"),
        negative=steps.curve(lambda c, at: 2 * c * at.false_alarms, "Brier loss from false alarms", better="lower"),
    )


def normalised_cost_curve(table: ScoreTable) -> Curve:
    r"""Cost curve of Drummond and Holte, the smallest expected cost as a share of the largest possible one.

    Lower is better. Over :math:`z = \frac{(1 - c)\pi}{(1 - c)\pi + c(1 - \pi)}`, the share of the cost that positives
    could cause, it is the lower envelope of :math:`(1 - TPR) z + FPR\,(1 - z)`; always and never acting are the two
    diagonals. Times :math:`2[(1 - c)\pi + c(1 - \pi)]` it is `cost_curve`.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes; scores may be any numbers.

    Returns
    -------
    Curve
        Normalised expected cost for z from 0 to 1, concave; `threshold` is the score from which to act.

    References
    ----------
    .. [1] C. Drummond and R. C. Holte (2006), "Cost curves: an improved method for visualizing classifier
       performance", Machine Learning 65, 95-130.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import normalised_cost_curve
    >>> float(normalised_cost_curve(score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4])).at(0.5))
    0.25
    """
    _check.check_tables("table", table, anywhere=True)
    _check.check_both_classes(table.positive_total, table.negative_total)
    curve = by_best_threshold(table).curve(regret, "normalised expected cost", better="lower")
    worst_miss = (1 - curve.x) * table.prevalence
    worst = worst_miss + curve.x * (1 - table.prevalence)
    label = "share of the possible cost that is due to positives"
    columns = ((worst_miss / worst)[::-1], (curve.y / worst)[::-1])
    return Curve(*columns, label, curve.y_label, curve.threshold[::-1], better="lower")
