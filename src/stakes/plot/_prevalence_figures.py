"""Figures over the prevalence, and of the gap between two groups."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes.curves import Curve
from stakes.plot._draw import draw_curve
from stakes.plot._style import DOTS, PALETTE, REFERENCE, dress, label_lines, shade_range, with_colours
from stakes.prevalence import Gap, accuracy_curve, shifted_net_benefit_curve
from stakes.table import ScoreTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_accuracy_curves(
    ax: Axes,
    tables: Mapping[str, ScoreTable],
    *,
    low: float = 0.0,
    high: float = 1.0,
    averages: Mapping[str, float] | None = None,
) -> Axes:
    """Draw accuracy over the prevalence, with a circle at the sample and a bar for the average.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw; for an axis of log-odds call `use_odds_axis` first.
    tables : mapping of str to ScoreTable
        A table per model or per group.
    low, high : float, keyword-only
        The range of prevalences, shaded, over which the averages are.
    averages : mapping of str to float, keyword-only, optional
        The average of each table, from `shifted_accuracy`: drawn as a bar over the range.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities", Fig. 1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_accuracy_curves
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_accuracy_curves(Figure().subplots(), {"all": table}, low=0.1, high=0.3, averages={"all": 0.8})
    >>> ax.get_title(loc="left")
    'Accuracy over prevalence: higher is better'
    """
    limits = ax.get_xlim()
    for name, table, colour in with_colours(tables):
        curve = accuracy_curve(table)
        draw_curve(ax, curve, label=name, color=colour, linewidth=1.6)
        _mark_sample(ax, table, curve, colour)
        if averages is not None:
            ax.plot([low, high], [averages[name]] * 2, color=colour, linewidth=4, alpha=0.55, solid_capstyle="butt")
    ax.set(xlim=limits)
    _shade_prevalences(ax, low, high)
    return label_lines(dress(ax, "Accuracy over prevalence: higher is better"))


def draw_shifted_net_benefit(
    ax: Axes,
    tables: Mapping[str, ScoreTable],
    *,
    cost: float | str,
    low: float = 0.0,
    high: float = 1.0,
    averages: Mapping[str, float] | None = None,
) -> Axes:
    """Draw net benefit over the prevalence, with a circle at the sample and a bar for the average.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw; for an axis of log-odds call `use_odds_axis` first.
    tables : mapping of str to ScoreTable
        A table per model or per group.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion.
    low, high : float, keyword-only
        The range of prevalences, shaded, over which the averages are.
    averages : mapping of str to float, keyword-only, optional
        The average of each table, from `shifted_net_benefit`: drawn as a bar over the range, and in brackets.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis; the dotted line is perfect.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_shifted_net_benefit
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> draw_shifted_net_benefit(Figure().subplots(), {"all": table}, cost=0.2).get_title(loc="left")
    'Net benefit over prevalence: higher is better'
    """
    limits = ax.get_xlim()
    for name, table, colour in with_colours(tables):
        curve = shifted_net_benefit_curve(table, cost=cost)
        mean = "" if averages is None else f" ({averages[name]:.3f})"
        draw_curve(ax, curve, label=name + mean, color=colour, linewidth=1.6)
        _mark_sample(ax, table, curve, colour)
        if averages is not None:
            ax.plot([low, high], [averages[name]] * 2, color=colour, linewidth=2.5, alpha=0.7, solid_capstyle="butt")
    draw_curve(ax, Curve([0, 1], [0, 1], "prevalence", "net benefit"), label="perfect", **DOTS)
    lowest = min(float(np.min(line.get_ydata())) for line in ax.lines)
    ax.set(xlim=limits, ylim=(min(lowest, 0) - 0.02 * limits[1], limits[1]))
    _shade_prevalences(ax, low, high)
    return label_lines(dress(ax, "Net benefit over prevalence: higher is better"))


def _mark_sample(ax: Axes, table: ScoreTable, curve: Curve, colour: str) -> None:
    """Draw a circle on a curve at the prevalence of the sample."""
    ax.plot(table.prevalence, curve.at(table.prevalence), "o", color=colour, markersize=6, markerfacecolor="white")


def _shade_prevalences(ax: Axes, low: float, high: float) -> None:
    """Shade a range of prevalences, unless it is all of them."""
    if (low, high) != (0, 1):
        shade_range(ax, low, high, "stated prevalences")


def draw_gap(ax: Axes, gap: Gap, *, names: tuple[str, str] = ("a", "b"), unit: str = "difference") -> Axes:
    """Draw the gap between two groups as a waterfall of its three parts.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    gap : Gap
        The gap, from `explain_gap`.
    names : pair of str, keyword-only
        The two groups, in the order in which they were compared.
    unit : str, keyword-only
        Unit of the measure, for the axis.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis; parts in favour of the first group go up.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.prevalence import Gap
    >>> from stakes.plot import draw_gap
    >>> ax = draw_gap(Figure().subplots(), Gap(0.1, 0.3, -0.2, 0.1, 0.2), names=("women", "men"))
    >>> [round(float(bar.get_height()), 12) for bar in ax.patches]
    [0.1, 0.2, -0.2, 0.1]
    """
    parts = {"sharpness": gap.sharpness, "calibration": gap.calibration, "prevalence": gap.label, "in all": gap.total}
    starts = [0.0, gap.sharpness, gap.mechanism, 0.0]
    shades = [PALETTE[0], PALETTE[2], PALETTE[1], REFERENCE]
    ax.bar(range(4), list(parts.values()), bottom=starts, color=shades, width=0.62)
    ends = [start + part for start, part in zip(starts, parts.values(), strict=True)]
    for place in range(3):
        ax.plot([place + 0.31, place + 0.69], [ends[place]] * 2, color=REFERENCE, linewidth=0.8)
    _number_bars(ax, list(parts.values()), ends)
    ax.axhline(0, color=REFERENCE, linewidth=0.8)
    ax.use_sticky_edges = False  # room for the numbers, below too
    ax.margins(y=0.12)
    ax.set(ylabel=unit)
    ax.set_xticks(range(4), list(parts))
    return dress(ax, f"{names[0]} less {names[1]}, and why")


def _number_bars(ax: Axes, parts: list[float], ends: list[float]) -> None:
    """Write the parts at the ends of their bars, to as many decimals as show three digits of the largest."""
    largest = max(map(abs, parts))
    decimals = max(0, 2 - math.floor(math.log10(largest))) if largest > 0 else 1
    for place, (part, end) in enumerate(zip(parts, ends, strict=True)):
        number = f"{part:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")
        side, offset = ("bottom", 2) if part >= 0 else ("top", -2)
        where: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": side}
        ax.annotate(number, (place, end), (0, offset), fontsize=8, **where)
