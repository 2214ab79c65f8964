"""Tables of groups inside the page, from which its group numbers follow the costs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from stakes._language import say
from stakes.beliefs import in_money
from stakes.evaluation import Decision, Evaluation, Group
from stakes.measures import expected_regret
from stakes.report._certificate import embedded_said
from stakes.report._figures import is_coloured
from stakes.report._followed_view import counts_everyone, left_before
from stakes.report._group_view import by_gap
from stakes.report._live import reachable_decisions
from stakes.report._models import Scene
from stakes.report._page_tables import mean_of
from stakes.report._payload import columns
from stakes.report._pooling import Cuts, cuts_at, pool_rows
from stakes.table import ScoreTable

_MOST_BYTES = 60_000
_DECISIONS = 20  # at which pooled groups are compared with those of the cases


def group_part(evaluation: Evaluation, scene: Scene, embed: str) -> dict[str, Any] | None:
    """Return tables of the groups that the page draws; None where it holds none.

    A strict page has none: by difference to the tables of all cases, they would tell of fewer than five.
    """
    ways = [one for one in scene.models if is_coloured(one, scene)]
    sample, decision = evaluation.sample, evaluation.decision
    shown = by_gap(evaluation) if ways else []
    if embed == "strict" or not shown or in_money(decision.costs) or evaluation.validation is not None:
        return None
    if left_before(evaluation) and not counts_everyone(evaluation):
        return None  # with late entry, tables of groups do not say how many cases a row has
    keys, tables = [one.key for one in ways], {}
    for name, group in shown:
        tables[name] = {key: _held(evaluation, group, key, fine=embed == "fine") for key in keys}
    places = list(evaluation.groups)
    found = {
        "ways": [list(evaluation.tables).index(key) for key in keys],
        "sure": not sample.weighted and sample.clusters is None and not left_before(evaluation),
        "whole": len(shown) == len(evaluation.groups),
        "bound": _bound(shown, tables, reachable_decisions(evaluation, _DECISIONS, 3)),
        "tables": [
            {"place": places.index(name), "models": [columns(one) for one in held.values()]}
            for name, held in tables.items()
        ],
    }
    return found if len(json.dumps(found, separators=(",", ":"))) <= _MOST_BYTES else None


def held_said(evaluation: Evaluation, embed: str, held: Mapping[str, Any]) -> str:
    """Describe what the page holds of the sample and of groups."""
    said = embedded_said(embed, held["live"], left=left_before(evaluation))
    groups = say(" It also holds the same counts by score for the groups that it draws.")
    return said if held["groups"] is None else said + groups


def _held(evaluation: Evaluation, group: Group, key: str, *, fine: bool) -> ScoreTable:
    table = group.tables[key]
    case = table.total / group.cases if evaluation.sample.weighted else 1.0
    return table if fine else pool_rows(table, case=case, wanted=[_stated_cuts(evaluation.decision, table)])


def _stated_cuts(decision: Decision, table: ScoreTable) -> Cuts:
    costs = [*decision.cost_range, mean_of(decision.costs)]
    return cuts_at(table, [cost for cost in costs if 0 < cost < 1])


def _bound(
    shown: Iterable[tuple[str, Group]], held: Mapping[str, Mapping[str, ScoreTable]], decisions: Iterable[Decision]
) -> float:
    """Return the largest change of a group's regret that pooling brings, at some decisions."""
    costs = [one.costs for one in decisions]
    changes = [
        abs(expected_regret(table, believed) - expected_regret(group.tables[key], believed))
        for name, group in shown
        for key, table in held[name].items()
        for believed in costs
    ]
    return float(np.max(changes, initial=0.0))
