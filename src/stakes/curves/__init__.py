"""Exact curves of a table in cost space, decision space and ROC space."""

from stakes.curves._belief_curves import density_curve, log_odds_density_curve
from stakes.curves._by_class import ByClass
from stakes.curves._calibration_curve import calibration_curve, score_histograms
from stakes.curves._cost_curves import (
    brier_curve,
    class_loss_curves,
    cost_curve,
    cost_lines,
    normalised_cost_curve,
    regret_curve,
)
from stakes.curves._crossing import crossings, dominates
from stakes.curves._curve import Curve
from stakes.curves._decision_curves import (
    best_decision_curve,
    comparable_decision_curve,
    decision_curve,
    interventions_avoided_curve,
    relative_utility_curve,
    standardised_decision_curve,
)
from stakes.curves._follow_up_curve import FollowUpCurve, follow_up_curve
from stakes.curves._reference_curves import treat_all, treat_by_prevalence, treat_none, treat_perfectly
from stakes.curves._roc_curves import isometrics, precision_recall_curve, roc_curve, roc_hull

__all__ = [
    "ByClass",
    "Curve",
    "FollowUpCurve",
    "best_decision_curve",
    "brier_curve",
    "calibration_curve",
    "class_loss_curves",
    "comparable_decision_curve",
    "cost_curve",
    "cost_lines",
    "crossings",
    "decision_curve",
    "density_curve",
    "dominates",
    "follow_up_curve",
    "interventions_avoided_curve",
    "isometrics",
    "log_odds_density_curve",
    "normalised_cost_curve",
    "precision_recall_curve",
    "regret_curve",
    "relative_utility_curve",
    "roc_curve",
    "roc_hull",
    "score_histograms",
    "standardised_decision_curve",
    "treat_all",
    "treat_by_prevalence",
    "treat_none",
    "treat_perfectly",
]
