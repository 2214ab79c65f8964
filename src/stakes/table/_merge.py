"""Pooling samples: the table of all cases together."""

from __future__ import annotations

from typing import overload

import numpy as np

from stakes import _check
from stakes.table._quantised import QuantisedTable, merge_quantised
from stakes.table._score_table import ScoreTable, pooled


@overload
def merge(*tables: ScoreTable) -> ScoreTable: ...
@overload
def merge(*tables: QuantisedTable) -> QuantisedTable: ...
def merge(*tables: ScoreTable | QuantisedTable) -> ScoreTable | QuantisedTable:
    """Pool samples: the table of all cases together.

    Parameters
    ----------
    *tables : ScoreTable or QuantisedTable
        One table or more, all of one kind; quantised ones with the same bins.

    Returns
    -------
    ScoreTable or QuantisedTable
        The table of the concatenated samples.

    Examples
    --------
    >>> from stakes import merge, score_table
    >>> merge(score_table([1], [0.5]), score_table([0, 1], [0.5, 0.8]))
    ScoreTable(2 scores, weight 3, prevalence 0.667)
    """
    if not tables:
        raise TypeError("`merge` needs at least one table, got none.")
    quantised = [table for table in tables if isinstance(table, QuantisedTable)]
    if len(quantised) == len(tables):
        return merge_quantised(*quantised)
    if quantised:
        raise TypeError("`tables` must be all of one kind, got both ScoreTable and QuantisedTable.")
    _check.tables("tables", *tables)
    columns = ("score", "positive", "negative")
    return pooled(*(np.concatenate([getattr(table, column) for table in tables]) for column in columns))
