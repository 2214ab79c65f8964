"""A page of a watch in the style of the report: cost and evidence by batch, and what other scores say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from stakes._wording import name
from stakes.cli._watch_lines import WatchReport, drift_lines, evidence_text, promise_text, verdict_lines
from stakes.monitoring import Watch

if TYPE_CHECKING:
    from stakes.report import Card, Chart, Line

_HIGHEST = 2.0  # how far above the alarm evidence is drawn, in tens
_LOWEST = -2.0  # below which evidence is drawn no deeper


def watch_cards(shown: WatchReport) -> list[Card]:
    """Return the cards of a watch: the complete batches, and the others."""
    from stakes.report import Card

    cards = []
    if (seen := shown.seen) is not None:
        charts = [_cost_chart(shown, seen), _evidence_chart(shown, seen)]
        heading = "Does it cost more than promised?"
        cards.append(
            Card(
                "watch",
                heading,
                [*verdict_lines(shown, seen), promise_text(shown, seen)],
                _rows(shown, seen),
                charts,
                _NOTE,
            )
        )
    for batch, found in shown.drifts:
        first, *others = (line.strip() for line in drift_lines(shown, batch, found))
        cards.append(Card("", f"{name(batch.label)}, before outcomes are known", [first, *others]))
    return cards


_NOTE = (
    "Evidence is what gamblers would have who bet, one from each batch on, that the cost exceeds what was promised. "
    "Their bets are fair as long as the promise holds, so an alarm comes by chance no more often than stated. "
    "In the chart, evidence below 0.01, or beyond a hundred times what an alarm needs, is at the edge."
)


def _rows(shown: WatchReport, seen: Watch) -> list[list[str]]:
    columns = zip(shown.file.labels, seen.cases, seen.regret, seen.evidence, seen.alarms, strict=True)
    acts = seen.threshold is not None
    less = "expected cost" if seen.baseline is None else f"more than {name(seen.baseline)}"
    rows = [
        [
            name(label),
            f"{cases:,}",
            shown.unit.number(float(regret)),
            evidence_text(float(log)),
            *([shown.limits.written(float(acted))] if acts else []),
        ]
        for label, cases, regret, log, acted in columns
    ]
    return [["batch", "cases", f"{less}, {shown.unit.heading}", "evidence", *["acts on"] * acts], *rows]


def _cost_chart(shown: WatchReport, seen: Watch) -> Chart:
    """Draw the cost of every batch, and what was promised."""
    from stakes.report import Line

    unit = shown.unit
    costs = [unit.value(float(one)) for one in seen.regret]
    promised = unit.value(seen.promised + seen.tolerance)
    ends = [0.0, promised, *costs]
    text = "Expected cost of every batch, and what was promised."
    lines = [Line([0.0, float(len(costs))], [promised] * 2, "r1", "promised"), _line_through(costs, "m0", "each batch")]
    less = "" if seen.baseline is None else f" less that of {name(seen.baseline)}"
    return _chart(shown, "cost", text, (min(ends), max(ends)), f"expected cost{less}, {unit.heading}", lines)


def _evidence_chart(shown: WatchReport, seen: Watch) -> Chart:
    """Draw the evidence after every batch on a scale of tens, and where the alarm stands."""
    from stakes.report import Line

    alarm = math.log10(seen.false_alarm_every)
    heights = [min(max(float(one), _LOWEST), alarm + _HIGHEST) for one in seen.evidence]
    text = f"Evidence after every batch; an alarm stands from {seen.false_alarm_every:g} on."
    lines = [Line([0.0, float(len(heights))], [alarm] * 2, "r1", "alarm"), _line_through(heights, "m1", "evidence")]
    return _chart(shown, "evidence", text, (_LOWEST, alarm + _HIGHEST), "evidence", lines, "power_of_ten")


def _line_through(heights: Sequence[float], css: str, title: str) -> Line:
    from stakes.report import Line

    return Line([k + 0.5 for k in range(len(heights))], list(heights), css, title)


def _chart(
    shown: WatchReport,
    key: str,
    text: str,
    ends: tuple[float, float],
    title: str,
    lines: Sequence[Line],
    labels: Literal["number", "power_of_ten"] = "number",
) -> Chart:
    """Draw lines over the batches, each with a mark."""
    from stakes.report import Chart, ChartAxis, Mark

    batches, (low, high) = shown.file.labels, ends
    names = tuple(name(label)[:10] for label in batches)
    alarm = None if shown.seen is None else shown.seen.alarm
    marks = [
        Mark(x, y, "dot m3" if k == alarm else f"dot {lines[1].css}", name(label), 6.0 if k == alarm else 3.5)
        for k, (x, y, label) in enumerate(zip(lines[1].x, lines[1].y, batches, strict=True))
    ]
    room = 0.08 * (high - low) or 1.0
    y = ChartAxis(low if low == 0 else low - room, high + room, title, labels=labels)
    return Chart(key, text, 720.0, 260.0, ChartAxis(0.0, float(len(batches)), "batch", names=names), y, lines, marks)
