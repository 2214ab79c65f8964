"""Displays as scikit-learn users expect them: from predictions, or from a fitted estimator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from stakes._errors import InputError, InputTypeError
from stakes.plot._calibration_figures import draw_accuracy_curves, draw_calibration
from stakes.plot._cost_figures import draw_brier_curves, draw_class_losses, draw_regret_curves
from stakes.plot._decision_figures import draw_decision_curves, draw_interventions_avoided, draw_relative_utility
from stakes.plot._roc_figures import draw_precision_recall_curves, draw_roc_curves
from stakes.table import ScoreTable, score_table

if TYPE_CHECKING:
    from typing import Self

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class _Display:
    """What every display does: hold tables and options, and draw them when asked."""

    _draw: ClassVar[Callable[..., Any]]

    def __init__(self, tables: Mapping[str, ScoreTable], **options: Any) -> None:
        self.tables = dict(tables)
        self.options = options
        self.ax_: Axes | Any = None
        self.figure_: Figure | Any = None

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_proba: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: object = None,
        name: str = "model",
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw one model from its predictions.

        Parameters
        ----------
        y_true : array-like
            Outcomes.
        y_proba : array-like
            Predicted probability of a positive.
        sample_weight : array-like, keyword-only, optional
            Weight of each case.
        pos_label : object, keyword-only, optional
            The label of a positive, when the outcomes are not 0 and 1.
        name : str, keyword-only
            What to call the model.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure when not given.
        **options
            Passed to the function that draws.

        Returns
        -------
        display
            The display, drawn: `ax_` and `figure_` hold where.
        """
        return cls({name: score_table(y_true, y_proba, sample_weight, pos_label=pos_label)}, **options).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803
        y: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw one model by predicting with a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            Fitted, with `predict_proba` and two `classes_`.
        X : array-like
            Features.
        y : array-like
            Outcomes.
        sample_weight : array-like, keyword-only, optional
            Weight of each case.
        pos_label : object, keyword-only, optional
            The label of a positive; the estimator's second class when not given.
        name : str, keyword-only, optional
            What to call the model; the estimator's class when not given.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure when not given.
        **options
            Passed to the function that draws.

        Returns
        -------
        display
            The display, drawn: `ax_` and `figure_` hold where.
        """
        classes = list(getattr(estimator, "classes_", ()))
        if not hasattr(estimator, "predict_proba") or len(classes) != 2:
            kind = type(estimator).__name__
            raise InputTypeError("estimator", "be fitted, with `predict_proba` and two classes", kind)
        positive = classes[1] if pos_label is None else pos_label
        if positive not in classes:
            known = ", ".join(repr(np.asarray(label).item()) for label in classes)
            raise InputError("pos_label", "be a class of `estimator`", repr(positive), hint=f"classes: {known}")
        proba = np.asarray(estimator.predict_proba(X))[:, classes.index(positive)]
        called = type(estimator).__name__ if name is None else name
        return cls.from_predictions(
            y, proba, sample_weight=sample_weight, pos_label=positive, name=called, ax=ax, **options
        )

    def plot(self, *, ax: Axes | None = None) -> Self:
        """Draw, and remember where.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure when not given.

        Returns
        -------
        display
            The display itself.
        """
        self.ax_ = self._new_axes() if ax is None else ax
        type(self)._draw(self.ax_, self.tables, **self.options)
        self.figure_ = np.array(self.ax_, dtype=object).ravel()[0].figure
        return self

    @staticmethod
    def _new_axes() -> Any:
        import matplotlib.pyplot as plt

        return plt.subplots(figsize=(4.8, 3.6), layout="constrained")[1]


def _only(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that draws one table take a mapping that holds one."""

    def draw_the_table(ax: Any, tables: Mapping[str, ScoreTable], **options: Any) -> Any:
        if len(tables) != 1:
            raise InputError("tables", "hold one table for this display", str(len(tables)))
        return draw(ax, next(iter(tables.values())), **options)

    return draw_the_table


class AccuracyCurveDisplay(_Display):
    """Accuracy over the prevalence, as `draw_accuracy_curves` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_accuracy_curves`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import AccuracyCurveDisplay
    >>> display = AccuracyCurveDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Accuracy over prevalence: higher is better'
    """

    _draw = staticmethod(draw_accuracy_curves)


class BrierCurveDisplay(_Display):
    """Brier curve with the lower envelope and the trivial lines, as `draw_brier_curves` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_brier_curves`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import BrierCurveDisplay
    >>> display = BrierCurveDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Brier loss: lower is better'
    """

    _draw = staticmethod(draw_brier_curves)


class ClassLossDisplay(_Display):
    """Brier curve by class, as `draw_class_losses` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_class_losses`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import ClassLossDisplay
    >>> display = ClassLossDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Loss by class: lower is better'
    """

    _draw = staticmethod(_only(draw_class_losses))


class DecisionCurveDisplay(_Display):
    """Decision curve with treat-all, treat-none and the upper envelope, as `draw_decision_curves` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_decision_curves`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import DecisionCurveDisplay
    >>> display = DecisionCurveDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Net benefit: higher is better'
    """

    _draw = staticmethod(draw_decision_curves)


class InterventionsAvoidedDisplay(_Display):
    """Net interventions avoided over the cost, as `draw_interventions_avoided` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_interventions_avoided`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import InterventionsAvoidedDisplay
    >>> ax = Figure().subplots()
    >>> display = InterventionsAvoidedDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=ax)
    >>> display.ax_.get_title(loc="left")
    'Interventions avoided: higher is better'
    """

    _draw = staticmethod(draw_interventions_avoided)


class PrecisionRecallDisplay(_Display):
    """Precision over recall, bent between thresholds as it is, as `draw_precision_recall_curves` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_precision_recall_curves`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import PrecisionRecallDisplay
    >>> display = PrecisionRecallDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Precision over recall: up and right is better'
    """

    _draw = staticmethod(draw_precision_recall_curves)


class RegretCurveDisplay(_Display):
    """Regret over the cost, as `draw_regret_curves` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_regret_curves`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import RegretCurveDisplay
    >>> display = RegretCurveDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Mean regret: lower is better'
    """

    _draw = staticmethod(draw_regret_curves)


class RelativeUtilityDisplay(_Display):
    """Relative utility over the cost, as `draw_relative_utility` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_relative_utility`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import RelativeUtilityDisplay
    >>> display = RelativeUtilityDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'Relative utility: higher is better'
    """

    _draw = staticmethod(draw_relative_utility)


class RocCurveDisplay(_Display):
    """ROC curve with its hull, as `draw_roc_curves` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        A table per model.
    **options
        Passed to `draw_roc_curves`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import RocCurveDisplay
    >>> display = RocCurveDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=Figure().subplots())
    >>> display.ax_.get_title(loc="left")
    'ROC: up and left is better'
    """

    _draw = staticmethod(draw_roc_curves)


class CalibrationDisplay(_Display):
    """Reliability diagram over the spread of the scores, as `draw_calibration` draws it.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The table of one model.
    **options
        Passed to `draw_calibration`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import CalibrationDisplay
    >>> axes = Figure().subplots(2, 1)
    >>> display = CalibrationDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=axes)
    >>> display.ax_[0].get_title(loc="left")
    'Reliability: nearer to the diagonal is better'
    """

    _draw = staticmethod(_only(draw_calibration))

    @staticmethod
    def _new_axes() -> Any:
        import matplotlib.pyplot as plt

        heights = {"height_ratios": [3, 1]}
        return plt.subplots(2, 1, sharex=True, figsize=(4.2, 5.0), layout="constrained", gridspec_kw=heights)[1]
