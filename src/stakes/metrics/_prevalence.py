"""Numbers of the probabilities where positives are rarer or more common than in the sample."""

from __future__ import annotations

import stakes.prevalence
from stakes.beliefs import BeliefLike, RangeLike
from stakes.metrics._cases import Column, cases_of_both_classes


def shifted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Accuracy at another prevalence, scores corrected for it; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given; both classes must be there.
    y_proba : array-like
        Probabilities of the positive class.
    prevalence : belief, number or words, such as "1%..5%", keyword-only
        What is believed about the share of positives where the model will be used.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean accuracy; see `stakes.shifted_accuracy`.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.metrics import shifted_accuracy
    >>> shifted_accuracy([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], prevalence=At(0.1))
    0.9
    """
    cases = cases_of_both_classes(y_true, y_proba, sample_weight, pos_label)
    return stakes.prevalence.shifted_accuracy(cases, prevalence)


def shifted_regret(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Mean regret at another prevalence, scores corrected for it; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given; both classes must be there.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", keyword-only
        What is believed about the share of positives where the model will be used.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean regret; see `stakes.shifted_regret`.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.metrics import shifted_regret
    >>> shifted_regret([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs=At(0.5), prevalence=At(0.1))
    0.05
    """
    cases = cases_of_both_classes(y_true, y_proba, sample_weight, pos_label)
    return stakes.prevalence.shifted_regret(cases, costs, prevalence)


def shifted_net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Net benefit at another prevalence, scores corrected for it; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given; both classes must be there.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", keyword-only
        What is believed about the share of positives where the model will be used.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        Net benefit per case; see `stakes.shifted_net_benefit`.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.metrics import shifted_net_benefit
    >>> shifted_net_benefit([0, 1], [0.25, 0.75], costs=At(0.5), prevalence=At(0.5))
    0.5
    """
    cases = cases_of_both_classes(y_true, y_proba, sample_weight, pos_label)
    return stakes.prevalence.shifted_net_benefit(cases, costs, prevalence)


def prior_adjusted_net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Net benefit at another prevalence that counts true negatives; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given; both classes must be there.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", keyword-only
        What is believed about the share of positives where the model will be used.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean, in true positives per case; see `stakes.prior_adjusted_net_benefit`.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.metrics import prior_adjusted_net_benefit
    >>> prior_adjusted_net_benefit([0, 1], [0.25, 0.75], costs=At(0.5), prevalence=At(0.5))
    1.0
    """
    cases = cases_of_both_classes(y_true, y_proba, sample_weight, pos_label)
    return stakes.prevalence.prior_adjusted_net_benefit(cases, costs, prevalence)


def shifted_weighted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Weighted accuracy at another prevalence, scores corrected for it; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given; both classes must be there.
    y_proba : array-like
        Probabilities of the positive class.
    costs : belief, number or words, such as "5%..20%", keyword-only
        What is believed about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", keyword-only
        What is believed about the share of positives where the model will be used.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean share; see `stakes.shifted_weighted_accuracy`.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.metrics import shifted_weighted_accuracy
    >>> shifted_weighted_accuracy([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs=At(0.1), prevalence=At(0.1))
    0.5
    """
    cases = cases_of_both_classes(y_true, y_proba, sample_weight, pos_label)
    return stakes.prevalence.shifted_weighted_accuracy(cases, costs, prevalence)


def dca_log_score(
    y_true: Column,
    y_proba: Column,
    *,
    cost: float | str,
    prevalence_range: RangeLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Prior-adjusted net benefit at one cost, over prevalences even in log-odds; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given; both classes must be there.
    y_proba : array-like
        Probabilities of the positive class.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion, strictly between 0 and 1.
    prevalence_range : pair of float or words, such as "0.1%..2%", keyword-only
        Range of prevalences, strictly between 0 and 1.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The score, in true positives per case; see `stakes.dca_log_score`.

    Examples
    --------
    >>> from stakes.metrics import dca_log_score
    >>> y, risk = [0, 0, 1, 1], [0.2, 0.4, 0.6, 0.9]
    >>> round(dca_log_score(y, risk, cost="1:30", prevalence_range="0.1%..2%"), 6)
    0.035858
    """
    cases = cases_of_both_classes(y_true, y_proba, sample_weight, pos_label)
    return stakes.prevalence.dca_log_score(cases, cost=cost, prevalence_range=prevalence_range)
