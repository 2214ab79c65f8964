"""The table of cases that were not all followed until the horizon, with everyone beside its rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import FloatArray
from stakes._errors import Name
from stakes.outcome import EventBy, Weighed, weigh
from stakes.table._heads import Heads
from stakes.table._score_table import ScoreTable, frozen, frozen_table, sorted_table


def followed_table(weighed: Weighed, score: npt.NDArray[np.floating]) -> ScoreTable:
    """Make the table of known cases by their weights; heads count everyone, known or not.

    One sort serves both: that of the heads, whose rows without a known case are left out of the table.
    """
    if not weighed.counts:
        return sorted_table(weighed.positive, score, weighed.weight)
    order = np.argsort(score)
    ordered = np.add(score[order], 0.0, dtype=np.float64)  # adding 0.0 turns -0.0 into 0.0
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    starts = None if first.all() else np.flatnonzero(first)
    weight, label = weighed.weight[order], weighed.positive[order]
    columns = weight * label, weight * ~label, weighed.cases[order]
    positive, negative, everyone = (frozen(_sums(column, starts)) for column in columns)
    distinct = frozen(ordered if starts is None else ordered[starts])
    heads = Heads(distinct, positive, negative, everyone)
    here = positive + negative > 0
    if here.all():
        return ScoreTable(heads.score, positive, negative, heads)
    return frozen_table(heads.score[here], positive[here], negative[here], heads=heads)


def _sums(column: FloatArray, starts: npt.NDArray[np.intp] | None) -> FloatArray:
    """Sum a column at each distinct score; where all are distinct, it is that column."""
    return column if starts is None else np.add.reduceat(column, starts)


def table_of_outcome(
    outcome: EventBy, score: npt.NDArray[np.floating], weight: FloatArray | None, *, names: tuple[Name, Name, Name]
) -> ScoreTable:
    """Check the lengths of an outcome, scores and weights, and make their table."""
    _columns.check_same_length(dict(zip(names, (outcome.known, score, weight), strict=True)))
    if weight is not None and not weight.all():
        here = weight > 0
        outcome, score, weight = outcome[here], score[here], weight[here]
    weighed = weigh(outcome, weight)
    if weighed is None:
        return sorted_table(outcome.positive, score, weight)
    return followed_table(weighed, score)
