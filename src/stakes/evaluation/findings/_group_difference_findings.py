"""Findings about the difference between two models in groups, and about cases without a group."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes import _wording
from stakes._groups import MISSING_GROUP
from stakes.evaluation._results import Finding, Results
from stakes.evaluation.findings._sentences import display_name, finding
from stakes.uncertainty import GroupComparison, GroupDifference


def group_differences(results: Results) -> Iterator[Finding]:
    """Report whether the difference between the best and its rival differs between groups.

    Single groups are not said to differ from 0, or not to: that one interval holds 0 and another does not is no sign
    that two groups differ.
    """
    compared = results.group_comparison
    if compared is None or math.isnan(compared.p_value):
        return
    tested = [compared.groups[name] for name in compared.tested]
    low, *_, high = sorted(tested, key=lambda one: one.difference.difference)
    differs = compared.p_value < 1 - compared.level
    yield _test_finding(results, compared, low, high, "groups-differ" if differs else "groups-agree")
    shares = [one.prevalence for one in tested]
    if differs and _wording.percent(min(shares)) != _wording.percent(max(shares)):
        yield _prevalence_finding(results, low, high, shares)


def _names(results: Results, low: GroupDifference, high: GroupDifference) -> dict[str, str]:
    return {
        "other": display_name(results.rival),
        "best": display_name(results.best),
        "low_group": _wording.name(low.name),
        "high_group": _wording.name(high.name),
    }


def _test_finding(
    results: Results, compared: GroupComparison, low: GroupDifference, high: GroupDifference, kind: str
) -> Finding:
    least, most = low.difference.difference, high.difference.difference
    unit = results.unit.apart(least, most)
    numbers = {"p": compared.p_value, "statistic": compared.statistic, "least": least, "most": most}
    values = {"least": unit.cost(least), "most": unit.number(most)}
    values["p"] = _wording.p_value(compared.p_value, unlike=1 - compared.level)
    return finding(kind, "groups", numbers, **_names(results, low, high), **values)


def _prevalence_finding(results: Results, low: GroupDifference, high: GroupDifference, shares: list[float]) -> Finding:
    numbers = {
        "lowest": min(shares),
        "highest": max(shares),
        "low_skill": low.skill.estimate,
        "high_skill": high.skill.estimate,
    }
    values = {name: _wording.percent(numbers[name]) for name in ("lowest", "highest")}
    values |= {name: _wording.signed(numbers[name], 2) for name in ("low_skill", "high_skill")}
    return finding("groups-differ-prevalence", "groups", numbers, **_names(results, low, high), **values)


_WORTH_SAYING = 0.05  # of the positives, by weight


def missing_labels(results: Results) -> Iterator[Finding]:
    """Report how many of the positives have no group label, where they are not few."""
    if MISSING_GROUP not in results.groups:
        return
    weight = [next(iter(group.tables.values())).positive_total for group in results.groups.values()]
    held = next(iter(results.groups[MISSING_GROUP].tables.values())).positive_total
    share = held / sum(weight) if held else 0.0
    if share > _WORTH_SAYING:
        yield finding("group-missing", "groups", {"share": share}, share=_wording.percent(share), group=MISSING_GROUP)
