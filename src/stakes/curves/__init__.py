"""Curves of a table in cost space, decision space and ROC space: exact, without a grid."""

from stakes.curves._belief import density_curve, log_odds_density_curve
from stakes.curves._compare import crossings, dominates
from stakes.curves._cost import (
    brier_curve,
    class_loss_curves,
    cost_curve,
    cost_lines,
    normalised_cost_curve,
    regret_curve,
)
from stakes.curves._curve import Curve
from stakes.curves._decision import (
    best_decision_curve,
    comparable_decision_curve,
    decision_curve,
    interventions_avoided_curve,
    relative_utility_curve,
    standardised_decision_curve,
    treat_all,
    treat_by_prevalence,
    treat_none,
    treat_perfectly,
)
from stakes.curves._prevalence import accuracy_curve
from stakes.curves._reliability import reliability_curve, score_histograms
from stakes.curves._roc import isometrics, precision_recall_curve, roc_curve, roc_hull

__all__ = [
    "Curve",
    "accuracy_curve",
    "best_decision_curve",
    "brier_curve",
    "class_loss_curves",
    "comparable_decision_curve",
    "cost_curve",
    "cost_lines",
    "crossings",
    "decision_curve",
    "density_curve",
    "dominates",
    "interventions_avoided_curve",
    "isometrics",
    "log_odds_density_curve",
    "normalised_cost_curve",
    "precision_recall_curve",
    "regret_curve",
    "relative_utility_curve",
    "reliability_curve",
    "roc_curve",
    "roc_hull",
    "score_histograms",
    "standardised_decision_curve",
    "treat_all",
    "treat_by_prevalence",
    "treat_none",
    "treat_perfectly",
]
