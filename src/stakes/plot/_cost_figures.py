"""Figures in cost space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from stakes.beliefs import BeliefLike
from stakes.curves import brier_curve, class_loss_curves, cost_curve, cost_lines, regret_curve, roc_curve, roc_hull
from stakes.measures import brier_score, expected_regret
from stakes.plot._draw import draw_curve, fill_between_curves
from stakes.plot._style import DASHES, DOTS, colours, dress, label_lines, panels, shade_costs, shades, with_colours
from stakes.table import ScoreTable, flatten

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_brier_curves(
    ax: Axes, tables: Mapping[str, ScoreTable], *, low: float = 0.0, high: float = 1.0, costs: BeliefLike | None = None
) -> Axes:
    """Draw Brier curves, shaded down to the lower envelope that recalibration reaches.

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
    >>> from stakes.plot import draw_brier_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_brier_curves(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'Brier loss: lower is better'
    """
    everyone, no_one = cost_lines(next(iter(tables.values())), thresholds=[-np.inf, np.inf])
    for line, style, name in ((everyone, DASHES, "treat all"), (no_one, DOTS, "treat none")):
        draw_curve(ax, line, label=name, **style)
    for name, table, colour in with_colours(tables):
        curve, best = brier_curve(table), cost_curve(table)
        fill_between_curves(ax, curve, best, color=colour)
        draw_curve(ax, curve, label=f"{name} ({brier_score(table):.3f})", color=colour, linewidth=1.6)
        draw_curve(ax, best, color=colour, linewidth=0.8)
    top = max(float(brier_curve(table).between(low, high).y.max()) for table in tables.values())
    ax.set(xlim=(low, high), ylim=(0, 1.15 * top))
    shade_costs(ax, costs)
    return label_lines(dress(ax, "Brier loss: lower is better"))


def draw_regret_curves(ax: Axes, tables: Mapping[str, ScoreTable], *, costs: BeliefLike | None = None) -> Axes:
    """Draw regret curves over the cost, with the best that can be done without a model.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.
    costs : belief, number or words, such as "5%..20%", keyword-only, optional
        A belief whose range to shade; each label then carries the mean regret under it.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    See Also
    --------
    use_odds_axis : Call it first for an axis of log-odds, on which the mean height is a bounded log loss.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_regret_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_regret_curves(Figure().subplots(), {"model": table})
    >>> ax.get_title(loc="left")
    'Mean regret: lower is better'
    """
    low, high = ax.get_xlim()
    draw_curve(ax, regret_curve(flatten(next(iter(tables.values())))), label="no model", **DASHES)
    for name, table, colour in with_colours(tables):
        score = "" if costs is None else f" ({expected_regret(table, costs):.4f})"
        draw_curve(ax, regret_curve(table), label=name + score, color=colour, linewidth=1.6)
    ax.set(xlim=(low, high), ylim=(0, 1.08 * ax.get_ylim()[1]))
    if ax.get_xscale() == "logit":
        ax.set_xlabel("cost of a false alarm : cost of a miss")
    shade_costs(ax, costs)
    return label_lines(dress(ax, "Mean regret: lower is better"))


def draw_class_losses(ax: Axes, table: ScoreTable) -> Axes:
    """Draw the Brier curve of one model with what misses and what false alarms contribute.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    table : ScoreTable
        The sample.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_class_losses
    >>> ax = draw_class_losses(Figure().subplots(), score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1]))
    >>> [line.get_label() for line in ax.lines]
    ['both', 'missed positives', 'false alarms']
    """
    losses = class_loss_curves(table)
    draw_curve(ax, brier_curve(table), label="both", color="black", linewidth=1.0)
    curves = {"missed positives": losses.positive, "false alarms": losses.negative}
    for (name, curve), colour in zip(curves.items(), colours(2), strict=True):
        draw_curve(ax, curve, label=name, color=colour, linewidth=1.6)
    ax.set(xlim=(0, 1), ylim=(0, None), ylabel="Brier loss")
    return label_lines(dress(ax, "Loss by class: lower is better"))


def draw_cost_lines(axes: Sequence[Axes], table: ScoreTable) -> Sequence[Axes]:
    """Draw a small sample in ROC space and in cost space: each point there is the line of its colour here.

    Parameters
    ----------
    axes : sequence of matplotlib.axes.Axes
        Two axes: ROC space, cost space.
    table : ScoreTable
        The sample, with both classes and few distinct scores.

    Returns
    -------
    sequence of matplotlib.axes.Axes
        The same axes.

    References
    ----------
    .. [1] L. A. C. Millard and P. A. Flach, decision curves and cost curves, Fig. 2.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_cost_lines
    >>> left, right = draw_cost_lines(Figure().subplots(1, 2), score_table(y=[0, 1], score=[0.25, 0.5]))
    >>> left.get_xlabel(), right.get_xlabel()
    ('false positive rate', 'cost proportion of a false alarm')
    """
    left, right = panels(axes, 2)
    roc, lines = roc_curve(table), cost_lines(table)[::-1]
    draw_curve(left, roc_hull(table), label="hull", **DASHES)
    draw_curve(left, roc, color="black", linewidth=1.0, label="ROC curve")
    for x, y, line, colour in zip(roc.x, roc.y, lines, shades(len(lines)), strict=True):
        left.plot(x, y, "o", color=colour, markersize=6, clip_on=False)
        draw_curve(right, line, color=colour, linewidth=1.3)
    draw_curve(right, brier_curve(table), color="black", linewidth=1.4, label="Brier curve")
    draw_curve(right, cost_curve(table), color="black", linewidth=2.2, linestyle=(0, (1, 1)), label="lower envelope")
    left.set(xlim=(0, 1), ylim=(0, 1.02), aspect="equal")
    right.set(xlim=(0, 1), ylim=(0, None))
    dress(left, "ROC space: up and left is better").legend(loc="lower right", frameon=False, fontsize=8)
    dress(right, "Cost space: lower is better").legend(loc="upper left", frameon=False, fontsize=8)
    return axes
