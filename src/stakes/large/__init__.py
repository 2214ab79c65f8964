"""Larger than memory: quantised tables, and exact tables and means of a file read in pieces."""

from stakes.large._bins import Bins, BinSums, as_bins
from stakes.large._quantise import quantise
from stakes.large._quantise_frame import quantise_frame
from stakes.large._quantised_table import QuantisedTable
from stakes.large._stream import score_table
from stakes.large._stream_means import means

__all__ = [
    "Bins",
    "QuantisedTable",
    "means",
    "quantise",
    "quantise_frame",
    "score_table",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "BinSums",
    "as_bins",
)
