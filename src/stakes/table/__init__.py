"""The table of scores, functions from table to table, and its file format."""

from typing import TYPE_CHECKING

from stakes._late import late_names
from stakes.table._from_top import counts_from_top, heads_from_top, people_table
from stakes.table._heads import Heads, move_heads, pooled_heads, scale_heads
from stakes.table._isotonic import isotonic_blocks
from stakes.table._recalibrate import Recalibration, recalibrate
from stakes.table._reshape import (
    at_ordinary_scale,
    coarsen,
    constant_table,
    flatten,
    heads_by_row,
    merge,
    pool_rows,
    runs_of_rows,
)
from stakes.table._score_table import (
    ScoreTable,
    frozen_table,
    in_memory,
    pooled_table,
    score_table,
    sorted_table,
)
from stakes.table._tables_of import staked_table, table_of_outcome, tables_of
from stakes.table._unsorted import TableLike, Unsorted, unsorted_table

if TYPE_CHECKING:
    from stakes.table._table_file import load_table, save_table

__all__ = [
    "Heads",
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
    "constant_table",
    "counts_from_top",
    "frozen_table",
    "heads_by_row",
    "heads_from_top",
    "in_memory",
    "isotonic_blocks",
    "move_heads",
    "people_table",
    "pool_rows",
    "pooled_heads",
    "pooled_table",
    "runs_of_rows",
    "scale_heads",
    "sorted_table",
    "staked_table",
    "table_of_outcome",
    "tables_of",
    "unsorted_table",
)

# Files that load when one of their names is first used: a table of people in memory waits for none.
_LATE = {
    "_table_file": ("load_table", "save_table"),
}

__getattr__ = late_names(__name__, _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
