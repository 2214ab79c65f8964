"""Displays as scikit-learn users know them, a class for each figure of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stakes.cases import Cases
from stakes.curves import decision_curve
from stakes.plot._calibration_figures import draw_calibration
from stakes.plot._cost_figures import draw_brier_curves, draw_class_losses, draw_regret_curves
from stakes.plot._decision_figures import draw_decision_curves, draw_interventions_avoided, draw_relative_utility
from stakes.plot._display import Display
from stakes.plot._prevalence_figures import draw_accuracy_curves
from stakes.plot._roc_figures import draw_precision_recall_curves, draw_roc_curves
from stakes.uncertainty import band, calibration_band


class AccuracyCurveDisplay(Display):
    """Accuracy over the prevalence."""

    _draw = staticmethod(draw_accuracy_curves)


class BrierCurveDisplay(Display):
    """Brier curve with its lower envelope and the trivial lines."""

    _draw = staticmethod(draw_brier_curves)


class CalibrationDisplay(Display):
    """Calibration curve (reliability diagram) with its honest band, over the spread of the scores."""

    _draw = staticmethod(draw_calibration)
    _panels = "2, 1"

    @staticmethod
    def _options_of_predictions(cases: Callable[[], Cases]) -> dict[str, Any]:
        given = cases()
        chance = calibration_band(given, method="consistency", rng=1)
        return {"bands": calibration_band(given), "calibrated": chance}

    @staticmethod
    def _options_of_cases(cases: Cases) -> dict[str, Any]:
        return {"bands": calibration_band(cases, method="honest" if cases.outcome is None else "spline")}

    @staticmethod
    def _new_axes() -> Any:
        import matplotlib.pyplot as plt

        heights = {"height_ratios": [3, 1]}
        return plt.subplots(2, 1, sharex=True, figsize=(4.2, 5.0), layout="constrained", gridspec_kw=heights)[1]


class ClassLossDisplay(Display, draws_one_table=True):
    """Brier curve by class."""

    _draw = staticmethod(draw_class_losses)


class DecisionCurveDisplay(Display):
    """Decision curve with treat-all, treat-none and, shaded, its upper envelope or (from cases) its band."""

    _draw = staticmethod(draw_decision_curves)

    @staticmethod
    def _options_of_cases(cases: Cases) -> dict[str, Any]:
        return {"bands": band(cases, decision_curve, rng=1)}


class InterventionsAvoidedDisplay(Display):
    """Net interventions avoided over the cost."""

    _draw = staticmethod(draw_interventions_avoided)


class PrecisionRecallDisplay(Display):
    """Precision over recall, with exact bends between thresholds."""

    _draw = staticmethod(draw_precision_recall_curves)


class RegretCurveDisplay(Display):
    """Regret over the cost."""

    _draw = staticmethod(draw_regret_curves)


class RelativeUtilityDisplay(Display):
    """Relative utility over the cost."""

    _draw = staticmethod(draw_relative_utility)


class RocCurveDisplay(Display):
    """ROC curve with its hull."""

    _draw = staticmethod(draw_roc_curves)
