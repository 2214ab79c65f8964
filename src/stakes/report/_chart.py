"""A chart: its lines, marks, bands and texts, and the values that it shows.

The page makes the same ones in `charts.js` when a control moves.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stakes import _wording
from stakes._language import percent_sign
from stakes.report._chart_axis import LETTER, ChartAxis, tick_text
from stakes.report._svg import Point

Straight = Literal["x", "odds"]

_LONGEST = 26  # letters of a name beside its line

OTHER = "other"  # the class of a model that is no contender: thin, grey, without a label

STRIP = 58.0  # height of the histograms under a chart


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

    def box(self) -> tuple[float, float, float, float]:
        """Return the left, top, right and bottom edge of where lines are drawn."""
        ticks = self.y.ticks(self.height - 80, 32, upright=True)
        widest = max(len(tick_text(self.y, value)) for value in ticks or [0.0])
        below = (58.0 if self.x.labels == "cost" else 44.0) + (STRIP if self.strip else 0.0)
        return widest * LETTER + 10, 28.0, self.width - self._gutter(), self.height - below

    def _gutter(self) -> float:
        if self.gutter is not None:
            return self.gutter
        named = (line.name for line in self.lines if line.label)
        longest = max((min(len(name), self.longest) for name in named), default=0)
        return 20 + LETTER * (longest + 2) if longest else 8.0


def shortened(name: str, longest: int = _LONGEST) -> str:
    """Write a name that stands in a picture."""
    return name if len(name) <= longest else name[: longest - 1] + "\u2026"


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
    if chart.y.labels == "number":
        return _wording.signed(height, chart.digits)
    return _wording.signed(100 * height, 1) + percent_sign()
