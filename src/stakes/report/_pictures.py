"""Every picture of the page, drawn for the decision as stated."""

from __future__ import annotations

from typing import Any

from stakes.report import _cost_charts, _figures, _maps, _view
from stakes.report._chart import Chart, table_of, values_at
from stakes.report._drawing import draw
from stakes.report._models import Scene, ShownModel, middle


def contents(scene: Scene, known: _cost_charts.KnownDifference) -> dict[str, Any]:
    """Return the pictures and their captions."""
    shown = [one for one in scene.models if _figures.is_coloured(one, scene)]
    return {
        "contenders": shown,
        "contenders_and_references": [*shown, *(one for one in scene.references if one.allowed)],
        "figures": _drawn(scene, known),
        "difference": known,
        "facets": [_facet(scene, number, model) for number, model in enumerate(scene.models) if model in shown],
    }


def _drawn(scene: Scene, known: _cost_charts.KnownDifference) -> dict[str, Any]:
    """Draw every picture that the sample and the decision have."""
    at = middle(scene)
    over_costs = [_cost_charts.regret_chart(scene), _cost_charts.difference_chart(scene, known)]
    pictures = [_picture(chart, at=at) for chart in (*over_costs, _cost_charts.benefit_chart(scene))]
    wanted = [_maps.cost_map, *([_figures.roc_chart, _figures.prevalence_chart] if scene.both_classes else [])]
    if scene.decision.limits is not None and scene.decision.limits.capacity_binds and scene.both_classes:
        wanted.append(_figures.capacity_chart)
    pictures += [_picture(make(scene)) for make in wanted]
    absent = dict.fromkeys(("roc", "prevalence", "capacity"))
    return {**absent, **{one["key"]: one for one in pictures}}


def _picture(chart: Chart, *, model: int | None = None, at: float | None = None) -> dict[str, Any]:
    """Draw a chart; with a table of its lines, and a strip of their heights at one place."""
    table = table_of(chart) if any(line.name for line in chart.lines) else None
    strip = None if at is None else {"at": _view.place_text(at), "lines": values_at(chart, at)}
    return {"key": chart.key, "picture": draw(chart), "table": table, "model": model, "strip": strip}


def _facet(scene: Scene, number: int, model: ShownModel) -> dict[str, Any]:
    reliability = _picture(_figures.reliability_chart(scene, model), model=number)
    return {"name": model.name, "css": model.css, "reliability": reliability}
