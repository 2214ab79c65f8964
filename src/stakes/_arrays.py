"""Array types, columns in threads, sums of columns, and numbers that are tiny, huge or nearly equal."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

BoolArray = npt.NDArray[np.bool_]

Column = npt.NDArray[np.generic]

T = TypeVar("T")


# Coefficients of (x - log(1 + x)) / x**2 = 1/2 - x/3 + x**2/4 - ..., enough for |x| < 0.1.
_SERIES = np.array([(-1.0) ** k / (k + 2) for k in range(17)])[::-1]


def log_excess_ratio(x: FloatArray, log1p_x: FloatArray) -> FloatArray:
    """Return ``(x - log(1 + x)) / x**2`` without cancellation.

    `log1p_x` is ``log(1 + x)``, computed by the caller as precisely as its own formula allows.
    """
    near = np.abs(x) < 0.1
    if near.all():  # the usual case in a block of neighbouring scores
        return np.polyval(_SERIES, x)
    ratio: FloatArray = ((x - log1p_x) / np.where(near, 1.0, np.square(x)))[...]  # an array even for a single number
    if near.any():
        ratio[near] = np.polyval(_SERIES, x[near])
    return ratio


def settle(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Make an array of our own read-only, and all that it is a view of, so that nobody needs a copy."""
    at: Any = column
    while isinstance(at, np.ndarray):
        at.flags.writeable = False
        at = at.base
    return column


def is_settled(column: npt.NDArray[Any]) -> bool:
    """Whether nobody can change an array: neither it nor what it is a view of may be written to."""
    at: Any = column
    while isinstance(at, np.ndarray) and not at.flags.writeable:
        at = at.base
    return at is None


_MANY = 1 << 18  # numbers that take longer to sort than a thread takes to start
_THREADS = 4  # at most: each holds a few columns


def in_threads(function: Callable[[Any], T], columns: Mapping[str, npt.NDArray[Any]]) -> dict[str, T]:
    """Apply a function to each of several columns, at the same time where they are long.

    NumPy sorts without the lock of Python. The results do not depend on it, nor does which error is raised: that of the
    first column that has one.
    """
    if len(columns) < 2 or sum(map(len, columns.values())) < _MANY:
        return {name: function(column) for name, column in columns.items()}
    from concurrent.futures import ThreadPoolExecutor  # nobody else waits for it

    with ThreadPoolExecutor(min(len(columns), _THREADS, os.cpu_count() or 1)) as pool:
        return dict(zip(columns, pool.map(function, columns.values()), strict=True))


_BLOCK = 15_360  # rows: a larger column would make malloc fetch fresh pages each time


def blocks(rows: int) -> Iterator[slice]:
    """Yield slices of rows small enough for their intermediate results to stay in the processor's cache."""
    return (slice(start, min(start + _BLOCK, rows)) for start in range(0, rows, _BLOCK))


def largest_of_rows(values: FloatArray) -> FloatArray:
    """Return the largest value of each row.

    NumPy finds those of many short rows several times faster along columns.
    """
    found: FloatArray = np.ascontiguousarray(values.T).max(axis=0)
    return found


EXACT = 2.0**53  # up to which a float holds every whole number


def running_sum(column: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """Return the sum up to each row, the same as `np.cumsum` to the last bit.

    Counts are added as integers: both ways are exact then, and a processor adds floats several times as slowly if each
    waits for the one before.
    """
    found, before = np.empty(len(column)) if out is None else out, 0.0
    for rows in blocks(len(column)):
        whole = _as_integers(column[rows], before)
        if whole is None:
            return np.cumsum(column, out=out)
        whole[0] += int(before)
        found[rows] = np.cumsum(whole, out=whole)
        before = float(whole[-1])
    return found


def _as_integers(column: FloatArray, before: float) -> npt.NDArray[np.int64] | None:
    """Return counts as integers; None if they are none, or if floats would round their sum."""
    if not (column.min() >= 0 and before + len(column) * column.max() <= EXACT):
        return None
    whole = column.astype(np.int64)
    return whole if (whole == column).all() else None


def class_totals(
    table: Any,
    if_positive: Callable[[Any], FloatArray],
    if_negative: Callable[[Any], FloatArray],
    within: tuple[float, float] | None = None,
) -> tuple[float, float]:
    """Sum a function of the score over the positives and another over the negatives, where the table is.

    Of scores in ascending order, both are known to be finite, and constant on either side of the range `within`.
    """
    if hasattr(table, "class_totals"):
        on_device: tuple[float, float] = table.class_totals(if_positive, if_negative)
        return on_device
    classes = ((table.positive, if_positive), (table.negative, if_negative))
    label, by_block = getattr(table, "row_label", None), []
    for rows in blocks(len(table.score)):
        score = table.score[rows]
        if within is not None and (score[-1] <= within[0] or score[0] >= within[1]):
            by_block.append([_constant_total(weight[rows], float(value(score[:1])[0])) for weight, value in classes])
        elif label is None:
            by_block.append([_block_total(score, weight[rows], value) for weight, value in classes])
        else:
            here = zip((label[rows], ~label[rows]), classes, strict=True)
            by_block.append([_label_total(score, of_class, weight[rows], value) for of_class, (weight, value) in here])
    positive, negative = map(math.fsum, zip(*by_block, strict=True))
    return positive, negative


def _constant_total(weight: FloatArray, value: float) -> float:
    """Sum weight times a finite value, to the last bit as `_block_total` does."""
    if value == 0:
        return 0.0
    is_rare = 2 * np.count_nonzero(weight) <= len(weight)
    return float(((weight.compress(weight != 0) if is_rare else weight) * value).sum())


def _label_total(
    score: FloatArray, of_class: BoolArray, weight: FloatArray, value: Callable[[Any], FloatArray]
) -> float:
    """Sum a value over the rows of a class as `_block_total` does, where every row is one case."""
    if 2 * np.count_nonzero(of_class) > len(score):
        return _block_total(score, weight, value)
    return float(value(score.compress(of_class)).sum())


def _block_total(
    score: npt.NDArray[np.floating], weight: FloatArray | BoolArray, value: Callable[[Any], FloatArray]
) -> float:
    """Sum weight times value over rows of positive weight, so that an infinite value of weight 0 adds 0."""
    score, present = np.asarray(score, dtype=np.float64), weight != 0  # faster than weights as booleans
    if weight.dtype == np.bool_:
        return float(value(score.compress(present)).sum())  # `compress` is three times as fast as score[present]
    if 2 * np.count_nonzero(present) > len(weight):  # faster than selecting rows, unless a value is infinite
        with np.errstate(invalid="ignore"):
            total = float((weight * value(score)).sum())  # a dot product would start the threads of BLAS
        if not math.isnan(total):
            return total
    return float((weight.compress(present) * value(score.compress(present))).sum())


_LEAST, _MOST = 2.0**-200, 2.0**200  # between them, squares are ordinary numbers


def extreme_power(values: FloatArray) -> int:
    """Return the power of two to divide values by; 0 unless their largest is extreme."""
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if not np.isfinite(largest):
        largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    return 0 if largest == 0 or _LEAST <= largest <= _MOST else int(np.frexp(largest)[1])
