"""Figures of groups."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stakes._errors import InputTypeError
from stakes._wording import p_value
from stakes.plot._style import DOTS, PALETTE, REFERENCE, dress
from stakes.uncertainty import GroupComparison, GroupDifference

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_group_differences(ax: Axes, comparison: GroupComparison, *, unit: str = "difference") -> Axes:
    """Draw the difference between two models in every group as a forest plot.

    Thick lines are the intervals of single groups, thin ones those that hold for all groups together. Groups that the
    test leaves out are grey, and a dotted line marks the mean of the others.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    comparison : GroupComparison
        The differences, from `stakes.uncertainty.compare_groups`.
    unit : str, keyword-only
        Unit of the measure, for the axis.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis; the first group is at the top.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases, accuracy
    >>> from stakes.plot import draw_group_differences
    >>> from stakes.uncertainty import compare_groups
    >>> cases = Cases([0, 1, 1, 0] * 20, {"a": [0.1, 0.8, 0.3, 0.2] * 20, "b": [0.6, 0.8, 0.3, 0.7] * 20})
    >>> found = compare_groups(cases, "a", "b", accuracy, ["f"] * 40 + ["m"] * 40)
    >>> ax = draw_group_differences(Figure().subplots(), found)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['f (20 positive)', 'm (20 positive)']
    """
    if not isinstance(comparison, GroupComparison):
        raise InputTypeError("comparison", "be a GroupComparison", type(comparison).__name__)
    ax.axvline(0, color=REFERENCE, linewidth=0.8)
    has_test = not math.isnan(comparison.p_value)
    if has_test:
        ax.axvline(comparison.common, **DOTS)
    for place, group in enumerate(comparison.groups.values()):
        _draw_group(ax, place, group)
    labels = [f"{group.name} ({group.positives:,} positive)" for group in comparison.groups.values()]
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlabel=unit, ylim=(len(labels) - 0.5, -0.5))
    test = p_value(comparison.p_value, unlike=1 - comparison.level) if has_test else "no test"
    return dress(ax, f"{comparison.a} less {comparison.b}, by group ({test})")


def _draw_group(ax: Axes, place: int, group: GroupDifference) -> None:
    found, colour = group.difference, REFERENCE if group.left_out else PALETTE[0]
    ax.plot([group.adjusted.lower, group.adjusted.upper], [place, place], color=colour, linewidth=0.9)
    ax.plot([found.lower, found.upper], [place, place], color=colour, linewidth=2.6, solid_capstyle="butt")
    ax.plot(found.difference, place, "o", color=colour, markersize=6)
