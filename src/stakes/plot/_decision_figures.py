"""Figures in decision space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.beliefs import BeliefLike
from stakes.curves import (
    best_decision_curve,
    decision_curve,
    interventions_avoided_curve,
    relative_utility_curve,
    treat_all,
    treat_none,
    treat_perfectly,
)
from stakes.plot._draw import draw_curve, fill_between_curves, outline
from stakes.plot._style import DASHES, DOTS, colours, dress, label_lines, panels, shade_costs, with_colours
from stakes.table import ScoreTable
from stakes.uncertainty import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_decision_curves(
    ax: Axes,
    tables: Mapping[str, ScoreTable],
    *,
    low: float = 0.0,
    high: float = 1.0,
    costs: BeliefLike | None = None,
    bands: Mapping[str, Band] | None = None,
) -> Axes:
    """Draw decision curves with treat-all, treat-none and, shaded, what recalibration alone could gain.

    With `bands`, the pointwise confidence bands are shaded instead.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.
    low, high : float, keyword-only
        The range of costs to show.
    costs : belief, number or words, such as "5%..20%", keyword-only, optional
        A belief whose range to shade.
    bands : mapping of str to Band, keyword-only, optional
        Confidence bands of the curves, from `stakes.band`, by the name of the model.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_decision_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_decision_curves(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'Net benefit: higher is better'
    """
    first = next(iter(tables.values()))
    top = max(table.prevalence for table in tables.values())
    floor = -0.4 * top
    ax.set(xlim=(low, high), ylim=(-0.2 * top, 1.08 * top))
    draw_curve(ax, treat_all(first).between(low, high), low=floor, label="treat all", **DASHES)
    draw_curve(ax, treat_none(first).between(low, high), label="treat none", **DOTS)
    for name, table, colour in with_colours(tables):
        curve, best = (make(table).between(low, high) for make in (decision_curve, best_decision_curve))
        if bands is None:
            fill_between_curves(ax, curve, best, low=floor, color=colour)
        draw_curve(ax, curve, low=floor, label=name, color=colour, linewidth=1.6)
    _fill_bands(ax, tables, bands)
    shade_costs(ax, costs)
    return label_lines(dress(ax, "Net benefit: higher is better"))


def _fill_bands(ax: Axes, tables: Mapping[str, ScoreTable], bands: Mapping[str, Band] | None) -> None:
    """Shade the pointwise band of each model that has one, in the colour of its curve."""
    if bands is not None and not isinstance(bands, Mapping):
        raise InputTypeError("bands", "map names of models to bands", type(bands).__name__)
    for name, one in (bands or {}).items():
        _check.check_type(Band, "bands", one, hint=" (see `stakes.band`)")
        _check.choice("bands", name, tables)
    for name, _, colour in with_colours(tables):
        if bands and name in bands:
            one = bands[name]
            ax.fill_between(*outline(one, one.lower, one.upper), color=colour, alpha=0.2, linewidth=0)


def draw_relative_utility(
    ax: Axes, tables: Mapping[str, ScoreTable], *, low: float = 0.0, high: float = 1.0, costs: BeliefLike | None = None
) -> Axes:
    """Draw relative utility, from the better of treat-all and treat-none (0) to perfect decisions (1).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.
    low, high : float, keyword-only
        The range of costs to show.
    costs : belief, number or words, such as "5%..20%", keyword-only, optional
        A belief whose range to shade.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_relative_utility
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_relative_utility(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'Relative utility: higher is better'
    """
    ax.set(xlim=(low, high), ylim=(-0.3, 1.05))
    ax.plot([low, high], [0, 0], label="treat all or none", **DOTS)
    ax.plot([low, high], [1, 1], label="perfect", **DOTS)
    for name, table, colour in with_colours(tables):
        curve = relative_utility_curve(table).between(low, high)
        draw_curve(ax, curve, low=-0.5, label=name, color=colour, linewidth=1.6)
    shade_costs(ax, costs)
    return label_lines(dress(ax, "Relative utility: higher is better"))


def draw_interventions_avoided(
    ax: Axes, tables: Mapping[str, ScoreTable], *, low: float = 0.0, high: float = 1.0, costs: BeliefLike | None = None
) -> Axes:
    """Draw net interventions avoided against acting on everyone; the share of negatives is perfect.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.
    low, high : float, keyword-only
        The range of costs to show.
    costs : belief, number or words, such as "5%..20%", keyword-only, optional
        A belief whose range to shade.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_interventions_avoided
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_interventions_avoided(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'Interventions avoided: higher is better'
    """
    perfect = 1 - min(table.prevalence for table in tables.values())
    ax.set(xlim=(low, high), ylim=(-0.2 * perfect, 1.08 * perfect))
    ax.plot([low, high], [0, 0], label="treat all", **DASHES)
    ax.plot([low, high], [perfect, perfect], label="perfect", **DOTS)
    for name, table, colour in with_colours(tables):
        curve = interventions_avoided_curve(table).between(low, high)
        draw_curve(ax, curve, low=-0.4 * perfect, label=name, color=colour, linewidth=1.6)
    shade_costs(ax, costs)
    return label_lines(dress(ax, "Interventions avoided: higher is better"))


def draw_rescaled_decision_curves(
    axes: Sequence[Axes], table: ScoreTable, *, low: float, high: float
) -> Sequence[Axes]:
    r"""Draw a decision curve on three scales of the cost; on two, the area above it is a proper score.

    With :math:`-(1 - c)^2 / 2` as scale, the area between the curve and the prevalence over the range is its width
    times the mean regret under ``Uniform``; with :math:`\ln c`, its length in log-odds times the mean regret
    under ``LogOddsUniform``. On the plain scale it is no multiple of either.

    Parameters
    ----------
    axes : sequence of matplotlib.axes.Axes
        Three axes.
    table : ScoreTable
        The sample.
    low, high : float, keyword-only
        The range of costs, strictly between 0 and 1.

    Returns
    -------
    sequence of matplotlib.axes.Axes
        The same axes.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", Fig. 4.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_rescaled_decision_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> axes = draw_rescaled_decision_curves(Figure().subplots(1, 3), table, low=0.05, high=0.5)
    >>> axes[2].get_title(loc="left")
    'Log: area = bounded log loss'
    """
    low, high = _check.bounds(low, high, open_ends=True)
    quadratic: dict[str, Any] = {"functions": (_quadratic, _quadratic_back)}
    scales: tuple[tuple[str, dict[str, Any]], ...] = (("linear", {}), ("function", quadratic), ("log", {}))
    titles = ("Plain: area is no score", "Quadratic: area = bounded Brier", "Log: area = bounded log loss")
    curve, perfect = (make(table).between(low, high) for make in (decision_curve, treat_perfectly))
    for ax, (scale, options), title in zip(panels(axes, 3), scales, titles, strict=True):
        ax.set_xscale(scale, **options)
        ax.set(xlim=(low, high))
        draw_curve(ax, perfect, **DOTS)
        draw_curve(ax, curve, color=colours(1)[0], linewidth=1.6, low=-table.prevalence)
        fill_between_curves(ax, curve, perfect, color=colours(1)[0], low=-table.prevalence)
        ax.set_ylabel(curve.y_label if scale == "linear" else "")
        dress(_tick(ax, low, high), title)
    return axes


def _tick(ax: Axes, low: float, high: float) -> Axes:
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9) if low <= tick <= high]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_xticks([], minor=True)
    return ax


def _quadratic(cost: FloatArray) -> FloatArray:
    return -np.square(1 - np.asarray(cost)) / 2


def _quadratic_back(scaled: FloatArray) -> FloatArray:
    return 1 - np.sqrt(np.maximum(-2 * np.asarray(scaled), 0))
