"""Blocks of the isotonic fit (pool adjacent violators), which are the segments of the ROC hull."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import BoolArray, FloatArray, blocks


def isotonic_blocks(positive: FloatArray, negative: FloatArray) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
    """Return where each block of the isotonic fit starts, and its positive and negative weight.

    The shares of positives strictly ascend from block to block, and every block is the sum of its rows.
    """
    starts = np.flatnonzero(_rises(positive, negative))
    if len(starts) < len(positive):
        positive, negative = np.add.reduceat(positive, starts), np.add.reduceat(negative, starts)
    while True:
        weight = positive + negative
        blocks = scipy.optimize.isotonic_regression(positive / weight, weights=weight).blocks[:-1]
        if len(blocks) == len(starts):
            return starts, positive, negative
        # After rounding, shares of the summed blocks may be equal or out of order: pool again.
        starts = starts[blocks]
        positive, negative = np.add.reduceat(positive, blocks), np.add.reduceat(negative, blocks)


def _rises(positive: FloatArray, negative: FloatArray) -> BoolArray:
    """Return at which rows the share of positives rises; any other row joins the block before it.

    This leaves few rows to pool one by one, and needs little memory.
    """
    rises, before = np.empty(len(positive), dtype=np.bool_), -np.inf
    for rows in blocks(len(positive)):
        share = positive[rows] / (positive[rows] + negative[rows])
        rises[rows] = np.diff(share, prepend=before) > 0
        before = share[-1]
    return rises
