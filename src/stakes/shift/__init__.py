"""Another prevalence: numbers and curves under label shift, and why two groups differ."""

from stakes.shift._calibration import CalibrationSummary, calibration_summary, estimate_prevalence
from stakes.shift._curves import shifted_net_benefit_curve
from stakes.shift._gap import Gap, explain_gap, gaps_to_reference
from stakes.shift._shifted import (
    dca_log_score,
    prior_adjusted_net_benefit,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)

__all__ = [
    "CalibrationSummary",
    "Gap",
    "calibration_summary",
    "dca_log_score",
    "estimate_prevalence",
    "explain_gap",
    "gaps_to_reference",
    "prior_adjusted_net_benefit",
    "shifted_accuracy",
    "shifted_net_benefit",
    "shifted_net_benefit_curve",
    "shifted_regret",
    "shifted_weighted_accuracy",
]
