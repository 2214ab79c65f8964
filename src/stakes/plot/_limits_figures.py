"""Figures of decisions under limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgb
from scipy.ndimage import distance_transform_edt

from stakes._arrays import BoolArray, FloatArray
from stakes.beliefs import At, FractionalCost, as_cost
from stakes.curves import isometrics, roc_curve
from stakes.limits import Limits, LimitsLike, PartialVorosMap, feasible_region, lesser_area_curve, partial_voros
from stakes.plot._draw import draw_curve
from stakes.plot._style import DASHES, REFERENCE, colours, dress, label_lines, with_colours
from stakes.policy import best_thresholds
from stakes.table import ScoreTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Polygon

_GOLD = "#F0E442"


# Costs of a false alarm against a miss at which a second axis has its ticks.
_RATIOS = ((1, 100), (1, 50), (1, 20), (1, 10), (1, 5), (1, 2), (1, 1), (2, 1), (5, 1), (20, 1))


# Shares of cases at which a logarithmic axis of capacities has its ticks.
_SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def draw_feasible_region(
    ax: Axes, tables: Mapping[str, ScoreTable], limits: Limits, *, cost: float | str | None = None
) -> Axes:
    """Draw ROC curves over the feasible region, with the best thresholds and lines of equal cost.

    Points below a model's line cost more than its best threshold; the share of the region there is what partial
    VOROS averages.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.
    limits : Limits
        How many alarms can be answered, and how precise they must be.
    cost : float or words, such as "10%" or "1:9", keyword-only, optional
        The cost proportion to draw lines of equal cost for, strictly between 0 and 1; none unless given.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Figures 1, 2 and 4 (top).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Limits, score_table
    >>> from stakes.plot import draw_feasible_region
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> ax = draw_feasible_region(Figure().subplots(), {"model": table}, Limits(min_precision=0.6), cost=0.3)
    >>> ax.get_title(loc="left")
    'Within the limits, at cost 0.3: up and left is better'
    """
    known = None if cost is None else as_cost("cost", cost)
    corners = feasible_region(next(iter(tables.values())), limits).vertices
    (region,) = ax.fill(*corners.T, color=_GOLD, alpha=0.28, linewidth=0, zorder=0)
    edge = float(corners[:, 0].max())
    right = min(1.0, 1.6 * edge + 0.02)
    ax.set(xlim=(-0.012 * right, right), ylim=(0, 1.015))
    for name, table, colour in with_colours(tables):
        draw_curve(ax, roc_curve(table).between(0, edge), label=name, color=colour, linewidth=1.8)
        if known is not None:
            _draw_best_threshold(ax, table, limits, known, colour)
    _keep_within(ax, region)
    _draw_limit_lines(ax, corners)
    at = "" if known is None else f", at cost {known:.3g}"
    _over_white(label_lines(dress(ax, f"Within the limits{at}: up and left is better")))
    _draw_beyond(ax, tables)  # after the labels, which need not keep clear of it
    return _name_limits(ax, corners, limits)


def _keep_within(ax: Axes, region: Polygon) -> None:
    """Clip the lines drawn so far, but not single points, to the region."""
    for line in ax.lines:
        if line.get_marker() != "o":
            line.set_clip_path(region.get_path(), ax.transData)


def _draw_beyond(ax: Axes, tables: Mapping[str, ScoreTable]) -> None:
    """Draw whole ROC curves, faint."""
    for _, table, colour in with_colours(tables):
        draw_curve(ax, roc_curve(table), color=colour, linewidth=1.0, alpha=0.35, zorder=1)


def _over_white(ax: Axes) -> Axes:
    """Let labels be read where they lie over lines."""
    for text in ax.texts:
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "alpha": 0.65, "pad": 0.4})
    return ax


def _borders(corners: FloatArray) -> list[FloatArray]:
    """Borders of the region that are limits, not sides of the square, each as x and y of its ends."""
    sides = [np.column_stack(ends) for ends in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return [side for side in sides if not any(a == b and a in (0, 1) for a, b in side)]


def _draw_limit_lines(ax: Axes, corners: FloatArray) -> None:
    """Draw the borders of the region that are limits."""
    for x, y in _borders(corners):
        ax.plot(x, y, **DASHES)


def _name_limits(ax: Axes, corners: FloatArray, limits: Limits) -> Axes:
    """Write beside each border that is a limit, outside the region, which one it is."""
    for x, y in _borders(corners):
        name = f"capacity {limits.capacity:g}" if x[1] < x[0] else f"precision {limits.min_precision:g}"
        style: dict[str, Any] = {"textcoords": "offset points", "fontsize": 7.5, "color": REFERENCE, "va": "center"}
        ax.annotate(name, (x.mean(), y.mean()), (6, 0 if x[1] < x[0] else -4), **style)
    return ax


def _draw_best_threshold(ax: Axes, table: ScoreTable, limits: Limits, cost: float, colour: str) -> None:
    """Draw the line of equal cost through the best feasible threshold, and its point."""
    policy = best_thresholds(table, At(cost), limits)
    (line,) = isometrics(table, values=policy.regret, measure="regret", cost=cost).values()
    draw_curve(ax, line, color=colour, linewidth=1.1, linestyle=(0, (5, 1.5)))
    ax.plot(policy.false_positive_rate, policy.recall, "o", color=colour, markersize=6, clip_on=False, zorder=3)


def draw_lesser_areas(
    ax: Axes, tables: Mapping[str, ScoreTable], limits: LimitsLike = None, *, costs: FractionalCost | None = None
) -> Axes:
    """Draw the share of feasible classifiers that cost more, over the fractional cost and cost ratio.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    tables : mapping of str to ScoreTable
        A table per model, on the same sample.
    limits : Limits, optional
        How many alarms can be answered, and how precise they must be; no limits unless given.
    costs : FractionalCost, keyword-only, optional
        A range of fractional costs to shade; each label then carries the mean over it, which is partial VOROS.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Figure 5 (center).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.plot import draw_lesser_areas
    >>> table = score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])
    >>> ax = draw_lesser_areas(Figure().subplots(), {"model": table}, costs=FractionalCost(0.25, 0.75))
    >>> ax.lines[0].get_label()
    'model (0.922)'
    """
    for name, table, colour in with_colours(tables):
        mean = "" if costs is None else f" ({partial_voros(table, costs, limits or Limits()):.3f})"
        draw_curve(ax, lesser_area_curve(table, limits), label=name + mean, color=colour, linewidth=1.6)
    ax.set(xlim=(0, 1), ylim=(0, 1.01))
    if costs is not None:
        ax.axvspan(*costs.support, color=_GOLD, alpha=0.25, linewidth=0, zorder=0)
        ax.text(sum(costs.support) / 2, 0.99, "stated costs", ha="center", va="top", fontsize=7.5, color=REFERENCE)
    dress(ax, "Costlier share of the region: higher is better")
    _add_ratio_axis(ax, next(iter(tables.values())))
    return _over_white(label_lines(ax))


def _add_ratio_axis(ax: Axes, table: ScoreTable) -> None:
    """Add an axis on top with the cost ratio of each fractional cost."""
    places = [a * table.negative_total / (a * table.negative_total + b * table.positive_total) for a, b in _RATIOS]
    apart = [0]
    for k, t in enumerate(places):
        if t - places[apart[-1]] > 0.075:
            apart.append(k)
    top = ax.secondary_xaxis("top")
    top.set_xticks([places[k] for k in apart], [f"{_RATIOS[k][0]}:{_RATIOS[k][1]}" for k in apart])
    top.tick_params(colors="#333333", labelsize=7.5)
    top.spines["top"].set_color(REFERENCE)
    top.set_xlabel("cost of a false alarm : cost of a miss", fontsize=8)
    ax.set_title(ax.get_title(loc="left"), loc="left", fontsize=9, fontweight="bold", pad=36)


def draw_best_map(ax: Axes, grid: PartialVorosMap, *, within: float = 0.01) -> Axes:
    """Draw which model is best under which limits, hatched where another comes close.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    grid : PartialVorosMap
        The values over the limits.
    within : float, keyword-only
        How close values must be to count as tied.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Figure 4 (bottom).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.limits import partial_voros_map
    >>> from stakes.plot import draw_best_map
    >>> tables = {"a": score_table(y=[0, 1], score=[2, 1]), "b": score_table(y=[0, 1], score=[1, 2])}
    >>> grid = partial_voros_map(tables, FractionalCost(0.1, 0.4), min_precision=[0.6, 0.7], capacity=[0.5, 0.9])
    >>> [text.get_text() for text in draw_best_map(Figure().subplots(), grid).texts]
    ['b']
    """
    best, tied, palette = grid.best, grid.tied(within=within), colours(len(grid.models))
    image = np.array([to_rgb(colour) for colour in [*palette, "white"]])[best]
    image = np.where(tied[..., None], 0.5 * image + 0.5, image)
    ax.pcolormesh(grid.min_precision, grid.capacity, image.transpose(1, 0, 2), shading="nearest", rasterized=True)
    for number, (name, colour) in enumerate(zip(grid.models, palette, strict=True)):
        _hatch(ax, grid, grid.near_best(within=within)[number] & tied & (best != number), colour)
        _name_cells(ax, grid, best == number, name)
    ax.set(xlabel="smallest precision", ylabel="capacity (share of cases)")
    if ax.get_yscale() == "log":
        ticks = [tick for tick in _SHARES if grid.capacity.min() <= tick <= grid.capacity.max()]
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.set_yticks([], minor=True)
    return dress(ax, f"Best model under the limits (hatched: within {within:g})")


def _hatch(ax: Axes, grid: PartialVorosMap, cells: BoolArray, colour: str) -> None:
    """Hatch cells in the colour of a model that comes close there."""
    if cells.any():
        shown = np.ma.masked_where(~cells.T, cells.T)
        ax.pcolor(
            grid.min_precision, grid.capacity, shown, facecolor="none", edgecolor=colour, hatch="////", linewidth=0
        )


def _name_cells(ax: Axes, grid: PartialVorosMap, cells: BoolArray, name: str) -> None:
    """Write a name where there is most room around it, if there is any."""
    if cells.any():
        room = distance_transform_edt(np.pad(cells, 1))[1:-1, 1:-1]
        row, column = np.unravel_index(int(room.argmax()), room.shape)
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
        where = grid.min_precision[row], grid.capacity[column]
        ax.text(*where, name, fontsize=8, ha="center", va="center", color="#222222", bbox=box, clip_on=True)
