"""Controls of a page in money: the cost of a false alarm, and the capacity.

Every number is computed here, as `evaluate` would at that decision; the page only shows those it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from stakes import _wording
from stakes._arrays import FloatArray
from stakes._language import number, say
from stakes.evaluation import Evaluation
from stakes.report._money_states import ModelState, MoneyStates
from stakes.report._still_page import scrolled, section, table_of_rows

_LEFT, _TOP, _WIDTH, _HEIGHT = 70, 30, 520, 220
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)


@dataclass(frozen=True)
class MoneyControls:
    """The section of a page in money that has controls."""

    evaluation: Evaluation
    known: MoneyStates

    def html(self) -> str:
        """Write the section, which shows the first state where no script runs."""
        share, times = self.known.start
        moved = "".join(
            f"<p><label for=move-{name}>{escape(label)}</label><br><input type=range id=move-{name} min=0 "
            f"max={len(said) - 1} value={at} aria-valuetext='{escape(said[at], quote=True)}'></p>"
            for name, label, said, at in (
                ("times", say("What a false alarm costs"), self._times_said, times),
                ("share", say("How many cases can be acted on"), self._shares_said, share),
            )
        )
        back = f"<button type=button id=moves-back>{escape(say('Back'))}</button>"
        data = json.dumps(self._data(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return section(
            say("With other costs or another capacity"),
            f"<p id=moves-said>{escape(self._said(*self.known.start))}</p>",
            f"<div id=moves hidden>{moved}<p>{back}</p></div>",
            f"<p><strong id=moves-answer aria-live=polite>{escape(self._answer(*self.known.start))}</strong></p>",
            self._picture(),
            table_of_rows(self._rows()).replace("<tbody>", "<tbody id=moves-rows>"),
            f"<script type='application/json' id=moves-data>{data}</script>",
            self._note(),
        )

    def _note(self) -> str:
        text = say(
            "Every number is exact for this sample, and has no interval here. The picture joins the positions of the "
            "first control; the upright line is where it stands."
        )
        if len(self.known.shares) > 1:
            text += " " + say(
                "Where the number of cases is limited, a model acts from the score that is best in this sample, so "
                "its cost is optimistic."
            )
        return text

    @property
    def _times_said(self) -> list[str]:
        return [
            say("A false alarm costs what is stated.")
            if one == 1
            else say("A false alarm costs {times:.4g} times what is stated.", times=one)
            for one in self.known.times
        ]

    @property
    def _shares_said(self) -> list[str]:
        return [
            say("Any number of cases can be acted on.")
            if one is None
            else say("At most {share} of cases can be acted on.", share=_wording.percent(one))
            for one in self.known.shares
        ]

    def _said(self, share: int, times: int) -> str:
        return f"{self._times_said[times]} {self._shares_said[share]}"

    def _answer(self, share: int, times: int) -> str:
        first, *others = self.known.shown[share][times]
        unit, name = self.evaluation.unit, self._name(first.model)
        cost = unit.cost(first.paid)
        if not others:
            return say("{model} costs {cost}.", model=name, cost=cost)
        less, second = others[0].paid - first.paid, self._name(others[0].model)
        if not unit.value(less):
            return say("{model} and {second} cost the same: {cost}.", model=name, second=second, cost=cost)
        return say(
            "{model} costs least: {cost}, {less} less than {second}.",
            model=name,
            cost=cost,
            less=unit.number(less),
            second=second,
        )

    def _rows(self) -> list[list[str]]:
        headings = list(
            map(say, ("model", "expected cost", "acts from", "alarms per 1,000 cases", "precision", "recall"))
        )
        share, times = self.known.start
        shown = self.known.shown[share][times]
        return [headings, *([self._name(one.model), *self._cells(one)] for one in shown)]

    def _name(self, model: str) -> str:
        is_model = model in self.evaluation.tables
        return _wording.name(model) if is_model else _wording.reference(model)

    def _cells(self, shown: ModelState) -> list[str]:
        """Return the row of a model in the table."""
        shares = (
            _wording.percent(one) if np.isfinite(one) else _wording.NOT_KNOWN for one in (shown.precision, shown.recall)
        )
        cost, alarms = self.evaluation.unit.number(shown.paid), number(1000 * shown.alarms, ",.4g")
        is_constant = len(self.known.tables[shown.model]) == 1
        return [cost, _wording.NOT_KNOWN if is_constant else _wording.threshold(shown.cut), alarms, *shares]

    def _data(self) -> dict[str, Any]:
        """Return what the script shows: texts alone, and where lines are drawn."""
        names = list(self.known.tables)
        return {
            "start": self.known.start,
            "times": self._times_said,
            "shares": self._shares_said,
            "names": [self._name(model) for model in names],
            "answers": [
                [self._answer(share, times) for times in range(len(self.known.times))]
                for share in range(len(self.known.shares))
            ],
            "rows": [
                [[[names.index(one.model), *self._cells(one)] for one in shown] for shown in row]
                for row in self.known.shown
            ],
            "lines": [self._lines(share) for share in range(len(self.known.shares))],
            "across": [f"{x:.1f}" for x in self._across()],
        }

    # --------------------------------------------------------------------------------------------------- the picture

    def _across(self) -> FloatArray:
        at = np.log(self.known.times)
        return np.asarray(_LEFT + _WIDTH * (at - at[0]) / (at[-1] - at[0]))

    def _highest(self) -> float:
        unit = self.evaluation.unit
        return max(unit.value(one.paid) for row in self.known.shown for shown in row for one in shown) or 1.0

    def _lines(self, share: int) -> list[str]:
        """Return the points of the line of every model under a capacity."""
        unit, highest = self.evaluation.unit, self._highest()
        down = {
            model: [
                _TOP + _HEIGHT * (1 - unit.value(one.paid) / highest)
                for shown in self.known.shown[share]
                for one in shown
                if one.model == model
            ]
            for model in self.known.tables
        }
        return [
            " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(self._across(), heights, strict=True))
            for heights in down.values()
        ]

    def _picture(self) -> str:
        """Draw cost over the multiple, a line to a model, at the capacity that is shown first."""
        share, times = self.known.start
        bottom, at = _TOP + _HEIGHT, self._across()[times]
        drawn = "".join(
            f"<polyline class=moved points='{points}' fill=none stroke-width=2 {stroke}/>"
            for points, stroke in zip(self._lines(share), self._strokes(), strict=True)
        )
        cursor = f"<line id=moves-at x1='{at:.1f}' x2='{at:.1f}' y1={_TOP} y2={bottom} stroke='#888'/>"
        beside = f"<text x=0 y=12>{escape(self.evaluation.unit.named)}</text>"
        told = say("cost of each model over what a false alarm costs")
        size = f"width={_LEFT + _WIDTH + 30} height={bottom + 50}"
        inside = f"{self._axes()}{cursor}{drawn}{beside}"
        drawing = scrolled(told, f"<svg {size} role=img aria-label='{escape(told)}'>{inside}</svg>")
        return f"<p>{self._legend()}</p>{drawing}"

    def _axes(self) -> str:
        """Draw the multiples below and levels of the cost."""
        bottom, highest = _TOP + _HEIGHT, self._highest()
        ticks = "".join(
            f"<text x='{x:.1f}' y={bottom + 18} text-anchor=middle>x{number(one, '.3g')}</text>"
            for one, x in zip(self.known.times, self._across(), strict=True)
            if one in _TICKS
        )
        levels = "".join(
            f"<text x={_LEFT - 8} y='{y + 4:.1f}' text-anchor=end>{number(level, ',.6g')}</text>"
            f"<line x1={_LEFT} x2={_LEFT + _WIDTH} y1='{y:.1f}' y2='{y:.1f}' stroke='#ddd'/>"
            for level in _levels(highest)
            for y in [bottom - _HEIGHT * level / highest]
        )
        below = escape(say("what a false alarm costs, times what is stated"))
        return f"{levels}{ticks}<text x={_LEFT + _WIDTH / 2} y={bottom + 40} text-anchor=middle>{below}</text>"

    def _legend(self) -> str:
        """Write the names of the lines above them, where they wrap on a narrow screen."""
        return " &emsp; ".join(
            f"<svg width=26 height=10 aria-hidden=true><line x1=0 x2=24 y1=5 y2=5 stroke-width=2 {stroke}/></svg> "
            f"{escape(self._name(model))}"
            for model, stroke in zip(self.known.tables, self._strokes(), strict=True)
        )

    def _strokes(self) -> Iterator[str]:
        """Give every model a colour, and each reference a dash of its own."""
        colours, dashes = iter(_COLOURS), iter((2, 6, 12))
        for model in self.known.tables:
            if model in self.evaluation.tables:
                yield f"stroke='{next(colours)}'"
            else:
                yield f"stroke='#777777' stroke-dasharray='{next(dashes)} 4'"


def _levels(highest: float) -> FloatArray:
    """Return about five round numbers from 0 up to the highest."""
    rough = highest / 5
    unit = 10.0 ** np.floor(np.log10(rough))
    step = unit * next(one for one in (1, 2, 5, 10) if one * unit >= rough)
    return np.arange(0, highest * (1 + 1e-9), step)
