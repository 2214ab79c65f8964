"""Figures of studies to come and of models in use."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from stakes.monitoring import Watch
from stakes.planning import StudyPlan
from stakes.plot._style import PALETTE, REFERENCE, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_LEAST = 0.01  # evidence that is drawn; less, and more than a hundred times what an alarm needs, is drawn at the edge


def draw_value_of_cases(ax: Axes, plan: StudyPlan) -> Axes:
    """Draw the value of more cases, up to that of knowing everything.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    plan : StudyPlan
        From `value_of_cases`, best with many numbers of cases.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import auc
    >>> from stakes.planning import imagine, value_of_cases
    >>> from stakes.plot import draw_value_of_cases
    >>> plan = value_of_cases(imagine(0.1, {"old": 0.75, "new": 0.78}), auc, more=(30, 100, 300), worth=200)
    >>> len(draw_value_of_cases(Figure().subplots(), plan).lines)
    2
    """
    order = np.argsort(plan.more)
    more = np.array(plan.more)[order]
    ax.plot(more, plan.value[order], color=PALETTE[0], linewidth=2, marker="o", markersize=4)
    ax.axhline(plan.perfect, color=REFERENCE, linewidth=1, linestyle="--")
    ax.annotate("any number of cases", (float(more[0]), plan.perfect), (2, 3), textcoords="offset points", fontsize=8)
    gain = "expected gain per 1,000 decisions"
    ax.set(xscale="log", xlabel="more cases", ylabel=gain, ylim=(0, 1.15 * plan.perfect or 1))
    ax.xaxis.set_major_formatter(lambda number, _: f"{number:,.0f}")
    ax.yaxis.set_major_formatter(lambda number, _: f"{1000 * number:g}")
    return dress(ax, "Would more cases help?")


def draw_watch(ax: Axes, seen: Watch) -> Axes:
    """Draw the evidence that a model costs more than promised, batch by batch.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    seen : Watch
        The batches; the line is where an alarm stands, and the first one is marked. Evidence below 0.01, and beyond a
        hundred times what an alarm needs, is drawn there.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.monitoring import watch
    >>> from stakes.plot import draw_watch
    >>> months = [([0, 1, 0, 0] * 50, [0.1, 0.8, 0.3, 0.2] * 50)] * 3
    >>> draw_watch(Figure().subplots(), watch(months, "20%", promised=0.15)).get_ylabel()
    'evidence'
    """
    batch, limit = np.arange(1, len(seen) + 1), seen.false_alarm_every
    most = 100 * limit
    height = 10.0 ** np.clip(seen.evidence, math.log10(_LEAST), math.log10(most))
    height = np.clip(height, _LEAST, most)  # whatever the rounding
    ax.plot(batch, height, color=PALETTE[0], linewidth=2, marker="o", markersize=4)
    ax.axhline(limit, color=REFERENCE, linewidth=1, linestyle="--")
    ax.annotate(f"alarm at {limit:g}", (1, limit), (2, 3), textcoords="offset points", fontsize=8)
    if seen.alarm is not None:
        ax.plot([seen.alarm + 1], [height[seen.alarm]], color=PALETTE[1], marker="o", markersize=9, fillstyle="none")
    ax.set(yscale="log", xlabel="batch", ylabel="evidence", ylim=(_LEAST / 2, 2 * most))
    ax.yaxis.set_major_formatter(lambda number, _: f"{number:,g}")
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    return dress(ax, "Does it cost more than promised?")
