"""Findings about limits and about groups."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stakes import _wording
from stakes._arrays import FloatArray
from stakes._language import say
from stakes.evaluation._ranked import at_deployment
from stakes.evaluation._results import Finding, Group, Results, Standing
from stakes.evaluation._unit import Unit
from stakes.evaluation.findings._sample_findings import ends_of_scores
from stakes.evaluation.findings._sentences import display_name, finding, models
from stakes.limits import Limits, few_enough, precise_enough
from stakes.policy import best_thresholds
from stakes.table import ScoreTable, heads_from_top
from stakes.uncertainty import Interval, ends_between


def feasibility(results: Results) -> Iterator[Finding]:
    """Name models that never act under the limits, and why, and state what the limits cost the best."""
    decision = results.decision
    if decision.limits is None or decision.budget is not None:
        return
    for standing in models(results):
        if standing.acts.at_lowest_cost == 0 == standing.acts.at_highest_cost:
            table = at_deployment(results.tables[standing.model], decision)
            yield _never_acts(display_name(standing), table, decision.limits)
    yield from _cost(results, decision.limits)


def _cost(results: Results, limits: Limits) -> Iterator[Finding]:
    """State what the limits cost the best model, thresholds with and without limits both in-sample."""
    first, costs = models(results)[0], results.decision.costs
    table = at_deployment(results.tables[first.model], results.decision)
    per_case = table.total / table.cases if table.has_stakes else 1.0
    chosen = (best_thresholds(table, costs, one).mean_regret * per_case for one in (None, limits))
    free, limited = (regret + first.harm for regret in chosen)
    if not results.unit.is_visible(limited - free):
        return
    numbers = {"extra": limited - free, "regret": free}
    kind = "limits-cost"
    if results.folds is not None:  # then the ranking has another number, from cases that thresholds were not chosen on
        kind, numbers = "limits-cost-chosen", numbers | {"limited": limited}
    unit = results.unit.apart(free, limited)
    values = {name: unit.number(number) for name, number in numbers.items()} | {"extra": unit.cost(limited - free)}
    yield finding(kind, "policy", numbers, model=display_name(first), **values)


def _never_acts(model: str, table: ScoreTable, limits: Limits) -> Finding:
    """Tell limits that no threshold meets from thresholds that meet them and do not pay."""
    false_alarms, true_alarms, alarms = heads_from_top(table)
    precise = precise_enough(limits, false_alarms, true_alarms)
    few = few_enough(limits, alarms, np.zeros_like(alarms), table.cases)
    if (few & precise & (alarms > 0)).any():
        return finding("limits-unused", "policy", {}, model=model, limits=_wording.limits(limits))
    here = few & (alarms > 0)
    return _unmet(model, table, limits, true_alarms[here] / (false_alarms + true_alarms)[here])


def _unmet(model: str, table: ScoreTable, limits: Limits, precisions: FloatArray) -> Finding:
    """Describe the most precise threshold within the capacity, or else the smallest share of alarms."""
    if not len(precisions):
        share = table.alarm_share(float(table.score[-1]))
        alone = ends_of_scores(table)[1] == table.score[-1]  # or higher scores have no known outcome
        text = "its highest score alone covers {share} of cases"
        if not alone:
            text = "its scores down to the highest with a known outcome cover {share} of cases"
        closest = say(text, share=_wording.percent(share))
        numbers = {"share": share}
    else:
        precision = float(np.max(precisions))
        text = "the highest precision is {precision}"
        if limits.capacity_binds:
            text = "the highest precision within capacity is {precision}"
        closest = say(text, precision=_wording.percent(precision))
        numbers = {"precision": precision}
    return finding("limits-unmet", "policy", numbers, model=model, limits=_wording.limits(limits), closest=closest)


_AT_MOST = 3


def groups(results: Results) -> Iterator[Finding]:
    """Name groups that fare detectably worse than the largest with the best model, and why."""
    if len(results.groups) < 2:
        return
    best = models(results)[0]
    reference = next(group for group in results.groups.values() if group.reference)
    others = [group for group in results.groups.values() if not group.reference]
    for group in (reference, *others):
        if group.prevalence in (0.0, 1.0):
            which = say("positive" if group.prevalence == 1 else "negative")
            yield finding("group-one-class", "groups", {}, group=_wording.name(group.name), which=which)
    gaps = {group.name: _difference(group.regret[best.model], reference.regret[best.model]) for group in others}
    worse = [group for group in others if gaps[group.name].lower > 0 and best.model in group.gaps]
    for group in sorted(worse, key=lambda one: -gaps[one.name].estimate)[:_AT_MOST]:
        yield _worse(results, group, reference, best.model, gaps[group.name])
    if not any(gap.lower > 0 or gap.upper < 0 for gap in gaps.values()):
        yield _alike([gap.estimate for gap in gaps.values()], reference, best, results.unit)


def _alike(differences: list[float], reference: Group, best: Standing, unit: Unit) -> Finding:
    numbers = {"least": min(differences), "most": max(differences)}
    least, most = unit.number(numbers["least"]), unit.number(numbers["most"])
    range_ = (
        unit.cost(numbers["most"])
        if least == most
        else say("{least} to {most}", least=least, most=unit.cost(numbers["most"]))
    )
    return finding(
        "groups-alike",
        "groups",
        numbers,
        reference=_wording.name(reference.name),
        model=display_name(best),
        differences=range_,
    )


def _worse(results: Results, group: Group, reference: Group, model: str, difference: Interval) -> Finding:
    gap = group.gaps[model]
    numbers = {
        "gap": gap.total,
        "lower": difference.lower,
        "upper": difference.upper,
        "label": gap.label,
        "calibration": gap.calibration,
        "sharpness": gap.sharpness,
    }
    return finding(
        "group-worse",
        "groups",
        numbers,
        group=_wording.name(group.name),
        reference=_wording.name(reference.name),
        model=_wording.name(model),
        level=_wording.percent(results.level),
        direction=_direction(group.prevalence, reference.prevalence),
        gap=results.unit.cost(gap.total),
        **dict(zip(("lower", "upper"), results.unit.ends(gap.total, difference.lower, difference.upper), strict=True)),
        **{name: results.unit.number(numbers[name]) for name in ("label", "calibration", "sharpness")},
    )


def _direction(own: float, other: float) -> str:
    """Say how a prevalence compares with another; two that agree to rounding are equal."""
    if math.isclose(own, other, rel_tol=1e-12):
        return say("equal")
    return say("higher" if own > other else "lower")


def _difference(a: Interval, b: Interval) -> Interval:
    """Return the difference of two independent groups."""
    ends = ends_between((a.estimate, a.lower, a.upper), (b.estimate, b.lower, b.upper))
    return Interval(a.estimate - b.estimate, *ends, a.method)
