"""The difference between two decision curves, with its band and what can be said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stakes import _check
from stakes._case_columns import short
from stakes.plot._style import DASHES, PALETTE, REFERENCE, dress
from stakes.uncertainty import CrossingSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_difference(ax: Axes, crossing: CrossingSet) -> Axes:
    """Draw the difference between two decision curves, with bands, and where one model is better.

    The darker band is pointwise, the lighter one around it simultaneous. The costs at which the simultaneous band does
    not hold 0 are shaded, in a colour for each model. Elsewhere the sample cannot say which is better.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    crossing : CrossingSet
        Two models over a range of costs, from `stakes.uncertainty.crossing_set`.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases
    >>> from stakes.datasets import load_cohort
    >>> from stakes.plot import draw_difference
    >>> from stakes.uncertainty import crossing_set
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> found = crossing_set(cases, "marker", "family", cost_range="5%..20%")
    >>> ax = draw_difference(Figure().subplots(), found)
    >>> [text.get_text() for text in ax.texts], ax.get_title(loc="left")
    (['marker is better'], 'Difference in net benefit: marker minus family')
    """
    _check.check_type(CrossingSet, "crossing", crossing, hint=" (see `crossing_set`)")
    band = crossing.band
    filled: dict[str, Any] = {"color": REFERENCE, "linewidth": 0}
    ax.set_xlim(band.x[0], band.x[-1])
    ax.axhline(0.0, **DASHES)
    ax.fill_between(band.x, band.lower_everywhere, band.upper_everywhere, alpha=0.15, **filled)
    ax.fill_between(band.x, band.lower, band.upper, alpha=0.25, **filled)
    ax.plot(band.x, band.estimate, color="black", linewidth=1.4)
    for name, ranges, colour in ((band.a, crossing.a_better, PALETTE[0]), (band.b, crossing.b_better, PALETTE[1])):
        _shade(ax, ranges, f"{short(name)} is better", colour)
    ax.set(xlabel=band.x_label, ylabel=band.y_label)
    return dress(ax, f"Difference in net benefit: {short(band.a)} minus {short(band.b)}")


def _shade(ax: Axes, ranges: tuple[tuple[float, float], ...], label: str, colour: str) -> None:
    """Shade ranges of x, with a label above the widest."""
    for low, high in ranges:
        ax.axvspan(low, high, color=colour, alpha=0.15, linewidth=0, zorder=0)
    if ranges:
        low, high = max(ranges, key=lambda one: one[1] - one[0])
        where: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "ha": "center", "va": "top"}
        ax.text((low + high) / 2, 0.985, label, fontsize=7.5, color=colour, **where)
