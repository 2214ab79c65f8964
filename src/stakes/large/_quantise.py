"""Quantise arrays and tables, with bins as fine as a tolerance needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, overload

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError, InputTypeError
from stakes.large._bins import BinCells, Bins, as_bins, row_blocks
from stakes.large._quantised_table import QuantisedTable
from stakes.table import ScoreTable

_MOST_BINS = 4_194_304


class HasWidth(Protocol):
    """A number between bounds."""

    @property
    def width(self) -> float:
        """How far the bounds are apart."""


Number = Callable[[QuantisedTable], HasWidth]


@overload
def quantise(
    y: ScoreTable, *, bins: Bins | int = ..., tolerance: float | None = ..., number: Number | None = ...
) -> QuantisedTable: ...


@overload
def quantise(
    y: npt.ArrayLike,
    score: npt.ArrayLike,
    weight: npt.ArrayLike | None = ...,
    *,
    bins: Bins | int = ...,
    tolerance: float | None = ...,
    number: Number | None = ...,
    pos_label: object = ...,
) -> QuantisedTable: ...


def quantise(
    y: npt.ArrayLike | ScoreTable,
    score: npt.ArrayLike | None = None,
    weight: npt.ArrayLike | None = None,
    *,
    bins: Bins | int = 65536,
    tolerance: float | None = None,
    number: Number | None = None,
    pos_label: object = None,
) -> QuantisedTable:
    """Put a sample into bins of scores: no sort, and a table whose size does not depend on the sample's.

    Parameters
    ----------
    y : array-like or ScoreTable
        Outcome of each case, as for `score_table`; or a table, which has the scores and the weights too.
    score : array-like
        Probability of a positive for each case.
    weight : array-like, optional
        Weight of each case, not negative.
    bins : Bins or int, keyword-only
        Bins of scores; a number, which must be a power of two, makes even bins.
    tolerance : float, keyword-only, optional
        How far apart the bounds of `number` may be: the bins are made finer until they are no further apart.
    number : callable, keyword-only, optional
        The number that `tolerance` is for, a function of a `QuantisedTable` such as `stakes.bounds.auc`. When not given
        it is the mean regret, whatever the costs: its bounds are never further apart than
        `QuantisedTable.undecided`, and much closer where the costs are not a single value.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.

    Returns
    -------
    QuantisedTable
        The table. It does not depend on the order of the cases, up to rounding.

    Examples
    --------
    >>> from stakes import Uniform, bounds
    >>> from stakes.large import quantise
    >>> table = quantise(y=[0, 1, 0, 1, 1], score=[0.12, 0.13, 0.14, 0.15, 0.9], bins=4)
    >>> table
    QuantisedTable(2 of 5 bins, weight 5, prevalence 0.6, undecided up to 0.4)
    >>> bounds.expected_regret(table, Uniform(0.05, 0.25))  # no score need be known: the sums settle it
    Bounded(lower=0.1917, estimate=0.1917, upper=0.1917)
    >>> bounds.auc(table)
    Bounded(lower=0.3333333333, estimate=0.6666666667, upper=1.0)
    >>> fine = quantise(y=[0, 1, 0, 1, 1], score=[0.12, 0.13, 0.14, 0.15, 0.9], tolerance=0.01, number=bounds.auc)
    >>> bounds.auc(fine)  # 5 of 6 pairs are in order
    Bounded(lower=0.8333333333, estimate=0.8333333333, upper=0.8333333333)
    """
    check_tolerance(tolerance, number)
    add = _adder(y, score, weight, pos_label)
    table = add(as_bins(bins))
    while (finer := finer_bins(table, tolerance, number)) is not None:
        table = add(finer)
    return table


def check_tolerance(tolerance: object, number: object) -> None:
    """Raise unless a tolerance is positive, or if `number` is given without one."""
    if tolerance is not None:
        _check.number_above("tolerance", tolerance)
    elif number is not None:
        raise InputTypeError("tolerance", "be given with `number`", "none")


def finer_bins(table: QuantisedTable, tolerance: float | None, number: Number | None) -> Bins | None:
    """Return the finer bins to try next, or None if these are fine enough."""
    if tolerance is None:
        return None
    width = table.undecided if number is None else number(table).width
    if not width > tolerance:  # what is undefined is so with any bins
        return None
    old = table.bins
    if old.count >= _MOST_BINS:
        raise InputError(
            "tolerance",
            f"be at least {width:.3g} for this sample",
            f"{tolerance:g}: the bounds are that far apart with {old.count:,} bins",
            hint="`score_table` is exact",
        )
    wanted = old.count * min(width / tolerance, _MOST_BINS)
    count = min(max(1 << int(np.ceil(np.log2(wanted))), 2 * old.count), _MOST_BINS)
    return Bins(count, fine_ends=old.fine_ends, edges=old.edges)


Adder = Callable[[Bins], QuantisedTable]


def _adder(y: object, score: object, weight: object, pos_label: object) -> Adder:
    """Check a sample and return a function that adds it to bins."""
    if hasattr(y, "positive_total"):
        return _adder_of_table(y, score, weight, pos_label)
    label = _columns.outcome("y", y, pos_label)
    if score is None:
        raise InputTypeError("score", "be given with outcomes", "none", hint="only a ScoreTable has scores of its own")
    scores, weights = _columns.probabilities("score", score), _columns.weights("weight", weight)
    _columns.check_same_length(y=label, score=scores, weight=weights)
    return partial(_of_cases, label, scores, weights)


def _adder_of_table(table: object, score: object, weight: object, pos_label: object) -> Adder:
    _check.check_tables("y", table)
    assert isinstance(table, ScoreTable)  # as just checked
    if table.heads is not None:
        raise InputError("y", "have no heads to be quantised, since bins hold no people beside weights", "a table with")
    if not (score is None and weight is None and pos_label is None):
        raise InputTypeError("y", "be outcomes where `score`, `weight` or `pos_label` is given", "a ScoreTable")
    _columns.check_probability_scores(table.lowest, table.highest)
    return partial(_of_table, table)


def _of_cases(
    label: BoolArray, score: npt.NDArray[np.floating], weight: FloatArray | None, bins: Bins
) -> QuantisedTable:
    """Sum checked columns, some rows at a time."""
    cells = BinCells(bins)
    for rows in row_blocks(len(label)):
        cells.add(label[rows], score[rows].astype(np.float64), None if weight is None else weight[rows])
    return QuantisedTable(bins, *cells.rows(), weight is None or _whole(weight))


def _of_table(table: ScoreTable, bins: Bins) -> QuantisedTable:
    cells = BinCells(bins)
    for rows in row_blocks(len(table)):
        for label, weight in enumerate((table.negative, table.positive)):
            cells.add(np.array(bool(label)), table.score[rows], weight[rows])
    return QuantisedTable(bins, *cells.rows(), _whole(table.positive) and _whole(table.negative))


def _whole(weight: FloatArray) -> bool:
    return bool(np.all(weight == np.trunc(weight)))
