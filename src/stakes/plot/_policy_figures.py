"""Figures of policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stakes._arrays import FloatArray
from stakes.plot._style import PALETTE, REFERENCE, dress
from stakes.policy import Policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_policy(ax: Axes, policy: Policy) -> Axes:
    """Draw the threshold of a policy at each cost, with alarms per 1,000 cases and precision.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    policy : Policy
        The steps; one that never alarms is drawn at the top.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Uniform, best_thresholds, score_table
    >>> from stakes.plot import draw_policy
    >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), Uniform(0.2, 0.8))
    >>> sorted(text.get_text() for text in draw_policy(Figure().subplots(), policy).texts)
    ['250 alarms, 100% true', '750 alarms, 67% true']
    """
    height, colour = _heights(policy), PALETTE[0]
    for low, high, y in zip(policy.from_cost, policy.to_cost, height, strict=True):
        ax.plot(
            [low, high], [y, y], color=colour, linewidth=2.4, solid_capstyle="butt", marker="" if high > low else "o"
        )
    ax.vlines(policy.to_cost[:-1], height[:-1], height[1:], color=colour, linewidth=0.6, alpha=0.6)
    span = policy.to_cost[-1] - policy.from_cost[0]
    margin = 0.02 * (span or 1.0)
    ax.set(xlim=(policy.from_cost[0] - margin, policy.to_cost[-1] + margin))
    ax.set(xlabel=policy.scale, ylabel="act on scores of at least")
    ax.margins(y=0.12)
    ax.autoscale_view(scalex=False)  # before the labels, whose places depend on the limits
    _describe_steps(ax, policy, height)
    return dress(ax, "The threshold at each cost, and its alarms per 1,000 cases")


def _describe_steps(ax: Axes, policy: Policy, height: FloatArray) -> None:
    """Write alarms and precision at each step, the longest step first, where there is room.

    The highest step has its words above it, the others below, where a staircase leaves room.
    """
    rising, highest = bool(height[-1] >= height[0]), int(height.argmax())
    taken: list[FloatArray] = []
    for step in np.argsort(policy.from_cost - policy.to_cost, kind="stable"):
        above = step == highest
        side, up = (1 if rising != above else -1), (1 if above else -1)
        at = (policy.from_cost[step] if side > 0 else policy.to_cost[step], height[step])
        place = ax.transData.transform(at) * 72 / ax.figure.dpi
        alarms, precision = policy.alarms_per_thousand[step], policy.precision[step]
        words = f"{alarms:.0f} alarms, {precision:.0%} true" if alarms else "never alarm"
        if all(abs(place[1] - other[1]) > 10 or abs(place[0] - other[0]) > 3.7 * len(words) for other in taken):
            taken.append(place)
            style: dict[str, Any] = {"ha": "left" if side > 0 else "right", "va": "bottom" if above else "top"}
            ax.annotate(words, at, (3 * side, 3 * up), textcoords="offset points", fontsize=7, color=REFERENCE, **style)


def _heights(policy: Policy) -> FloatArray:
    """Return the heights of the steps: the thresholds, and a place above them for never alarming."""
    real = np.isfinite(policy.threshold)
    top = float(policy.threshold[real].max()) if real.any() else 1.0
    room = float(np.ptp(policy.threshold[real])) if np.count_nonzero(real) > 1 else abs(top) or 1.0
    return np.where(real, policy.threshold, top + 0.15 * room)
