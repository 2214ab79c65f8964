"""The same numbers for arrays, as scikit-learn users expect them.

Every function takes ``(y_true, y_proba)`` (``y_score`` where only the order matters) and keyword-only
parameters, and gives what the function of the same name in `stakes` gives for the table of these arrays.
Means of pointwise losses do not sort: they read the arrays once.
"""

from stakes.metrics._limits import feasible_partial_auc, max_feasible_recall, partial_voros, voros
from stakes.metrics._prevalence import (
    dca_log_score,
    prior_adjusted_net_benefit,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)
from stakes.metrics._ranking import auc, bounded_auc, h_measure, partial_auc, top_k
from stakes.metrics._scorer import scorer
from stakes.metrics._scores import (
    accuracy,
    brier_score,
    decompose,
    expected_regret,
    log_loss,
    net_benefit,
    skill_score,
    weighted_accuracy,
)

__all__ = [
    "accuracy",
    "auc",
    "bounded_auc",
    "brier_score",
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
