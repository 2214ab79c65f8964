"""Tables of models: of people, of those followed long enough, or of money."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray, in_threads
from stakes._errors import InputError, Name
from stakes._sort import in_order, pool_columns
from stakes.table._heads import Heads
from stakes.table._score_table import ScoreTable, frozen, frozen_table, sorted_table

if TYPE_CHECKING:
    from stakes.case_costs import Stakes
    from stakes.outcome import EventBy, WeightedOutcome

Scores = npt.NDArray[np.floating]
Rows = npt.NDArray[np.intp]
Beside = tuple[tuple[float, float], tuple[float, float], float]  # what heads know whatever the scores


def tables_of(
    label: BoolArray,
    scores: Mapping[str, Scores],
    weight: FloatArray | None,
    *,
    weighed: WeightedOutcome | None = None,
    stakes: Stakes | None = None,
) -> dict[str, ScoreTable]:
    """Make the tables of models: of people, of censoring weights, or of money."""
    if weighed is not None:
        _ = weighed.signed  # once, before threads ask for it
        return in_threads(partial(followed_table, weighed), scores)
    if stakes is None:
        return in_threads(lambda score: sorted_table(label, score, weight), scores)
    beside = beside_rows(label, weight, stakes)

    def staked(score: Scores) -> ScoreTable:
        return staked_table(label, score.astype(np.float64, copy=False), weight, stakes, beside)

    return in_threads(staked, scores)


# ------------------------------------------------------------------------------------------- not all were followed


def followed_table(weighed: WeightedOutcome, score: Scores) -> ScoreTable:
    """Make the table of known cases by their weights; heads count everyone, known or not.

    One sort serves both: that of the heads, whose rows without a known case are left out of the table.
    """
    if not weighed.counts:
        return sorted_table(weighed.positive, score, weighed.weight)
    order, ordered = in_order(score)
    ordered += 0.0  # turns -0.0 into 0.0
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = None if first.all() else np.flatnonzero(first)
    signed = weighed.signed.take(order)  # much faster than by brackets, here and below
    of_positives = np.maximum(signed, 0.0)
    of_negatives = np.subtract(of_positives, signed, out=signed)
    positive, negative = (frozen(_sums(one, starts)) for one in (of_positives, of_negatives))
    everyone = frozen(_people(weighed.cases, order, starts))
    distinct = frozen(ordered if starts is None else ordered[starts])
    heads = Heads(distinct, positive, negative, everyone)
    rows = np.flatnonzero((positive > 0) | (negative > 0))  # faster than three choices by a mask
    if len(rows) == len(positive):
        return ScoreTable(heads.score, positive, negative, heads)
    return frozen_table(*(column.take(rows) for column in (heads.score, positive, negative)), heads=heads)


def _sums(column: FloatArray, starts: Rows | None) -> FloatArray:
    """Sum a column at each distinct score; where all are distinct, it is that column."""
    return column if starts is None else np.add.reduceat(column, starts)


def _people(cases: FloatArray, order: Rows, starts: Rows | None) -> FloatArray:
    """Return the weight of all people at each distinct score; where they weigh the same, they are counted."""
    if np.ptp(cases) > 0:
        return _sums(cases.take(order), starts)
    if starts is None:
        return np.array(cases)
    return np.asarray(cases[0] * np.diff(starts, append=len(cases)))


def table_of_outcome(
    outcome: EventBy, score: Scores, weight: FloatArray | None, *, names: tuple[Name, Name, Name]
) -> ScoreTable:
    """Check the lengths of an outcome, scores and weights, and make their table."""
    _columns.check_same_length(dict(zip(names, (outcome.known, score, weight), strict=True)))
    if weight is not None and not weight.all():
        here = weight > 0
        outcome, score, weight = outcome[here], score[here], weight[here]
    from stakes.outcome import weigh  # nobody else waits for it

    weighed = weigh(outcome, weight)
    if weighed is None:
        return sorted_table(outcome.positive, score, weight)
    return followed_table(weighed, score)


# ------------------------------------------------------------------------------------------- in money


def beside_rows(label: BoolArray, weight: FloatArray | None, stakes: Stakes) -> Beside:
    """Return what heads know whatever the scores: floor, crossed and swapped."""
    swapped, _ = stakes.swapped, stakes.signed  # the latter once, before threads ask for it
    heads = np.count_nonzero(swapped) if weight is None else weight[swapped].sum()
    return _by_outcome(stakes.floor, label, weight), _by_outcome(stakes.crossed(label), label, weight), float(heads)


def _by_outcome(column: FloatArray, label: BoolArray, weight: FloatArray | None) -> tuple[float, float]:
    weighted = column if weight is None else column * weight
    if not weighted.any():
        return 0.0, 0.0
    return float(weighted.compress(label).sum()), float(weighted.compress(~label).sum())


def staked_table(
    label: BoolArray, score: FloatArray, weight: FloatArray | None, stakes: Stakes, beside: Beside | None = None
) -> ScoreTable:
    """Make a table of money by stake-adjusted scores, with the heads beside it; both come from one sort."""
    if weight is not None and not weight.all():
        here = weight > 0
        label, score, weight, stakes = label[here], score[here], weight[here], stakes.some(here)
    money = stakes.signed if weight is None else weight * stakes.signed
    if not money.any():
        raise InputError("case_costs", "differ between acting and leaving in a case of weight above 0", "none")
    distinct, positive, negative, positives, negatives = map(frozen, pool_columns(score, money, label, weight))
    known = beside or beside_rows(label, weight, stakes)
    heads = Heads(distinct, positives, negatives, frozen(positives + negatives), *known)
    weighs = (positive > 0) | (negative > 0)  # a case without a stake is a head, and in no row
    if not weighs.all():
        distinct, positive, negative = distinct[weighs], positive[weighs], negative[weighs]
    return frozen_table(distinct, positive, negative, heads=heads)
