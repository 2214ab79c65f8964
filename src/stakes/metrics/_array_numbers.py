"""Numbers of arrays: each makes a sample of its arrays and calls the measure of the same name."""

from __future__ import annotations

from stakes import limits as _limits
from stakes import measures
from stakes import prevalence as _prevalence
from stakes.beliefs import BeliefLike, CostsLike, RangeLike
from stakes.case_costs import CaseCostsLike
from stakes.limits import Limits
from stakes.measures import AS_STATED, BoundedAUC, Decomposition, TopK
from stakes.metrics._docstrings import docstring_from
from stakes.metrics._samples import Column, both_classes, cases, probability_table, table


@docstring_from(measures.expected_regret)
def expected_regret(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Mean cost of mistakes (expected regret) at the threshold that each cost implies.

    >>> expected_regret([0, 1], [0.25, 0.5], costs="0%..100%")
    0.078125
    """
    return measures.expected_regret(cases(y_true, y_proba, sample_weight, pos_label, case_costs), costs)


@docstring_from(measures.cost_per_case)
def cost_per_case(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike = AS_STATED,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Cost of a model's mistakes per case, in money where costs differ by case.

    >>> cost_per_case([0, 1], [0.25, 0.5], case_costs=[[9, 1], [9, 1]])
    0.5
    """
    return measures.cost_per_case(cases(y_true, y_proba, sample_weight, pos_label, case_costs), costs)


@docstring_from(measures.savings)
def savings(
    y_true: Column,
    y_proba: Column,
    *,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of the cost of the cheaper trivial policy that a model saves, Bahnsen's savings.

    >>> savings([0, 1], [0.05, 0.5], case_costs=[[9, 1], [9, 1]])
    1.0
    """
    return measures.savings(probability_table(y_true, y_proba, sample_weight, pos_label, case_costs))


@docstring_from(measures.brier_score)
def brier_score(
    y_true: Column,
    y_proba: Column,
    *,
    cost_range: RangeLike = (0.0, 1.0),
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Brier score, or the part of it that comes from a range of costs.

    >>> brier_score([0, 1], [0.25, 0.5])
    0.15625
    """
    return measures.brier_score(cases(y_true, y_proba, sample_weight, pos_label, case_costs), cost_range=cost_range)


@docstring_from(measures.log_loss)
def log_loss(
    y_true: Column,
    y_proba: Column,
    *,
    cost_range: RangeLike = (0.0, 1.0),
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Log loss, or the part of it that comes from a range of costs.

    >>> round(log_loss([0, 1], [0.5, 0.5]), 6)
    0.693147
    """
    return measures.log_loss(cases(y_true, y_proba, sample_weight, pos_label, case_costs), cost_range=cost_range)


@docstring_from(measures.net_benefit)
def net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Net benefit of acting on the probability.

    >>> net_benefit([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs="50%")
    0.0
    """
    return measures.net_benefit(cases(y_true, y_proba, sample_weight, pos_label, case_costs), costs)


@docstring_from(measures.accuracy)
def accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    threshold: float | str = 0.5,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of right decisions at one threshold.

    >>> accuracy([0, 1, 1, 0], [0.5, 0.7, 0.3, 0.1])
    0.5
    """
    return measures.accuracy(cases(y_true, y_proba, sample_weight, pos_label, case_costs), threshold=threshold)


@docstring_from(measures.weighted_accuracy)
def weighted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    cost: float | str,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of right decisions at the threshold that one cost implies, classes weighted by cost.

    >>> weighted_accuracy([0, 1, 1, 0], [0.5, 0.7, 0.3, 0.1], cost=0.5)
    0.5
    """
    return measures.weighted_accuracy(cases(y_true, y_proba, sample_weight, pos_label, case_costs), cost=cost)


@docstring_from(measures.skill_score)
def skill_score(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of the regret of the best constant probability that a model saves.

    >>> skill_score([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], costs="0%..100%")
    0.75
    """
    return measures.skill_score(cases(y_true, y_proba, sample_weight, pos_label, case_costs), costs)


@docstring_from(measures.decompose)
def decompose(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> Decomposition:
    """Split the mean regret into miscalibration, discrimination and uncertainty.

    >>> decompose([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], costs="0%..100%").discrimination
    0.125
    """
    return measures.decompose(probability_table(y_true, y_proba, sample_weight, pos_label, case_costs), costs)


@docstring_from(measures.h_measure)
def h_measure(
    y_true: Column,
    y_score: Column,
    *,
    costs: BeliefLike | None = None,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Hand's H-measure, the skill that the order of the scores allows.

    >>> h_measure([0, 0, 1], [-3, 1, 8])
    1.0
    """
    return measures.h_measure(table(y_true, y_score, sample_weight, pos_label, case_costs), costs)


@docstring_from(measures.auc)
def auc(
    y_true: Column,
    y_score: Column,
    *,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Area under the ROC curve, ties counted half.

    >>> auc([0, 1, 0, 1], [1, 1, 2, 3])
    0.625
    """
    return measures.auc(table(y_true, y_score, sample_weight, pos_label, case_costs))


@docstring_from(measures.partial_auc)
def partial_auc(
    y_true: Column,
    y_score: Column,
    *,
    fpr_range: RangeLike = (0.0, 1.0),
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Area under the ROC curve between two false positive rates.

    >>> partial_auc([0, 1, 0, 1], [1, 2, 3, 4], fpr_range=(0, 0.5))
    0.25
    """
    return measures.partial_auc(table(y_true, y_score, sample_weight, pos_label, case_costs), fpr_range=fpr_range)


@docstring_from(measures.bounded_auc)
def bounded_auc(
    y_true: Column,
    y_score: Column,
    *,
    score_range: RangeLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> BoundedAUC:
    """Areas of the ROC curve over a range of scores.

    >>> bounded_auc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], score_range=(0.15, 0.35)).concordant
    0.5
    """
    return measures.bounded_auc(table(y_true, y_score, sample_weight, pos_label, case_costs), score_range=score_range)


@docstring_from(measures.top_k)
def top_k(
    y_true: Column,
    y_score: Column,
    *,
    k: float,
    cost: float | str | None = None,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> TopK:
    """Yield of acting on the `k` highest scores.

    >>> top_k([0, 1, 1], [0.1, 0.5, 0.9], k=2).recall
    1.0
    """
    return measures.top_k(table(y_true, y_score, sample_weight, pos_label, case_costs), k=k, cost=cost)


@docstring_from(_prevalence.shifted_accuracy)
def shifted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Accuracy at another prevalence, scores corrected for it.

    >>> shifted_accuracy([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], prevalence=0.1)
    0.9
    """
    return _prevalence.shifted_accuracy(both_classes(y_true, y_proba, sample_weight, pos_label, case_costs), prevalence)


@docstring_from(_prevalence.shifted_regret)
def shifted_regret(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Mean regret at another prevalence, scores corrected for it.

    >>> shifted_regret([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs=0.5, prevalence=0.1)
    0.05
    """
    return _prevalence.shifted_regret(
        both_classes(y_true, y_proba, sample_weight, pos_label, case_costs), costs, prevalence
    )


@docstring_from(_prevalence.shifted_net_benefit)
def shifted_net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Net benefit at another prevalence, scores corrected for it.

    >>> shifted_net_benefit([0, 1], [0.25, 0.75], costs=0.5, prevalence=0.5)
    0.5
    """
    return _prevalence.shifted_net_benefit(
        both_classes(y_true, y_proba, sample_weight, pos_label, case_costs), costs, prevalence
    )


@docstring_from(_prevalence.prior_adjusted_net_benefit)
def prior_adjusted_net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Net benefit at another prevalence that counts true negatives.

    >>> prior_adjusted_net_benefit([0, 1], [0.25, 0.75], costs=0.5, prevalence=0.5)
    1.0
    """
    return _prevalence.prior_adjusted_net_benefit(
        both_classes(y_true, y_proba, sample_weight, pos_label, case_costs), costs, prevalence
    )


@docstring_from(_prevalence.shifted_weighted_accuracy)
def shifted_weighted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    costs: BeliefLike,
    prevalence: BeliefLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Accuracy weighted by cost at another prevalence, scores corrected for it.

    >>> shifted_weighted_accuracy([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs=0.1, prevalence=0.1)
    0.5
    """
    return _prevalence.shifted_weighted_accuracy(
        both_classes(y_true, y_proba, sample_weight, pos_label, case_costs), costs, prevalence
    )


@docstring_from(_prevalence.dca_log_score)
def dca_log_score(
    y_true: Column,
    y_proba: Column,
    *,
    cost: float | str,
    prevalence_range: RangeLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Prior-adjusted net benefit at one cost, averaged over prevalences uniform in log-odds.

    >>> round(dca_log_score([0, 0, 1, 1], [0.2, 0.4, 0.6, 0.9], cost="1:30", prevalence_range="0.1%..2%"), 6)
    0.035858
    """
    return _prevalence.dca_log_score(
        both_classes(y_true, y_proba, sample_weight, pos_label, case_costs),
        cost=cost,
        prevalence_range=prevalence_range,
    )


@docstring_from(_limits.voros)
def voros(
    y_true: Column,
    y_score: Column,
    *,
    costs: CostsLike,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of all classifiers that cost more than the best threshold of this one.

    >>> round(voros([0, 1, 0, 1], [1, 2, 3, 4], costs="25%..75%"), 6)
    0.922267
    """
    return _limits.voros(table(y_true, y_score, sample_weight, pos_label, case_costs), costs)


@docstring_from(_limits.partial_voros)
def partial_voros(
    y_true: Column,
    y_score: Column,
    *,
    costs: CostsLike,
    limits: Limits,
    randomised: bool = False,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of the feasible classifiers that cost more than the best feasible threshold.

    >>> from stakes import Limits
    >>> partial_voros([0, 0, 1], [-3, 1, 8], costs="10%..40%", limits=Limits(capacity=0.5))
    1.0
    """
    return _limits.partial_voros(
        table(y_true, y_score, sample_weight, pos_label, case_costs), costs, limits, randomised=randomised
    )


@docstring_from(_limits.max_feasible_recall)
def max_feasible_recall(
    y_true: Column,
    y_score: Column,
    *,
    limits: Limits,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Largest share of the positives that a threshold within the limits finds.

    >>> from stakes import Limits
    >>> max_feasible_recall([0, 0, 1, 0, 1], [1, 2, 3, 4, 5], limits=Limits(capacity=0.4))
    0.5
    """
    return _limits.max_feasible_recall(table(y_true, y_score, sample_weight, pos_label, case_costs), limits)


@docstring_from(_limits.feasible_partial_auc)
def feasible_partial_auc(
    y_true: Column,
    y_score: Column,
    *,
    limits: Limits,
    sample_weight: Column | None = None,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> float:
    """Share of the feasible region that lies under the ROC curve.

    >>> from stakes import Limits
    >>> feasible_partial_auc([0, 1, 0, 1], [1, 2, 3, 4], limits=Limits(capacity=0.5))
    0.75
    """
    return _limits.feasible_partial_auc(table(y_true, y_score, sample_weight, pos_label, case_costs), limits)
