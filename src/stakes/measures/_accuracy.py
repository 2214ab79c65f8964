"""Shares of correct decisions at one threshold."""

from __future__ import annotations

import math

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray, class_totals
from stakes.beliefs import At, as_cost, as_number
from stakes.measures._forms import Means, Pair, one_mean, relative_saving
from stakes.measures._measure import measure
from stakes.measures._probability import expected_regret
from stakes.table import ScoreTable, TableLike


def _accuracy_form(threshold: float | str) -> Means:
    """Form of the share of correct decisions, in which mistakes count."""
    at = as_number("threshold", threshold)

    def is_right(score: FloatArray) -> Pair:
        return (score >= at).astype(np.float64), (score < at).astype(np.float64)

    return one_mean(is_right, threshold=at, scores=(-math.inf, math.inf), unmoved=1.0)


@measure(better="larger", form=_accuracy_form)
def accuracy(table: ScoreTable | TableLike, *, threshold: float | str = 0.5) -> float:
    r"""Accuracy, the share of correct decisions at one threshold.

    Larger is better; one is perfect. Both mistakes count the same: at threshold *t* it is
    :math:`1 - 2 R(\tfrac12, t)`.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    threshold : float or words, such as "10%", keyword-only
        Score from which cases are acted on; 0.5 unless given.

    Returns
    -------
    float
        Accuracy, between 0 and 1.

    Examples
    --------
    >>> from stakes import accuracy, score_table
    >>> accuracy(score_table(y=[0, 1, 1, 0], score=[0.5, 0.7, 0.3, 0.1]))  # a score at the threshold is acted on
    0.5
    """
    least = as_number("threshold", threshold)
    _check.check_tables("table", table, anywhere=True)
    missed, alarmed = class_totals(table, lambda score: score < least, lambda score: score >= least)
    return 1 - (missed + alarmed) / table.total


def _weighted_accuracy_form(cost: float | str) -> Means:
    c = as_cost("cost", cost)
    return relative_saving(
        At(c),
        lambda share: (1 - c) * share + c * (1 - share),
        lambda share: 1 - 2 * c,
        constant=lambda share: (1 - c, c),
        least=0.0,
    )


@measure(better="larger", form=_weighted_accuracy_form)
def weighted_accuracy(table: ScoreTable | TableLike, *, cost: float | str) -> float:
    r"""Share of correct decisions at one cost, with each class weighted by the cost of its mistakes.

    Larger is better; one is perfect. With the cost as threshold it is
    :math:`\frac{(1 - c) TP + c\,TN}{(1 - c)\pi + c(1 - \pi)}`, which is one minus the regret at :math:`c` divided by
    the largest possible regret.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    cost : float or words, such as "10%" or "1:9", keyword-only
        Cost proportion, strictly between 0 and 1.

    Returns
    -------
    float
        Accuracy, between 0 and 1.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.measures import weighted_accuracy
    >>> weighted_accuracy(score_table(y=[0, 1, 1, 0], score=[0.5, 0.7, 0.3, 0.1]), cost=0.5)
    0.5
    """
    c = as_cost("cost", cost)
    _check.check_tables("table", table, anywhere=True)
    worst = (1 - c) * table.prevalence + c * (1 - table.prevalence)
    return 1 - expected_regret(table, At(c)) / worst
