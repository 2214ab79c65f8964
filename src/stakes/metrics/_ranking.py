"""Numbers of the order of the scores."""

from __future__ import annotations

import stakes.measures
from stakes.beliefs import BeliefLike, RangeLike
from stakes.measures import BoundedAUC, TopK
from stakes.metrics._cases import Column, table_of_scores


def h_measure(
    y_true: Column,
    y_score: Column,
    *,
    costs: BeliefLike | None = None,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Hand's H-measure: the skill that the order of the scores allows; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    costs : belief, number or words, such as "5%..20%", keyword-only, optional
        What is believed about the cost proportion; ``Beta(2, 2)`` when not given.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The measure; see `stakes.h_measure`.

    Examples
    --------
    >>> from stakes.metrics import h_measure
    >>> h_measure([0, 0, 1], [-3, 1, 8])
    1.0
    """
    return stakes.measures.h_measure(table_of_scores(y_true, y_score, sample_weight, pos_label), costs)


def auc(
    y_true: Column,
    y_score: Column,
    *,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Area under the ROC curve, ties counted half; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The area; see `stakes.auc`.

    Examples
    --------
    >>> from stakes.metrics import auc
    >>> auc([0, 1, 0, 1], [1, 1, 2, 3])
    0.625
    """
    return stakes.measures.auc(table_of_scores(y_true, y_score, sample_weight, pos_label))


def partial_auc(
    y_true: Column,
    y_score: Column,
    *,
    fpr_range: RangeLike = (0.0, 1.0),
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Area under the ROC curve between two false positive rates; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    fpr_range : pair of float or words, such as "0%..20%", keyword-only
        Range of false positive rates, between 0 and 1; all of them unless given.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The area, not divided by the distance; see `stakes.partial_auc`.

    Examples
    --------
    >>> from stakes.metrics import partial_auc
    >>> partial_auc([0, 1, 0, 1], [1, 2, 3, 4], fpr_range=(0, 0.5))
    0.25
    """
    return stakes.measures.partial_auc(table_of_scores(y_true, y_score, sample_weight, pos_label), fpr_range=fpr_range)


def bounded_auc(
    y_true: Column,
    y_score: Column,
    *,
    score_range: RangeLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> BoundedAUC:
    """Areas of the ROC curve over a range of scores; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    score_range : pair of float or words, such as "5%..20%", keyword-only
        Range of scores, ends included, the lower first.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    BoundedAUC
        The three areas; see `stakes.bounded_auc`.

    Examples
    --------
    >>> from stakes.metrics import bounded_auc
    >>> bounded_auc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], score_range=(0.15, 0.35)).concordant
    0.5
    """
    table = table_of_scores(y_true, y_score, sample_weight, pos_label)
    return stakes.measures.bounded_auc(table, score_range=score_range)


def top_k(
    y_true: Column,
    y_score: Column,
    *,
    k: float,
    cost: float | str | None = None,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> TopK:
    """Act on the `k` highest scores, and see what that yields.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    k : float, keyword-only
        How much weight can be acted on.
    cost : float or words, such as "10%" or "1:9", keyword-only, optional
        The cost proportion, for regret and net benefit.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    TopK
        True positives, precision, recall, regret and net benefit; see `stakes.top_k`.

    Examples
    --------
    >>> from stakes.metrics import top_k
    >>> top_k([0, 1, 1], [0.1, 0.5, 0.9], k=2).recall
    1.0
    """
    return stakes.measures.top_k(table_of_scores(y_true, y_score, sample_weight, pos_label), k=k, cost=cost)
