"""Texts and small pictures of the page's groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stakes import _wording as words
from stakes._language import number
from stakes.evaluation import Evaluation, Group, Unit, group_difference_note, group_difference_rows
from stakes.report._figures import is_coloured
from stakes.report._models import Scene, ShownModel
from stakes.report._payload import display_names
from stakes.report._small_pictures import ends_of, gap_cell, interval_cell


def group_blocks(evaluation: Evaluation, scene: Scene) -> list[dict[str, Any]]:
    """Write the regret of each model in each group."""
    names = display_names(evaluation.groups)
    everything = [one for group in evaluation.groups.values() for one in group.regret.values()]
    if not everything:
        return []
    ends = ends_of([value for one in everything for value in (one.estimate, one.lower, one.upper)])
    return [
        {
            "name": names[key],
            "reference": group.reference,
            "cases": number(group.cases, ","),
            "prevalence": words.percent(group.prevalence),
            "rows": [
                _group_row(model, group.regret, ends, scene.unit) | _vs_best(evaluation, key, model, scene.unit)
                for model in scene.models
            ],
        }
        for key, group in evaluation.groups.items()
    ]


_MOST_PANELS = 12


def group_panels(evaluation: Evaluation, scene: Scene) -> list[dict[str, Any]]:
    """Draw the contenders in each group on one scale, the group with the largest gap first."""
    names, ways = display_names(evaluation.groups), [one for one in scene.models if is_coloured(one, scene)]
    overall = {one.model: one.regret.estimate for one in evaluation.ranking}
    groups = by_gap(evaluation)
    shown = [one for _, group in groups for one in (group.regret[way.key] for way in ways)]
    if not shown:
        return []
    values = [value for one in shown for value in (one.estimate, one.lower, one.upper)]
    ends = ends_of([0.0, *values, *(overall[way.key] for way in ways)])
    return [
        {
            "name": names[key],
            "place": list(evaluation.groups).index(key),
            "cases": number(group.cases, ","),
            "prevalence": words.percent(group.prevalence),
            "rows": [_panel_row(way, group.regret[way.key], overall[way.key], ends, scene.unit) for way in ways],
        }
        for key, group in groups
    ]


def by_gap(evaluation: Evaluation) -> list[tuple[str, Group]]:
    """Return the groups in which the best model differs most from all cases, at most 12."""
    overall = {one.model: one.regret.estimate for one in evaluation.ranking}
    best = next(one.model for one in evaluation.ranking if not one.reference)
    far = {name: -abs(group.regret[best].estimate - overall[best]) for name, group in evaluation.groups.items()}
    return sorted(evaluation.groups.items(), key=lambda item: far[item[0]])[:_MOST_PANELS]


def _panel_row(way: ShownModel, one: Any, overall: float, ends: tuple[float, float], unit: Unit) -> dict[str, Any]:
    picture = interval_cell((one.estimate, one.lower, one.upper), overall, ends, way.css)
    return {"name": way.name, "css": way.css, "picture": picture, "cost": unit.number(one.estimate)}


def _group_row(model: ShownModel, regret: Mapping[str, Any], ends: tuple[float, float], unit: Unit) -> dict[str, Any]:
    one, least = regret[model.key], min(other.estimate for other in regret.values())
    return {
        "name": model.name,
        "css": model.css,
        "regret": unit.number(one.estimate),
        "interval": unit.interval(one.estimate, one.lower, one.upper),
        "picture": interval_cell((one.estimate, one.lower, one.upper), least, ends, model.css),
    }


def _vs_best(evaluation: Evaluation, group: str, model: ShownModel, unit: Unit) -> dict[str, str]:
    """Write how much more a model costs in a group than the one that costs least over all cases."""
    compared = evaluation.group_comparisons.get(model.key)
    if compared is None:
        return {"difference": words.NOT_KNOWN, "difference_interval": words.NOT_KNOWN}
    found = compared.groups[group].difference
    ends = found.difference, found.lower, found.upper
    return {"difference": unit.signed(found.difference), "difference_interval": unit.interval(*ends)}


def group_differences(evaluation: Evaluation) -> dict[str, Any]:
    """Write how the best and its rival differ in each group, and what the test between groups found."""
    kinds = {"groups-differ", "groups-agree"}
    return {
        "group_differences": group_difference_rows(evaluation),
        "group_difference_note": group_difference_note(evaluation),
        "group_test": next((finding.text for finding in evaluation.findings if finding.kind in kinds), ""),
    }


def gap_rows(evaluation: Evaluation, model: ShownModel) -> list[dict[str, Any]]:
    """Write why one model costs more, or less, in each group than in the largest."""
    names = display_names(evaluation.groups)
    gaps = {names[key]: group.gaps[model.key] for key, group in evaluation.groups.items() if model.key in group.gaps}
    unit = evaluation.unit
    ends = ends_of([0.0, *(place for gap in gaps.values() for place in _places(gap))])
    return [
        {
            "name": name,
            "total": unit.signed(gap.total),
            "sharpness": unit.signed(gap.sharpness),
            "calibration": unit.signed(gap.calibration),
            "prevalence": unit.signed(gap.label),
            "picture": gap_cell(gap, ends),
        }
        for name, gap in gaps.items()
    ]


def _places(gap: Any) -> tuple[float, ...]:
    return 0.0, gap.sharpness, gap.sharpness + gap.calibration, gap.total
