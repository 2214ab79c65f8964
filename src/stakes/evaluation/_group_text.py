"""Differences between two models by group, as a table and a note."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from stakes import _wording
from stakes._language import number, resaid, say

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation
    from stakes.evaluation._unit import Unit
    from stakes.uncertainty import GroupComparison, GroupDifference


def group_difference_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """Write how the best and its rival differ in each group; the first row has the headings.

    Empty where the differences are not known.
    """
    compared = evaluation.results.group_comparison
    if compared is None:
        return []
    levels = (say("{level} interval", level=_wording.percent(level)) for level in _levels(compared))
    names = say(" vs ").join(map(_wording.name, (compared.a, compared.b)))
    rows: list[tuple[str, ...]] = [(names, say("positives"), say("extra cost"), *levels, say("skill difference"))]
    return rows + [_row(group, evaluation.unit) for group in compared.groups.values()]


def _levels(compared: GroupComparison) -> list[float]:
    """Return the level of single intervals, and that of adjusted ones."""
    return [compared.level, compared.adjusted_level]


def _row(group: GroupDifference, unit: Unit) -> tuple[str, ...]:
    found, skill = group.difference, group.skill.estimate
    return (
        _wording.name(group.name),
        number(group.positives, ","),
        unit.number(found.difference),
        *(unit.interval(found.difference, one.lower, one.upper) for one in (found, group.adjusted)),
        _wording.NOT_KNOWN if math.isnan(skill) else _wording.signed(skill, 2),
    )


def group_difference_note(evaluation: Evaluation) -> str:
    """Explain the levels of the intervals, and name the groups left out of the test."""
    compared = evaluation.results.group_comparison
    if compared is None:
        return ""
    single, adjusted = map(_wording.percent, _levels(compared))
    count = len(compared.groups)
    every = say("both") if count == 2 else say("all {count}", count=count)
    said = say(
        "{single} intervals hold group by group; {adjusted} intervals hold for {every} groups together, "
        "with {single} confidence. One that holds 0 beside one that does not is no sign that groups "
        "differ.",
        single=single,
        adjusted=adjusted,
        every=every,
    )
    left_out = [
        f"{_wording.name(one.name)} ({resaid(one.left_out)})" for one in compared.groups.values() if one.left_out
    ]
    return (
        say("{said} Not in the test between groups: {left_out}.", said=said, left_out=", ".join(left_out))
        if left_out
        else said
    )
