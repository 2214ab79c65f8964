"""Cards of the page that hold for the decision as stated alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stakes.report._chart import Chart
from stakes.report._drawing import draw
from stakes.report._svg import element


@dataclass(frozen=True)
class Card:
    """A heading, sentences, a table with its headings first, charts, and a note."""

    key: str
    heading: str
    sentences: Sequence[str]
    rows: Sequence[Sequence[str]] = ()
    charts: Sequence[Chart] = ()
    note: str = ""

    def html(self) -> Markup:
        """Write the card; it is absent while the page shows another decision."""
        first, *others = self.sentences
        parts = [
            element("h2", self.heading),
            element("p", first, class_="lead"),
            *(element("p", one) for one in others),
            *(_figure(chart) for chart in self.charts),
            *([_table(self.rows)] if self.rows else []),
            *([element("p", self.note, class_="note")] if self.note else []),
        ]
        return element("section", *parts, id=self.key, class_="card only-stated")

    def moved_html(self) -> Markup:
        """Write what stands in its place while the page shows another decision."""
        said = element("p", "This is known for the decision as stated.", class_="note")
        return element("section", element("h2", self.heading), said, class_="card only-moved")


def _figure(chart: Chart) -> Markup:
    return element("figure", draw(chart), class_="still")


def _table(rows: Sequence[Sequence[str]]) -> Markup:
    head = element("tr", *(element("th", cell, scope="col") for cell in rows[0]))
    body = [
        element("tr", element("th", element("bdi", row[0]), scope="row"), *(element("td", cell) for cell in row[1:]))
        for row in rows[1:]
    ]
    table = element("table", element("thead", head), element("tbody", *body), class_="numbers")
    return element("div", table, class_="scroll")


def cards_html(cards: Sequence[Card]) -> Markup:
    """Write several cards, one after another."""
    return Markup("\n").join(card.html() for card in cards)


def live_cards_html(cards: Sequence[Card]) -> Markup:
    """Write several cards for a page with controls, each with what stands in its place once they moved."""
    return Markup("\n").join(card.html() + card.moved_html() for card in cards)
