"""Samples on a GPU: tables, numbers and an accumulating metric for torch tensors and CuPy arrays, where they are.

`score_table` and `unsorted` take device arrays, and what `stakes` says of a table it says of theirs: the arrays stay
on the device, and only numbers come back.
"""

from stakes.tensors._device import fuse_after
from stakes.tensors._quantise import quantise
from stakes.tensors._table import TensorCases, TensorTable, score_table, unsorted

__all__ = ["TensorCases", "TensorTable", "fuse_after", "quantise", "score_table", "unsorted"]
