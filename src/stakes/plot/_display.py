"""The base of displays, and where they draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from stakes._errors import InputError, InputTypeError
from stakes.cases import Cases
from stakes.table import ScoreTable, score_table
from stakes.uncertainty import check_cases

if TYPE_CHECKING:
    from typing import Self

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_DETAILS = """

    It is drawn by `{draw}`.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        {tables}
    title : str, keyword-only, optional
        The title at the left, "" for none; that of `{draw}` unless given.
    **options
        Passed to `{draw}`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import {name}
    >>> ax = Figure().subplots({panels})
    >>> display = {name}.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=ax)
    >>> display.ax_ is ax, len(display.tables["model"])
    (True, 4)
    """


class Display:
    """Base of displays; a subclass gives the function that draws, and its docstring is completed here."""

    _draw: ClassVar[Callable[..., Any]]
    _panels: ClassVar[str] = ""  # arguments of ``Figure().subplots`` that make the axes

    def __init_subclass__(cls, *, draws_one_table: bool = False) -> None:
        tables = "The table of one model." if draws_one_table else "A table per model."
        draw = cls._draw
        if draws_one_table:
            cls._draw = staticmethod(_with_only_table(draw))
        if cls.__doc__:  # there are none under ``python -OO``
            cls.__doc__ += _DETAILS.format(draw=draw.__name__, tables=tables, name=cls.__name__, panels=cls._panels)

    def __init__(self, tables: Mapping[str, ScoreTable], *, title: str | None = None, **options: Any) -> None:
        self.tables = dict(tables)
        self.title = title
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
            Name of the model.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.
        **options
            `title`, and what is passed to the function that draws.

        Returns
        -------
        display
            The display after drawing, with its axes in `ax_` and its figure in `figure_`.
        """
        tables = {name: score_table(y_true, y_proba, sample_weight, pos_label=pos_label)}

        def make_cases() -> Cases:
            return Cases(y_true, {name: y_proba}, weight=sample_weight, pos_label=pos_label)

        return cls(tables, **(cls._options_of_predictions(make_cases) | options)).plot(ax=ax)

    @classmethod
    def from_cases(cls, cases: Cases, *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw every model of a sample, with its band where the figure has one.

        Parameters
        ----------
        cases : Cases
            The sample, with the scores of each model.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.
        **options
            `title`, and what is passed to the function that draws.

        Returns
        -------
        display
            The display after drawing, with its axes in `ax_` and its figure in `figure_`.
        """
        check_cases(cases)
        tables = {name: cases.table(name) for name in cases.models}
        return cls(tables, **(cls._options_of_cases(cases) | options)).plot(ax=ax)

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
        """Draw one model from a fitted estimator.

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
            The label of a positive; the estimator's second class unless given.
        name : str, keyword-only, optional
            Name of the model; the estimator's class unless given.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.
        **options
            `title`, and what is passed to the function that draws.

        Returns
        -------
        display
            The display after drawing, with its axes in `ax_` and its figure in `figure_`.
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
        """Draw, and keep the axes in `ax_` and the figure in `figure_`.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.

        Returns
        -------
        display
            The display itself.
        """
        self.ax_ = self._new_axes() if ax is None else ax
        type(self)._draw(self.ax_, self.tables, **self.options)
        self.figure_ = add_title(self.ax_, self.title)
        return self

    @staticmethod
    def _new_axes() -> Any:
        return new_axes()

    @staticmethod
    def _options_of_predictions(cases: Callable[[], Cases]) -> dict[str, Any]:
        """Return further options of one model; `cases` makes its cases where they are needed."""
        return {}

    @staticmethod
    def _options_of_cases(_cases: Cases) -> dict[str, Any]:
        """Return further options of all models of a sample."""
        return {}


def _with_only_table(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that draws one table take a mapping that holds one."""

    def draw_only_table(ax: Any, tables: Mapping[str, ScoreTable], **options: Any) -> Any:
        if len(tables) != 1:
            raise InputError("tables", "hold one table for this display", str(len(tables)))
        return draw(ax, next(iter(tables.values())), **options)

    return draw_only_table


def new_axes() -> Axes:
    """Return the axes of a new figure."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(4.8, 3.6), layout="constrained")[1]


def add_title(axes: Axes | Any, title: str | None) -> Figure:
    """Put a title above the first of the axes, unless it is None, and return their figure."""
    first = np.array(axes, dtype=object).ravel()[0]
    if title is not None:
        first.set_title(title, loc="left")
    figure: Figure = first.figure
    return figure
