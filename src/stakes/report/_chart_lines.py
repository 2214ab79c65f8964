"""Lines of a chart in pixels: bent over log-odds, thinned, cut off at its edges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from stakes.report._chart import OTHER, Chart, Line, Straight
from stakes.report._chart_axis import ChartAxis, expit, logit
from stakes.report._svg import Point

_BEND = 8.0  # length in pixels of the straight parts of a bent line

_FINE, _COARSE = 0.25, 3.5  # how far a drawn line may be from its points, in pixels: one with a colour, one without


def trace(line: Line, chart: Chart, box: tuple[float, float, float, float] | None = None) -> list[list[Point]]:
    """Return the parts of a line that are inside the chart (or another box), in pixels."""
    left, top, right, bottom = box or chart.box()
    points = list(zip(line.x, line.y, strict=True))
    if chart.x.scale == "log_odds":
        points = _bent(points, line.straight, chart.x, right - left)
    across, up = zip(*points, strict=True) if points else ((), ())
    placed = zip(chart.x.places(across, left, right), chart.y.places(up, bottom, top), strict=True)
    far = _COARSE if line.css.startswith(OTHER) else _FINE
    return [smoothed(part, far) for part in _clipped(_thinned(list(placed)), top, bottom)]


def _bent(points: Sequence[Point], straight: Straight, axis: ChartAxis, length: float) -> list[Point]:
    """Add points to segments that are straight over the share (or odds) but bent over log-odds."""

    def even(x: float) -> float:
        return x / (1 - x) if straight == "odds" else x

    bent, places = list(points[:1]), axis.places([x for x, _ in points], 0.0, length)
    for ((x0, y0), (x1, y1)), (start, end) in zip(pairwise(points), pairwise(places), strict=True):
        parts = math.ceil(abs(end - start) / _BEND)
        for k in range(1, parts):
            a, b = logit(x0), logit(x1)
            x = expit(a + (b - a) * k / parts)
            bent.append((x, y0 + (y1 - y0) * (even(x) - even(x0)) / (even(x1) - even(x0))))
        bent.append((x1, y1))
    return bent


def _thinned(points: Sequence[Point]) -> list[Point]:
    """Keep the first, highest, lowest and last point of a line in each column of pixels."""
    kept: list[Point] = []
    first = 0
    for k in range(1, len(points) + 1):
        if k < len(points) and math.floor(points[k][0]) == math.floor(points[first][0]):
            continue
        heights = [y for _, y in points[first:k]]
        wanted = {first, k - 1, first + heights.index(min(heights)), first + heights.index(max(heights))}
        kept += [points[row] for row in sorted(wanted)]
        first = k
    return kept


def smoothed(points: Sequence[Point], far: float) -> list[Point]:
    """Leave out points within `far` pixels of the line through others (Douglas and Peucker)."""
    kept, spans = {0, len(points) - 1}, [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        (x0, y0), (x1, y1) = points[first], points[last]
        wide, tall = x1 - x0, y1 - y0
        square = wide * wide + tall * tall
        worst, farthest = first, far
        for row in range(first + 1, last):
            x, y = points[row]
            # from the part between the ends, not from the whole line: a spike may lie beyond an end of a steep part
            along = min(max(((x - x0) * wide + (y - y0) * tall) / square, 0.0), 1.0) if square else 0.0
            aside = math.hypot(x - x0 - along * wide, y - y0 - along * tall)
            if aside > farthest:
                worst, farthest = row, aside
        if worst > first:
            kept.add(worst)
            spans += [(first, worst), (worst, last)]
    return [points[row] for row in sorted(kept)]


def _clipped(points: Sequence[Point], top: float, bottom: float) -> list[list[Point]]:
    """Cut off the parts above `top` or below `bottom`."""
    parts: list[list[Point]] = []
    for start, end in pairwise(points):
        piece = _segment(start, end, top, bottom)
        if piece is None:
            continue
        if parts and parts[-1][-1] == piece[0]:
            parts[-1].append(piece[1])
        else:
            parts.append(list(piece))
    return parts


def _segment(start: Point, end: Point, top: float, bottom: float) -> tuple[Point, Point] | None:
    """Return the part of a segment between `top` and `bottom`."""
    (x0, y0), (x1, y1) = start, end
    if max(y0, y1) < top or min(y0, y1) > bottom:
        return None

    def held(x: float, y: float) -> Point:
        edge = min(max(y, top), bottom)
        return (x, y) if edge == y else (x0 + (x1 - x0) * (edge - y0) / (y1 - y0), edge)

    return held(x0, y0), held(x1, y1)
