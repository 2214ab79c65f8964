"""The sort that makes a table: cases in any order to distinct scores with the weight of each class.

Without weights the label rides in the lowest bit of the score's own bit pattern, so that a plain sort of
integers carries it along; with weights it rides in the sign of the weight. Where numba is installed, large samples
are sorted by `stakes._radix` instead if they have weights, or if NumPy sorts slowly; the table is the same.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Labels = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Scores = NDArray[np.floating[Any]]
    Keys = NDArray[np.unsignedinteger[Any]]
    SortKeys = Callable[[Keys], Keys]
    SortPairs = Callable[[Scores, Floats], tuple[Scores, Floats]]
    Table = tuple[Floats, Floats, Floats]
    StakedTable = tuple[Floats, Floats, Floats, Floats, Floats]

# Loading numba takes a second, once per process; from this size on a few calls make up for it, where it sorts faster.
RADIX_ROWS: float = 2**22


def pool(label: Labels, score: Scores, weight: Floats | None = None) -> Table:
    """Pool cases by their score.

    Parameters
    ----------
    label : ndarray of bool, shape (n,)
        Whether each case is positive; there is at least one case.
    score : ndarray of float32 or float64, shape (n,)
        Score of each case: any number, also negative or infinite, but not NaN.
    weight : ndarray of float64, shape (n,), optional
        Weight of each case, greater than 0; 1 unless given.

    Returns
    -------
    score, positive, negative : ndarrays of float64
        The distinct scores in ascending order (−0.0 and 0.0 are one score, 0.0), and the weight of the
        positive and of the negative cases at each. They do not depend on the order of the cases:
        not at all without weights, and with weights only by rounding.

    Examples
    --------
    >>> score, positive, negative = pool(np.array([True, False, True]), np.array([0.5, 0.5, 0.25]))
    >>> score.tolist(), positive.tolist(), negative.tolist()
    ([0.25, 0.5], [1.0, 1.0], [0.0, 1.0])
    """
    loaded = "stakes._radix" in sys.modules
    large = score.size >= (RADIX_ROWS / 32 if loaded else RADIX_ROWS)
    # The last digits of a sum of tied weights depend on their order, so the time of a sort must not choose between two.
    if large and find_spec("numba") and (loaded or weight is not None or sorts_slowly()):
        return _pool_with_numba(label, score.astype(np.float64, copy=False), weight)
    if weight is None:
        return _pool_labels(label, score, _sort_keys)
    return _pool_weights(label, score, weight, _sort_pairs)


@cache
def sorts_slowly() -> bool:
    """Whether NumPy sorts more slowly than the radix sort of numba would.

    That depends on the processor and on which instructions NumPy chose for it: as many keys are sorted in the time of
    2 to 6 running sums of them where it chose well, and in that of 20 to 50 where it did not.
    """
    keys = np.arange(1 << 15, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # in no order
    from timeit import repeat  # nobody else waits for it

    sorting, adding = (min(repeat(task, number=1, repeat=5)) for task in (lambda: np.sort(keys), keys.cumsum))
    return sorting > 12 * adding


def _pool_with_numba(label: Labels, score: Floats, weight: Floats | None) -> Table:
    """Pool with numba: in one pass if there are few distinct scores, otherwise after a sort."""
    from stakes import _radix

    if (table := _radix.pool_few(label, score, weight)) is not None:
        return table
    if weight is None:
        return _pool_labels(label, score, _radix.sort_keys if sorts_slowly() else _sort_keys)
    return _pool_weights(label, score, weight, _radix.sort_pairs)


def _ends_of_ties(score: Scores) -> tuple[Labels, int]:
    """Whether each of the sorted scores is the last of those equal to it, and how many are not."""
    ends = np.empty(score.size, dtype=np.bool_)
    ends[-1] = True
    np.not_equal(score[1:], score[:-1], out=ends[:-1])
    return ends, score.size - int(np.count_nonzero(ends))


# ------------------------------------------------------------------------------------------ without weights


def _pool_labels(label: Labels, score: Scores, sort: SortKeys) -> Table:
    """Sort, then count positives and negatives at each distinct score."""
    score, label = _sort_labels(label, score, sort)
    ends, tied = _ends_of_ties(score)
    if 8 * tied < len(score):
        return _pool_few_ties(score, label, ends)
    last = np.flatnonzero(ends)
    distinct = score[last].astype(np.float64, copy=False)
    del score  # frees memory before the other columns are built
    return distinct, *_count_ties(last, label)


def _count_ties(last: NDArray[np.intp], label: Labels) -> tuple[Floats, Floats]:
    """Count positives and negatives in ties, of which the last rows are given."""
    positive = _increments(np.cumsum(label, dtype=np.intp)[last])
    negative = _increments(last)
    negative[0] += 1  # rows count from 0
    negative -= positive
    return positive, negative


def _pool_few_ties(score: Scores, label: Labels, ends: Labels) -> Table:
    """Count where few sorted scores are tied: each row but the last of a tie is added to that."""
    tied = np.flatnonzero(~ends)
    labels = label[tied]
    if len(tied):
        score, label = score.compress(ends), label.compress(ends)
    positive = label.astype(np.float64)
    negative = 1 - positive
    last = tied - np.arange(len(tied))  # as many rows before each are the last of their tie
    np.add.at(positive, last, labels)
    np.add.at(negative, last, ~labels)
    return score.astype(np.float64, copy=False), positive, negative


def _increments(running: NDArray[np.intp]) -> Floats:
    """Undo a cumulative sum."""
    increment = running.astype(np.float64)
    increment[1:] -= running[:-1]
    return increment


def _sort_labels(label: Labels, score: Scores, sort: SortKeys) -> tuple[Scores, Labels]:
    """Sort the scores, and the labels with them, as integers that hold both.

    Floats of one sign are ordered as their bits are. Shifting the bits drops the sign (also that of −0.0)
    and makes room for the label; so each sign is sorted separately, and the negatives are reversed.
    """
    key: Keys = np.left_shift(score.view(f"u{score.itemsize}"), 1)
    key |= label
    below = 0
    if score.min() >= 0:
        key = sort(key)
    else:
        is_below = score < 0
        below = int(np.count_nonzero(is_below))
        key = np.concatenate([sort(key.compress(is_below))[::-1], sort(key.compress(~is_below))])
    label = (key.astype(np.uint8) & 1).view(np.bool_)
    key >>= 1
    ordered = key.view(f"f{key.itemsize}")
    ordered[:below] *= -1
    return ordered, label


def _sort_keys(key: Keys) -> Keys:
    key.sort()
    return key


# --------------------------------------------------------------------------------------------- with weights


def _pool_weights(label: Labels, score: Scores, weight: Floats, sort: SortPairs) -> Table:
    """Sort, then add up the weights of positives and of negatives at each distinct score.

    The sign of the weight encodes the class: weights are positive, so nothing is lost, and one array fewer moves.
    """
    score, weight = sort(score, np.where(label, weight, -weight))
    positive, negative = np.maximum(weight, 0.0), np.maximum(-weight, 0.0)
    ends, tied = _ends_of_ties(score)
    if tied:
        last = np.flatnonzero(ends)
        first = np.append(0, last[:-1] + 1)
        score, positive, negative = score[last], np.add.reduceat(positive, first), np.add.reduceat(negative, first)
    return np.add(score, 0.0, dtype=np.float64), positive, negative  # adding 0.0 turns −0.0 into 0.0


def _sort_pairs(score: Scores, weight: Floats) -> tuple[Scores, Floats]:
    order = np.argsort(score)
    return score[order], weight[order]


# ------------------------------------------------------------------------------------------ money and people


def pool_columns(score: Floats, signed: Floats, label: Labels, weight: Floats | None) -> StakedTable:
    """Pool money and people by score, with one sort.

    Parameters
    ----------
    score : ndarray of float64, shape (n,)
        Score of each case.
    signed : ndarray of float64, shape (n,)
        Money of each case, below 0 where leaving it would have been right.
    label : ndarray of bool, shape (n,)
        Whether each case is positive.
    weight : ndarray of float64, shape (n,), or None
        Weight of each case, greater than 0; None if it is 1.

    Returns
    -------
    tuple of ndarray of float64
        The distinct scores; at each, the money on either side, and the weight of positives and of negatives.

    Examples
    --------
    >>> columns = pool_columns(np.array([0.5, 0.5]), np.array([7.0, -3.0]), np.array([True, False]), None)
    >>> [column.tolist() for column in columns]
    [[0.5], [7.0], [3.0], [1.0], [1.0]]
    """
    order, score = in_order(score)
    signs_tell = (np.signbit(signed) != label).all()  # the outcome of every case
    signed, weight = signed.take(order), None if weight is None else weight.take(order)  # faster than signed[order]
    label = ~np.signbit(signed) if signs_tell else label.take(order)
    ends, tied = _ends_of_ties(score)
    if 8 * tied >= len(score):
        columns = _add_ties(np.flatnonzero(ends), signed, label, weight)
    elif tied:  # each row but the last of a tie is added to that
        above = np.flatnonzero(~ends)
        more = _sides(signed[above], label[above], None if weight is None else weight[above])
        columns = _sides(signed.compress(ends), label.compress(ends), None if weight is None else weight.compress(ends))
        for column, added in zip(columns, more, strict=True):
            np.add.at(column, above - np.arange(len(above)), added)
    else:
        columns = _sides(signed, label, weight)
    distinct = score.compress(ends) if tied else score
    return np.add(distinct, 0.0, out=distinct), columns[0], columns[1], columns[2], columns[3]


def _add_ties(last: NDArray[np.intp], signed: Floats, label: Labels, weight: Floats | None) -> list[Floats]:
    """Return the sums of money and of people over ties, of which the last rows are given."""
    first = np.append(0, last[:-1] + 1)
    if weight is not None:
        return [np.add.reduceat(column, first) for column in _sides(signed, label, weight)]
    money = np.maximum(signed, 0.0)
    sides = [np.add.reduceat(side, first) for side in (money, np.subtract(money, signed, out=signed))]
    return [*sides, *_count_ties(last, label)]


def _sides(signed: Floats, label: Labels, weight: Floats | None) -> list[Floats]:
    """Return money by its sign and people by their label; the first column is used up."""
    money, people = np.maximum(signed, 0.0), label.astype(np.float64)
    other = 1 - people
    if weight is not None:
        people *= weight
        other *= weight
    return [money, np.subtract(money, signed, out=signed), people, other]


def in_order(given: Scores) -> tuple[NDArray[np.intp], Floats]:
    """Return the order of numbers, ties as they come, and the sorted numbers."""
    score: Floats = given.astype(np.float64, copy=False)
    if score.size >= RADIX_ROWS and find_spec("numba"):
        from stakes import _radix

        ordered, row = _radix.sort_pairs(score, np.arange(score.size, dtype=np.float64))
        return row.astype(np.intp), ordered.astype(np.float64, copy=False)
    if score.size and score.min() >= 0:
        return _with_rows_in_order(score)
    order = np.argsort(score, kind="stable")
    return order, score[order]


def _with_rows_in_order(score: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Sort numbers that are not negative as integers that hold their first bits and the row.

    That takes half as long as to sort rows by numbers. Those that differ in their last bits only are sorted again.
    """
    rows = np.uint64((1 << (score.size - 1).bit_length()) - 1)
    unused = 2 if score.max() <= 1 else 1  # first bits: the sign, which -0.0 has, and up to 1 the next
    key = np.left_shift(score.view(np.uint64), unused)
    key &= ~rows
    key |= np.arange(score.size, dtype=np.uint64)
    key.sort()
    order = (key & rows).view(np.intp)
    ordered = score.take(order)
    if (ordered[1:] < ordered[:-1]).any():
        key &= ~rows
        alike = np.zeros(score.size, dtype=np.bool_)
        np.equal(key[1:], key[:-1], out=alike[1:])
        alike[:-1] |= alike[1:].copy()
        again = np.flatnonzero(alike)
        again_by_score = again[np.argsort(ordered[again], kind="stable")]
        order[again], ordered[again] = order[again_by_score], ordered[again_by_score]
    return order, ordered
