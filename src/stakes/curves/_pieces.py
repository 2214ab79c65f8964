"""Geometry of the pieces of a curve, linear or the ratio of two linear functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray, blocks

Indices = npt.NDArray[np.intp]


def blend(part: FloatArray, y0: FloatArray, y1: FloatArray, w0: FloatArray, w1: FloatArray) -> FloatArray:
    """Value at a part (0 to 1) of the way along pieces; at weight 0 of one end, the value of the other."""
    first, last = (1 - part) * w0, part * w1
    total = first + last
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(total > 0, last / total, part)
        rest = np.where(total > 0, first / total, 1 - part)
    # Computed from the end nearer to zero, since the other may be huge and have a tiny share.
    return np.where(np.abs(y0) <= np.abs(y1), y0 + share * (y1 - y0), y1 + rest * (y0 - y1))


def _blend_evenly(part: FloatArray, y0: FloatArray, y1: FloatArray) -> FloatArray:
    """Return the same where all weights are 1."""
    from_first = np.abs(y0) <= np.abs(y1)
    near, rise = np.where(from_first, y0, y1), np.where(from_first, y1 - y0, y0 - y1)
    value: FloatArray = near + np.where(from_first, part, 1 - part) * rise
    return value


def evaluate(
    x: FloatArray, y: FloatArray, weight: FloatArray | None, points: FloatArray, side: Literal["left", "right"]
) -> FloatArray:
    """Value at `points`, before a jump if `side` is left and after it if right; nan outside."""
    values: FloatArray = evaluate_several(x, [(y, weight)], points, side)[0]
    return values


def evaluate_several(
    x: FloatArray,
    columns: Sequence[tuple[FloatArray, FloatArray | None]],
    points: FloatArray,
    side: Literal["left", "right"],
) -> FloatArray:
    """Values of several curves over the same x, each with its weight, from one search for the points."""
    values = np.empty((len(columns), points.size))
    for rows in blocks(points.size):
        values[:, rows] = _evaluate(x, columns, points.reshape(-1)[rows], side)
    return values.reshape(len(columns), *points.shape)


def _evaluate(
    x: FloatArray,
    columns: Sequence[tuple[FloatArray, FloatArray | None]],
    points: FloatArray,
    side: Literal["left", "right"],
) -> list[FloatArray]:
    row = np.searchsorted(x, points, side=side) - (side == "right")
    row = np.clip(row, 0, len(x) - 1)
    hit = x[row] == points
    first = np.maximum(row - 1, 0) if side == "left" else row
    last = row if side == "left" else np.minimum(row + 1, len(x) - 1)
    width = x[last] - x[first]
    part = np.where(hit | (width == 0), 0.0, (points - x[first]) / np.where(width == 0, 1.0, width))
    inside = (points >= x[0]) & (points <= x[-1])
    values = []
    for y, weight in columns:
        if weight is None:
            between = _blend_evenly(part, y[first], y[last])
        else:
            between = blend(part, y[first], y[last], weight[first], weight[last])
        values.append(np.where(inside, np.where(hit, y[row], between), np.nan))
    return values


def mean_share(ratio: FloatArray) -> FloatArray:
    """Mean of the blending share along pieces whose weight grows by `ratio`; one half if it is 1."""
    r = ratio - 1
    near = np.abs(r) < 1e-2
    series = 0.5 + r * (1 / 6 - r * (1 / 12 - r * (1 / 20 - r * (1 / 30 - r * (1 / 42 - r * (1 / 56 - r / 72))))))
    with np.errstate(divide="ignore", invalid="ignore"):
        exact = ratio / r - ratio * np.log(ratio) / r**2
    return np.where(near, series, np.where(ratio == 0, 0.0, np.where(np.isinf(ratio), 1.0, exact)))


def area(x: FloatArray, y: FloatArray, weight: FloatArray | None) -> float:
    """Integral of y over x."""
    width, rise = np.diff(x), np.diff(y)
    rise, start, width = rise[width > 0], y[:-1][width > 0], width[width > 0]
    if weight is None:
        middle = start + rise / 2
        return math.fsum(width * middle) if len(width) < 1_000_000 else float(np.einsum("i,i->", width, middle))
    wide = np.diff(x) > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(weight[1:] == weight[:-1], 1.0, weight[1:] / weight[:-1])[wide]
    return float(np.einsum("i,i->", width, start + rise * mean_share(ratio)))  # a dot product depends on threads


def window(x: FloatArray, low: float, high: float) -> tuple[slice, FloatArray]:
    """Rows of the points from `low` to `high`, with a neighbour at each end if needed, and clipped x."""
    first, last = int(np.searchsorted(x, low, side="left")), int(np.searchsorted(x, high, side="right"))
    first -= bool(first > 0 and x[first] > low)
    last += bool(last < len(x) and x[last - 1] < high)
    rows = slice(first, last)
    return rows, np.clip(x[rows], low, high)


def polyline(
    x: FloatArray,
    y: FloatArray,
    weight: FloatArray | None,
    tolerance: float,
    window: tuple[float, float],
    any_axis: bool,
) -> tuple[FloatArray, FloatArray]:
    """Points of a polyline within `tolerance` of the curve wherever the curve lies in the window of y."""
    if weight is None and not any_axis:
        return x, y
    x, y, weight = _split_at_levels(x, y, np.ones_like(x) if weight is None else weight, window)
    w0, w1, rise = weight[:-1], weight[1:], np.abs(np.diff(y))
    seen = (np.diff(x) > 0) & (np.maximum(y[:-1], y[1:]) > window[0]) & (np.minimum(y[:-1], y[1:]) < window[1])
    seen &= (w0 > 0) & (w1 > 0)
    ratio = np.divide(w1, w0, out=np.ones_like(w0), where=seen)
    parts = np.where(seen, _parts(np.abs(np.log(ratio)), rise / tolerance, any_axis), 1).astype(np.intp)
    row = np.repeat(np.arange(len(parts)), parts)
    step = (np.arange(len(row)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[row]
    part = _split_points(step, ratio[row], any_axis)
    new_x = x[row] + part * (x[row + 1] - x[row])
    new_y = blend(part, y[row], y[row + 1], weight[row], weight[row + 1])
    return np.append(new_x, x[-1]), np.append(new_y, y[-1])


def _parts(bend: FloatArray, rise: FloatArray, any_axis: bool) -> FloatArray:
    r"""Return the number of parts to split pieces into, from their log ratio of weights and relative rise.

    A piece whose weight changes by the factor :math:`e^{\pm h}` leaves its chord by :math:`|y_1 - y_0| \tanh(h / 4)`.
    Split into parts of equal factor :math:`e^{\pm h/k}`, the steepest of them takes the share
    :math:`(1 - e^{-h/k}) / (1 - e^{-h})` of the rise, so none leaves its own chord by more than
    :math:`|y_1 - y_0| (h/k)^2 / (4 (1 - e^{-h}))`. On any axis a piece that only rises or only falls leaves its
    chord by no more than its rise.
    """
    steepest = -np.expm1(-np.maximum(bend, 1e-9))
    parts: FloatArray = np.ceil(rise if any_axis else bend * np.sqrt(rise / (4 * steepest)))
    return np.maximum(parts, 1.0)


def _split_points(step: FloatArray, ratio: FloatArray, any_axis: bool) -> FloatArray:
    """Points at which to split pieces: equal factors of the weight, or on any axis equal rises."""
    if any_axis:
        return step / (step + (1 - step) * ratio)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(ratio == 1, step, np.expm1(step * np.log(ratio)) / (ratio - 1))


def _split_at_levels(
    x: FloatArray, y: FloatArray, weight: FloatArray, levels: tuple[float, float]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Add a point wherever the curve crosses one of the levels."""
    for level in levels:
        if not math.isfinite(level):
            continue
        first, last = weight[:-1] * (y[:-1] - level), weight[1:] * (y[1:] - level)
        row = np.flatnonzero((np.sign(first) * np.sign(last) < 0) & (np.diff(x) > 0))
        part = first[row] / (first[row] - last[row])
        x, weight = (np.insert(v, row + 1, v[row] + part * (v[row + 1] - v[row])) for v in (x, weight))
        y = np.insert(y, row + 1, level)
    return x, y, weight


# ------------------------------------------------------------------------------------------- simplification

# Number of blocks tried first on a large curve, and of values processed at a time (they fit in the cache).
_BLOCKS, _AT_ONCE = 1 << 12, 1 << 13

# Parts that a large block is looked at in: a point far from its piece settles it, and most blocks are settled so.
_PARTS = 4


def rows_to_keep(x: FloatArray, y: FloatArray, weight: FloatArray | None, tolerance: float) -> Indices:
    """Rows to keep so that the value nowhere changes by more than `tolerance`.

    A block of neighbouring points is replaced by the piece that joins its ends if that is close enough, and halved
    otherwise: first in many blocks of a large curve, then from the whole among the points that were kept.
    """
    size = 1 << max((len(x) - 1) // _BLOCKS, 1).bit_length() - 1
    if size == 1:
        return _rows_by_halving(x, y, weight, tolerance, 1 << (len(x) - 1).bit_length())
    kept = _rows_by_halving(x, y, weight, tolerance / 2, size)
    few = _rows_by_halving(
        x[kept], y[kept], None if weight is None else weight[kept], tolerance / 2, 1 << (len(kept) - 1).bit_length()
    )
    return kept[few]


def _rows_by_halving(x: FloatArray, y: FloatArray, weight: FloatArray | None, tolerance: float, size: int) -> Indices:
    last = len(x) - 1
    starts = np.arange(0, last, size)
    kept = [starts, np.array([last])]
    jumps = np.flatnonzero((x[1:] == x[:-1]) & (np.abs(np.diff(y)) > 2.001 * tolerance))
    while size > 1 and len(starts):
        far = _hold_jump(x, weight, starts, size, jumps)
        for step in (size // _PARTS, 1)[size <= _PARTS :]:
            near = np.flatnonzero(~far)
            far[near] = _errors(x, y, weight, starts[near], size, step) > tolerance
        size //= 2
        starts = np.add.outer(starts[far], np.array([0, size])).reshape(-1)
        starts = starts[: len(starts) - int(len(starts) > 0 and starts[-1] >= last)]  # none beyond the end
        kept.append(starts[1::2])
    return np.sort(np.concatenate(kept))  # in which no row is twice


def _hold_jump(
    x: FloatArray, weight: FloatArray | None, starts: Indices, size: int, jumps: Indices
) -> npt.NDArray[np.bool_]:
    """Return which blocks hold a jump: no piece that joins their ends can be close to both sides of it."""
    anywhere = np.zeros((len(x) - 1) // size + 1, dtype=bool)
    anywhere[jumps // size] = True
    hold: npt.NDArray[np.bool_] = anywhere[starts // size]
    first = starts[hold]
    last = np.minimum(first + size, len(x) - 1)
    settled = x[first] < x[last]
    hold[hold] = settled if weight is None else settled & (weight[first] > 0) & (weight[last] > 0)
    return hold


def _errors(
    x: FloatArray, y: FloatArray, weight: FloatArray | None, starts: Indices, size: int, step: int
) -> FloatArray:
    """Largest distance of every `step`-th point of each block from the piece that joins its ends.

    A block is a column here, since NumPy is slow at the maximum of many short rows.
    """
    blocks = max(_AT_ONCE * step // size, 1)
    offsets = np.arange(0, size + 1, step)[:, None]
    errors = np.empty(len(starts))
    for first in range(0, len(starts), blocks):
        rows = starts[first : first + blocks] + offsets
        part = x.take(rows, mode="clip")  # the last block ends with the curve
        part -= part[0].copy()
        width = part[-1].copy()
        flat = width == 0
        part /= np.where(flat, 1.0, width)
        values = y.take(rows, mode="clip")
        if weight is None:
            error = _straight_error(part, values)
        else:
            error = _bent_error(part, values, weight.take(rows, mode="clip"), step == 1)
        error[flat] = 0.0
        errors[first : first + blocks] = error
    return errors


def _straight_error(part: FloatArray, y: FloatArray) -> FloatArray:
    part *= y[-1] - y[0]
    part += y[0]
    part -= y
    return _farthest(part)


def _farthest(distance: FloatArray) -> FloatArray:
    farthest: FloatArray = np.maximum(distance.max(axis=0), -distance.min(axis=0))
    return farthest


def _bent_error(part: FloatArray, y: FloatArray, weight: FloatArray, neighbours: bool) -> FloatArray:
    """Bound of the distance of two ratios of lines; the distance at the points if denominators are equal.

    The distance at the points only, too, if they are not neighbours.
    """
    first, last = weight[0] * y[0], weight[-1] * y[-1]
    joined = part * (weight[-1] - weight[0])
    joined += weight[0]
    part *= last - first
    part += first
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = part / joined
    distance -= y
    worst = _farthest(distance)
    if not np.isfinite(worst).all():  # weight 0: a limit over no width
        np.nan_to_num(distance, copy=False, nan=0.0, posinf=np.inf, neginf=-np.inf)
        worst = _farthest(distance)
    if not neighbours or np.abs(joined - weight).max() <= 1e-12 * weight.max():
        return worst
    return np.maximum(worst, _middle_error(part, joined, weight * y, weight))


def _middle_error(above: FloatArray, joined: FloatArray, own: FloatArray, weight: FloatArray) -> FloatArray:
    """Middle control value of the difference, a rational Bézier piece bounded by its control values."""
    middle = above[:-1] * weight[1:] + above[1:] * weight[:-1]
    middle -= own[:-1] * joined[1:] + own[1:] * joined[:-1]
    under = joined[:-1] * weight[1:] + joined[1:] * weight[:-1]
    with np.errstate(invalid="ignore", divide="ignore"):
        worst: FloatArray = np.where(middle == 0, 0.0, np.abs(middle) / under).max(axis=0)
    return worst
