"""A forest plot of the page: one model at every site, at the average one and at a new one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stakes._wording import name
from stakes.cli._sites import SiteAnswer
from stakes.uncertainty import single_deviate

if TYPE_CHECKING:
    from stakes.report import Chart

_AVERAGE, _NEW = "average site", "new site"


def forest_chart(answer: SiteAnswer, model: str) -> Chart:
    """Draw the difference of a model to the other; each site is what it says by itself."""
    from stakes.report import Chart, ChartAxis, Line, Mark

    rows = _rows(answer, model)
    lines, marks, names = [], [], []
    for place, (label, css, estimate, lower, upper) in enumerate(reversed(rows)):
        at = place + 0.5
        lines.append(Line([lower, upper], [at, at], css))
        names.append(label)
        if not math.isnan(estimate):
            title = f"{label}: {estimate:,.3g} ({lower:,.3g} to {upper:,.3g})"
            marks.append(Mark(estimate, at, f"dot {css.split()[0]}", title, 5.0 if label == _AVERAGE else 4.0))
    ends = [0.0, *(end for *_, lower, upper in rows for end in (lower, upper))]
    room = 0.04 * (max(ends) - min(ends))
    x = ChartAxis(min(ends) - room, max(ends) + room, f"{name(model)} less {name(answer.other)}, {answer.unit.heading}")
    y = ChartAxis(0.0, float(len(rows)), "", names=tuple(names))
    text = f"Difference of {name(model)} to {name(answer.other)} at every site, at the average one and at a new one."
    return Chart("forest", text, 640.0, 80.0 + 30.0 * len(rows), x, y, lines, marks, stated=(0.0, 0.0), gutter=20.0)


def _rows(answer: SiteAnswer, model: str) -> list[tuple[str, str, float, float, float]]:
    """Return label, class, estimate and ends of every line, from the top."""
    number, unit = answer.versus.models[model], answer.unit
    reach = single_deviate(answer.alone.level)
    found = [
        (name(site), "m0 thin", one.estimate, one.estimate - reach * one.error, one.estimate + reach * one.error)
        for site, one in number.sites.items()
    ]
    average, new = number.average, number.new_site
    found.append((_AVERAGE, "m1 used", average.estimate, average.lower, average.upper))
    if not math.isnan(new.lower):
        found.append((_NEW, "m1 thin", math.nan, new.lower, new.upper))
    return [(label, css, unit.value(a), unit.value(b), unit.value(c)) for label, css, a, b, c in found]
