"""Bins of scores that every engine computes alike, and the sums over each bin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError

_LEVELS = 9  # of finer bins at each end, each level four times as fine as the one before it

_SHARE = 16  # of the bins that one unit of the middle gets when the ends are fine

_LEAST_FINE = 64  # four times that: with fewer, a level would start in the middle of a bin

_MOST = 1 << 40  # so that a power of two times a score keeps every digit


class Piece(NamedTuple):
    """A range of scores with bins of one width: from `start` on, bin ``offset + floor(factor * score)``."""

    start: float
    factor: float
    offset: int


@dataclass(frozen=True, init=False)
class Bins:
    """How scores in [0, 1] are put into bins, each including its lower edge but not its upper one.

    A score's bin is ``floor(count * score)``: since `count` is a power of two the product is exact, so that every
    engine puts every score into the same bin, and a score that equals an edge is never on the wrong side of it.
    A score of 1 has a bin of its own.

    Parameters
    ----------
    count : int
        Number of bins, a power of two.
    fine_ends : bool, keyword-only
        Whether the bins get finer towards 0 and 1, four times as fine each time the distance to the end has
        shrunk to a quarter (nine times): for rare events, where all scores are small. At least 64 bins.
    edges : sequence of float, keyword-only
        Further edges, strictly between 0 and 1. What is decided at one of these is decided exactly: put
        them where costs are.

    Examples
    --------
    >>> from stakes.large import Bins
    >>> Bins(8).of([0.0, 0.124, 0.125, 1.0]).tolist()
    [0, 0, 1, 8]
    >>> Bins(8, edges=[0.1]).of([0.05, 0.1, 0.124, 0.125]).tolist()
    [0, 1, 1, 2]
    >>> len(Bins(65536, fine_ends=True))
    59393
    """

    count: int
    fine_ends: bool
    edges: tuple[float, ...]

    def __init__(self, count: int = 65536, *, fine_ends: bool = False, edges: Sequence[float] = ()) -> None:
        object.__setattr__(self, "count", _power_of_two("count", count, _LEAST_FINE if fine_ends else 1))
        object.__setattr__(self, "fine_ends", fine_ends)
        inner = sorted({_check.open_share(f"edges[{k}]", edge) for k, edge in enumerate(edges)})
        object.__setattr__(self, "edges", tuple(inner))

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Ranges with bins of one width, ascending, from which an engine can compute bins."""
        if not self.fine_ends:
            return (Piece(0.0, float(self.count), 0),)
        found: list[Piece] = []
        bin_at_start = 0
        for start, end, factor in _levels(self.count // _SHARE):
            found.append(Piece(start, factor, bin_at_start - int(start * factor)))
            bin_at_start += int((end - start) * factor)
        return tuple(found)

    def of(self, score: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the bin of each score.

        Parameters
        ----------
        score : array-like
            Scores in [0, 1].

        Returns
        -------
        ndarray of int64
            The bins, counted from 0.
        """
        return self.of_valid(np.asarray(_columns.probabilities("score", score), dtype=np.float64))

    def of_valid(self, score: FloatArray) -> npt.NDArray[np.int64]:
        """Return the bin of each score; the scores are known to be probabilities."""
        if self.fine_ends:
            start, factor, offset = (np.array(column) for column in zip(*self.pieces, strict=True))
            piece = np.searchsorted(start, score, side="right") - 1
            found: npt.NDArray[np.int64] = (score * factor[piece]).astype(np.int64) + offset[piece]
        else:
            found = (score * self.count).astype(np.int64)
        if self.edges:
            found += np.searchsorted(self.edges, score, side="right")
        return found

    def __len__(self) -> int:
        return int(self.of_valid(np.array(1.0))) + 1


def as_bins(bins: Bins | int) -> Bins:
    """Return bins as they are, and a number of them as even ones."""
    return bins if isinstance(bins, Bins) else Bins(_power_of_two("bins", bins, 1))


def _power_of_two(name: str, value: int, least: int) -> int:
    count = _check.whole_number(name, value, least)
    if count & (count - 1) or count > _MOST:
        raise InputError(name, "be a power of two up to 2**40", str(count))
    return count


def _levels(unit: int) -> list[tuple[float, float, float]]:
    """Start, end and bins per unit of each part of bins with fine ends, ascending."""
    distances = [4.0**-level for level in range(1, _LEVELS + 1)]  # to the end
    levels = [(far, near, unit / far) for far, near in pairwise([*distances, 0.0])]
    lower = [(near, far, bins) for far, near, bins in reversed(levels)]
    return [*lower, (0.25, 0.75, float(unit)), *((1 - far, 1 - near, bins) for far, near, bins in levels)]


IntArray = npt.NDArray[np.int64]

Rows = tuple[IntArray, "BinSums", "BinSums"]  # bins that hold something, and the sums of positives and negatives there

_ROWS = 262_144  # taken at a time: a few columns of them fit in the processor's cache

UNIT = float(np.finfo(np.float64).epsneg)  # the relative error of one rounding


@dataclass(frozen=True, eq=False)
class BinSums:
    """Sums over the cases of one class in each bin, with their lowest and highest score.

    Both of these scores were seen. Where a bin has no case of the class all sums are zero, `least` is infinite
    and `most` minus infinity.

    Attributes
    ----------
    cases : ndarray of float64
        Number of terms that were summed.
    weight, score, square : ndarray of float64
        Sum of the weights, of weight times score, and of weight times squared score.
    least, most : ndarray of float64
        The lowest and the highest score.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> quantise(y=[0, 1, 1], score=[0.5, 0.5, 0.75], bins=1).positive.most.tolist()
    [0.75]
    """

    cases: FloatArray
    weight: FloatArray
    score: FloatArray
    square: FloatArray
    least: FloatArray
    most: FloatArray

    def __post_init__(self) -> None:
        for column in fields(self):
            getattr(self, column.name).flags.writeable = False

    def __reduce__(self) -> tuple[type[BinSums], tuple[FloatArray, ...]]:
        # Copies and pickles pass through the constructor, so their arrays are read-only too.
        return BinSums, tuple(getattr(self, column.name) for column in fields(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BinSums):
            return NotImplemented
        return all(np.array_equal(getattr(self, one.name), getattr(other, one.name)) for one in fields(self))

    __hash__ = None  # type: ignore[assignment]

    @property
    def rounding(self) -> FloatArray:
        """How far a sum may be off, relative to itself: a rounding for each case, and a few for the products."""
        return (self.cases + 4) * UNIT

    def rows(self, which: BoolArray | IntArray | npt.NDArray[np.intp]) -> BinSums:
        """Take some of the bins."""
        return BinSums(*(getattr(self, column.name)[which] for column in fields(self)))


def row_blocks(rows: int) -> Iterator[slice]:
    """Rows to take at a time."""
    return (slice(start, start + _ROWS) for start in range(0, rows, _ROWS))


class BinCells:
    """Sums by bin and class that grow: cell ``2 bin + class``."""

    def __init__(self, bins: Bins) -> None:
        self._bins = bins
        self._columns = [np.full(2 * len(bins), start) for start in (0.0, 0.0, 0.0, 0.0, np.inf, -np.inf)]

    def add(self, label: BoolArray, score: FloatArray, weight: FloatArray | None) -> None:
        """Add some cases; those without weight are absent."""
        cell = 2 * self._bins.of_valid(score) + label
        if weight is not None and not weight.all():
            present = weight > 0
            cell, score, weight = cell[present], score[present], weight[present]
        cases, weights, scores, squares, least, most = self._columns
        number = np.bincount(cell, minlength=len(cases))
        product = score if weight is None else weight * score
        cases += number
        weights += number if weight is None else np.bincount(cell, weight, len(cases))
        scores += np.bincount(cell, product, len(cases))
        squares += np.bincount(cell, product * score, len(cases))
        np.minimum.at(least, cell, score)
        np.maximum.at(most, cell, score)

    def rows(self) -> Rows:
        """Return the bins that hold something."""
        sums = BinSums(*self._columns)
        used = np.flatnonzero(sums.weight.reshape(-1, 2).any(axis=1)).astype(np.int64)
        return used, sums.rows(2 * used + 1), sums.rows(2 * used)


def pooled_parts(found: IntArray, label: BoolArray, parts: BinSums) -> Rows:
    """Add up parts of one bin and class, and drop those that weigh nothing."""
    weighs = parts.weight > 0
    if not weighs.any():
        raise InputError("weight", "not be zero for every bin")
    found, label, parts = found[weighs], label[weighs], parts.rows(weighs)
    used, row = np.unique(found, return_inverse=True)
    positive, negative = (_add_up(row[of_class], parts.rows(of_class), len(used)) for of_class in (label, ~label))
    return used, positive, negative


def _add_up(row: npt.NDArray[np.intp], parts: BinSums, count: int) -> BinSums:
    def added(column: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(row, column, count), dtype=np.float64)

    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, row, parts.least)
    np.maximum.at(most, row, parts.most)
    return BinSums(added(parts.cases), added(parts.weight), added(parts.score), added(parts.square), least, most)
