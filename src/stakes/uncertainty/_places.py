"""The place of each of very many scores among a few bounds, in any order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray, blocks

_CELLS = 1 << 16  # of equal width, few of which hold two bounds


def rows_between(score: npt.NDArray[np.floating], bounds: FloatArray) -> npt.NDArray[np.int32]:
    """Return how many ascending bounds are at most as large as each score.

    It is ``np.searchsorted(bounds, score, side="right")``, several times as fast where scores are many and in no order:
    the cell of a score among cells of equal width tells it, and one comparison with the next bound.

    Parameters
    ----------
    score : ndarray
        Scores in any order; if all share one place in memory, one is looked up.
    bounds : ndarray of float64
        Bounds between rows, ascending.

    Returns
    -------
    ndarray of int32
        The number of bounds that each score reaches.
    """
    per_unit = _cells_per_unit(bounds)
    if score.strides == (0,) or per_unit is None:
        one = score[:1] if score.strides == (0,) else score
        return np.broadcast_to(np.searchsorted(bounds, one, side="right").astype(np.int32), len(score))
    of_bound = _cell(bounds, bounds[0], per_unit)
    fewest, most = (np.searchsorted(of_bound, np.arange(_CELLS + 2), side=side) for side in ("left", "right"))
    at_least, following, is_crowded = fewest.astype(np.int32), np.append(bounds, np.inf)[fewest], most - fewest > 1
    found = np.empty(len(score), dtype=np.int32)
    for rows in blocks(len(score)):
        here = score[rows].astype(np.float64, copy=False)
        cell = _cell(here, bounds[0], per_unit)
        found[rows] = at_least[cell] + (here >= following[cell])
        crowded = np.flatnonzero(is_crowded[cell])
        found[rows][crowded] = np.searchsorted(bounds, here[crowded], side="right")
    return found


def _cells_per_unit(bounds: FloatArray) -> float | None:
    """Return how many cells there are for each unit of the score; None where cells do not help."""
    if len(bounds) < 2:
        return None
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        found = float(_CELLS / (bounds[-1] - bounds[0]))
    return found if 0 < found < np.inf else None


def _cell(score: FloatArray, lowest: float, per_unit: float) -> npt.NDArray[np.intp]:
    """Return the cell of each score, in their order; the first and the last hold all beyond."""
    with np.errstate(over="ignore"):
        return np.clip((score - lowest) * per_unit + 1, 0, _CELLS + 1).astype(np.intp)
