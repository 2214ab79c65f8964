"""Answers beside the ranking, where options ask for them: the gate, and the sites pooled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from stakes.cli._margin import gate_rows, gate_sentence, gate_values
from stakes.cli._show import say, show_rows
from stakes.cli._sites import SiteAnswer, each_site_rows, site_note, site_rows, site_sentences, site_values, told
from stakes.evaluation import Unit

if TYPE_CHECKING:
    from stakes.monitoring import Gate
    from stakes.report import Card
    from stakes.sites import SiteSummary


@dataclass(frozen=True)
class Extras:
    """The verdict of a gate, the answer over sites and a summary for them, as far as they are asked for."""

    gate: Gate | None = None
    sites: SiteAnswer | None = None
    summary: SiteSummary | None = None  # of the file, as a site

    def values(self, numbers: str) -> dict[str, Any]:
        """Return plain values of the JSON file, whose other numbers are in a stated scale."""
        gate = {} if self.gate is None else {"gate": gate_values(self.gate, numbers)}
        return gate if self.sites is None else {**gate, "sites": site_values(self.sites)}

    def cards(self, unit: Unit) -> list[Card]:
        """Return the answers as cards of the page."""
        from stakes.report import Card

        cards = []
        if self.gate is not None:
            rows = gate_rows(self.gate, unit)
            cards.append(Card("gate", "Does it pass the gate?", [gate_sentence(self.gate, unit)], rows))
        if self.sites is not None:
            from stakes.cli._forest import forest_chart

            said, note = site_sentences(self.sites), site_note(self.sites)
            charts = [forest_chart(self.sites, model) for model in told(self.sites)]
            cards.append(Card("sites", "What to expect of another site", said, site_rows(self.sites), charts, note))
        return cards

    def show_sites(self, out: Console) -> None:
        """Print the answer over sites."""
        if self.sites is None:
            return
        for rows in (site_rows(self.sites), each_site_rows(self.sites)):
            show_rows(out, rows)
        say(out, site_note(self.sites), style="dim")
        out.print()
        for sentence in site_sentences(self.sites):
            say(out, sentence)

    def show_gate(self, out: Console, unit: Unit) -> None:
        """Print the verdict of the gate."""
        if self.gate is not None:
            out.print()
            say(out, gate_sentence(self.gate, unit), style="bold")
