"""Operations that the array API standard lacks, by library: bits, scattered sums, memory, fusing.

Everything else in `stakes.tensors` is written in the standard, by way of array-api-compat. CuPy does as NumPy does, so
NumPy's own arrays run through the same lines.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import InputTypeError, MissingPackageError

Array = Any


# What libraries sort at a time at most: they count rows in 32 bits.
SORT_ROWS = (1 << 31) - 1

_LIBRARIES = ("torch", "cupy", "numpy")
_IN_MEMORY = "`stakes.score_table` and `stakes.evaluate` take it, with scores in arrays of NumPy"  # such as an EventBy


@dataclass(frozen=True)
class Arrays:
    """Arrays of one library in one place: CuPy's, or NumPy's."""

    xp: Any
    device: Any

    def __hash__(self) -> int:
        return hash((self.xp.__name__, str(self.device)))  # CuPy's devices have no hash

    @property
    def at_once(self) -> int:
        """Number of rows per block where nothing is fused: what fits a processor's cache, or fills a device."""
        return 1 << 26 if self.xp.__name__.endswith("cupy") else 1 << 17

    @property
    def plain(self) -> Any:
        """The library itself, for lines that a compiler may read."""
        return self.xp

    def double(self, array: Array) -> Array:
        """Return an array as float64, in which everything is added up."""
        return self.xp.astype(array, self.xp.float64, copy=False)

    def running(self, array: Array) -> Array:
        """Sum up to each element, along the last axis."""
        return self.xp.cumulative_sum(array, axis=-1)

    def numbers(self, values: Any) -> Array:
        """Return Python's numbers as a float64 array."""
        return self.xp.asarray(values, dtype=self.xp.float64, device=self.device)

    def bits(self, score: Array) -> Array:
        """Read floats as the integers of the same bits."""
        return score.view(self.xp.int32 if score.dtype == self.xp.float32 else self.xp.int64)

    def floats(self, bits: Array) -> Array:
        """Read integers as the floats of the same bits."""
        return bits.view(self.xp.float32 if bits.dtype == self.xp.int32 else self.xp.float64)

    def read(self, *scalars: Array) -> list[float]:
        """Fetch several numbers at once, since waiting for the device costs more than the numbers."""
        found: list[float] = self.host(self.xp.stack([self.double(scalar) for scalar in scalars])).tolist()
        return found

    def host(self, array: Array) -> npt.NDArray[Any]:
        """Fetch an array as NumPy."""
        return np.asarray(array if isinstance(array, np.ndarray) else array.get())

    def doubled(self, bits: Array, label: Array) -> Array:
        """Return ``2 * bits + label``, without its highest bit."""
        found = bits << 1
        found |= label
        return found

    def distinct(self, key: Array) -> tuple[Array, Array]:
        """Return the distinct elements, ascending, and their counts."""
        found: tuple[Array, Array] = self.xp.unique(key, return_counts=True)
        return found

    def in_order(self, key: Array) -> tuple[Array, Array]:
        """Return the sorted elements and their former positions."""
        order = self.xp.argsort(key)
        return self.xp.take(key, order), order

    def add_at(self, row: Array, weight: Array, rows: int) -> Array:
        """Add up weights row by row."""
        return self.xp.bincount(row, weight, rows)

    def least_at(self, into: Array, row: Array, value: Array) -> None:
        """Lower `into` to the least value of each row."""
        self._at("minimum", into, row, value)

    def most_at(self, into: Array, row: Array, value: Array) -> None:
        """Raise `into` to the greatest value of each row."""
        self._at("maximum", into, row, value)

    def _at(self, name: str, into: Array, row: Array, value: Array) -> None:
        getattr(self.xp, name).at(into, row, value)

    def runs(self, how: str, values: Array, starts: Array) -> Array:
        """Reduce runs of elements that begin at `starts`; ``how`` is add, minimum or maximum."""
        return getattr(self.xp, how).reduceat(values, starts)

    def rows_that_fit(self, rows: int, bytes_each: int) -> int:
        """Return the number of rows that can be sorted at a time."""
        if self.xp.__name__.endswith("cupy"):
            pool = self.xp.get_default_memory_pool()
            free = self.xp.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
            return _rows_in(free, bytes_each)
        return SORT_ROWS

    def fused(self, function: Callable[..., Any], rows: int) -> Callable[..., Any] | None:
        """Return a function that makes one pass of another's operations, if that pays by now."""
        return None

    def fused_or_not(self, function: Callable[..., Any], rows: int) -> Callable[..., Any]:
        """Return a function that makes one pass of another's operations if that pays, else that other."""
        return self.fused(function, rows) or function


@dataclass(frozen=True)
class Tensors(Arrays):
    """Tensors of torch."""

    __hash__ = Arrays.__hash__

    @property
    def at_once(self) -> int:
        return 1 << 17 if self.device.type == "cpu" else 1 << 26

    @property
    def plain(self) -> Any:
        import torch

        return torch

    def double(self, array: Array) -> Array:
        return array.double()

    def running(self, array: Array) -> Array:
        return array.cumsum(-1)

    def host(self, array: Array) -> npt.NDArray[Any]:
        return np.asarray(array.cpu())

    def doubled(self, bits: Array, label: Array) -> Array:
        return self.plain.add(label, bits, alpha=2)  # in one pass

    def distinct(self, key: Array) -> tuple[Array, Array]:
        values, counts = self.plain.unique(key, return_counts=True)
        return _in_own_storage(values), _in_own_storage(counts)

    def in_order(self, key: Array) -> tuple[Array, Array]:
        ordered, order = key.sort()
        return ordered, order

    def add_at(self, row: Array, weight: Array, rows: int) -> Array:
        return weight.new_zeros(rows).scatter_add_(0, row, weight)

    def _at(self, name: str, into: Array, row: Array, value: Array) -> None:
        into.scatter_reduce_(0, row, value, f"a{name[:3]}")

    def runs(self, how: str, values: Array, starts: Array) -> Array:
        lengths = self.xp.diff(starts, append=starts.new_tensor([len(values)]))
        words = {"add": "sum", "minimum": "min", "maximum": "max"}
        return self.xp.segment_reduce(values, words[how], lengths=lengths, unsafe=True)

    def rows_that_fit(self, rows: int, bytes_each: int) -> int:
        if self.device.type != "cuda":
            return SORT_ROWS
        from torch import cuda

        if rows * bytes_each < cuda.mem_get_info(self.device)[0] / 2:  # as usual, and known at once
            return rows
        cuda.empty_cache()  # memory that torch holds ready in pieces, which may be too small
        return _rows_in(cuda.mem_get_info(self.device)[0], bytes_each)

    def fused(self, function: Callable[..., Any], rows: int) -> Callable[..., Any] | None:
        if rows < _FEWEST_FUSED or self.device.type != "cuda" or not _has_triton():
            return None
        return _compiled(function) if _pays_after(function, rows) else None


# ------------------------------------------------------------------------------------------- compiling

# Compiling takes seconds, once for each kind of sum: as long as it takes to add up so many rows without.
_after: float = 1 << 34

_FEWEST_FUSED = 1 << 15  # a few blocks: from a single one a compiler would infer that their number is fixed

_rows_so_far: dict[Callable[..., Any], int] = {}


def fuse_after(rows: float) -> None:
    """Set the number of rows after which a kind of sum is compiled into one pass (torch on CUDA).

    Compiling takes some seconds for each kind of belief, and then saves nine tenths of the time. So nothing is compiled
    until a process has added up so many rows of a kind that it has lost about as much time as compiling takes.

    Parameters
    ----------
    rows : float
        Rows to add up before; 0 compiles at once, infinity never. At first it is 2**34.

    Returns
    -------
    None
        It holds from now on, for the whole process.

    Examples
    --------
    >>> import math
    >>> from stakes.tensors import fuse_after
    >>> fuse_after(math.inf)  # where there is no compiler
    >>> fuse_after(2**34)
    """
    global _after  # a setting of the process, as a compiler's are
    _after = _check.non_negative_number("rows", rows) if rows != math.inf else rows


def _pays_after(function: Callable[..., Any], rows: int) -> bool:
    """Count the rows of a kind of sum, and return whether compiling it would have paid by now."""
    _rows_so_far[function] = _rows_so_far.get(function, 0) + rows
    return _rows_so_far[function] >= _after


@functools.cache
def _has_triton() -> bool:
    return find_spec("triton") is not None


@functools.cache
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile for any number of rows, or of blocks of them (the first axis), at once."""
    import torch

    # To look for the best shape of a kernel takes a moment, once, and spares a tenth of the time ever after.
    found = torch.compile(function, fullgraph=True, options={"coordinate_descent_tuning": True})
    known = set()

    def run(*arrays: Array) -> Any:
        kinds = tuple(array.dtype for array in arrays)
        if kinds not in known:  # what is compiled now must serve for other lengths, too
            known.add(kinds)
            for array in arrays:
                if array.ndim == 2 or len(array) >= _FEWEST_FUSED:
                    torch._dynamo.mark_dynamic(array, 0)
        return found(*arrays)

    return run


def _rows_in(free: int, bytes_each: int) -> int:
    """Rows that fit into four fifths of the free memory, but at least a million: fewer would be slow."""
    return min(max(int(0.8 * free) // bytes_each, 1 << 20), SORT_ROWS)


def _in_own_storage(tensor: Array) -> Array:
    """Copy a tensor out of a storage made for many more elements, which it would otherwise keep."""
    held = tensor.untyped_storage().nbytes()
    return tensor.clone() if held > 2 * tensor.element_size() * len(tensor) else tensor


def library_of(array: object) -> str:
    """Name the library that an array comes from."""
    return type(array).__module__.partition(".")[0]


def arrays_of(name: str, array: Array) -> Arrays:
    """Return the operations of an array's library; messages call the array by this name."""
    if library_of(array) not in _LIBRARIES or not hasattr(array, "ndim"):
        hint = _IN_MEMORY if library_of(array) == "stakes" else ""
        raise InputTypeError(name, "be a torch tensor or a CuPy array", type(array).__name__, hint=hint)
    try:
        from array_api_compat import array_namespace, device
    except ImportError:
        raise MissingPackageError(
            "array-api-compat", "'stakes[tensors]'", "to compute on the device of a tensor", "`stakes.tensors`"
        ) from None
    kind = Tensors if library_of(array) == "torch" else Arrays
    return kind(array_namespace(array), device(array))
