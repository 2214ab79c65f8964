"""Alarms from the highest score down, in the weight of the rows and in heads."""

from __future__ import annotations

import numpy as np

from stakes._arrays import FloatArray, running_sum
from stakes.table._heads import from_top
from stakes.table._score_table import ScoreTable, pooled_table


def counts_from_top(table: ScoreTable, rows: int | None = None) -> tuple[FloatArray, FloatArray]:
    """Weight of false and of true alarms at every threshold, from none down to `rows` scores."""
    top = slice(None if rows is None else max(len(table) - rows, 0), None)
    negative, positive = table.negative[top][::-1], table.positive[top][::-1]
    false_alarms, true_alarms = np.zeros(len(negative) + 1), np.zeros(len(positive) + 1)
    running_sum(negative, out=false_alarms[1:])
    running_sum(positive, out=true_alarms[1:])
    return false_alarms, true_alarms


def people_table(table: ScoreTable) -> ScoreTable:
    """Return people of known outcome as an ordinary table, which is the table itself without heads."""
    if table.heads is None:
        return table
    return pooled_table(table.heads.score, table.heads.positive, table.heads.negative)


def heads_from_top(table: ScoreTable) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return false, true and all alarms in heads at every threshold, from no alarm to the lowest score."""
    if table.heads is not None:
        return from_top(table.heads, table.score)
    false_alarms, true_alarms = counts_from_top(table)
    return false_alarms, true_alarms, false_alarms + true_alarms
