"""Larger than memory: quantised tables, and exact tables and means of a file read in pieces."""

from stakes.large._bins import Bins, BinSums, as_bins
from stakes.large._quantise import quantise
from stakes.large._quantise_frame import quantised_table_from_frame, quantised_tables_from_frame
from stakes.large._quantised_table import QuantisedTable
from stakes.large._stream import means_from_file, score_table_from_file

__all__ = [
    "Bins",
    "QuantisedTable",
    "means_from_file",
    "quantise",
    "quantised_table_from_frame",
    "quantised_tables_from_frame",
    "score_table_from_file",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "BinSums",
    "as_bins",
)
