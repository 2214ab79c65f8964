"""Policies (thresholds chosen at each cost), their cost on another sample, and selection among models."""

from stakes.policy._best_thresholds import best_mean_regrets, best_recall_threshold, best_thresholds
from stakes.policy._case_policy import CasePolicy, at_threshold
from stakes.policy._many_samples import best_regrets
from stakes.policy._policy import Policy
from stakes.policy._policy_cost import PolicyCost, Violations, policy_cost
from stakes.policy._select import Selection, select

__all__ = [
    "CasePolicy",
    "Policy",
    "PolicyCost",
    "Selection",
    "Violations",
    "best_recall_threshold",
    "best_thresholds",
    "policy_cost",
    "select",
]

# For other rooms of the house; not for users, and free to change.
SHARED = ("at_threshold", "best_mean_regrets", "best_regrets")
