"""The one sort, on the device: cases in any order become cells, each a score and a class with the weight that has both.

As in `stakes._sort` the label rides in the lowest bit of the score's own bit pattern, so that a sort of plain integers
carries it along, and each sign is sorted by itself. Equal integers are one cell: what is left is what the table needs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from stakes.tensors import _device
from stakes.tensors._device import Array, Arrays


class Cells(NamedTuple):
    """Distinct scores and classes, ascending by score and, within one score, negatives first."""

    score: Array
    label: Array
    weight: Array


def cells(arrays: Arrays, label: Array, score: Array, weight: Array | None, lowest: float) -> Cells:
    """Pool cases by score and class.

    Parameters
    ----------
    arrays : Arrays
        What the arrays' library can do.
    label : array of bool, shape (n,)
        Whether each case is positive.
    score : array of float32 or float64, shape (n,)
        Score of each case, not nan.
    weight : array of float64, shape (n,), or None
        Weight of each case, above zero; 1 for each if none.
    lowest : float
        The lowest score.

    Returns
    -------
    Cells
        The cells: counts as int64 where every case counts once, else sums of weights.
    """
    if lowest >= 0:
        return _of_one_sign(arrays, label, score, weight)
    negative = score < 0
    above = _some(~negative, label, score, weight)
    # Turned round, so the classes are swapped before and after: negatives come first again.
    below = _some(negative, ~label, score, weight)
    low = _of_one_sign(arrays, *below)
    turned = Cells(-arrays.xp.flip(low.score), ~arrays.xp.flip(low.label), arrays.xp.flip(low.weight))
    if above[0].shape[0] == 0:
        return turned
    high = _of_one_sign(arrays, *above)
    return Cells(*(arrays.xp.concat(pair) for pair in zip(turned, high, strict=True)))


def _some(which: Array, label: Array, score: Array, weight: Array | None) -> tuple[Array, Array, Array | None]:
    return label[which], score[which], None if weight is None else weight[which]


def _of_one_sign(arrays: Arrays, label: Array, score: Array, weight: Array | None) -> Cells:
    """Pool cases by the size of their score and class, as many at a time as the memory allows."""
    width = 4 if score.dtype == arrays.xp.float32 else 8
    # Keys, the same in order, the sort's own copy and the distinct ones, with counts; weights also need their places.
    bytes_each = 4 * width + (8 if weight is None else 56)
    found: tuple[Array, Array] | None = None
    start = 0
    while start < len(score):
        at_once = min(arrays.rows_that_fit(len(score) - start, bytes_each), _device.SORT_ROWS)
        rows = slice(start, start + at_once)
        some = _distinct(arrays, _keys(arrays, label[rows], score[rows]), None if weight is None else weight[rows])
        found = some if found is None else _merged(arrays, found, some)
        start += at_once
    assert found is not None
    key, total = found
    return Cells(*_read_keys(arrays, key), total)


def _keys(arrays: Arrays, label: Array, score: Array) -> Array:
    """Return integers in the order of the scores' sizes, then of the labels."""
    return arrays.fused_or_not(_to_keys(arrays), len(score))(arrays.bits(score), label)


def _read_keys(arrays: Arrays, key: Array) -> tuple[Array, Array]:
    """Return the sizes of scores, and the labels, that integers were made of."""
    bits, label = arrays.fused_or_not(_from_keys(arrays), len(key))(key)
    return arrays.floats(bits), label


@functools.cache
def _to_keys(arrays: Arrays) -> Callable[[Array, Array], Array]:
    def keys(bits: Array, label: Array) -> Array:
        key = arrays.doubled(bits, label)  # the sign is lost, also that of -0.0
        key ^= _sign(arrays, key)  # what was the highest bit of an unsigned number is now a sign
        return key

    return keys


@functools.cache
def _from_keys(arrays: Arrays) -> Callable[[Array], tuple[Array, Array]]:
    def bits_and_labels(key: Array) -> tuple[Array, Array]:
        half = key ^ _sign(arrays, key)
        half >>= 1
        half &= ~_sign(arrays, key)  # a negative number has been filled up with ones
        return half, (key & 1) != 0

    return bits_and_labels


def _sign(arrays: Arrays, key: Array) -> int:
    return -(1 << 31) if key.dtype == arrays.xp.int32 else -(1 << 63)


def _distinct(arrays: Arrays, key: Array, weight: Array | None) -> tuple[Array, Array]:
    """Distinct integers, ascending, with their weights."""
    if weight is None:
        return arrays.distinct(key)
    key, order = arrays.in_order(key)
    return _added_up(arrays, key, arrays.xp.take(weight, order))


def _merged(arrays: Arrays, one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
    """Pool what two lots of cases have come to."""
    key, order = arrays.in_order(arrays.xp.concat([one[0], other[0]]))
    weight = arrays.xp.concat([arrays.double(one[1]), arrays.double(other[1])])
    return _added_up(arrays, key, arrays.xp.take(weight, order))


def _added_up(arrays: Arrays, key: Array, weight: Array) -> tuple[Array, Array]:
    """Add up the weights of equal integers, which follow one another."""
    first, row = runs_of(arrays, key)
    distinct = key[first]
    return distinct, arrays.add_at(row, weight, distinct.shape[0])


def runs_of(arrays: Arrays, ordered: Array) -> tuple[Array, Array]:
    """Say where something new begins in an ordered array, and the how manieth distinct element each one is."""
    xp = arrays.xp
    first = xp.ones(ordered.shape, dtype=xp.bool, device=arrays.device)
    first[1:] = ordered[1:] != ordered[:-1]
    return first, xp.cumulative_sum(first, dtype=xp.int64) - 1
