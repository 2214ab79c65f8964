"""Charts as SVG.

The page draws the same pictures in `charts.js`, function by function, when a control moves. Colours come from classes,
never from `style` attributes, which the page's content-security policy would refuse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from stakes.report._chart import STRIP, Chart, Line, Mark, Text, shortened
from stakes.report._chart_axis import LETTER, tick_text, whole_odds
from stakes.report._chart_labels import labels
from stakes.report._chart_lines import trace
from stakes.report._svg import Point, element, joined, path


def draw(chart: Chart) -> Markup:
    """Draw a chart."""
    traced = [(line, trace(line, chart)) for line in chart.lines]
    parts = [
        element("title", chart.summary),
        *_bands(chart),
        *_y_axis(chart),
        *_x_axis(chart),
        *_polygons(chart),
        *(_fill(chart, *fill) for fill in chart.fills),
        *_histograms(chart),
        *(path(parts, f"line {line.css}") for line, parts in traced if parts),
        *(_mark(chart, mark) for mark in chart.marks),
        *(_words(chart, text) for text in chart.texts),
        *labels(chart, [(line, parts[-1][-1]) for line, parts in traced if parts and line.name and line.label]),
    ]
    size = {"width": chart.width, "height": chart.height, "viewBox": f"0 0 {chart.width:g} {chart.height:g}"}
    return element("svg", *parts, class_="chart", role="img", data_chart=chart.key, **size)


def _bands(chart: Chart) -> Iterable[Markup]:
    left, top, right, bottom = chart.box()
    for css, ends in (("band", chart.band), ("stated", chart.stated)):
        if ends is None:
            continue
        a, b = (min(max(chart.x.place(end, left, right), left), right) for end in ends)
        if css == "band":
            wide = max(b - a, 2.0)
            yield element("rect", class_=css, x=(a + b - wide) / 2, y=top, width=wide, height=bottom - top)
        else:
            edges = [[(at, top), (at, bottom)] for at in ((a, b) if b > a else (a,))]
            yield path(edges, css)


def _y_axis(chart: Chart) -> Iterable[Markup]:
    left, top, right, bottom = chart.box()
    yield element("text", chart.y.title, class_="axis-title", x=0.0, y=13.0)
    for value in chart.y.ticks(bottom - top, 32, upright=True):
        at = chart.y.place(value, bottom, top)
        yield path([[(left, at), (right, at)]], "zero" if value == 0 else "grid")
        yield element("text", tick_text(chart.y, value), class_="tick", x=left - 6, y=at + 4, text_anchor="end")


def _x_axis(chart: Chart) -> Iterable[Markup]:
    left, _, right, bottom = chart.box()
    bottom += STRIP if chart.strip else 0.0
    for value in chart.x.ticks(right - left, 46 if chart.x.labels == "cost" else 56):
        at = chart.x.place(value, left, right)
        yield path([[(at, bottom), (at, bottom + 4)]], "tick-mark")
        side = {"x": chart.width, "text_anchor": "end"} if at > chart.width - 18 else {"x": at, "text_anchor": "middle"}
        cost = chart.x.labels == "cost"
        yield element(
            "text", whole_odds(value) if cost else tick_text(chart.x, value), class_="tick", y=bottom + 19, **side
        )
        if cost:
            yield element("text", tick_text(chart.x, value), class_="tick odds", y=bottom + 33, **side)
    start = max(min(left, chart.width - LETTER * len(chart.x.title)), 0.0)
    yield element("text", chart.x.title, class_="axis-title", x=start, y=chart.height - 8.0)


def _polygons(chart: Chart) -> Iterable[Markup]:
    """Draw areas, all of one class as one path."""
    if not chart.polygons:
        return
    kinds, box = dict[str, list[str]](), chart.box()
    for corners, css in chart.polygons:
        kinds.setdefault(css, []).append(_polygon(chart, corners, box))
    yield element(
        "g", *(element("path", class_=css, d="".join(drawn)) for css, drawn in kinds.items()), class_="polygons"
    )


def _polygon(chart: Chart, corners: Sequence[Point], box: tuple[float, float, float, float]) -> str:
    left, top, right, bottom = box
    across, up = zip(*corners, strict=True)
    return joined(list(zip(chart.x.places(across, left, right), chart.y.places(up, bottom, top), strict=True))) + "z"


def _fill(chart: Chart, above: Line, below: Line, css: str) -> Markup:
    upper, lower = ([point for part in trace(line, chart) for point in part] for line in (above, below))
    return path([[*upper, *reversed(lower)]], css)


def _histograms(chart: Chart) -> Iterable[Markup]:
    if chart.strip is None:
        return
    left, _, right, bottom = chart.box()
    middle, tallest = bottom + 6 + (STRIP - 12) / 2, max(*chart.strip.up, *chart.strip.down)
    for shares, css, sign in ((chart.strip.up, chart.strip.css, -1), (chart.strip.down, "down", 1)):
        corners = [(left, middle)]
        for start, end, share in zip(chart.strip.edge, chart.strip.edge[1:], shares, strict=False):
            height = middle + sign * (STRIP - 12) / 2 * math.sqrt(share / tallest)
            corners += [(chart.x.place(min(x, chart.x.high), left, right), height) for x in (start, end)]
        yield path([[*corners, (right, middle)]], f"histogram {css}")


def _mark(chart: Chart, mark: Mark) -> Markup:
    left, top, right, bottom = chart.box()
    title = [element("title", mark.title)] if mark.title else []
    place = {"cx": chart.x.place(mark.x, left, right), "cy": chart.y.place(mark.y, bottom, top)}
    return element("circle", *title, class_=mark.css, r=mark.radius, **place)


def _words(chart: Chart, text: Text) -> Markup:
    left, top, right, bottom = chart.box()
    place = {"x": chart.x.place(text.x, left, right), "y": chart.y.place(text.y, bottom, top) + 4}
    return element("text", shortened(text.text), class_=text.css, text_anchor="middle", **place)
