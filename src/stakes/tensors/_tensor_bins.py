"""Sums by bin and class on the device, of which only a few thousand numbers are fetched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes.large import Bins, QuantisedTable, as_bins
from stakes.table import ScoreTable, frozen_table
from stakes.tensors._device import Array, Arrays
from stakes.tensors._door import ValidColumns, check_columns

if TYPE_CHECKING:
    from stakes.tensors._tensor_table import TensorCases

# Cases taken at a time: a few columns of them are small beside the cases.
_AT_ONCE = 1 << 26


# ------------------------------------------------------------------------------------------- cases in any order


class CellSums(NamedTuple):
    """Sums that grow: an element for each bin and class, ``2 bin + class``."""

    cases: Array
    weight: Array
    score: Array
    square: Array
    least: Array
    most: Array

    @classmethod
    def empty(cls, arrays: Arrays, bins: Bins) -> CellSums:
        """Return sums of nothing."""
        columns = [arrays.numbers(start) for start in (0.0, 0.0, 0.0, 0.0, math.inf, -math.inf)]
        return cls(*(arrays.xp.broadcast_to(column, (2 * len(bins),)) + 0.0 for column in columns))

    def add(self, bins: Bins, found: ValidColumns) -> None:
        """Add checked cases."""
        for start in range(0, len(found.score), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            weight = None if found.weight is None else found.weight[rows]
            self._add(found.arrays, bins, found.label[rows], found.score[rows], weight)

    def _add(self, arrays: Arrays, bins: Bins, label: Array, score: Array, weight: Array | None) -> None:
        scores = arrays.double(score)
        cell = 2 * _bin_of(arrays, bins, scores) + label
        ones = arrays.xp.ones_like(scores)
        weights = ones if weight is None else weight
        for sums, added in zip(self, (ones, weights, weights * scores, weights * scores * scores), strict=False):
            sums += arrays.add_at(cell, added, len(sums))
        arrays.least_at(self.least, cell, scores)
        arrays.most_at(self.most, cell, scores)

    def table(self, arrays: Arrays, bins: Bins, *, whole: bool) -> QuantisedTable:
        """Fetch the sums."""
        columns = [arrays.host(column) for column in self]
        used = np.flatnonzero(columns[0])
        cases, weight, score, square, least, most = (column[used] for column in columns)
        return QuantisedTable.from_sums(
            bins,
            bin=used // 2,
            positive=used % 2,
            cases=cases,
            weight=None if whole else weight,
            score=score,
            square=square,
            least=least,
            most=most,
        )


def _bin_of(arrays: Arrays, bins: Bins, score: Array) -> Array:
    """Return the bin of each score, as `Bins.of` does."""
    xp = arrays.xp
    start, factor, offset = (arrays.numbers(column) for column in zip(*bins.pieces, strict=True))
    piece = xp.searchsorted(start, score, side="right") - 1
    found = xp.astype(score * xp.take(factor, piece), xp.int64) + xp.astype(xp.take(offset, piece), xp.int64)
    return found + xp.searchsorted(arrays.numbers(bins.edges), score, side="right") if bins.edges else found


def quantise(y: Array, score: Array, weight: Array | None = None, *, bins: Bins | int = 65536) -> QuantisedTable:
    """Quantise a sample on its device, into a small table whose numbers have exact bounds.

    Parameters
    ----------
    y : torch tensor or CuPy array
        Outcome of each case: 0 or 1, or booleans.
    score : torch tensor or CuPy array
        Probability of a positive for each case.
    weight : torch tensor or CuPy array, optional
        Weight of each case, not negative.
    bins : Bins or int, keyword-only
        Bins of scores; a number, which must be a power of two, makes even bins.

    Returns
    -------
    QuantisedTable
        The table; see `stakes.large.quantise`.

    Examples
    --------
    >>> import torch
    >>> from stakes import bounds
    >>> from stakes.tensors import quantise
    >>> table = quantise(torch.tensor([0, 1, 0]), torch.tensor([0.25, 0.75, 0.5]), bins=4)
    >>> bounds.brier_score(table)  # (0.25**2 + 0.25**2 + 0.5**2) / 3
    Bounded(lower=0.125, estimate=0.125, upper=0.125)
    """
    chosen, found = as_bins(bins), check_columns(y, score, weight, probabilities=True)
    sums = CellSums.empty(found.arrays, chosen)
    sums.add(chosen, found)
    return sums.table(found.arrays, chosen, whole=weight is None)


# ------------------------------------------------------------------------------------------- cells in order


def of_cells(cases: TensorCases, rows: int) -> QuantisedTable:
    """Pool the cells of a table into at most `rows` bins, and fetch their sums."""
    _columns.check_probability_scores(cases.lowest, cases.highest)
    thresholds = _thresholds(cases, rows)
    bins = Bins(1, edges=tuple(thresholds[(thresholds > 0) & (thresholds < 1)].tolist()))
    starts = _starts(cases, np.append(thresholds, 1.0))
    parts = [_sums_of_runs(cases, starts, positive=positive) for positive in (False, True)]
    columns = [np.concatenate(pair) for pair in zip(*parts, strict=True)]
    label, used = np.repeat([False, True], len(parts[0].cases)), columns[0] > 0
    cases_, weight, score, square, least, most = (column[used] for column in columns)
    return QuantisedTable.from_sums(
        bins,
        bin=bins.of(least),
        positive=label[used],
        cases=cases_,
        weight=weight if cases.summed else None,
        score=score,
        square=square,
        least=least,
        most=most,
    )


def pooled_cells(cases: TensorCases, rows: int) -> ScoreTable:
    """Pool the cells of a table into at most `rows` rows, each at its mean score, and fetch them."""
    _check.check_finite_scores(cases.lowest, cases.highest)
    starts = _starts(cases, _thresholds(cases, rows))
    negative, positive = (_sums_of_runs(cases, starts, positive=positive) for positive in (False, True))
    mean = (negative.score + positive.score) / (negative.weight + positive.weight)
    # Rounding must not move a mean past the scores it is made of.
    least, most = np.minimum(negative.least, positive.least), np.maximum(negative.most, positive.most)
    return frozen_table(np.clip(mean, least, most), positive.weight, negative.weight)


class _Runs(NamedTuple):
    """Sums over runs of neighbouring cells, of one class, in NumPy."""

    cases: FloatArray
    weight: FloatArray
    score: FloatArray
    square: FloatArray
    least: FloatArray
    most: FloatArray


def _thresholds(cases: TensorCases, rows: int) -> FloatArray:
    """Return the first score of each run; a run is one score, or holds at most its share of each class."""
    shares = _check.whole_number("rows", rows, 8) // 4
    arrays, xp = cases.arrays, cases.arrays.xp
    if len(cases.score) <= 2 * rows:  # a score has two cells at most
        every = np.unique(arrays.host(arrays.double(cases.score)))
        if len(every) <= rows:
            return every
    found = []
    for label, total in ((cases.label, cases.positive_total), (~cases.label, cases.negative_total)):
        up_to = xp.cumulative_sum(xp.where(label, arrays.double(cases.weight), 0.0))
        wanted = arrays.numbers(np.arange(1, shares) * (total / shares))
        reached = xp.take(cases.score, xp.clip(xp.searchsorted(up_to, wanted), max=len(up_to) - 1))
        after = xp.searchsorted(cases.score, reached, side="right")
        found += [reached, xp.take(cases.score, xp.clip(after, max=len(up_to) - 1))]
    return np.unique(arrays.host(arrays.double(xp.concat(found))))


def _starts(cases: TensorCases, thresholds: FloatArray) -> Array:
    """Cells at which runs begin, the first at the first."""
    arrays, xp = cases.arrays, cases.arrays.xp
    edges = xp.astype(arrays.numbers(thresholds), cases.score.dtype)
    starts = np.unique(np.append(0, arrays.host(xp.searchsorted(cases.score, edges))))
    return xp.asarray(starts[starts < len(cases.score)], device=arrays.device)


def _sums_of_runs(cases: TensorCases, starts: Array, *, positive: bool) -> _Runs:
    arrays, xp = cases.arrays, cases.arrays.xp
    of_class = cases.label if positive else ~cases.label
    score, weight = arrays.double(cases.score), xp.where(of_class, arrays.double(cases.weight), 0.0)
    products = weight * score
    count = arrays.runs("add", arrays.double(of_class), starts)
    added = [arrays.runs("add", column, starts) for column in (weight, products, products * score)]
    least = arrays.runs("minimum", xp.where(of_class, score, math.inf), starts)
    most = arrays.runs("maximum", xp.where(of_class, score, -math.inf), starts)
    found = _Runs(*map(arrays.host, (count, *added, least, most)))
    if not cases.summed:
        return found._replace(cases=found.weight)
    return found._replace(cases=np.where(found.cases > 0, found.cases + cases.summed, 0.0))
