"""Figures of sites."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stakes import _check
from stakes._errors import InputTypeError
from stakes.plot._style import PALETTE, REFERENCE, dress
from stakes.sites import PooledNumber, PooledSites, SiteNumber
from stakes.uncertainty import single_deviate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = 4  # steps between numbers on the axis, which may have many digits


def draw_sites(ax: Axes, pooled: PooledSites, *, model: str | None = None, unit: str | None = None) -> Axes:
    """Draw the number of a model at every site, the average site and a new one as a forest plot.

    Lines of sites are what each says by itself. Below them are the interval of the average site, thick, and that of a
    site that was not seen, thin; with fewer than three sites there is none.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    pooled : PooledSites
        The sites, from `stakes.sites.pool_sites`.
    model : str, keyword-only, optional
        The model; the only one unless given.
    unit : str, keyword-only, optional
        Name of the axis; the measure unless given.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis; the first site is at the top.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases, brier_score
    >>> from stakes.plot import draw_sites
    >>> from stakes.sites import pool_sites
    >>> cases = Cases([0, 1, 1, 0] * 30, {"a": [0.1, 0.8, 0.9, 0.2, 0.3, 0.6] * 20})
    >>> pooled = pool_sites(cases, measure=brier_score, site=["north", "east", "south"] * 40)
    >>> ax = draw_sites(Figure().subplots(), pooled)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['east (20 positive)', 'north (20 positive)', 'south (20 positive)', 'average site', 'new site']
    """
    if not isinstance(pooled, PooledSites):
        raise InputTypeError("pooled", "be PooledSites", type(pooled).__name__)
    names = tuple(pooled.models)
    shown = _check.choice("model", names[0] if model is None and len(names) == 1 else model or "", names)
    number = pooled.models[shown]
    if pooled.baseline is not None:
        ax.axvline(0, color=REFERENCE, linewidth=0.8)
    for place, site in enumerate(number.sites.values()):
        _draw_site(ax, place, site, pooled.level)
    _draw_pooled(ax, len(number.sites), number)
    labels = [f"{name} ({site.positives:,} positive)" for name, site in number.sites.items()]
    labels += ["average site", *([] if math.isnan(number.new_site.lower) else ["new site"])]
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlabel=pooled.measure if unit is None else unit, ylim=(len(labels) - 0.5, -0.5))
    ax.locator_params(axis="x", nbins=_TICKS)
    return dress(ax, shown if pooled.baseline is None else f"{shown} less {pooled.baseline}, by site")


def _draw_site(ax: Axes, place: int, site: SiteNumber, level: float) -> None:
    off = single_deviate(level) * site.error
    ax.plot([site.estimate - off, site.estimate + off], [place, place], color=PALETTE[0], linewidth=0.9)
    ax.plot(site.estimate, place, "o", color=PALETTE[0], markersize=5)


def _draw_pooled(ax: Axes, place: int, number: PooledNumber) -> None:
    average, following = number.average, number.new_site
    ax.plot([average.lower, average.upper], [place, place], color=PALETTE[1], linewidth=2.6, solid_capstyle="butt")
    ax.plot(average.estimate, place, "D", color=PALETTE[1], markersize=6)
    if not math.isnan(following.lower):
        ax.plot([following.lower, following.upper], [place + 1, place + 1], color=PALETTE[1], linewidth=0.9)
