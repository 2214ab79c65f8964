"""Measures and curves at another prevalence (label shift), and gaps between groups explained."""

from stakes.prevalence._calibration_summary import CalibrationSummary, calibration_summary, estimate_prevalence
from stakes.prevalence._dca_log_score import dca_log_score
from stakes.prevalence._gap import Gap, explain_gap, explain_gaps
from stakes.prevalence._move import at_prevalence, reweight_classes, shift_scores, shifted
from stakes.prevalence._prevalence_curves import accuracy_curve, shifted_net_benefit_curve
from stakes.prevalence._shifted import (
    prior_adjusted_net_benefit,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)

__all__ = [
    "CalibrationSummary",
    "Gap",
    "accuracy_curve",
    "at_prevalence",
    "calibration_summary",
    "dca_log_score",
    "estimate_prevalence",
    "explain_gap",
    "explain_gaps",
    "prior_adjusted_net_benefit",
    "reweight_classes",
    "shift_scores",
    "shifted_accuracy",
    "shifted_net_benefit",
    "shifted_net_benefit_curve",
    "shifted_regret",
    "shifted_weighted_accuracy",
]

# For other rooms of the house; not for users, and free to change.
SHARED = ("shifted",)
