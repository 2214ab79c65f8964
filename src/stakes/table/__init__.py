"""The table of scores, every way to make one table from another, and its file."""

from stakes.table._blocks import block_total, blocks
from stakes.table._files import load_table, save_table
from stakes.table._isotonic import isotonic_blocks
from stakes.table._recalibrate import Recalibration, recalibrate
from stakes.table._reshape import at_prevalence, coarsen, flatten, reweight_classes, shift_scores
from stakes.table._score_table import (
    Sample,
    ScoreTable,
    Unsorted,
    counts_from_top,
    merge,
    score_table,
    sorted_table,
    unsorted_table,
)

__all__ = [
    "Recalibration",
    "Sample",
    "ScoreTable",
    "Unsorted",
    "at_prevalence",
    "block_total",
    "blocks",
    "coarsen",
    "counts_from_top",
    "flatten",
    "isotonic_blocks",
    "load_table",
    "merge",
    "recalibrate",
    "reweight_classes",
    "save_table",
    "score_table",
    "shift_scores",
    "sorted_table",
    "unsorted_table",
]
