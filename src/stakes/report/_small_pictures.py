"""Pictures in table cells: intervals, curves, parts of a regret."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from stakes.prevalence import Gap
from stakes.report._svg import element, path

WIDTH, HEIGHT = 170.0, 24.0

_MIDDLE = HEIGHT / 2


def _cell(width: float, *parts: Markup, height: float = HEIGHT) -> Markup:
    size = {"width": width, "height": height, "viewBox": f"0 0 {width:g} {height:g}"}
    return element("svg", *parts, class_="cell-picture", aria_hidden="true", **size)


def _place(value: float, ends: tuple[float, float], width: float = WIDTH) -> float:
    low, high = ends
    return 5 + (width - 10) * (value - low) / (high - low)


def interval_cell(
    numbers: tuple[float, float, float], best: float, ends: tuple[float, float], css: str, width: float = WIDTH
) -> Markup:
    """Draw a number with its interval, as a dot on a line, and where the best is as a hairline.

    A number beyond the end of the column is an arrow there.
    """
    estimate, lower, upper = numbers
    first = _place(best, ends, width)
    parts = [path([[(first, 0.0), (first, HEIGHT)]], "hairline")]
    if math.isfinite(lower) and math.isfinite(upper) and lower < ends[1]:
        tips = [(_place(min(max(end, ends[0]), ends[1]), ends, width), _MIDDLE) for end in (lower, upper)]
        parts.append(path([tips], f"whisker {css}"))
    if estimate > ends[1]:
        tip = width - 1
        beyond = [(tip - 7, _MIDDLE - 5), (tip, _MIDDLE), (tip - 7, _MIDDLE + 5)]
        return _cell(width, *parts, path([beyond], f"dot {css}"))
    dot = element("circle", class_=f"dot {css}", cx=_place(estimate, ends, width), cy=_MIDDLE, r=4.5)
    return _cell(width, *parts, dot)


def ends_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the scale that all cells of a column share."""
    defined = [value for value in values if math.isfinite(value)]
    low, high = min(defined), max(defined)
    room = 0.03 * (high - low) or 1e-6
    return max(low - room, 0.0) if low >= 0 else low - room, high + room


def parts_cell(left: float, saved: float, constant: float, top: float, css: str) -> Markup:
    """Draw the regret after recalibration, the saving, and the regret of the best constant score."""
    ends = (0.0, top)
    start, end, whole = (_place(value, ends, 2 * WIDTH) for value in (0.0, left, left + saved))
    bars = [(start, end, f"bar {css}"), (end, whole, f"bar saved {css}")]
    shapes = [
        element("rect", class_=style, x=a, y=4.0, width=max(b - a, 0.0), height=HEIGHT - 8) for a, b, style in bars
    ]
    at = _place(constant, ends, 2 * WIDTH)
    return _cell(2 * WIDTH, *shapes, path([[(at, 0.0), (at, HEIGHT)]], "constant"))


def gap_cell(gap: Gap, ends: tuple[float, float]) -> Markup:
    """Draw a gap as a waterfall of discrimination, calibration and prevalence."""
    start, shapes, lane = 0.0, [], HEIGHT / 3
    parts = ((gap.sharpness, "sharpness"), (gap.calibration, "calibration"), (gap.label, "prevalence"))
    for row, (part, css) in enumerate(parts):
        a, b = sorted((_place(start, ends, 2 * WIDTH), _place(start + part, ends, 2 * WIDTH)))
        place = {"x": a, "y": row * lane + 0.5, "width": max(b - a, 0.8), "height": lane - 1}
        shapes.append(element("rect", class_=f"step {css}", **place))
        start += part
    zero, whole = (_place(value, ends, 2 * WIDTH) for value in (0.0, gap.total))
    shapes.append(path([[(zero, 0.0), (zero, HEIGHT)]], "hairline"))
    return _cell(2 * WIDTH, *shapes, path([[(whole, 0.0), (whole, HEIGHT)]], "total"))
