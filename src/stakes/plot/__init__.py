"""Pictures of curves. Needs matplotlib: ``pip install stakes[plot]``."""

from stakes._errors import MissingPackageError

try:
    import matplotlib as _matplotlib
except ImportError:
    raise MissingPackageError("matplotlib", "'stakes[plot]'", "to draw", "`stakes.plot`") from None

from stakes.plot._action_figures import draw_actions, draw_own_thresholds
from stakes.plot._calibration_figures import (
    draw_beliefs,
    draw_calibration,
    draw_calibration_discrimination,
)
from stakes.plot._comparison_displays import DifferenceDisplay, GroupDifferencesDisplay
from stakes.plot._cost_figures import draw_brier_curves, draw_class_losses, draw_cost_lines, draw_regret_curves
from stakes.plot._decision_figures import (
    draw_decision_curves,
    draw_interventions_avoided,
    draw_relative_utility,
    draw_rescaled_decision_curves,
)
from stakes.plot._difference_figures import draw_difference
from stakes.plot._displays import (
    AccuracyCurveDisplay,
    BrierCurveDisplay,
    CalibrationDisplay,
    ClassLossDisplay,
    DecisionCurveDisplay,
    InterventionsAvoidedDisplay,
    PrecisionRecallDisplay,
    RegretCurveDisplay,
    RelativeUtilityDisplay,
    RocCurveDisplay,
)
from stakes.plot._draw import draw_band, draw_curve, fill_between_curves
from stakes.plot._follow_up_figures import draw_follow_up, draw_horizons
from stakes.plot._group_figures import draw_group_differences
from stakes.plot._limits_figures import draw_best_map, draw_feasible_region, draw_lesser_areas
from stakes.plot._policy_figures import draw_policy
from stakes.plot._prevalence_figures import draw_accuracy_curves, draw_gap, draw_shifted_net_benefit
from stakes.plot._production_figures import draw_value_of_cases, draw_watch
from stakes.plot._roc_figures import draw_isometrics, draw_precision_recall_curves, draw_roc_curves
from stakes.plot._site_figures import draw_sites
from stakes.plot._style import PALETTE, label_lines, use_odds_axis

__all__ = [
    "PALETTE",
    "AccuracyCurveDisplay",
    "BrierCurveDisplay",
    "CalibrationDisplay",
    "ClassLossDisplay",
    "DecisionCurveDisplay",
    "DifferenceDisplay",
    "GroupDifferencesDisplay",
    "InterventionsAvoidedDisplay",
    "PrecisionRecallDisplay",
    "RegretCurveDisplay",
    "RelativeUtilityDisplay",
    "RocCurveDisplay",
    "draw_accuracy_curves",
    "draw_actions",
    "draw_band",
    "draw_beliefs",
    "draw_best_map",
    "draw_brier_curves",
    "draw_calibration",
    "draw_calibration_discrimination",
    "draw_class_losses",
    "draw_cost_lines",
    "draw_curve",
    "draw_decision_curves",
    "draw_difference",
    "draw_feasible_region",
    "draw_follow_up",
    "draw_gap",
    "draw_group_differences",
    "draw_horizons",
    "draw_interventions_avoided",
    "draw_isometrics",
    "draw_lesser_areas",
    "draw_own_thresholds",
    "draw_policy",
    "draw_precision_recall_curves",
    "draw_regret_curves",
    "draw_relative_utility",
    "draw_rescaled_decision_curves",
    "draw_roc_curves",
    "draw_shifted_net_benefit",
    "draw_sites",
    "draw_value_of_cases",
    "draw_watch",
    "fill_between_curves",
    "label_lines",
    "use_odds_axis",
]
