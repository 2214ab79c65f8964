"""Numbers of a table: expected cost and its kin, skill, ranking."""

from stakes.measures._order import BoundedAUC, TopK, auc, bounded_auc, partial_auc, top_k
from stakes.measures._probability import (
    accuracy,
    brier_score,
    cost_ends,
    expected_regret,
    log_loss,
    net_benefit,
    weighted_accuracy,
)
from stakes.measures._skill import Decomposition, decompose, h_measure, skill_score

__all__ = [
    "BoundedAUC",
    "Decomposition",
    "TopK",
    "accuracy",
    "auc",
    "bounded_auc",
    "brier_score",
    "decompose",
    "expected_regret",
    "h_measure",
    "log_loss",
    "net_benefit",
    "partial_auc",
    "skill_score",
    "top_k",
    "weighted_accuracy",
]

# For other rooms of the house; not for users, and free to change.
SHARED = ("cost_ends",)
