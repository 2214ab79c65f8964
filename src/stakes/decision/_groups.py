"""The models in each group of the cases, and why they cost more in one than in another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from stakes.decision._columns import Column, Columns
from stakes.decision._decision import Decision
from stakes.decision._evaluation import Group
from stakes.scores import expected_regret
from stakes.shift import Gap, explain_gap, shifted_regret
from stakes.table import ScoreTable
from stakes.uncertainty import Interval, interval, table_interval

Tables = Mapping[str, ScoreTable]


def groups_of_cases(columns: Columns, labels: Column, decision: Decision, level: float) -> dict[str, Group]:
    """Judge the models in each group, at its own prevalence."""
    ranked = partial(expected_regret, costs=decision.costs)
    made: dict[str, tuple[int, Tables, dict[str, Interval]]] = {}
    for name in np.unique(labels):
        cases = columns.where(labels == name)
        tables = {model: cases.table(model) for model in cases.models}
        made[str(name)] = (len(cases), tables, interval(cases, ranked, level=level))
    return compared_groups(made, decision)


def groups_of_tables(groups: Mapping[str, Tables], decision: Decision, level: float) -> dict[str, Group]:
    """Judge the models in each group, from tables alone."""
    ranked = partial(expected_regret, costs=decision.costs)
    made = {
        name: (
            round(next(iter(tables.values())).total),
            tables,
            {model: table_interval(table, ranked, level=level) for model, table in tables.items()},
        )
        for name, tables in groups.items()
    }
    return compared_groups(made, decision)


def compared_groups(
    made: Mapping[str, tuple[int, Tables, dict[str, Interval]]], decision: Decision
) -> dict[str, Group]:
    """Compare every group with the largest, biggest first."""
    order = sorted(made, key=lambda name: (-made[name][0], name))
    reference = made[order[0]][1]
    return {
        name: Group(
            name,
            made[name][0],
            next(iter(made[name][1].values())).prevalence,
            name == order[0],
            made[name][1],
            made[name][2],
            {} if name == order[0] else _gaps(made[name][1], reference, decision),
        )
        for name in order
    }


def _gaps(tables: Tables, reference: Tables, decision: Decision) -> dict[str, Gap]:
    if not all(0 < next(iter(group.values())).prevalence < 1 for group in (tables, reference)):
        return {}
    return {
        model: explain_gap(table, reference[model], decision.costs, measure=shifted_regret)
        for model, table in tables.items()
    }
