"""The table of scores, functions from table to table, and its file format."""

from stakes.table._isotonic import isotonic_blocks
from stakes.table._recalibrate import Recalibration, recalibrate
from stakes.table._reshape import at_ordinary_scale, coarsen, flatten, merge
from stakes.table._score_table import (
    ScoreTable,
    TableLike,
    Unsorted,
    counts_from_top,
    frozen_table,
    in_memory,
    pooled_table,
    score_table,
    sorted_table,
    unsorted_table,
)
from stakes.table._table_file import load_table, save_table

__all__ = [
    "Recalibration",
    "ScoreTable",
    "coarsen",
    "flatten",
    "load_table",
    "merge",
    "recalibrate",
    "save_table",
    "score_table",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "TableLike",
    "Unsorted",
    "at_ordinary_scale",
    "counts_from_top",
    "frozen_table",
    "in_memory",
    "isotonic_blocks",
    "pooled_table",
    "sorted_table",
    "unsorted_table",
)
