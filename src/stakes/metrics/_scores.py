"""Numbers of the probabilities themselves."""

from __future__ import annotations

import stakes.measures
from stakes.beliefs import BeliefLike, RangeLike
from stakes.measures import Decomposition
from stakes.metrics._cases import Column, cases, table_of_probabilities


def expected_regret(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Mean regret when each decision is taken at the threshold that its costs ask for; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean regret; see `stakes.expected_regret`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.metrics import expected_regret
    >>> expected_regret([0, 1], [0.25, 0.5], costs=Uniform())
    0.078125
    """
    return stakes.measures.expected_regret(cases(y_true, y_proba, sample_weight, pos_label), costs)


def brier_score(
    y_true: Column,
    y_proba: Column,
    *,
    cost_range: RangeLike = (0.0, 1.0),
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Brier score, or the part of it that comes from a range of costs; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        Range of cost proportions, between 0 and 1; all of them unless given.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The score; see `stakes.brier_score`.

    Examples
    --------
    >>> from stakes.metrics import brier_score
    >>> brier_score([0, 1], [0.25, 0.5])
    0.15625
    """
    return stakes.measures.brier_score(cases(y_true, y_proba, sample_weight, pos_label), cost_range=cost_range)


def log_loss(
    y_true: Column,
    y_proba: Column,
    *,
    cost_range: RangeLike = (0.0, 1.0),
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Log loss, or the part of it that comes from a range of costs; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        Range of cost proportions, between 0 and 1; all of them unless given.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The score, in nats; see `stakes.log_loss`.

    Examples
    --------
    >>> from stakes.metrics import log_loss
    >>> round(log_loss([0, 1], [0.5, 0.5]), 6)
    0.693147
    """
    return stakes.measures.log_loss(cases(y_true, y_proba, sample_weight, pos_label), cost_range=cost_range)


def net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Net benefit of acting on the probability; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        Net benefit per case; see `stakes.net_benefit`.

    Examples
    --------
    >>> from stakes.metrics import net_benefit
    >>> net_benefit([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs="50%")
    0.0
    """
    return stakes.measures.net_benefit(cases(y_true, y_proba, sample_weight, pos_label), costs)


def accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    threshold: float | str = 0.5,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of right decisions at one threshold; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    threshold : float or words, such as "10%", keyword-only
        Act on probabilities of at least this.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The share; see `stakes.accuracy`.

    Examples
    --------
    >>> from stakes.metrics import accuracy
    >>> accuracy([0, 1, 1, 0], [0.5, 0.7, 0.3, 0.1])
    0.5
    """
    return stakes.measures.accuracy(cases(y_true, y_proba, sample_weight, pos_label), threshold=threshold)


def weighted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    cost: float | str,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of right decisions at the threshold that one cost asks for, classes weighed by it; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion, strictly between 0 and 1.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The share; see `stakes.weighted_accuracy`.

    Examples
    --------
    >>> from stakes.metrics import weighted_accuracy
    >>> weighted_accuracy([0, 1, 1, 0], [0.5, 0.7, 0.3, 0.1], cost=0.5)
    0.5
    """
    return stakes.measures.weighted_accuracy(cases(y_true, y_proba, sample_weight, pos_label), cost=cost)


def skill_score(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """How much of the regret of the best constant probability a model saves; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The skill, at most 1; see `stakes.skill_score`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.metrics import skill_score
    >>> skill_score([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], costs=Uniform())
    0.75
    """
    return stakes.measures.skill_score(cases(y_true, y_proba, sample_weight, pos_label), costs)


def decompose(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> Decomposition:
    """Split the mean regret into miscalibration, discrimination and uncertainty.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    Decomposition
        The parts; see `stakes.decompose`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.metrics import decompose
    >>> decompose([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], costs=Uniform()).discrimination
    0.125
    """
    return stakes.measures.decompose(table_of_probabilities(y_true, y_proba, sample_weight, pos_label), costs)
