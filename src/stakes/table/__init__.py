"""The table of scores, every way to make one table from another, and its file."""

from stakes.table._bin_sums import BinSums
from stakes.table._bins import Bins, as_bins
from stakes.table._blocks import blocks, class_totals
from stakes.table._files import load_table, save_table
from stakes.table._isotonic import isotonic_blocks
from stakes.table._merge import merge
from stakes.table._quantise import finer_bins, quantise
from stakes.table._quantised import QuantisedTable
from stakes.table._recalibrate import Recalibration, recalibrate
from stakes.table._reshape import at_prevalence, coarsen, flatten, reweight_classes, shift_scores, shifted
from stakes.table._score_table import (
    Sample,
    ScoreTable,
    Unsorted,
    counts_from_top,
    in_memory,
    score_table,
    sorted_table,
    unsorted_table,
)

__all__ = [
    "BinSums",
    "Bins",
    "QuantisedTable",
    "Recalibration",
    "Sample",
    "ScoreTable",
    "Unsorted",
    "as_bins",
    "at_prevalence",
    "blocks",
    "class_totals",
    "coarsen",
    "counts_from_top",
    "finer_bins",
    "flatten",
    "in_memory",
    "isotonic_blocks",
    "load_table",
    "merge",
    "quantise",
    "recalibrate",
    "reweight_classes",
    "save_table",
    "score_table",
    "shift_scores",
    "shifted",
    "sorted_table",
    "unsorted_table",
]
