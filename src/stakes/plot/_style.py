"""Style of all figures: palette, axes, and labels beside the lines instead of a legend."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from matplotlib import colormaps
from matplotlib.patheffects import withStroke

from stakes import _check
from stakes._errors import InputError
from stakes.beliefs import as_belief

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from stakes._arrays import FloatArray
    from stakes.beliefs import BeliefLike

Item = TypeVar("Item")

# Okabe and Ito's palette, which the colour-blind can tell apart; darkest first, yellow left out for print.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")

REFERENCE, FAINT = "#555555", "#BBBBBB"

DASHES: dict[str, Any] = {"color": REFERENCE, "linewidth": 1.0, "linestyle": (0, (4, 2))}

DOTS: dict[str, Any] = {"color": REFERENCE, "linewidth": 1.0, "linestyle": (0, (1, 1.5))}


# Width of a letter and height of a line of a label, in points; places across an axis at which lines are looked at.
_LETTER, _LINE, _PLACES = 4.3, 11.0, np.linspace(0.0, 1.0, 161)


# The odds at which an axis of log-odds has its ticks.
ODDS = ((1, 999), (1, 99), (1, 19), (1, 4), (1, 1), (4, 1), (19, 1), (99, 1), (999, 1))


def colours(count: int) -> list[str]:
    """Return `count` colours; the palette repeats after six."""
    return list(islice(cycle(PALETTE), count))


def with_colours(items: Mapping[str, Item]) -> Iterator[tuple[str, Item, str]]:
    """Yield the name, the value and the colour of each item, such as the tables of several models."""
    return ((name, item, colour) for (name, item), colour in zip(items.items(), cycle(PALETTE), strict=False))


def shades(count: int) -> FloatArray:
    """Return `count` colours in perceptual order, dark to bright."""
    return colormaps["viridis"](np.linspace(0.0, 0.92, count))


def panels(axes: Axes | Sequence[Axes], *numbers: int) -> list[Axes]:
    """Return the axes to draw on as a list, of one of these lengths; one axis need not be in a sequence."""
    found: list[Axes] = np.ravel(np.array(axes, dtype=object)).tolist()
    if len(found) not in numbers:
        wanted = " or ".join(map(str, numbers))
        raise InputError("axes", f"be {wanted} matplotlib axes", str(len(found)))
    return found


def dress(ax: Axes, title: str) -> Axes:
    """Remove the frame, set font sizes and colours, and set the title."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(REFERENCE)
    ax.tick_params(colors="#333333", labelsize=8)
    ax.xaxis.label.set_fontsize(9)
    ax.yaxis.label.set_fontsize(9)
    ax.set_title(title, loc="left", fontsize=9, fontweight="bold", pad=7)
    return ax


def use_odds_axis(ax: Axes, *, low: float = 0.01, high: float = 0.99) -> Axes:
    """Give `ax` an axis of log-odds with odds as labels, cost of a false alarm to cost of a miss.

    Call it before drawing, so that lines that are straight over the cost are drawn bent.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axis.
    low, high : float, keyword-only
        The range of costs to show, strictly between 0 and 1.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import use_odds_axis
    >>> ax = use_odds_axis(Figure().subplots(), low=0.04, high=0.6)
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['1:19', '1:4', '1:1']
    """
    ax.set_xscale("logit")
    ax.set_xlim(low, high)
    shown = [(a, b) for a, b in ODDS if low <= a / (a + b) <= high]
    ax.set_xticks([a / (a + b) for a, b in shown], [f"{a}:{b}" for a, b in shown])
    ax.set_xticks([], minor=True)
    return ax


def shade_range(ax: Axes, low: float, high: float, label: str) -> Axes:
    """Shade a range of x, with a label above it."""
    ax.axvspan(low, high, color="#F0E442", alpha=0.25, linewidth=0, zorder=0)
    ends = ax.transData.transform([(low, 0.0), (high, 0.0)])
    middle = ax.transData.inverted().transform(ends.mean(axis=0))[0]
    where = ax.get_xaxis_transform()
    ax.text(middle, 0.985, label, transform=where, ha="center", va="top", fontsize=7.5, color=REFERENCE)
    return ax


def shade_costs(ax: Axes, costs: BeliefLike | None) -> Axes:
    """Shade the range of a belief about the cost, if there is one."""
    if costs is None:
        return ax
    believed = as_belief("costs", costs)
    _check.check_methods("costs", believed, "support")
    low, high = believed.support
    return shade_range(ax, low, high, "stated costs")


def label_lines(ax: Axes, lines: Iterable[Line2D] | None = None) -> Axes:
    """Write each line's label beside it, in its colour, where it is farthest from the other lines.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axis, with its limits set and everything drawn.
    lines : iterable of Line2D, optional
        The lines to label; every line of the axis that has a label unless given.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes.plot import label_lines
    >>> ax = Figure().subplots()
    >>> _ = ax.plot([0, 1], [0, 1], label="up"), ax.plot([0, 1], [1, 0], label="down")
    >>> [text.get_text() for text in label_lines(ax).texts]
    ['up', 'down']
    """
    labelled = [line for line in (ax.lines if lines is None else lines) if not str(line.get_label()).startswith("_")]
    box = ax.get_window_extent()
    wide, tall = _LETTER * ax.figure.dpi / 72 / box.width, _LINE * ax.figure.dpi / 72 / box.height
    heights = np.array([_height(ax, line) for line in ax.lines])
    taken = [_box(ax, text, wide, tall) for text in ax.texts]
    for line in labelled:
        row, text = list(ax.lines).index(line), str(line.get_label())
        room, x, y, above = _best_place(row, heights, taken, len(text) * wide / 2, tall)
        taken.append((x, y + (tall if above else -tall) / 2, len(text) * wide / 2))
        where: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": "center"}
        style: dict[str, Any] = {"color": line.get_color(), "fontsize": 8, "va": "bottom" if above else "top"}
        if room < 0:  # it lies on another line
            style["path_effects"] = [withStroke(linewidth=2, foreground="white")]
        ax.annotate(text, (x, y), (0, 2 if above else -2), **where, **style)
    return ax


def _box(ax: Axes, text: Text, wide: float, tall: float) -> tuple[float, float, float]:
    """Centre and half width of a text that hangs from its place."""
    x, y = ax.transAxes.inverted().transform(text.get_transform().transform(text.get_position()))
    return float(x), float(y) - tall / 2, len(text.get_text()) * wide / 2


def _height(ax: Axes, line: Line2D) -> FloatArray:
    """Return the height of a line across the axis, as shares of the axis; nan outside."""
    points = (line.get_transform() - ax.transAxes).transform(np.column_stack(line.get_data()).astype(float))
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) < 2:
        return np.full(len(_PLACES), np.nan)
    height = np.interp(_PLACES, points[:, 0], points[:, 1], left=np.nan, right=np.nan)
    return np.where((height >= -0.02) & (height <= 1.02), height, np.nan)


def _best_place(
    row: int, heights: FloatArray, taken: Sequence[tuple[float, float, float]], half: float, tall: float
) -> tuple[float, float, float, bool]:
    """Room, centre, height and side of a label where it is near its own line and has room to the others."""
    best = (-np.inf, 0.5, 0.5, True)
    for centre in range(len(_PLACES)):
        x = float(_PLACES[centre])
        under = slice(*np.searchsorted(_PLACES, [x - half, x + half]))
        own = heights[row, under]
        if x < half or x > 1 - half or not np.isfinite(heights[row, centre]) or not np.isfinite(own).any():
            continue
        others = np.delete(heights, row, axis=0)[:, under]
        gap = np.abs(others - own)
        apart = 0.5 * min(float(np.min(gap[np.isfinite(gap)], initial=np.inf)) / tall, 2.0)
        for above in (True, False):
            edge = float(np.nanmax(own) if above else np.nanmin(own))
            far = abs(edge - heights[row, centre]) / tall
            value = _room(edge, others, above, tall) - _overlap(x, edge, above, taken, half, tall)
            best = max(best, (value + apart - 0.5 * far - 0.2 * abs(x - 0.5), x, edge, above))
    return best


def _room(edge: float, others: FloatArray, above: bool, tall: float) -> float:
    """Return how well a label fits between an edge and the next line, from far below 0 up to 2."""
    ahead = others - edge if above else edge - others
    is_crossed = np.any(np.abs(np.diff(np.sign(ahead), axis=1)) == 2)  # by a line that may be too steep to be met
    room = 0.0 if is_crossed else min(float(np.min(ahead[ahead > -tall / 4], initial=np.inf)) / tall, 2.0)
    border = (1 - edge if above else edge) / tall
    return -20.0 if border < 1 else room if room > 1 else 4 * room - 4


def _overlap(
    x: float, edge: float, above: bool, taken: Sequence[tuple[float, float, float]], half: float, tall: float
) -> float:
    """Penalise every label that is already there."""
    y = edge + (tall if above else -tall) / 2
    return sum(5.0 for x2, y2, half2 in taken if abs(x - x2) < half + half2 and abs(y - y2) < 1.2 * tall)
