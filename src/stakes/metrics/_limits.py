"""Numbers of the order of the scores where only so many alarms can be answered, and so many must be true."""

from __future__ import annotations

import stakes.limits
from stakes.beliefs import CostsLike
from stakes.limits import Limits
from stakes.metrics._cases import Column, table_of_scores


def voros(
    y_true: Column,
    y_score: Column,
    *,
    costs: CostsLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of all classifiers that cost more than the best threshold of this one; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    costs : belief, number or words, or FractionalCost, CostRatio or InverseCostRatio, keyword-only
        What is believed about the costs; on which scale it is uniform matters.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean share; see `stakes.voros`.

    Examples
    --------
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.metrics import voros
    >>> round(voros([0, 1, 0, 1], [1, 2, 3, 4], costs=FractionalCost(0.25, 0.75)), 6)
    0.922267
    """
    table = table_of_scores(y_true, y_score, sample_weight, pos_label)
    return stakes.limits.voros(table, costs)


def partial_voros(
    y_true: Column,
    y_score: Column,
    *,
    costs: CostsLike,
    limits: Limits,
    randomised: bool = False,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of the feasible classifiers that cost more than the best feasible threshold; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    costs : belief, number or words, or FractionalCost, CostRatio or InverseCostRatio, keyword-only
        What is believed about the costs; on which scale it is uniform matters.
    limits : Limits, keyword-only
        How many alarms can be answered, and how precise they must be.
    randomised : bool, keyword-only
        Also allow to toss between two thresholds, so that the limits hold on average.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean share; see `stakes.partial_voros`.

    Examples
    --------
    >>> from stakes import Limits, Uniform
    >>> from stakes.metrics import partial_voros
    >>> partial_voros([0, 0, 1], [-3, 1, 8], costs=Uniform(0.1, 0.4), limits=Limits(capacity=0.5))
    1.0
    """
    table = table_of_scores(y_true, y_score, sample_weight, pos_label)
    return stakes.limits.partial_voros(table, costs, limits, randomised=randomised)


def max_feasible_recall(
    y_true: Column,
    y_score: Column,
    *,
    limits: Limits,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Largest share of the positives that a threshold within the limits finds; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    limits : Limits, keyword-only
        How many alarms can be answered, and how precise they must be.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The recall; see `stakes.max_feasible_recall`.

    Examples
    --------
    >>> from stakes import Limits
    >>> from stakes.metrics import max_feasible_recall
    >>> max_feasible_recall([0, 0, 1, 0, 1], [1, 2, 3, 4, 5], limits=Limits(capacity=0.4))
    0.5
    """
    table = table_of_scores(y_true, y_score, sample_weight, pos_label)
    return stakes.limits.max_feasible_recall(table, limits)


def feasible_partial_auc(
    y_true: Column,
    y_score: Column,
    *,
    limits: Limits,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of the feasible region that lies under the ROC curve; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    limits : Limits, keyword-only
        How many alarms can be answered, and how precise they must be.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The share; see `stakes.feasible_partial_auc`.

    Examples
    --------
    >>> from stakes import Limits
    >>> from stakes.metrics import feasible_partial_auc
    >>> feasible_partial_auc([0, 1, 0, 1], [1, 2, 3, 4], limits=Limits(capacity=0.5))
    0.75
    """
    table = table_of_scores(y_true, y_score, sample_weight, pos_label)
    return stakes.limits.feasible_partial_auc(table, limits)
