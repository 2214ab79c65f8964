"""Figures of several actions, and of thresholds that differ from case to case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes.beliefs import Actions, as_cost
from stakes.case_costs import CaseCosts
from stakes.plot._style import PALETTE, REFERENCE, colours, dress
from stakes.table import ScoreTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FEW_POINTS = 2_000  # beyond which points are small and pale


def draw_actions(ax: Axes, table: ScoreTable, actions: Actions) -> Axes:
    """Draw the mean cost of each action over the probability, and the share of cases that gets it.

    The cheapest action is drawn bold, over the range in which it is taken.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    table : ScoreTable
        The sample, whose scores are probabilities.
    actions : Actions
        The actions; those that are never the cheapest are grey.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.beliefs import Actions
    >>> from stakes.plot import draw_actions
    >>> triage = Actions({"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)})
    >>> table = score_table(y=[0, 0, 1, 1], score=[0.05, 0.2, 0.3, 0.9])
    >>> [text.get_text() for text in draw_actions(Figure().subplots(), table, triage).texts]
    ['discharge 25%', 'observe 50%', 'admit 25%']
    """
    _check.check_type(Actions, "actions", actions)
    _check.check_tables("table", table)
    costs, ends = actions.weighed_costs, [0.0, *actions.thresholds, 1.0]
    heads = table.heads  # of everyone, known or not
    score, cases = (table.score, table.positive + table.negative) if heads is None else (heads.score, heads.everyone)
    chosen = np.searchsorted(actions.thresholds, score, side="right")
    shares = np.bincount(chosen, cases, len(actions.kept)) / cases.sum()
    for name in actions.dropped:
        ax.plot([0, 1], costs[name], color=REFERENCE, linewidth=0.8, linestyle=":")
    for k, (name, colour) in enumerate(zip(actions.kept, colours(len(actions.kept)), strict=True)):
        (at_0, at_1), (low, high) = costs[name], ends[k : k + 2]
        ax.plot([0, 1], [at_0, at_1], color=colour, linewidth=0.9, alpha=0.6)
        part = np.array([low, high])
        ax.plot(part, at_0 + part * (at_1 - at_0), color=colour, linewidth=3, solid_capstyle="butt")
        ax.axvspan(low, high, color=colour, alpha=0.07, linewidth=0)
        at, side = (low + 0.01, "left") if low < 0.75 else (high - 0.01, "right")
        style: dict[str, Any] = {"ha": side, "va": "top", "fontsize": 8, "color": colour}
        words = f"{name} {shares[k]:.0%}"
        ax.text(at, 0.98 - 0.07 * (k % 3), words, transform=ax.get_xaxis_transform(), **style)
    top = max(max(costs[name]) for name in actions.kept)
    least = min(min(costs[name]) for name in actions.kept)
    ax.set(xlim=(0, 1), ylim=(min(least, 0), least + 1.25 * (top - least)))
    ax.set(xlabel="probability of a positive", ylabel="mean cost of a case")
    return dress(ax, "The cheapest action, and the share of cases that gets it")


def draw_own_thresholds(
    ax: Axes,
    case_costs: CaseCosts,
    amount: npt.ArrayLike,
    score: npt.ArrayLike | None = None,
    *,
    cost: float | str = 0.5,
) -> Axes:
    """Draw the threshold of each case against its amount, and the scores of the cases if they are given.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    case_costs : CaseCosts
        Costs of each case; a case that is never acted on has no threshold, and is left out.
    amount : array-like
        Amount of each case, such as that of a transaction; the horizontal axis, logarithmic where all are above 0.
    score : array-like, optional
        Probability of a positive for each case: cases that are acted on are drawn in colour, the others in grey.
    cost : float or words, such as "10%", keyword-only
        Cost proportion by which false alarms count; one half, costs as stated, unless given.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import CaseCosts
    >>> from stakes.plot import draw_own_thresholds
    >>> amount = [10, 100, 1000]
    >>> costs = CaseCosts(false_negative=amount, false_positive=5, true_positive=5)
    >>> draw_own_thresholds(Figure().subplots(), costs, amount).lines[0].get_ydata().tolist()
    [0.5, 0.05, 0.005]
    """
    _check.check_type(CaseCosts, "case_costs", case_costs)
    size = _columns.scores("amount", amount).astype(np.float64)
    threshold = np.broadcast_to(case_costs.thresholds(as_cost("cost", cost)), np.shape(size))
    if score is not None:
        known = _columns.probabilities("score", score)
        _columns.check_same_length(amount=size, score=known)
        acted = case_costs.act(known, cost)
        style: dict[str, Any] = {
            "s": 14 if len(size) <= _FEW_POINTS else 2,
            "alpha": 0.7 if len(size) <= _FEW_POINTS else 0.3,
        }
        for kept, colour, label in ((~acted, REFERENCE, "left"), (acted, PALETTE[1], "acted on")):
            ax.scatter(size[kept], known[kept], color=colour, label=label, linewidths=0, **style)
        ax.legend(frameon=False, fontsize=8)
    order = np.argsort(size, kind="stable")
    within = order[np.isfinite(threshold[order])]
    ax.plot(size[within], threshold[within], color=PALETTE[0], linewidth=2)
    if (size > 0).all():
        ax.set_xscale("log")
    ax.set(ylim=(0, 1.02), xlabel="amount", ylabel="act from a probability of")
    return dress(ax, "Each case has its own threshold")
