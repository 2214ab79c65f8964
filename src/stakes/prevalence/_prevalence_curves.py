"""Curves of accuracy and net benefit over the prevalence, for scores corrected to it."""

from __future__ import annotations

import numpy as np

from stakes import _check, _columns
from stakes.beliefs import as_cost
from stakes.curves import Curve
from stakes.table import ScoreTable, counts_from_top, in_memory


def shifted_net_benefit_curve(table: ScoreTable, *, cost: float | str) -> Curve:
    r"""Return net benefit at one cost over the prevalence, with scores corrected for each prevalence.

    Higher is better; the prevalence itself is perfect, 0 is acting on no one. At prevalence :math:`\pi` a case is acted
    on where :math:`\pi \otimes s_{1/2} \ge c`, and :math:`\pi\,TPR - \frac{c}{1 - c}(1 - \pi)\,FPR` of that rule is
    linear between the prevalences at which a score reaches the cost.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion, strictly between 0 and 1.

    Returns
    -------
    Curve
        Net benefit for prevalences from 0 to 1; `threshold` is that on the uncorrected score. At the sample's own
        prevalence it is the ordinary `net_benefit`.

    See Also
    --------
    shifted_net_benefit : Its value at one prevalence, and its mean over a belief.
    accuracy_curve : The same for accuracy.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", definition 2.3.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.prevalence import shifted_net_benefit_curve
    >>> curve = shifted_net_benefit_curve(score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1]), cost=0.2)
    >>> curve.at([0.05, 0.2, 0.9]).round(12).tolist()  # no one; two, one rightly; everyone
    [0.0, 0.0, 0.875]
    """
    c = as_cost("cost", cost)
    _check.check_tables("table", table)
    _columns.check_probability_scores(table.lowest, table.highest)
    _check.check_both_classes(table.positive_total, table.negative_total)
    false_alarms, true_alarms = counts_from_top(table)
    recall, false_positive_rate = true_alarms / true_alarms[-1], false_alarms / false_alarms[-1]
    score = table.score[::-1]
    against, own = c * (1 - score) * table.prevalence, (1 - c) * score * (1 - table.prevalence)
    needed = np.where(score == c, table.prevalence, against / (against + own))  # rounding must not move the tie
    edge = np.concatenate([[0.0], np.maximum.accumulate(needed), [1.0]])
    x = np.repeat(edge, 2)[1:-1]
    y = x * np.repeat(recall, 2) - c / (1 - c) * (1 - x) * np.repeat(false_positive_rate, 2)
    # A score of 1 acts from prevalence 0 on, which leaves nothing of the first piece; a score of 0 acts at 1 only.
    keep = slice(2 * int(score[0] == 1), len(x) - int(score[-1] == 0))
    x, y, threshold = x[keep], y[keep], np.repeat(np.append(np.inf, score), 2)[keep]
    return Curve(x, y, "prevalence", "net benefit", threshold, better="higher", at_jump="after")


def accuracy_curve(table: ScoreTable) -> Curve:
    r"""Return accuracy over the prevalence, with scores corrected for each prevalence.

    Higher is better; one is perfect. At prevalence :math:`\pi` the odds of each score are multiplied by those of
    :math:`\pi` over those of the sample, and cases that reach one half are acted on:
    :math:`\pi\,TPR + (1 - \pi)\,TNR` of that rule, linear between prevalences at which a score reaches one half.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.

    Returns
    -------
    Curve
        Accuracy for prevalences from 0 to 1; `threshold` is that on the uncorrected score. At the sample's own
        prevalence it is the ordinary `accuracy`.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities", definition 2.3 (PAMA) and Fig. 1.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.prevalence import accuracy_curve
    >>> curve = accuracy_curve(score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1]))
    >>> curve.at([0.1, 0.5]).round(12).tolist()  # no one is acted on; two are, one rightly
    [0.9, 0.5]
    """
    table = in_memory(table)
    _columns.check_probability_scores(table.lowest, table.highest)
    _check.check_both_classes(table.positive_total, table.negative_total)
    false_alarms, true_alarms = counts_from_top(table)
    recall, specificity = true_alarms / true_alarms[-1], 1 - false_alarms / false_alarms[-1]
    score = table.score[::-1]
    against, own = (1 - score) * table.prevalence, score * (1 - table.prevalence)
    reached = np.where(score == 0.5, table.prevalence, against / (against + own))  # rounding must not move the tie
    edge = np.concatenate([[0.0], np.maximum.accumulate(reached), [1.0]])
    x, y = np.empty(2 * len(recall)), np.empty(2 * len(recall))
    for end, prevalence in enumerate((edge[:-1], edge[1:])):
        x[end::2], y[end::2] = prevalence, prevalence * recall + (1 - prevalence) * specificity
    # A score of 1 acts from prevalence 0 on, which leaves nothing of the first piece; a score of 0 acts at 1 only.
    keep = slice(2 * int(score[0] == 1), len(x) - int(score[-1] == 0))
    x, y, threshold = x[keep], y[keep], np.repeat(np.append(np.inf, score), 2)[keep]
    return Curve(x, y, "prevalence", "accuracy", threshold, better="higher", at_jump="after")
