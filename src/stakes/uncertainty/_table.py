"""How sure a number of one table is, where every unit of weight is one independent case."""

from __future__ import annotations

from stakes.table import ScoreTable
from stakes.uncertainty._interval import Interval
from stakes.uncertainty._known import Area, Statistic, recognise
from stakes.uncertainty._spread import UNDEFINED, ends_of, spread_of_table
from stakes.uncertainty._study import number


def table_interval(table: ScoreTable, statistic: Statistic, *, level: float = 0.95) -> Interval:
    """Return the analytic interval of a mean, also under another prevalence; without ends for any other statistic."""
    known, estimate = recognise(statistic), number(statistic(table))
    if known is None or isinstance(known, Area):
        return Interval(estimate, *UNDEFINED, "none")
    return Interval(estimate, *ends_of(known, estimate, spread_of_table(known, table), level), "analytic")
