"""The pictures of the stated decision, for readers without JavaScript and for print.

The page draws the same ones in `figures.js` when a control moves. Nothing is computed here that stakes does not offer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stakes import _wording as words
from stakes._language import say
from stakes.beliefs import CostBelief
from stakes.curves import Curve, calibration_curve, roc_curve, roc_hull, score_histograms
from stakes.evaluation import Decision, measure, unlimited
from stakes.limits import Limits, feasible_region
from stakes.policy import best_thresholds
from stakes.prevalence import shifted_net_benefit_curve
from stakes.report._chart import OTHER, Chart, Line, Mark, Straight, Strip
from stakes.report._chart_axis import ChartAxis, even_in_log_odds
from stakes.report._models import Scene, ShownModel
from stakes.table import ScoreTable

WIDE, NARROW, SQUARE = 600.0, 300.0, 440.0

_MOST_POINTS, _FINE = 4000, 2e-4  # a longer curve is simplified, to within this share of its height

_CAPACITIES, _LEAST, _MOST = 25, 0.01, 0.9


def is_coloured(model: ShownModel, scene: Scene) -> bool:
    """Whether a model is a contender, which has a colour and a name in every chart."""
    return model not in scene.references and not model.css.startswith(OTHER)


def label_of(model: ShownModel) -> str:
    """Return the name of a line; one of many without a colour has none."""
    return "" if model.css.startswith(OTHER) else model.name


def curve_line(
    curve: Curve,
    axis: ChartAxis,
    css: str,
    name: str = "",
    *,
    times: float = 1.0,
    straight: Straight = "x",
    label: bool = True,
) -> Line:
    """Return the part of a curve that an axis shows."""
    part = curve.between(max(axis.low, float(curve.x[0])), min(axis.high, float(curve.x[-1])))
    if len(part) > _MOST_POINTS:
        part = part.simplify(_FINE * max(float(np.abs(part.y).max()), 1e-12))
    return Line(part.x.tolist(), (times * part.y).tolist(), css, name, straight, label)


def zoom(scene: Scene) -> float:
    """Return the highest score of the calibration charts, above nearly all cases and the costs."""
    needed = max([min(1.5 * scene.band[1], 1.0), *(_high_score(model.there) for model in scene.models)])
    return next(end for end in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0) if end >= min(needed, 1.0))


def _high_score(table: ScoreTable) -> float:
    up_to = np.cumsum(table.positive + table.negative)
    return float(table.score[min(int(np.searchsorted(up_to, 0.99 * up_to[-1])), len(table) - 1)])


def reliability_chart(scene: Scene, model: ShownModel, *, width: float = NARROW) -> Chart:
    """Show the share of positives over the score, with histograms of the scores."""
    end = zoom(scene)
    x, y = (
        ChartAxis(0.0, end, say("score"), labels="percent"),
        ChartAxis(0.0, end, say("share of positives"), labels="percent"),
    )
    lines = [
        Line([0.0, end], [0.0, end], "diagonal"),
        Line(*_shown_part(calibration_curve(model.there), end), model.css, say("share of positives"), label=False),
    ]
    strip = None
    if scene.both_classes:
        shares = score_histograms(model.there, bins=round(40 / end))
        up, down = shares.positive, shares.negative
        edge, up_shares = up.x[1:-1:2].tolist()[:40], up.y[1:-1:2].tolist()[:40]
        strip = Strip([*edge, end], up_shares, down.y[1:-1:2].tolist()[:40], model.css)
    text = say("Calibration of {name}: share of positives by score; on the diagonal it is calibrated.", name=model.name)
    return Chart("reliability", text, width, 300.0, x, y, lines, (), scene.band, scene.band, strip=strip, gutter=10.0)


def _shown_part(curve: Curve, end: float) -> tuple[list[float], list[float]]:
    first = float(curve.x[0])
    if first >= end or len(curve) == 1:
        return [first], [float(curve.y[0])]
    part = curve.between(first, end)
    return part.x.tolist(), part.y.tolist()


def usual_cost(costs: CostBelief) -> float:
    """Return one cost to stand for a belief: its mean, where the mean costs break even, or even costs."""
    mean = float(getattr(costs, "break_even", getattr(costs, "mean", 0.5)))
    return mean if 0 < mean < 1 else 0.5


def prevalence_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show the expected cost over the prevalence, at the mean cost, with scores corrected for it."""
    cost, heading = usual_cost(scene.decision.costs), scene.unit.heading
    x = ChartAxis(*scene.prevalences, say("prevalence where the model is used"), "log_odds", "percent")
    times, ways = scene.unit.curve_scale * (1 - cost), [way for way in scene.allowed if label_of(way)]
    lines = [
        curve_line(_cost_by_prevalence(model.table, cost), x, model.css, label_of(model), times=times) for model in ways
    ]
    shown = [line for line, model in zip(lines, ways, strict=True) if is_coloured(model, scene)]
    y = ChartAxis(
        0.0,
        1.06 * max(y for line in shown for y in line.y),
        say("expected cost {heading} (lower is better)", heading=heading),
    )
    text = say(
        "Expected cost {heading} by prevalence at a cost of {cost}, with scores corrected for it.",
        heading=heading,
        cost=words.percent(cost),
    )
    observed, digits = (scene.observed, scene.observed), scene.unit.digits
    band = scene.prevalence_band or observed
    return Chart("prevalence", text, width, 320.0, x, y, lines, (), band, observed, digits=digits)


def _cost_by_prevalence(table: ScoreTable, cost: float) -> Curve:
    """Return the prevalence less the net benefit: mistakes counted in misses, at one cost."""
    benefit = shifted_net_benefit_curve(table, cost=cost)
    return Curve(benefit.x, benefit.x - benefit.y, benefit.x_label, "cost in misses", better="lower")


def capacity_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show the expected cost over the capacity, each model at the best thresholds that it allows."""
    x = ChartAxis(_LEAST, _MOST, say("capacity (maximum share of cases acted on)"), "log_odds", "percent")
    places = even_in_log_odds(_LEAST, _MOST, _CAPACITIES)
    none, times = unlimited(scene.decision)(scene.references[1].table), scene.unit.curve_scale
    shown = [model for model in scene.models if is_coloured(model, scene)]
    lines = [
        Line(places, [times * cost for cost in _costs_by_capacity(scene, model, places)], model.css, model.name)
        for model in shown
    ]
    lines.append(Line([_LEAST, _MOST], [times * none] * 2, scene.references[1].css, scene.references[1].name))
    y = difference_axis(lines, say("expected cost {heading} (lower is better)", heading=scene.unit.heading))
    text = say("Expected cost {heading} by capacity, each model at its best thresholds.", heading=scene.unit.heading)
    stated = scene.decision.limits.capacity if scene.decision.limits is not None else None
    band = None if stated is None else (stated, stated)
    return Chart("capacity", text, width, 320.0, x, y, lines, (), band, band, digits=scene.unit.digits)


def _costs_by_capacity(scene: Scene, model: ShownModel, places: Sequence[float]) -> list[float]:
    decision, limits = scene.decision, scene.decision.limits
    precision = None if limits is None else limits.min_precision
    return [
        float(measure(replace_limits(decision, Limits(capacity=place, min_precision=precision)))(model.table))
        for place in places
    ]


def replace_limits(decision: Decision, limits: Limits) -> Decision:
    """Return the same decision under other limits."""
    return Decision(decision.costs, prevalence=decision.prevalence, limits=limits)


def difference_axis(lines: Sequence[Line], title: str) -> ChartAxis:
    """Return an axis that holds 0 and all of some lines."""
    values = [0.0, *(y for line in lines for y in line.y)]
    low, high = min(values), max(values)
    room = 0.06 * max(high - low, 1e-9)
    return ChartAxis(low - room if low < 0 else 0.0, high + room, title)


def roc_chart(scene: Scene, *, width: float = SQUARE) -> Chart:
    """Show the ROC curves, the part that the costs use, and what limits leave."""
    x = ChartAxis(0.0, 1.0, say("false positive rate"), labels="percent")
    y = ChartAxis(0.0, 1.0, say("true positive rate (higher is better)"), labels="percent")
    lines = [Line([0.0, 1.0], [0.0, 1.0], "diagonal")]
    marks: list[Mark] = []
    for model in (one for one in scene.models if is_coloured(one, scene)):
        drawn, used = _roc_lines(scene, model, x)
        lines += drawn
        marks += used
    polygons = []
    if scene.decision.limits is not None:
        region = feasible_region(scene.models[0].there, scene.decision.limits)
        polygons = [([(float(a), float(b)) for a, b in region.vertices], "region")]
    text = say("ROC curves; thick where your costs put the threshold.")
    if polygons:
        text = say("ROC curves; thick where your costs put the threshold, the feasible region shaded.")
    return Chart("roc", text, width, width, x, y, lines, marks, polygons=polygons, gutter=12.0)


def _roc_lines(scene: Scene, model: ShownModel, x: ChartAxis) -> tuple[list[Line], list[Mark]]:
    """Return the curve of a model, the part that the costs use, and the thresholds that limits leave."""
    curve, hull, limits = roc_curve(model.there), roc_hull(model.there), scene.decision.limits
    lines = [
        Line(hull.x.tolist(), hull.y.tolist(), f"{model.css} envelope"),
        curve_line(curve, x, f"{model.css} thin"),
    ]
    if limits is None:
        used = within_thresholds(curve, scene.band)
        return [*lines, Line(curve.x[used].tolist(), curve.y[used].tolist(), f"{model.css} used")], []
    policy = best_thresholds(model.there, scene.decision.costs, limits)
    points = zip(policy.false_positive_rate.tolist(), policy.recall.tolist(), strict=True)
    return lines, [Mark(a, b, f"dot {model.css}", model.name) for a, b in points]


def within_thresholds(curve: Curve, band: tuple[float, float]) -> slice:
    """Return the points of a ROC curve that are used when each cost is its own threshold."""
    first, last = (np.count_nonzero(curve.threshold >= cost) - 1 for cost in (band[1], band[0]))
    return slice(first, last + 1)
