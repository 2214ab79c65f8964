"""A curve and how sure it is: the line, the pointwise band, and around it the one that holds everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stakes.plot._style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stakes.uncertainty import Band


def draw_band(ax: Axes, band: Band, *, everywhere: bool = True, color: str = PALETTE[0], **line: Any) -> Axes:
    """Draw a curve with its bands on `ax` and name its axes.

    The darker band is pointwise: it says how sure the curve is at a place that was chosen before looking. The lighter
    one, around it, holds at all places together, and is the one to read for the curve as a whole.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    band : Band
        What to draw: one of what `stakes.band` returns.
    everywhere : bool, keyword-only
        Whether to draw the band that holds everywhere too.
    color : str, keyword-only
        The colour of the line and of both bands.
    **line
        Properties of the line, as in ``ax.plot``.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases, band, decision_curve
    >>> from stakes.datasets import load_cohort
    >>> from stakes.plot import draw_band
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"]})
    >>> found = band(cases, decision_curve, x=[0.05, 0.1, 0.2, 0.3], n_resamples=200, rng=1)["marker"]
    >>> ax = draw_band(Figure().subplots(), found, label="marker")
    >>> len(ax.lines), len(ax.collections), ax.get_ylabel()
    (1, 2, 'net benefit (true positives per case)')
    """
    filled: dict[str, Any] = {"color": color, "linewidth": 0}
    if everywhere:
        ax.fill_between(band.x, band.lower_everywhere, band.upper_everywhere, alpha=0.12, **filled)
    ax.fill_between(band.x, band.lower, band.upper, alpha=0.25, **filled)
    ax.plot(band.x, band.estimate, **({"color": color} | line))
    ax.set(xlabel=band.x_label, ylabel=band.y_label)
    return ax
