"""Cards of the page that hold for the decision as stated alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from stakes._language import say
from stakes.report._chart import Chart
from stakes.report._drawing import draw
from stakes.report._svg import element

_NARROW, _SHORT = 340.0, 12  # width of a chart on a phone, and letters of a name beside a line


@dataclass(frozen=True)
class Card:
    """A heading, sentences, charts with controls, a table with its headings first, and a note."""

    key: str
    heading: str
    sentences: Sequence[str]
    rows: Sequence[Sequence[str]] = ()
    charts: Sequence[Chart] = ()
    note: str = ""
    controls: Markup | None = None

    def html(self) -> Markup:
        """Write the card; it is absent while the page shows another decision."""
        parts = [
            element("h2", self.heading),
            *(element("p", one, class_="lead") for one in self.sentences),
            *(_figure(chart) for chart in self.charts),
            *([self.controls] if self.controls else []),
            *([_table(self.heading, self.rows)] if self.rows else []),
            *([element("p", self.note, class_="note")] if self.note else []),
        ]
        return element("section", *parts, id=self.key, class_="card only-stated")

    def moved_html(self) -> Markup:
        """Write what stands in its place while the page shows another decision."""
        said = element("p", say("This is known for the decision as stated."), class_="note")
        return element("section", element("h2", self.heading), said, class_="card only-moved")


def _figure(chart: Chart) -> Markup:
    """Draw a chart, and once more for a phone, where the first would be too small to read."""
    if chart.width <= _NARROW:
        return element("figure", draw(chart), class_="still")
    narrow = replace(chart, width=_NARROW, longest=_SHORT)
    return element(
        "figure",
        element("div", draw(chart), class_="wide"),
        element("div", draw(narrow), class_="narrow"),
        class_="still",
    )


def _table(called: str, rows: Sequence[Sequence[str]]) -> Markup:
    head = element("tr", *(element("th", cell, scope="col") for cell in rows[0]))
    body = [
        element("tr", element("th", element("bdi", row[0]), scope="row"), *(element("td", cell) for cell in row[1:]))
        for row in rows[1:]
    ]
    table = element("table", element("thead", head), element("tbody", *body), class_="numbers")
    return element("div", table, class_="scroll", tabindex=0, role="group", aria_label=called)


def cards_html(cards: Sequence[Card]) -> Markup:
    """Write several cards, one after another."""
    return Markup("\n").join(card.html() for card in cards)


def live_cards_html(cards: Sequence[Card]) -> Markup:
    """Write several cards for a page with controls, each with what stands in its place once they moved."""
    return Markup("\n").join(card.html() + card.moved_html() for card in cards)
