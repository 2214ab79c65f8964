"""Groups for which the best model is worse, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes.decision import _words
from stakes.decision._evaluation import Evaluation, Finding, Group
from stakes.decision._findings._sentence import finding, models, said
from stakes.uncertainty import Interval

_AT_MOST = 3


def groups(evaluation: Evaluation) -> Iterator[Finding]:
    """Say which groups surely fare worse than the largest with the best model, and why."""
    if len(evaluation.groups) < 2:
        return
    best = models(evaluation)[0]
    reference = next(group for group in evaluation.groups.values() if group.reference)
    others = [group for group in evaluation.groups.values() if not group.reference]
    for group in (reference, *others):
        if group.prevalence in (0.0, 1.0):
            which = "positive" if group.prevalence == 1 else "negative"
            yield finding("group-one-class", "groups", {}, group=_words.name(group.name), which=which)
    gaps = {group.name: _difference(group.regret[best.model], reference.regret[best.model]) for group in others}
    worse = [group for group in others if gaps[group.name].lower > 0 and best.model in group.gaps]
    for group in sorted(worse, key=lambda one: -gaps[one.name].estimate)[:_AT_MOST]:
        yield _worse(evaluation, group, reference, best.model, gaps[group.name])
    if not any(gap.lower > 0 or gap.upper < 0 for gap in gaps.values()):
        numbers = {
            "least": min(gap.estimate for gap in gaps.values()),
            "most": max(gap.estimate for gap in gaps.values()),
        }
        written = {name: _words.per_thousand(number) for name, number in numbers.items()}
        yield finding(
            "groups-alike", "groups", numbers, reference=_words.name(reference.name), model=said(best), **written
        )


def _worse(evaluation: Evaluation, group: Group, reference: Group, model: str, difference: Interval) -> Finding:
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
        group=_words.name(group.name),
        reference=_words.name(reference.name),
        model=_words.name(model),
        level=_words.percent(evaluation.level),
        common="more common" if group.prevalence > reference.prevalence else "rarer",
        **{name: _words.per_thousand(number) for name, number in numbers.items()},
    )


def _difference(a: Interval, b: Interval) -> Interval:
    """Difference between two groups, which share no case: each side's reach by itself, joined by their squares."""
    low = math.hypot(a.estimate - a.lower, b.upper - b.estimate)
    high = math.hypot(a.upper - a.estimate, b.estimate - b.lower)
    gap = a.estimate - b.estimate
    return Interval(gap, gap - low, gap + high, a.method)
