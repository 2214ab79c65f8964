"""Figures in ROC space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy.typing as npt

from stakes.beliefs import as_cost
from stakes.curves import isometrics, precision_recall_curve, roc_curve, roc_hull
from stakes.measures import auc
from stakes.plot._draw import draw_curve, fill_between_curves
from stakes.plot._style import DASHES, DOTS, FAINT, REFERENCE, colours, dress, label_lines, with_colours
from stakes.table import ScoreTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_roc_curves(ax: Axes, tables: Mapping[str, ScoreTable]) -> Axes:
    """Draw ROC curves with, shaded, the hull that recalibration reaches; labels carry the AUC.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_roc_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_roc_curves(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'ROC: up and left is better'
    """
    ax.plot([0, 1], [0, 1], label="chance", **DOTS)
    for name, table, colour in with_colours(tables):
        curve = roc_curve(table)
        fill_between_curves(ax, curve, roc_hull(table), color=colour)
        draw_curve(ax, curve, label=f"{name} ({auc(table):.3f})", color=colour, linewidth=1.6)
    ax.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    return label_lines(dress(ax, "ROC: up and left is better"))


def draw_precision_recall_curves(ax: Axes, tables: Mapping[str, ScoreTable]) -> Axes:
    """Draw precision over recall, with exact bends between thresholds and the prevalence as chance.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_precision_recall_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_precision_recall_curves(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'Precision over recall: up and right is better'
    """
    prevalence = next(iter(tables.values())).prevalence
    ax.plot([0, 1], [prevalence, prevalence], label="chance", **DOTS)
    for name, table, colour in with_colours(tables):
        draw_curve(ax, precision_recall_curve(table), label=name, color=colour, linewidth=1.6)
    ax.set(xlim=(0, 1), ylim=(0, 1.01))
    return label_lines(dress(ax, "Precision over recall: up and right is better"))


def draw_isometrics(
    ax: Axes, table: ScoreTable, *, values: npt.ArrayLike, measure: str = "accuracy", cost: float | str = 0.5
) -> Axes:
    """Draw lines of equal value of a measure in ROC space, with the ROC curve of a sample over them.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    table : ScoreTable
        The sample, with both classes.
    values : array-like, keyword-only
        Values of the measure.
    measure : {"accuracy", "net benefit", "Brier loss", "regret"}, keyword-only
        What the values are values of.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion; accuracy knows only 0.5.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    References
    ----------
    .. [1] L. A. C. Millard and P. A. Flach, decision curves and cost curves, Figs 4 and 5.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_isometrics
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_isometrics(Figure().subplots(), table, values=[0.5, 0.75])
    >>> [text.get_text() for text in ax.texts]
    ['0.5', '0.75']
    """
    known = as_cost("cost", cost)
    for value, line in isometrics(table, values=values, measure=measure, cost=known).items():
        draw_curve(ax, line, color=FAINT, linewidth=1.0)
        x, y = line.x.mean(), line.y.mean()
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        ax.text(x, y, f"{value + 0.0:g}", fontsize=7, color=REFERENCE, ha="center", va="center", bbox=box)
    draw_curve(ax, roc_hull(table), **DASHES)
    draw_curve(
        ax, roc_curve(table), color=colours(1)[0], linewidth=1.4, marker="o" if len(table) < 30 else "", markersize=4
    )
    ax.set(xlim=(-0.01, 1), ylim=(0, 1.01), aspect="equal")
    better = "lower" if measure in ("Brier loss", "regret") else "higher"
    at = "" if measure == "accuracy" else f" at cost {known:.2g}"
    return dress(ax, f"{measure[0].upper()}{measure[1:]}{at}: {better} is better")
