"""Decisions under limits: VOROS, partial VOROS, and policies that are chosen on one sample and paid on another."""

from stakes._voros._costs import CostRatio, FractionalCost, InverseCostRatio
from stakes._voros._feasible import feasible_partial_auc, max_feasible_recall
from stakes._voros._pay import PolicyCost, Violations, policy_cost
from stakes._voros._policy import Policy, best_cuts, best_recall_cut
from stakes._voros._select import PartialVorosMap, Selection, partial_voros_map, select
from stakes._voros._volume import lesser_area, lesser_area_curve, partial_voros, voros

__all__ = [
    "CostRatio",
    "FractionalCost",
    "InverseCostRatio",
    "PartialVorosMap",
    "Policy",
    "PolicyCost",
    "Selection",
    "Violations",
    "best_cuts",
    "best_recall_cut",
    "feasible_partial_auc",
    "lesser_area",
    "lesser_area_curve",
    "max_feasible_recall",
    "partial_voros",
    "partial_voros_map",
    "policy_cost",
    "select",
    "voros",
]
