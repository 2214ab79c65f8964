"""Figures of follow-up: risks over time with numbers still followed, and measures over horizons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes.curves import FollowUpCurve
from stakes.plot._draw import draw_curve
from stakes.plot._style import DASHES, PALETTE, REFERENCE, dress, label_lines, with_colours
from stakes.uncertainty import HorizonCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AS_PRINTED = {"auc": "AUC", "brier_score": "Brier score", "partial_auc": "partial AUC", "bounded_auc": "bounded AUC"}


def draw_follow_up(ax: Axes, curves: FollowUpCurve) -> Axes:
    """Draw the risk of each event over time, the chance of still being followed, and the numbers that are.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw; it needs room below for the numbers.
    curves : FollowUpCurve
        From `stakes.curves.follow_up_curve`.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import EventBy
    >>> from stakes.curves import follow_up_curve
    >>> from stakes.plot import draw_follow_up
    >>> curves = follow_up_curve(EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=5))
    >>> len(draw_follow_up(Figure().subplots(), curves).lines)
    2
    """
    draw_curve(ax, curves.risk, color=PALETTE[1], linewidth=1.8, label="the event")
    if curves.competing is not None:
        draw_curve(ax, curves.competing, color=PALETTE[0], linewidth=1.8, label="another event first")
    draw_curve(ax, curves.staying, label="still followed", **DASHES)
    end = float(curves.risk.x[-1])
    ax.set(xlim=(0, end), ylim=(0, 1.02), ylabel="probability", xlabel="time (below: number still followed)")
    ticks = [tick for tick in ax.get_xticks() if 0 <= tick <= end]
    ax.set_xticks(ticks, [f"{tick:g}\n{int(curves.followed.at(tick)):,}" for tick in ticks])
    return label_lines(dress(ax, "What happened, and who was still followed"))


def draw_horizons(ax: Axes, curves: Mapping[str, HorizonCurve]) -> Axes:
    """Draw a measure of each model over several horizons, with its intervals.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curves : mapping of str to HorizonCurve
        From `stakes.uncertainty.horizon_curve`.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases, EventBy, brier_score
    >>> from stakes.plot import draw_horizons
    >>> from stakes.uncertainty import horizon_curve
    >>> outcome = EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=[2, 5])
    >>> risks = {"m": [[0.6, 0.9], [0.1, 0.3], [0.2, 0.7], [0.1, 0.2], [0.1, 0.2], [0.2, 0.4]]}
    >>> draw_horizons(Figure().subplots(), horizon_curve(Cases(outcome, risks), brier_score)).get_ylabel()
    'Brier score'
    """
    first = next(iter(curves.values()))
    gaps = np.diff(first.horizon)
    step = 0.04 * float(gaps.min() if len(gaps) else 1.0)
    for number, (name, curve, colour) in enumerate(with_colours(curves)):
        x = curve.horizon + (number - (len(curves) - 1) / 2) * step  # beside each other, so that bars can be told apart
        bars: dict[str, Any] = {"color": colour, "linewidth": 1.4, "capsize": 2.5, "elinewidth": 1.0}
        ends = np.maximum([curve.estimate - curve.lower, curve.upper - curve.estimate], 0)
        ax.errorbar(x, curve.estimate, yerr=ends, marker="o", markersize=4, label=name, **bars)
    ax.set_xticks(first.horizon, [f"{time:g}" for time in first.horizon])
    ax.set(xlabel="horizon", ylabel=_AS_PRINTED.get(first.measure, first.measure.replace("_", " ")))
    ax.legend(fontsize=8, frameon=False, labelcolor=REFERENCE)
    return dress(ax, f"Over horizons, with {100 * first.level:g}% intervals")
