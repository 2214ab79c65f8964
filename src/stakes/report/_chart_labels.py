"""Names of lines in a column right of a chart, which cannot collide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from stakes.report._chart import Chart, Line, shortened
from stakes.report._chart_axis import ROW
from stakes.report._svg import Point, element, path, tenths


def labels(chart: Chart, ends: Sequence[tuple[Line, Point]]) -> Iterable[Markup]:
    """Label each line right of the chart, with an arrow if it left at the top or bottom."""
    _, top, right, bottom = chart.box()
    room = int((bottom - top) // ROW) + 1
    beside = sorted(((y, x, line) for line, (x, y) in ends[:room]), key=lambda end: tenths(end[0]))
    for (y, x, line), at in zip(beside, spread([y for y, *_ in beside], top, bottom), strict=True):
        left = x <= right - 6 and min(y - top, bottom - y) < 1
        if not left:
            yield path([[(min(x + 6, right) + 2, y), (right + 2, y), (right + 9, at)]], f"leader {line.css}")
        yield _name(chart, line, right + 12, at + 4, "" if not left else _UP if y < (top + bottom) / 2 else _DOWN)


_UP, _DOWN = "\u2191\u00a0", "\u2193\u00a0"


def _name(chart: Chart, line: Line, x: float, y: float, arrow: str) -> Markup:
    short = shortened(line.name, chart.longest)
    whole = [element("title", line.name)] if short != line.name else []
    return element("text", arrow + short, *whole, class_=f"label {line.css}", x=x, y=y)


def spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Move ascending heights apart as little as possible, so that labels do not overlap.

    That is the isotonic fit of the heights less a line for each label before it.
    """
    blocks: list[tuple[float, int]] = []  # sum and number of the heights that move together
    for k, height in enumerate(wanted):
        total, count = height - k * ROW, 1
        while blocks and blocks[-1][0] / blocks[-1][1] >= total / count:
            total, count = total + blocks[-1][0], count + blocks[-1][1]
            blocks.pop()
        blocks.append((total, count))
    fitted = [total / count for total, count in blocks for _ in range(count)]
    last = bottom - (len(fitted) - 1) * ROW
    return [max(min(at, last), top) + k * ROW for k, at in enumerate(fitted)]
