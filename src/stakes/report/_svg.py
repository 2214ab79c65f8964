"""A small drawing kit: axes, lines with their jumps, bands and labels as SVG.

The page draws the same pictures in `charts.js`, function by function, when a control moves. Colours come from classes,
never from `style` attributes, which the page's content-security policy would refuse.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from markupsafe import Markup, escape

from stakes import _wording

Point = tuple[float, float]

Straight = Literal["x", "odds"]


# Shares that an axis of log-odds may name, those that matter most first; their odds are whole numbers.
_SHARES = (
    *(0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.0001, 0.9999, 0.05, 0.95, 0.2, 0.8, 0.02, 0.98, 0.005, 0.995),
    *(0.25, 0.75, 0.04, 0.96, 0.025, 0.975, 0.125, 0.875, 0.0625, 0.9375),
)

_LETTER, _LINE = 7.4, 16.0  # width of a letter and height of a line of a label, in a wide font

_LONGEST = 22  # letters of a name beside its line

OTHER = "other"  # the class of a model that is no contender: thin, grey, without a label

_STRIP = 58.0  # height of the histograms under a chart

_BEND = 8.0  # length in pixels of the straight parts of a bent line

_FINE, _COARSE = 0.25, 1.0  # how far a drawn line may be from its points, in pixels: one with a colour, one without


def element(tag: str, /, *children: str, **attributes: object) -> Markup:
    """Make an element; `class_` is its class, underscores become hyphens, None omits an attribute."""
    given = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value is not None)
    pairs = "".join(f' {name}="{escape(_text(value))}"' for name, value in given)
    inside = "".join(escape(child) for child in children)
    return Markup(f"<{tag}{pairs}>{inside}</{tag}>")


def _text(value: object) -> str:
    return rounded(value) if isinstance(value, float) else str(value)


def rounded(value: float) -> str:
    """Write a place in a picture: a tenth of a pixel is enough."""
    return _in_tenths(tenths(value))


def tenths(value: float) -> int:
    """Return the nearest tenth of a pixel."""
    return math.floor(10 * value + 0.5)


def _in_tenths(count: int) -> str:
    whole, part = divmod(abs(count), 10)
    text = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{text}" if count < 0 else text


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """Ends, scale and title of an axis."""

    low: float
    high: float
    title: str = ""
    scale: Literal["linear", "log_odds"] = "linear"
    labels: Literal["number", "percent", "cost"] = "number"
    names: tuple[str, ...] = ()  # of the steps from 0 to 1, 1 to 2, ... instead of numbers

    def place(self, value: float, start: float, end: float) -> float:
        """Return the pixel of a value, the axis going from pixel `start` to `end`."""
        return self.places([value], start, end)[0]

    def places(self, values: Sequence[float], start: float, end: float) -> list[float]:
        """Return the pixels of several values."""
        given = (self.low, self.high, *values)
        low, high, *moved = map(logit, given) if self.scale == "log_odds" else given
        return [start + (end - start) * (at - low) / (high - low) for at in moved]

    def ticks(self, length: float, apart: float) -> list[float]:
        """Return the ticks of an axis of `length` pixels, at least `apart` pixels from each other."""
        if self.names:
            return [k + 0.5 for k in range(len(self.names))]
        return self._even(length, apart) if self.scale == "linear" else self._named(length, apart)

    def _even(self, length: float, apart: float) -> list[float]:
        least = (self.high - self.low) * apart / length
        unit = 10.0 ** math.floor(math.log10(least))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= least * (1 - 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]

    def _named(self, length: float, apart: float) -> list[float]:
        chosen: list[float] = []
        for share in _SHARES:
            at = self.place(share, 0.0, length)
            if 0 <= at <= length and all(abs(at - self.place(other, 0.0, length)) >= apart for other in chosen):
                chosen.append(share)
        return sorted(chosen)


def logit(share: float) -> float:
    """Return the log-odds of a share; those of 0 and of 1 are infinite."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return math.log(share) - math.log1p(-share)


def expit(log_odds: float) -> float:
    """Return the share that has these log-odds."""
    return 1 / (1 + math.exp(-log_odds))


def even_in_log_odds(low: float, high: float, places: int) -> list[float]:
    """Return `places` shares from the lowest to the highest, evenly spaced in log-odds."""
    first, last = logit(low), logit(high)
    return [expit(first + (last - first) * k / (places - 1)) for k in range(places)]


def plain(value: float) -> str:
    """Write a number on an axis without digits that say nothing."""
    text = f"{value:,.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "\u2212")


def tick_text(axis: ChartAxis, value: float) -> str:
    """Write a value on an axis."""
    if axis.names:
        return axis.names[int(value)]
    return plain(value) if axis.labels == "number" else f"{plain(100 * value)}%"


def whole_odds(share: float) -> str:
    """Write a share that an axis names as odds, false alarm to miss."""
    return f"1:{round((1 - share) / share)}" if share <= 0.5 else f"{round(share / (1 - share))}:1"


@dataclass(frozen=True, slots=True)
class Line:
    """Points to join, ascending in x; `straight` says on which scale of x the joints are straight."""

    x: Sequence[float]
    y: Sequence[float]
    css: str
    name: str = ""
    straight: Straight = "x"
    label: bool = True  # whether its name stands beside it


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its title."""

    x: float
    y: float
    css: str
    title: str = ""
    radius: float = 4.0


@dataclass(frozen=True, slots=True)
class Text:
    """Text centred at a place."""

    x: float
    y: float
    text: str
    css: str


@dataclass(frozen=True, slots=True)
class Strip:
    """Two histograms under a chart and on its x: one up, one down, each bin's share of its class."""

    edge: Sequence[float]
    up: Sequence[float]
    down: Sequence[float]
    css: str


@dataclass(frozen=True, slots=True)
class Chart:
    """All elements of a chart."""

    key: str
    summary: str
    width: float
    height: float
    x: ChartAxis
    y: ChartAxis
    lines: Sequence[Line] = ()
    marks: Sequence[Mark] = ()
    band: tuple[float, float] | None = None
    stated: tuple[float, float] | None = None
    polygons: Sequence[tuple[Sequence[Point], str]] = ()
    fills: Sequence[tuple[Line, Line, str]] = ()  # between two lines
    texts: Sequence[Text] = ()
    strip: Strip | None = None
    gutter: float | None = None  # room for labels at the right; as much as they need unless given
    longest: int = _LONGEST  # letters of a label
    digits: int = 1  # of a height in words
    beside: Sequence[str] = ()  # names that have room at the right, as in a chart above or below with the same x

    def box(self) -> tuple[float, float, float, float]:
        """Return the left, top, right and bottom edge of where lines are drawn."""
        widest = max(len(tick_text(self.y, value)) for value in self.y.ticks(self.height - 80, 32) or [0.0])
        below = (58.0 if self.x.labels == "cost" else 44.0) + (_STRIP if self.strip else 0.0)
        return widest * _LETTER + 10, 28.0, self.width - self._gutter(), self.height - below

    def _gutter(self) -> float:
        if self.gutter is not None:
            return self.gutter
        named = [*self.beside, *(line.name for line in self.lines if line.label)]
        longest = max((min(len(name), self.longest) for name in named), default=0)
        return 20 + _LETTER * (longest + 2) if longest else 8.0


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
    for value in chart.y.ticks(bottom - top, 32):
        at = chart.y.place(value, bottom, top)
        yield path([[(left, at), (right, at)]], "zero" if value == 0 else "grid")
        yield element("text", tick_text(chart.y, value), class_="tick", x=left - 6, y=at + 4, text_anchor="end")


def _x_axis(chart: Chart) -> Iterable[Markup]:
    left, _, right, bottom = chart.box()
    bottom += _STRIP if chart.strip else 0.0
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
    start = max(min(left, chart.width - _LETTER * len(chart.x.title)), 0.0)
    yield element("text", chart.x.title, class_="axis-title", x=start, y=chart.height - 8.0)


def _polygons(chart: Chart) -> Iterable[Markup]:
    """Draw areas, all of one class as one path."""
    if not chart.polygons:
        return
    kinds: dict[str, list[str]] = {}
    for corners, css in chart.polygons:
        kinds.setdefault(css, []).append(_polygon(chart, corners))
    yield element(
        "g", *(element("path", class_=css, d="".join(drawn)) for css, drawn in kinds.items()), class_="polygons"
    )


def _polygon(chart: Chart, corners: Sequence[Point]) -> str:
    left, top, right, bottom = chart.box()
    return joined([(chart.x.place(x, left, right), chart.y.place(y, bottom, top)) for x, y in corners]) + "z"


def _fill(chart: Chart, above: Line, below: Line, css: str) -> Markup:
    upper, lower = ([point for part in trace(line, chart) for point in part] for line in (above, below))
    return path([[*upper, *reversed(lower)]], css)


def _histograms(chart: Chart) -> Iterable[Markup]:
    if chart.strip is None:
        return
    left, _, right, bottom = chart.box()
    middle, tallest = bottom + 6 + (_STRIP - 12) / 2, max(*chart.strip.up, *chart.strip.down)
    for shares, css, sign in ((chart.strip.up, chart.strip.css, -1), (chart.strip.down, "down", 1)):
        corners = [(left, middle)]
        for start, end, share in zip(chart.strip.edge, chart.strip.edge[1:], shares, strict=False):
            height = middle + sign * (_STRIP - 12) / 2 * math.sqrt(share / tallest)
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


def shortened(name: str, longest: int = _LONGEST) -> str:
    """Write a name that stands in a picture."""
    return name if len(name) <= longest else name[: longest - 1] + "\u2026"


def path(parts: Iterable[Sequence[Point]], css: str) -> Markup:
    """Join the points of each part."""
    return element("path", class_=css, d="".join(map(joined, parts)))


def joined(points: Sequence[Point]) -> str:
    """Write points as a path: each as its distance from the one before, in the fewest letters."""
    (x, y), *rest = [(tenths(across), tenths(down)) for across, down in points]
    drawn, last = [f"M{_in_tenths(x)} {_in_tenths(y)}"], ""
    for across, down in rest:
        wide, tall = across - x, down - y
        if wide or tall:
            kind = "v" if not wide else "h" if not tall else "l"
            numbers = {"v": (tall,), "h": (wide,), "l": (wide, tall)}[kind]
            drawn.append(_move(kind, numbers, again=kind == last))
            x, y, last = across, down, kind
    return "".join(drawn)


def _move(kind: str, numbers: Sequence[int], *, again: bool) -> str:
    """Write one move of a path; a sign separates numbers as well as a space does."""
    texts = [_in_tenths(number) for number in numbers]
    apart = "".join(text if text.startswith("-") else f" {text}" for text in texts[1:])
    start = texts[0] if texts[0].startswith("-") or not again else f" {texts[0]}"
    return f"{'' if again else kind}{start}{apart}"


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


def labels(chart: Chart, ends: Sequence[tuple[Line, Point]]) -> Iterable[Markup]:
    """Label each line right of the chart, with an arrow if it left at the top or bottom."""
    _, top, right, bottom = chart.box()
    room = int((bottom - top) // _LINE) + 1
    beside = sorted(((y, x, line) for line, (x, y) in ends[:room]), key=lambda end: tenths(end[0]))
    for (y, x, line), at in zip(beside, spread([y for y, *_ in beside], top, bottom), strict=True):
        if x > right - 6:
            yield path([[(right + 2, y), (right + 9, at)]], f"leader {line.css}")
        yield _name(chart, line, right + 12, at + 4, "" if x > right - 6 else _UP if y < (top + bottom) / 2 else _DOWN)


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
        total, count = height - k * _LINE, 1
        while blocks and blocks[-1][0] / blocks[-1][1] >= total / count:
            total, count = total + blocks[-1][0], count + blocks[-1][1]
            blocks.pop()
        blocks.append((total, count))
    fitted = [total / count for total, count in blocks for _ in range(count)]
    last = bottom - (len(fitted) - 1) * _LINE
    return [max(min(at, last), top) + k * _LINE for k, at in enumerate(fitted)]


def height_at(line: Line, x: float) -> float:
    """Return the height of a line at a place, before a jump; nan where it does not go."""

    def even(place: float) -> float:
        return place / (1 - place) if line.straight == "odds" else place

    if not line.x[0] <= x <= line.x[-1]:
        return math.nan
    after = max(bisect_left(line.x, x), 1) if len(line.x) > 1 else 0
    x0, x1, y0, y1 = line.x[after - 1], line.x[after], line.y[after - 1], line.y[after]
    return y1 if x0 == x1 else y0 + (y1 - y0) * (even(x) - even(x0)) / (even(x1) - even(x0))


def table_of(chart: Chart) -> tuple[list[str], list[list[str]]]:
    """Return the named lines of a chart as headings and rows of a table."""
    named = [line for line in chart.lines if line.name]
    ends = [end for end in chart.band or () if chart.x.low <= end <= chart.x.high]
    places = sorted({*chart.x.ticks(500.0, 46), *ends})
    places = [place for place in places if chart.x.low <= place <= chart.x.high]
    rows = [[tick_text(chart.x, place), *(_height_text(chart, line, place) for line in named)] for place in places]
    return [chart.x.title, *(line.name for line in named)], rows


def values_at(chart: Chart, place: float) -> list[tuple[str, str, str]]:
    """Return the class, name and height of each named line at a place, where it has one."""
    named = [(line, _height_text(chart, line, place)) for line in chart.lines if line.name]
    return [(line.css, line.name, text) for line, text in named if text != _wording.NOT_KNOWN]


def _height_text(chart: Chart, line: Line, place: float) -> str:
    height = height_at(line, place)
    if math.isnan(height):
        return "\u2013"
    return (
        _wording.signed(height, chart.digits) if chart.y.labels == "number" else f"{_wording.signed(100 * height, 1)}%"
    )
