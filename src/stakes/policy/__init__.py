"""Policies: thresholds chosen at each cost, paid for on another sample, and the choice among models."""

from stakes.policy._policy import Policy, best_cuts, best_recall_cut
from stakes.policy._policy_cost import PolicyCost, Violations, policy_cost
from stakes.policy._select import Selection, select

__all__ = [
    "Policy",
    "PolicyCost",
    "Selection",
    "Violations",
    "best_cuts",
    "best_recall_cut",
    "policy_cost",
    "select",
]
