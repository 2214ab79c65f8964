"""Charts over the cost: expected cost, the difference of the first two, and decision curves.

All have one axis, the stated range and some way beyond; the page may show all that its controls reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise

import numpy as np

from stakes import _wording as words
from stakes._language import say
from stakes.beliefs import Uniform
from stakes.cases import is_special
from stakes.curves import Curve, best_decision_curve, crossings, decision_curve, regret_curve
from stakes.evaluation import Evaluation
from stakes.policy import best_thresholds
from stakes.report._chart import Chart, Line, Mark
from stakes.report._chart_axis import ChartAxis, even_in_log_odds, expit, logit
from stakes.report._figures import WIDE, curve_line, difference_axis, is_coloured, label_of
from stakes.report._models import Scene, ShownModel
from stakes.table import flatten
from stakes.uncertainty import difference_band

COST = "false alarm : miss; below, the threshold probability"

_AROUND = 0.7  # how far beyond the stated range the charts go, in log-odds

_BAND_PLACES = 41

_MOST_CROSSINGS = 8

_TALL = 340.0


def view(scene: Scene) -> tuple[float, float]:
    """Return the costs that the charts show: the stated ones and some way beyond."""
    low, high = (logit(end) for end in scene.shown_band)
    return max(expit(low - _AROUND), scene.costs[0]), min(expit(high + _AROUND), scene.costs[1])


def cost_axis(scene: Scene) -> ChartAxis:
    """Return the axis that all charts over the cost share."""
    return ChartAxis(*view(scene), say(COST), "log_odds", "cost")


def regret_of(model: ShownModel, scene: Scene) -> Curve:
    """Return the regret of a model over the costs, at its scores or at the best feasible thresholds."""
    limits = scene.decision.limits
    if limits is None or model in scene.references:
        return regret_curve(model.there)
    table, policy = model.there, best_thresholds(model.there, Uniform(*scene.costs), limits)
    acted = np.searchsorted(table.score, policy.threshold)  # the first row of those
    missed, spared = (np.concatenate([[0.0], np.cumsum(one)])[acted] for one in (table.positive, table.negative))
    costs, needless = np.column_stack([policy.from_cost, policy.to_cost]), table.negative.sum() - spared
    values = (costs * needless[:, None] + (1 - costs) * missed[:, None]) / table.total
    like = regret_curve(table)
    return Curve(costs.ravel(), values.ravel(), like.x_label, like.y_label, better="lower")


def regret_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show regret over the cost, and where the least costly changes."""
    x, curves = cost_axis(scene), {model.key: regret_of(model, scene) for model in scene.allowed}
    line = partial(curve_line, axis=x, times=scene.unit.curve_scale)
    lines = [line(curves[model.key], css=model.css, name=label_of(model)) for model in scene.allowed]
    y = fitted_axis(scene, lines, line(regret_curve(flatten(scene.models[0].there)), css=""))
    marks = takeover_marks(scene, curves, y.low, y.high)
    summary, digits = regret_summary(scene), scene.unit.digits
    return Chart("regret", summary, width, _TALL, x, y, lines, marks, scene.band, scene.band, digits=digits)


def fitted_axis(scene: Scene, lines: Sequence[Line], constant: Line) -> ChartAxis:
    """Return the axis of costs: for the models with a colour, from 0 unless that wastes the chart."""
    shown = [line for line, model in zip(lines, scene.allowed, strict=True) if is_coloured(model, scene)]
    compared = [*shown, constant] if len(scene.models) == 1 else shown
    high = max([1e-9, *(y for line in compared for y in line.y)])
    low = min(y for line in lines for y in line.y)
    room = 0.06 * (high - low)
    start = 0.0 if low < 0.4 * high else low - room
    return ChartAxis(start, high + room, say("expected cost {heading} (lower is better)", heading=scene.unit.heading))


def regret_summary(scene: Scene) -> str:
    """Describe the regret chart in words."""
    names = ", ".join(model.name for model in scene.models if is_coloured(model, scene))
    low, high = scene.band
    return say(
        "Expected cost {heading} by the cost of a false alarm, for {names}; your range is {low} to {high}.",
        heading=scene.unit.heading,
        names=names,
        low=words.percent(low),
        high=words.percent(high),
    )


def takeovers(curves: Mapping[str, Curve], low: float, high: float) -> list[tuple[float, str, str]]:
    """Return where the least costly changes between two costs, from which to which."""
    parts = {key: curve.between(low, high) for key, curve in curves.items()}
    places = {float(x) for a, b in combinations(parts.values(), 2) for x in crossings(a, b)}
    edges = [low, *sorted(x for x in places if low < x < high), high]
    best = [min(curves, key=lambda key: float(curves[key].at((a + b) / 2))) for a, b in pairwise(edges)]
    changes = zip(edges[1:-1], pairwise(best), strict=True)
    return [(x, before, after) for x, (before, after) in changes if before != after]


def takeover_marks(scene: Scene, curves: Mapping[str, Curve], bottom: float, top: float) -> list[Mark]:
    """Mark where the least costly changes, unless that is too often to be seen."""
    low, high = scene.shown_band
    if low >= high:
        return []
    names = {model.key: model.name for model in scene.allowed}
    changes = takeovers(curves, low, high)
    marks = [
        Mark(
            x,
            scene.unit.curve_scale * float(curves[after].at(x)),
            "crossing",
            say("{names} is best from {x}", names=names[after], x=words.percent(x)),
            5.0,
        )
        for x, _, after in changes
    ]
    return [mark for mark in marks if bottom <= mark.y <= top] if len(changes) <= _MOST_CROSSINGS else []


def benefit_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show the decision curves, and under each model the best that its order of cases allows."""
    x = cost_axis(scene)
    line = partial(curve_line, axis=x, times=1000.0, straight="odds")
    shown = [model for model in scene.models if is_coloured(model, scene)]
    lines = [line(best_decision_curve(model.there), css=f"{model.css} envelope") for model in shown]
    lines += [line(decision_curve(model.there), css=model.css, name=label_of(model)) for model in scene.allowed]
    top = max([1e-6, *(y for line in lines[: len(shown)] for y in line.y)])
    low = min(
        [
            0.0,
            *(y for one, line in zip(scene.allowed, lines[len(shown) :], strict=True) for y in line.y if one in shown),
        ]
    )
    names = ", ".join(model.name for model in shown)
    text = say("Decision curves of {names}, each with the best it could reach after recalibration.", names=names)
    y = ChartAxis(max(low, -0.3 * top), 1.06 * top, say("net benefit per 1,000 cases (higher is better)"))
    return Chart("benefit", text, width, _TALL, x, y, lines, (), scene.band, scene.band)


# ------------------------------------------------------------------------------------- the difference of the first two


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """The first two of the ranking, and a band around how much more the second costs.

    Attributes
    ----------
    first, second : ShownModel
        The two.
    x : list of float
        The costs at which the band is known; none where the cases are not known.
    lower, upper : list of float
        Its ends, as a regret.
    """

    first: ShownModel
    second: ShownModel
    x: Sequence[float] = ()
    lower: Sequence[float] = ()
    upper: Sequence[float] = ()

    def to_dict(self) -> dict[str, object]:
        """Return what the page reads, with as many digits as a picture can show."""
        ends = {name: [float(f"{y:.4g}") for y in getattr(self, name)] for name in ("lower", "upper")}
        return {"first": self.first.name, "second": self.second.name, "x": [float(f"{x:.6g}") for x in self.x], **ends}


def known_difference(evaluation: Evaluation, scene: Scene) -> KnownDifference:
    """Return the first two, with the band of their difference where cases, costs and models allow one."""
    ways, results = {way.key: way for way in scene.ways}, evaluation.results
    first, second = ways[results.best.model], ways[results.rival.model]
    decision, cases = evaluation.decision, results.cases
    plain = decision.limits is None and decision.prevalence is None and scene.both_classes
    if cases is None or not plain or is_special(cases):
        return KnownDifference(first, second)
    places = np.array(even_in_log_odds(*scene.costs, _BAND_PLACES))
    band = difference_band(cases, first.key, second.key, x=places, level=evaluation.level)
    lower, upper = (1 - places) * band.lower_everywhere, (1 - places) * band.upper_everywhere
    if not np.isfinite([lower, upper]).all():
        return KnownDifference(first, second)
    return KnownDifference(first, second, places.tolist(), lower.tolist(), upper.tolist())


def difference_chart(scene: Scene, known: KnownDifference, *, width: float = WIDE) -> Chart:
    """Show how much more the second of the ranking costs than the first, over the cost."""
    x, times = cost_axis(scene), scene.unit.curve_scale
    first, second = (regret_of(model, scene) for model in (known.first, known.second))
    line = curve_line(difference(first, second), x, "difference", say("extra cost"), times=times, label=False)
    ends = [
        curve_line(Curve(known.x, values, "", "", better="lower"), x, "", times=times)
        for values in (known.upper, known.lower)
        if len(values)
    ]
    fills = [(ends[0], ends[1], "fill difference")] if ends else []
    summary = say(
        "How much more {second} costs than {first}, by the cost of a false alarm.",
        second=known.second.name,
        first=known.first.name,
    )
    y = difference_axis([line, *ends], say("extra cost {heading}", heading=scene.unit.heading))
    digits = scene.unit.digits + 1
    return Chart(
        "difference", summary, width, _TALL, x, y, [line], (), scene.band, scene.band, fills=fills, digits=digits
    )


def difference(first: Curve, second: Curve) -> Curve:
    """Return how much higher the second of two curves is, its jumps included."""
    low, high = max(first.x[0], second.x[0]), min(first.x[-1], second.x[-1])
    places = np.union1d(first.x, second.x)
    places = places[(places >= low) & (places <= high)]
    before, after = second.before(places) - first.before(places), second.after(places) - first.after(places)
    kept = np.column_stack([np.ones(len(places), dtype=bool), before != after]).ravel()
    x, y = np.repeat(places, 2)[kept], np.column_stack([before, after]).ravel()[kept]
    return Curve(x, y, first.x_label, "extra " + first.y_label, better="lower")
