"""Pool adjacent violators: the blocks of the isotonic fit, which are the segments of the ROC hull."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from stakes._check import FloatArray


def isotonic_blocks(positive: FloatArray, negative: FloatArray) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
    """Return where each block of the isotonic fit starts, and its positive and negative weight.

    The shares of positives strictly ascend from block to block, and every block is the sum of its rows.
    """
    starts = np.arange(len(positive))
    while True:
        weight = positive + negative
        blocks = scipy.optimize.isotonic_regression(positive / weight, weights=weight).blocks[:-1]
        if len(blocks) == len(starts):
            return starts, positive, negative
        # Shares of the new blocks' sums may be equal, or out of order by a last digit: look again.
        starts = starts[blocks]
        positive, negative = np.add.reduceat(positive, blocks), np.add.reduceat(negative, blocks)
