"""Functions from table to table: merge, flatten, coarsen, another unit of weight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, Self, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError
from stakes.table._heads import Heads, dealt, heads_at, in_other_unit, merge_heads
from stakes.table._score_table import ScoreTable, frozen, frozen_table, pooled_table
from stakes.table._unsorted import TableLike, Unsorted


def flatten(table: ScoreTable | TableLike) -> ScoreTable:
    """Give every case the same score, the prevalence, which is the best score without a model.

    Parameters
    ----------
    table : ScoreTable
        The sample.

    Returns
    -------
    ScoreTable
        One row.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.table import flatten
    >>> flatten(score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])).score.tolist()
    [0.25]
    """
    _check.check_tables("table", table, anywhere=True)
    score = np.array([table.prevalence])
    heads = heads_at(getattr(table, "heads", None), table.prevalence)
    return frozen_table(score, np.array([table.positive_total]), np.array([table.negative_total]), heads=heads)


def constant_table(table: ScoreTable, score: float) -> ScoreTable:
    """Return the same cases with one score for all."""
    at = np.array([float(score)])
    totals = np.array([table.positive_total]), np.array([table.negative_total])
    return frozen_table(at, *totals, heads=heads_at(table.heads, score))


def coarsen(table: ScoreTable, *, rows: int) -> ScoreTable:
    """Pool neighbouring scores until at most `rows` are left, each of about the same weight.

    A pooled row gets the weighted mean of its scores, so the mean score does not change; anything
    else may change slightly. A table with few enough rows is returned unchanged. Where rows hold
    money, each gets about the same number of heads instead.

    Parameters
    ----------
    table : ScoreTable
        The sample, with finite scores.
    rows : int, keyword-only
        Maximum number of rows, at least 1.

    Returns
    -------
    ScoreTable
        The smaller table.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.table import coarsen
    >>> small = coarsen(score_table(y=[0, 0, 1, 1], score=[0.1, 0.3, 0.6, 0.8]), rows=2)
    >>> [round(score, 12) for score in small.score.tolist()], small.positive.tolist()
    ([0.2, 0.7], [0.0, 2.0])
    """
    _check.check_tables("table", table)
    if len(table) <= _check.whole_number("rows", rows, 1):
        return table
    _check.check_finite_scores(table.lowest, table.highest)
    return pool_rows(table, runs_of_rows(table, rows))


_FINE_SHARE = 0.25  # of the runs of rows, for what limits can reach


def runs_of_rows(table: ScoreTable, count: int, reach: float = 1.0) -> npt.NDArray[np.intp]:
    """Return the first row of each of at most `count` runs of rows of about the same weight, or people.

    Where only thresholds that act on a share of `reach` matter, a quarter of the runs divides that share, at least.
    """
    if len(table) <= count:
        return np.arange(len(table))
    scaled = at_ordinary_scale(table)
    heads = table.heads
    dealt_by = scaled.positive + scaled.negative if heads is None else heads_by_row(heads, table.score)
    up_to = np.cumsum(dealt_by)
    place = (up_to - dealt_by / 2) * count / up_to[-1]
    if reach < _FINE_SHARE:
        ends = [0, (1 - reach) * count, count]
        place = np.interp(place, ends, [0, (1 - _FINE_SHARE) * count, count])
    group = np.minimum(place.astype(np.intp), count - 1)
    return np.flatnonzero(np.diff(group, prepend=-1))


def pool_rows(table: ScoreTable, starts: npt.NDArray[np.intp]) -> ScoreTable:
    """Pool runs of rows, each with the weighted mean of its finite scores."""
    scaled = at_ordinary_scale(table)
    weighed = np.add.reduceat((scaled.positive + scaled.negative) * table.score, starts)
    mean = weighed / sum(pooled_weights(scaled, starts))
    ends = np.append(starts[1:], len(table)) - 1
    # Rounding must not move a mean outside the range of its scores, nor a row that is not pooled.
    score = np.clip(mean, table.score[starts], table.score[ends])
    return frozen_table(score, *pooled_weights(table, starts), heads=dealt(table.heads, table.score[starts], score))


def heads_by_row(heads: Heads, score: FloatArray) -> FloatArray:
    """Return the heads of everyone in each row; a head between two rows is in the lower."""
    row = np.maximum(np.searchsorted(score, heads.score, side="right") - 1, 0)
    return np.bincount(row, heads.everyone, len(score)).astype(np.float64, copy=False)


def pooled_weights(table: ScoreTable, starts: npt.NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
    """Sum the positive and the negative weights of each run of rows."""
    return np.add.reduceat(table.positive, starts), np.add.reduceat(table.negative, starts)


class Mergeable(Protocol):
    """A table whose class merges its own instances, such as a quantised one."""

    @classmethod
    def merged(cls, tables: Sequence[Self]) -> Self: ...


Kind = TypeVar("Kind", bound=Mergeable)


@overload
def merge(*tables: ScoreTable) -> ScoreTable: ...
@overload
def merge(*tables: Kind) -> Kind: ...
def merge(*tables: ScoreTable | Kind) -> ScoreTable | Kind:
    """Merge the tables of several samples into the table of all cases.

    Parameters
    ----------
    *tables : ScoreTable or QuantisedTable
        One table or more, all of one kind; quantised ones with the same bins.

    Returns
    -------
    ScoreTable or QuantisedTable
        The table of the concatenated samples.

    Examples
    --------
    >>> from stakes import merge, score_table
    >>> merge(score_table([1], [0.5]), score_table([0, 1], [0.5, 0.8]))
    ScoreTable(2 scores, weight 3, prevalence 0.667)
    """
    if not tables:
        raise InputTypeError((), "`merge` needs at least one table", "none")
    others = [cast("Kind", table) for table in tables if hasattr(type(table), "merged")]
    if len(others) == len(tables):
        return type(others[0]).merged(others)
    if others:
        raise InputTypeError("tables", "all be of one kind", f"both ScoreTable and {type(others[0]).__name__}")
    _check.check_tables("tables", *tables)
    columns = ("score", "positive", "negative")
    score, *weights = (np.concatenate([getattr(table, column) for table in tables]) for column in columns)
    _columns.check_total_weight("tables", _columns.total_weight(*weights))
    return pooled_table(score, *weights, heads=_heads_of_all([cast(ScoreTable, table) for table in tables]))


def _heads_of_all(tables: Sequence[ScoreTable]) -> Heads | None:
    """Return the heads of all tables; None where no table has any."""
    if all(table.heads is None for table in tables):
        return None
    if len({table.has_stakes for table in tables}) > 1:
        raise InputError("tables", "all have case costs or none", "both kinds")
    return merge_heads([table.heads if table.heads is not None else _own_heads(table) for table in tables])


def _own_heads(table: ScoreTable) -> Heads:
    """Return the rows of a table as heads."""
    return Heads(table.score, table.positive, table.negative, table.positive + table.negative)


T = TypeVar("T")

_SMALLEST_TOTAL, _LARGEST_TOTAL = 2.0**-100, 2.0**100


def at_ordinary_scale(table: T) -> T:
    """Return the same sample with weights whose sums, squares and products neither overflow nor underflow.

    Only the proportions of weights matter. They are multiplied by a power of two, which is exact, if their total is
    above 2**100 or below 2**-100. Otherwise, and if it is not a table in memory, the argument itself is returned.
    """
    if not isinstance(table, ScoreTable | Unsorted) or _SMALLEST_TOTAL <= table.total <= _LARGEST_TOTAL:
        return table
    power = -math.frexp(table.total)[1]
    if isinstance(table, Unsorted):  # with weights, since without them its total is that of its cases
        return replace(table, weight=np.ldexp(table.weight, power)) if table.weight is not None else table
    positive, negative = (frozen(np.ldexp(column, power)) for column in (table.positive, table.negative))
    return replace(table, positive=positive, negative=negative, heads=in_other_unit(table.heads, power))
