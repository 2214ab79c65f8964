"""Putting a sample into bins, as fine as a tolerance asks for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._check import BoolArray, FloatArray
from stakes.table._bin_sums import Cells, row_blocks
from stakes.table._bins import Bins, as_bins
from stakes.table._quantised import QuantisedTable

_MOST_BINS = 1 << 22


def quantise(
    y: npt.ArrayLike,
    score: npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
    *,
    bins: Bins | int = 65536,
    tolerance: float | None = None,
    pos_label: object = None,
) -> QuantisedTable:
    """Put a sample into bins of scores: no sort, and a table whose size does not depend on the sample's.

    Parameters
    ----------
    y : array-like
        Outcome of each case, as for `score_table`.
    score : array-like
        Probability of a positive for each case.
    weight : array-like, optional
        Weight of each case, not negative.
    bins : Bins or int, keyword-only
        How to put scores into bins; a number of bins, a power of two, makes even ones.
    tolerance : float, keyword-only, optional
        How far apart the bounds of a mean regret may be, whatever the costs: the bins are made finer until
        `QuantisedTable.undecided` is at most this. Where costs are not a single value the bounds are much closer.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    QuantisedTable
        The table. It does not depend on the order of the cases, up to rounding.

    Examples
    --------
    >>> from stakes import Uniform, bounds, quantise
    >>> table = quantise(y=[0, 1, 0, 1, 1], score=[0.12, 0.13, 0.14, 0.15, 0.9], bins=4)
    >>> table
    QuantisedTable(2 of 5 bins, weight 5, prevalence 0.6, undecided up to 0.4)
    >>> bounds.expected_regret(table, Uniform(0.05, 0.25))  # no score need be known: the sums settle it
    Bounded(lower=0.1917, estimate=0.1917, upper=0.1917)
    """
    label, scores, weights = (
        _check.outcome("y", y, pos_label),
        _check.probabilities("score", score),
        _check.weights("weight", weight),
    )
    _check.same_length(y=label, score=scores, weight=weights)
    if tolerance is not None:
        _check.above("tolerance", tolerance)
    table = _quantised(label, scores, weights, as_bins(bins))
    while (finer := finer_bins(table, tolerance)) is not None:
        table = _quantised(label, scores, weights, finer)
    return table


def finer_bins(table: QuantisedTable, tolerance: float | None) -> Bins | None:
    """Return the bins to try next, as far as can be told from these; none where they are fine enough."""
    if tolerance is None or table.undecided <= tolerance:
        return None
    old = table.bins
    if old.count >= _MOST_BINS:
        raise ValueError(
            f"`tolerance` must be at least {table.undecided:.3g} for this sample, got {tolerance:g}: so large a share "
            f"of it is within one of {old.count:,} bins; `score_table` is exact."
        )
    wanted = old.count * table.undecided / tolerance
    count = min(max(1 << int(np.ceil(np.log2(wanted))), 2 * old.count), _MOST_BINS)
    return Bins(count, fine_ends=old.fine_ends, cuts=old.cuts)


def _quantised(
    label: BoolArray, score: npt.NDArray[np.floating], weight: FloatArray | None, bins: Bins
) -> QuantisedTable:
    """Add up columns that have been judged already, some rows at a time."""
    cells = Cells(bins)
    for rows in row_blocks(len(label)):
        cells.add(label[rows], score[rows].astype(np.float64), None if weight is None else weight[rows])
    return QuantisedTable(bins, *cells.rows(), weight is None or bool(np.all(weight == np.floor(weight))))
