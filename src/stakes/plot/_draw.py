"""Draw a curve or a band onto an axis, to within less than half the width of a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check
from stakes.curves import Curve
from stakes.plot._style import PALETTE
from stakes.uncertainty import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stakes._arrays import FloatArray

# Leaving points out and drawing bends straight may each cost this share of the height that is seen: together less than
# half the width of a line. A curve of few points keeps them all.
_SHARE, _MANY = 1 / 1000, 200


def points_to_draw(
    ax: Axes, curve: Curve, low: float = -np.inf, high: float = np.inf, share: float = _SHARE
) -> tuple[FloatArray, FloatArray]:
    """Points to join by straight lines on this axis, y moved into the window; few enough to print."""
    straight = ax.get_xscale() == "linear"
    if not straight:
        left, right = sorted(ax.get_xlim())
        curve = curve.between(max(left, curve.x[0]), min(right, curve.x[-1]))
    seen = np.clip(curve.y[np.isfinite(curve.y)], low, high)
    tolerance = (float(np.ptp(seen)) or 1.0) * share
    if len(curve) > _MANY:
        curve = curve.simplify(tolerance)
    x, y = curve.polyline(tolerance if straight else 4 * tolerance, low=low, high=high, any_axis=not straight)
    return x, np.clip(y, low, high)


def draw_curve(ax: Axes, curve: Curve, *, low: float = -math.inf, high: float = math.inf, **line: Any) -> Axes:
    """Draw a curve on `ax` and name its axes.

    The drawing deviates from the curve by at most 1/500 of the visible height, less than half the width of a line,
    however many points it has and however it is bent between them; on an axis of log-odds too, if that was set
    first (there 1/200).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curve : Curve
        The curve.
    low, high : float, keyword-only
        The y of interest; a curve that leaves it is drawn along its edge.
    **line
        Properties of the line, as in ``ax.plot``.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import regret_curve, score_table
    >>> from stakes.plot import draw_curve
    >>> ax = draw_curve(Figure().subplots(), regret_curve(score_table(y=[0, 1], score=[0.25, 0.5])), color="black")
    >>> ax.lines[0].get_xdata().tolist(), ax.get_ylabel()
    ([0.0, 0.25, 0.25, 0.5, 0.5, 1.0], 'mean regret')
    """
    ax.plot(*points_to_draw(ax, curve, low, high), **line)
    ax.set(xlabel=curve.x_label, ylabel=curve.y_label)
    return ax


def fill_between_curves(
    ax: Axes, curve: Curve, other: Curve, *, low: float = -math.inf, high: float = math.inf, **patch: Any
) -> Axes:
    """Fill the space between two curves, jumps and bends included.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curve, other : Curve
        The two curves, over the same x.
    low, high : float, keyword-only
        The y of interest.
    **patch
        Properties of the patch, as in ``ax.fill``.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import cost_curve, score_table
    >>> from stakes.curves import brier_curve
    >>> from stakes.plot import fill_between_curves
    >>> table = score_table(y=[0, 1], score=[0.25, 0.5])
    >>> len(fill_between_curves(Figure().subplots(), brier_curve(table), cost_curve(table)).patches)
    1
    """
    (x, y), (back_x, back_y) = (points_to_draw(ax, one, low, high, 3 * _SHARE) for one in (curve, other))
    ax.fill(np.append(x, back_x[::-1]), np.append(y, back_y[::-1]), **({"linewidth": 0, "alpha": 0.15} | patch))
    return ax


def draw_band(ax: Axes, band: Band, *, everywhere: bool = True, color: str = PALETTE[0], **line: Any) -> Axes:
    """Draw a curve with its bands on `ax` and name its axes.

    The darker band is pointwise: it holds at any one place that was chosen before looking at the data. The lighter
    one, around it, holds at all places together, and is the one to read for the curve as a whole. A calibration band
    that holds at all places is drawn once.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    band : Band
        The band of one model, from `stakes.band` or `stakes.uncertainty.calibration_band`.
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
    >>> marker_band = band(cases, decision_curve, x=[0.05, 0.1, 0.2, 0.3], n_resamples=200, rng=1)["marker"]
    >>> ax = draw_band(Figure().subplots(), marker_band, label="marker")
    >>> len(ax.lines), len(ax.collections), ax.get_ylabel()
    (1, 2, 'net benefit (true positives per case)')
    """
    _check.check_type(Band, "band", band, hint=" (see `stakes.band`; `draw_difference` draws a difference)")
    filled: dict[str, Any] = {"color": color, "linewidth": 0}
    if everywhere and band.lower_everywhere is not band.lower:
        ax.fill_between(*outline(band, band.lower_everywhere, band.upper_everywhere), alpha=0.12, **filled)
    ax.fill_between(*outline(band, band.lower, band.upper), alpha=0.25, **filled)
    ax.plot(band.x, band.estimate, **({"color": color} | line))
    ax.set(xlabel=band.x_label, ylabel=band.y_label)
    return ax


def outline(band: Band, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the corners of a band: its places, or each of them twice where it has steps."""
    if not band.is_stepped or not len(band.x):
        return band.x, lower, upper
    held, ahead = np.append(lower[:1], np.repeat(lower, 2)[:-1]), np.append(np.repeat(upper, 2)[1:], upper[-1:])
    return np.repeat(band.x, 2), held, ahead
