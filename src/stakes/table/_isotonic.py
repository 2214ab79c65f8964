"""Blocks of the isotonic fit (pool adjacent violators), which are the segments of the ROC hull."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import BoolArray, FloatArray, blocks

# Rows that Python pools about as fast as SciPy is called, so that a small sample does not wait for it to load.
_FEW = 512


def isotonic_blocks(
    positive: FloatArray, negative: FloatArray, label: BoolArray | None = None
) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
    """Return where each block of the isotonic fit starts, and its positive and negative weight.

    The shares of positives strictly ascend from block to block, and every block is the sum of its rows. `label` is
    whether the case of each row is positive, if every row is known to be one case.
    """
    label = row_labels(positive, negative) if label is None else label
    if label is not None and len(label):
        starts, positive, negative = _runs(label)
    else:
        starts = np.flatnonzero(_rises(positive, negative))
        if len(starts) < len(positive):
            positive, negative = np.add.reduceat(positive, starts), np.add.reduceat(negative, starts)
    while True:
        weight = positive + negative
        blocks = _pool_adjacent(positive / weight, weight)
        if len(blocks) == len(starts):
            return starts, positive, negative
        # After rounding, shares of the summed blocks may be equal or out of order: pool again.
        starts = starts[blocks]
        positive, negative = np.add.reduceat(positive, blocks), np.add.reduceat(negative, blocks)


def _pool_adjacent(share: FloatArray, weight: FloatArray) -> npt.NDArray[np.intp]:
    """Return where each block of the isotonic fit starts.

    Both ways add up in the same order, so that they give the same blocks.
    """
    if len(share) <= _FEW:
        return _pool_one_by_one(share.tolist(), weight.tolist())
    starts: npt.NDArray[np.intp] = scipy.optimize.isotonic_regression(share, weights=weight).blocks[:-1]
    return starts


def _pool_one_by_one(shares: list[float], weights: list[float]) -> npt.NDArray[np.intp]:
    """Pool adjacent violators in the order of Busing (2022), which is SciPy's."""
    blocks: list[tuple[int, float, float]] = []  # where each starts, its share and its weight
    row, end = 0, len(shares)
    while row < end:
        start, share, weight = row, shares[row], weights[row]
        row += 1
        if blocks and blocks[-1][1] >= share:
            start, before, more = blocks.pop()
            total, weight = more * before + weight * share, weight + more
            share = total / weight
            while row < end and share >= shares[row]:
                total, weight = total + weights[row] * shares[row], weight + weights[row]
                share, row = total / weight, row + 1
            while blocks and blocks[-1][1] >= share:
                start, before, more = blocks.pop()
                total, weight = total + more * before, weight + more
                share = total / weight
        blocks.append((start, share, weight))
    return np.array([start for start, _, _ in blocks], dtype=np.intp)


def row_labels(positive: FloatArray, negative: FloatArray) -> BoolArray | None:
    """Return whether the case of each row is positive, where every row is one case; otherwise None."""
    label = np.empty(len(positive), dtype=np.bool_)
    for rows in blocks(len(positive)):
        here = np.not_equal(positive[rows], 0, out=label[rows])
        if not ((positive[rows] == here).all() and (negative[rows] == 1 - positive[rows]).all()):
            return None
    return label


def _runs(label: BoolArray) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
    """Return where each run of positives starts, their number, and that of the negatives after them.

    These are the rows at which the share of positives rises. Negatives before all positives are a run of their own.
    """
    changes = np.flatnonzero(label[1:] != label[:-1]) + 1
    ends = np.concatenate([[0] if label[0] else [0, 0], changes, [len(label)]])  # of runs, a positive one first
    if len(ends) % 2 == 0:  # the last run is of positives
        ends = np.append(ends, len(label))
    sizes = np.diff(ends).astype(np.float64)
    return ends[:-1:2], sizes[::2], sizes[1::2]


def _rises(positive: FloatArray, negative: FloatArray) -> BoolArray:
    """Return at which rows the share of positives rises; any other row joins the block before it.

    This leaves few rows to pool one by one, and needs little memory.
    """
    rises, before = np.empty(len(positive), dtype=np.bool_), -np.inf
    for rows in blocks(len(positive)):
        share = _shares(positive[rows], negative[rows])
        rises[rows] = np.diff(share, prepend=before) > 0
        before = share[-1]
    return rises


def _shares(positive: FloatArray, negative: FloatArray) -> FloatArray:
    """Return the share of positives in rows, without a division where every row has one class."""
    share = (positive > 0).astype(np.float64)
    if (positive.astype(np.bool_) ^ negative.astype(np.bool_)).all():
        return share
    return np.divide(positive, positive + negative, out=share)
