"""The pictures of the stated decision, for readers without JavaScript and for print.

The page draws the same ones in `figures.js` when a control moves. Nothing is computed here that stakes does not offer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations, pairwise

import numpy as np

from stakes import _wording as words
from stakes.beliefs import At, CostBelief
from stakes.curves import (
    Curve,
    best_decision_curve,
    brier_curve,
    calibration_curve,
    cost_curve,
    crossings,
    decision_curve,
    regret_curve,
    roc_curve,
    roc_hull,
    score_histograms,
)
from stakes.limits import feasible_region
from stakes.policy import best_thresholds
from stakes.prevalence import accuracy_curve, shifted_net_benefit_curve
from stakes.report._models import Scene, ShownModel
from stakes.report._svg import Chart, ChartAxis, Line, Mark, Straight, Strip, even_in_log_odds
from stakes.table import ScoreTable, flatten

COST = "cost proportion c (threshold probability); false alarm : miss"


WIDE, NARROW, SQUARE = 600.0, 300.0, 440.0


_PLACES = 97  # points of a curve without closed pieces


_MOST_POINTS, _FINE = 4000, 2e-4  # a longer curve is simplified, to within this share of its height


_MOST_CROSSINGS = 8


def cost_axis(scene: Scene) -> ChartAxis:
    """Return the axis of costs that the controls have too."""
    return ChartAxis(*scene.costs, COST, "log_odds", "cost")


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


def regret_of(model: ShownModel, scene: Scene) -> Curve:
    """Return the regret of a model over the costs, at its scores or at the best feasible thresholds."""
    limits = scene.decision.limits
    if limits is None or model in scene.references:
        return regret_curve(model.there)
    places = even_in_log_odds(*scene.costs, _PLACES)
    values = [best_thresholds(model.there, At(cost), limits).mean_regret for cost in places]
    like = regret_curve(model.there)
    return Curve(places, values, like.x_label, like.y_label, better="lower")


def regret_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show regret over the cost, and where the least costly changes."""
    x, curves = cost_axis(scene), {model.key: regret_of(model, scene) for model in scene.allowed}
    line = partial(curve_line, axis=x, times=scene.unit.curve_scale)
    lines = [line(curves[model.key], css=model.css, name=model.name) for model in scene.allowed]
    constant = line(regret_curve(flatten(scene.models[0].there)), css="")
    inside = [
        y for line in lines[: len(scene.models)] for at, y in zip(line.x, line.y, strict=True) if within(at, scene.band)
    ]
    top = 1.12 * max(*constant.y, *inside, 1e-9)
    return Chart(
        "regret",
        regret_summary(scene),
        width,
        340.0,
        x,
        ChartAxis(0.0, top, f"expected cost {scene.unit.heading} (lower is better)"),
        lines,
        takeover_marks(scene, curves, top),
        scene.band,
        scene.band,
    )


def within(value: float, ends: tuple[float, float]) -> bool:
    """Whether a value lies in a range, its ends included."""
    return ends[0] <= value <= ends[1]


def regret_summary(scene: Scene) -> str:
    """Describe the regret chart in words."""
    names = ", ".join(model.name for model in scene.models)
    low, high = scene.band
    costs = f"{words.percent(low)} to {words.percent(high)}"
    return f"Expected cost {scene.unit.heading} by cost proportion, for {names}; your range is {costs}."


def takeovers(curves: Mapping[str, Curve], low: float, high: float) -> list[tuple[float, str, str]]:
    """Return where the least costly changes between two costs, from which to which."""
    parts = {key: curve.between(low, high) for key, curve in curves.items()}
    places = {float(x) for a, b in combinations(parts.values(), 2) for x in crossings(a, b)}
    edges = [low, *sorted(x for x in places if low < x < high), high]
    best = [min(curves, key=lambda key: float(curves[key].at((a + b) / 2))) for a, b in pairwise(edges)]
    changes = zip(edges[1:-1], pairwise(best), strict=True)
    return [(x, before, after) for x, (before, after) in changes if before != after]


def takeover_marks(scene: Scene, curves: Mapping[str, Curve], top: float) -> list[Mark]:
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
            f"{names[after]} is best from {words.percent(x)}",
            5.0,
        )
        for x, _, after in changes
    ]
    return [mark for mark in marks if mark.y <= top] if len(changes) <= _MOST_CROSSINGS else []


def benefit_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show the decision curves, and under each model the best that its order of cases allows."""
    x, top = cost_axis(scene), 1080 * max(scene.models[0].there.prevalence, 1e-6)
    line = partial(curve_line, axis=x, times=1000.0, straight="odds")
    lines = [line(best_decision_curve(model.there), css=f"{model.css} envelope") for model in scene.models]
    lines += [line(decision_curve(model.there), css=model.css, name=model.name) for model in scene.allowed]
    title = "net benefit per 1,000 cases (higher is better)"
    names = ", ".join(model.name for model in scene.models)
    text = f"Decision curves of {names}, each with the best it could reach after recalibration."
    return Chart("benefit", text, width, 340.0, x, ChartAxis(-0.2 * top, top, title), lines, (), scene.band, scene.band)


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
    x, y = ChartAxis(0.0, end, "score", labels="percent"), ChartAxis(0.0, end, "share of positives", labels="percent")
    lines = [
        Line([0.0, end], [0.0, end], "diagonal"),
        Line(*_shown_part(calibration_curve(model.there), end), model.css, "share of positives", label=False),
    ]
    strip = None
    if scene.both_classes:
        shares = score_histograms(model.there, bins=round(40 / end))
        up, down = shares.positive, shares.negative
        edge, up_shares = up.x[1:-1:2].tolist()[:40], up.y[1:-1:2].tolist()[:40]
        strip = Strip([*edge, end], up_shares, down.y[1:-1:2].tolist()[:40], model.css)
    text = f"Calibration of {model.name}: share of positives by score; on the diagonal it is calibrated."
    return Chart("reliability", text, width, 300.0, x, y, lines, (), scene.band, scene.band, strip=strip, gutter=10.0)


def _shown_part(curve: Curve, end: float) -> tuple[list[float], list[float]]:
    first = float(curve.x[0])
    if first >= end or len(curve) == 1:
        return [first], [float(curve.y[0])]
    part = curve.between(first, end)
    return part.x.tolist(), part.y.tolist()


def loss_chart(scene: Scene, model: ShownModel, *, width: float = NARROW) -> Chart:
    """Show the Brier curve with its envelope, the area between them being what recalibration saves."""
    end = zoom(scene)
    x = ChartAxis(0.0, end, "cost proportion c", labels="percent")
    actual = curve_line(brier_curve(model.there), x, model.css, "as given", times=1000.0, label=False)
    css = f"{model.css} envelope"
    best = curve_line(cost_curve(model.there), x, css, "recalibrated", times=1000.0, label=False)
    tops = [max(curve_line(brier_curve(one.there), x, "", times=1000.0).y) for one in scene.models]
    constant = max(curve_line(brier_curve(flatten(model.there)), x, "", times=1000.0).y)
    y = ChartAxis(0.0, 1.1 * max(min(max(tops), 2 * constant), 1e-9), "Brier loss per 1,000")
    text = f"Brier curve of {model.name} and, below it, the curve after recalibration."
    fills = [(actual, best, f"fill {model.css}")]
    return Chart("loss", text, width, 220.0, x, y, [actual, best], (), scene.band, scene.band, fills=fills, gutter=10.0)


def prevalence_chart(
    scene: Scene,
    key: str,
    title: str,
    summary: str,
    curve: Callable[[ScoreTable], Curve],
    *,
    percent: bool,
    width: float,
) -> Chart:
    """Show a curve of each model over the prevalence."""
    x = ChartAxis(*scene.prevalences, "prevalence where the model is used", "log_odds", "percent")
    lines = [
        curve_line(curve(model.table), x, model.css, model.name, times=1.0 if percent else 1000.0)
        for model in scene.allowed
    ]
    values = [y for line in lines[: len(scene.models)] for y in line.y] + ([] if percent else [0.0])
    low, high = min(values), max(values)
    room = 0.08 * max(high - low, 1e-9)
    y = ChartAxis(
        low - room,
        high + room if not percent else min(high + room, 1.0),
        title,
        labels="percent" if percent else "number",
    )
    observed = (scene.observed, scene.observed)
    return Chart(key, summary, width, 320.0, x, y, lines, (), scene.prevalence_band or observed, observed)


def accuracy_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show accuracy over the prevalence."""
    text = "Accuracy by prevalence, with scores corrected for it; the dashed line is the prevalence of the sample."
    title = "accuracy (mistakes weighted equally; higher is better)"
    return prevalence_chart(scene, "accuracy", title, text, accuracy_curve, percent=True, width=width)


def usual_cost(costs: CostBelief) -> float:
    """Return one cost to stand for a belief: its mean, where the mean costs break even, or even costs."""
    mean = float(getattr(costs, "break_even", getattr(costs, "mean", 0.5)))
    return mean if 0 < mean < 1 else 0.5


def worth_chart(scene: Scene, *, width: float = WIDE) -> Chart:
    """Show net benefit over the prevalence, at the mean cost."""
    cost = usual_cost(scene.decision.costs)

    def curve(table: ScoreTable) -> Curve:
        return shifted_net_benefit_curve(table, cost=cost)

    text = f"Net benefit by prevalence at a cost of {words.percent(cost)}, with scores corrected for it."
    title = f"net benefit per 1,000 at a cost of {words.percent(cost)} (higher is better)"
    return prevalence_chart(scene, "worth", title, text, curve, percent=False, width=width)


def roc_chart(scene: Scene, *, width: float = SQUARE) -> Chart:
    """Show the ROC curves, the part that the costs use, and what limits leave."""
    x = ChartAxis(0.0, 1.0, "false positive rate", labels="percent")
    y = ChartAxis(0.0, 1.0, "true positive rate (higher is better)", labels="percent")
    lines = [Line([0.0, 1.0], [0.0, 1.0], "diagonal")]
    marks: list[Mark] = []
    for model in scene.models:
        curve, hull = roc_curve(model.there), roc_hull(model.there)
        lines.append(Line(hull.x.tolist(), hull.y.tolist(), f"{model.css} envelope"))
        lines.append(curve_line(curve, x, f"{model.css} thin"))
        if scene.decision.limits is None:
            used = within_thresholds(curve, scene.band)
            lines.append(Line(curve.x[used].tolist(), curve.y[used].tolist(), f"{model.css} used"))
        else:
            policy = best_thresholds(model.there, scene.decision.costs, scene.decision.limits)
            points = zip(policy.false_positive_rate.tolist(), policy.recall.tolist(), strict=True)
            marks += [Mark(a, b, f"dot {model.css}", model.name) for a, b in points]
    polygons = []
    if scene.decision.limits is not None:
        region = feasible_region(scene.models[0].there, scene.decision.limits)
        polygons = [([(float(a), float(b)) for a, b in region.vertices], "region")]
    text = "ROC curves; thick where your costs put the threshold" + (
        ", the feasible region shaded." if polygons else "."
    )
    return Chart("roc", text, width, width, x, y, lines, marks, polygons=polygons, gutter=12.0)


def within_thresholds(curve: Curve, band: tuple[float, float]) -> slice:
    """Return the points of a ROC curve that are used when each cost is its own threshold."""
    first, last = (np.count_nonzero(curve.threshold >= cost) - 1 for cost in (band[1], band[0]))
    return slice(first, last + 1)
