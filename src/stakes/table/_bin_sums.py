"""What is known of the scores in each bin: sums by class, and the lowest and the highest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from stakes._check import BoolArray, FloatArray
from stakes.table._bins import Bins

IntArray = npt.NDArray[np.int64]
Rows = tuple[IntArray, "BinSums", "BinSums"]  # bins that hold something, and the sums of positives and negatives there

_ROWS = 262_144  # taken at a time: a few columns of them fit in the processor's cache
UNIT = float(np.finfo(np.float64).epsneg)  # the relative error of one rounding


@dataclass(frozen=True, eq=False)
class BinSums:
    """What is known of one class, bin by bin: sums over its cases there, and their lowest and highest score.

    Both of these scores were seen. Where a bin has no case of the class all sums are zero, `least` is infinite
    and `most` minus infinity.

    Attributes
    ----------
    cases : ndarray of float64
        How many numbers were added up.
    weight, score, square : ndarray of float64
        Sum of the weights, of weight times score, and of weight times squared score.
    least, most : ndarray of float64
        The lowest and the highest score.

    Examples
    --------
    >>> from stakes import quantise
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


class Cells:
    """Sums by bin and class that grow: cell ``2 bin + class``."""

    def __init__(self, bins: Bins) -> None:
        self._bins = bins
        self._columns = [np.full(2 * len(bins), start) for start in (0.0, 0.0, 0.0, 0.0, np.inf, -np.inf)]

    def add(self, label: BoolArray, score: FloatArray, weight: FloatArray | None) -> None:
        """Add some cases; those without weight are absent."""
        cell = 2 * self._bins.of_judged(score) + label
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
        raise ValueError("`weight` must not be zero for every bin.")
    found, label, parts = found[weighs], label[weighs], parts.rows(weighs)
    used, row = np.unique(found, return_inverse=True)
    positive, negative = (_added(row[of_class], parts.rows(of_class), len(used)) for of_class in (label, ~label))
    return used, positive, negative


def _added(row: npt.NDArray[np.intp], parts: BinSums, count: int) -> BinSums:
    def added(column: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(row, column, count), dtype=np.float64)

    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, row, parts.least)
    np.maximum.at(most, row, parts.most)
    return BinSums(added(parts.cases), added(parts.weight), added(parts.score), added(parts.square), least, most)
