"""The one sort everything rests on: cases in any order become distinct scores with the weight of each class.

Without weights the label rides in the lowest bit of the score's own bit pattern, so that a plain sort of
integers carries it along; with weights it rides in the sign of the weight. Where numba is installed, large
samples are sorted by `stakes._radix` instead of by NumPy; the table is the same.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Labels = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Scores = NDArray[np.float32] | Floats
    Keys = NDArray[np.unsignedinteger[Any]]
    Table = tuple[Floats, Floats, Floats]

# Below this, loading numba (about half a second, once in a process) costs more than it can win back.
RADIX_ROWS: float = 2**18


def pool(label: Labels, score: Scores, weight: Floats | None = None) -> Table:
    """Pool cases by their score.

    Parameters
    ----------
    label : ndarray of bool, shape (n,)
        Whether each case is positive; there is at least one case.
    score : ndarray of float32 or float64, shape (n,)
        Score of each case: any number, also negative or infinite, but not NaN.
    weight : ndarray of float64, shape (n,), optional
        Weight of each case, above zero; 1 for each if not given.

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
    if score.size >= RADIX_ROWS and find_spec("numba"):
        return _pool_by_radix(label, score.astype(np.float64, copy=False), weight)
    if weight is None:
        return _count_ties(*_sort_labels(label, score, _sort_keys))
    return _add_ties(*_sort_pairs(score, _signed(label, weight)))


def _pool_by_radix(label: Labels, score: Floats, weight: Floats | None) -> Table:
    """Pool cases with numba's help: at one pass where there are few distinct scores, else by radix sort."""
    from stakes import _radix

    if (table := _radix.pool_few(label, score, weight)) is not None:
        return table
    if weight is None:
        return _count_ties(*_sort_labels(label, score, _radix.sort_keys))
    return _add_ties(*_radix.sort_pairs(score, _signed(label, weight)))


# ------------------------------------------------------------------------------------------ without weights


def _sort_labels(label: Labels, score: Scores, sort: Callable[[Keys], Keys]) -> tuple[Scores, Labels]:
    """Sort the scores, and the labels with them, as integers that hold both.

    Floats of one sign are ordered as their bits are. Shifting the bits drops the sign and makes room for
    the label; so each sign is sorted by itself, and the negatives, sorted by size, are turned round.
    """
    key = np.add(score, 0.0).view(f"u{score.itemsize}")  # adding 0.0 turns −0.0 into 0.0
    key <<= 1
    key |= label
    below = score < 0 if score.min() < 0 else None
    if below is None:
        key = sort(key)
    else:
        key = np.concatenate([sort(key[below])[::-1], sort(key[~below])])
    label = (key & 1).astype(np.bool_)
    key >>= 1
    score = key.view(score.dtype)
    if below is not None:
        score[: np.count_nonzero(below)] *= -1
    return score, label


def _sort_keys(key: Keys) -> Keys:
    key.sort()
    return key


def _count_ties(score: Scores, label: Labels) -> Table:
    """Count positives and negatives at each distinct score, of scores in order."""
    first = _first_of_ties(score)
    if first is None:
        positive = label.astype(np.float64)
        return score.astype(np.float64, copy=False), positive, 1 - positive
    score = score[first].astype(np.float64, copy=False)
    positive = np.add.reduceat(label, first, dtype=np.float64)
    negative = np.empty_like(positive)
    np.subtract(first[1:], first[:-1], out=negative[:-1])
    negative[-1] = label.size - first[-1]
    negative -= positive
    return score, positive, negative


# --------------------------------------------------------------------------------------------- with weights


def _signed(label: Labels, weight: Floats) -> Floats:
    """Let the weight's sign say the class; weights are above zero, so nothing is lost."""
    return np.where(label, weight, -weight)


def _sort_pairs(score: Scores, signed: Floats) -> tuple[Scores, Floats]:
    order = np.argsort(score)
    return score[order], signed[order]


def _add_ties(score: Scores, signed: Floats) -> Table:
    """Add up the weights of positives and of negatives at each distinct score, of scores in order."""
    positive, negative = np.maximum(signed, 0.0), np.maximum(-signed, 0.0)
    first = _first_of_ties(score)
    if first is not None:
        score, positive, negative = (
            score[first],
            np.add.reduceat(positive, first),
            np.add.reduceat(negative, first),
        )
    return np.add(score, 0.0, dtype=np.float64), positive, negative  # adding 0.0 turns −0.0 into 0.0


def _first_of_ties(score: Scores) -> NDArray[np.intp] | None:
    """Row where each distinct score begins, of scores in order; None if no two are equal."""
    new = np.empty(score.size, dtype=np.bool_)
    new[0] = True
    np.not_equal(score[1:], score[:-1], out=new[1:])
    return None if new.all() else np.flatnonzero(new)
