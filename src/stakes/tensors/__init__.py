"""Tables, numbers and an accumulating metric of torch tensors and CuPy arrays on their own device.

`score_table` and `unsorted` take device arrays, and what `stakes` says of a table it says of theirs: the arrays stay
on the device, and only numbers come back. `torch_metric` accumulates batches, and over processes.
"""

from stakes.tensors._device import fuse_after
from stakes.tensors._tensor_bins import quantise
from stakes.tensors._tensor_table import TensorCases, TensorTable, score_table, unsorted
from stakes.tensors._torch_metric import TorchMetric, torch_metric

__all__ = [
    "TensorCases",
    "TensorTable",
    "TorchMetric",
    "fuse_after",
    "quantise",
    "score_table",
    "torch_metric",
    "unsorted",
]
