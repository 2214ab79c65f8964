"""A table with only those rows at which the best thresholds under one of several limits can lie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from stakes.limits import Counts, concave_chain
from stakes.table import ScoreTable


def rows_under_limits(table: ScoreTable, capacities: Sequence[float], precisions: Sequence[float]) -> ScoreTable:
    """Pool the rows that hold no best threshold under any of some limits.

    The best feasible thresholds are the hull of the feasible ones. A capacity allows all up to some threshold. So, as
    far as the hull is concerned, does a smallest precision: precision falls along a hull, so that everything on the
    hull of those up to the last precise one is precise. Between two such ends, only the hull of the rows between them
    can be on either. Limits that count heads may allow others, and leave the table as it is.

    Parameters
    ----------
    table : ScoreTable
        The sample.
    capacities, precisions : sequence of float
        The limits, one at a time.

    Returns
    -------
    ScoreTable
        The smaller table, on which the mean regret under each of these limits is the same.

    Examples
    --------
    >>> from stakes import Limits, Uniform, best_thresholds, score_table
    >>> from stakes.report._limit_rows import rows_under_limits
    >>> table = score_table(y=[0, 0, 1, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6, 7, 8])
    >>> small = rows_under_limits(table, [0.3], [0.6])
    >>> small.score.tolist()
    [1.0, 3.0, 7.0]
    >>> [best_thresholds(one, Uniform(0, 1), Limits(min_precision=0.6)).mean_regret for one in (table, small)]
    [0.0625, 0.0625]
    """
    if table.heads is not None:
        return table
    counts = Counts.of(table)
    ends = np.unique([0, *_last_feasible(counts, capacities, precisions)]).tolist()
    chains = [
        low + concave_chain(counts.false_alarms[low : high + 1], counts.true_alarms[low : high + 1])
        for low, high in pairwise(ends)
    ]
    kept = np.unique(np.concatenate([ends, *chains, [len(table)]]))
    starts = len(table) - kept[:0:-1]
    columns = (np.add.reduceat(column, starts) for column in (table.positive, table.negative))
    return ScoreTable.from_counts(table.score[starts], *columns)


def _last_feasible(counts: Counts, capacities: Sequence[float], precisions: Sequence[float]) -> list[int]:
    """Return the most rows from the top that each limit allows, by the divisions of `feasible`."""
    alarms = counts.false_alarms + counts.true_alarms
    few = np.searchsorted(alarms / counts.total, capacities, side="right") - 1
    precision = counts.true_alarms[1:] / alarms[1:]
    from_here_on = np.maximum.accumulate(precision[::-1])  # the best precision of any that alarms on as many or more
    precise = len(precision) - np.searchsorted(from_here_on, precisions, side="left")
    return [*few.tolist(), *precise.tolist()]
