"""How sure a number of one table is, where every unit of weight is one independent case."""

from __future__ import annotations

import math

from stakes.table import ScoreTable
from stakes.uncertainty._influence import UNDEFINED, Ends, Spread, accelerated, cell_weights, influence
from stakes.uncertainty._interval import Interval
from stakes.uncertainty._known import Means, Statistic, recognise
from stakes.uncertainty._replicates import number


def table_interval(table: ScoreTable, statistic: Statistic, *, level: float = 0.95) -> Interval:
    """Return the analytic interval of a mean of pointwise losses; without ends for any other statistic."""
    known, estimate = recognise(statistic), number(statistic(table))
    if not isinstance(known, Means):
        return Interval(estimate, *UNDEFINED, "none")
    return Interval(estimate, *_ends(table, known, estimate, level), "analytic")


def _ends(table: ScoreTable, known: Means, estimate: float, level: float) -> Ends:
    moved, held = influence(known, table) / table.total, cell_weights(table)
    squares, cubes, cases = float(held @ moved**2), float(held @ moved**3), table.total
    if not (math.isfinite(estimate) and math.isfinite(squares)) or cases < 2:
        return UNDEFINED
    skewness = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    error = math.sqrt(cases / (cases - 1) * squares)
    return accelerated(estimate, Spread(error, skewness, cases - 1, int(cases)), level)
