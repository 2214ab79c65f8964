"""The same numbers for arrays, as scikit-learn users expect them.

Every function takes ``(y_true, y_proba)`` (``y_score`` where only the order matters) and keyword-only
parameters, and gives what the function of the same name in `stakes` gives for the table of these arrays.
Means of pointwise losses read the arrays once, without sorting.
"""

from stakes.metrics._array_numbers import (
    accuracy,
    auc,
    bounded_auc,
    brier_score,
    cost_per_case,
    dca_log_score,
    decompose,
    expected_regret,
    feasible_partial_auc,
    h_measure,
    log_loss,
    max_feasible_recall,
    net_benefit,
    partial_auc,
    partial_voros,
    prior_adjusted_net_benefit,
    savings,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
    skill_score,
    top_k,
    voros,
    weighted_accuracy,
)
from stakes.metrics._scorer import scorer

__all__ = [
    "accuracy",
    "auc",
    "bounded_auc",
    "brier_score",
    "cost_per_case",
    "dca_log_score",
    "decompose",
    "expected_regret",
    "feasible_partial_auc",
    "h_measure",
    "log_loss",
    "max_feasible_recall",
    "net_benefit",
    "partial_auc",
    "partial_voros",
    "prior_adjusted_net_benefit",
    "savings",
    "scorer",
    "shifted_accuracy",
    "shifted_net_benefit",
    "shifted_regret",
    "shifted_weighted_accuracy",
    "skill_score",
    "top_k",
    "voros",
    "weighted_accuracy",
]
