"""Columns of numbers as short text that loses nothing."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from stakes._arrays import FloatArray

SHORT = 7  # bits of a single-precision number that a shortened score does not have


def pack(column: FloatArray) -> Any:
    """Return a column as a list or packed, whichever is shortest.

    "counts" are whole numbers and "steps" ascending scores of 17 binary digits, as differences of what is left of
    their bits: both in groups of seven bits, the lowest first. "doubles" are the numbers themselves.

    Examples
    --------
    >>> import numpy as np
    >>> from stakes.report._packing import pack
    >>> pack(np.array([0.5, 2.0]))
    [0.5, 2]
    >>> pack(np.array([300.0, 304.0, 321.0] * 4))
    {'counts': 'rAKwAsECrAKwAsECrAKwAsECrAKwAsEC'}
    """
    plain = [int(value) if value.is_integer() and abs(value) < 2**53 else value for value in column.tolist()]
    packings = [plain, {"doubles": _base64(np.asarray(column, dtype="<f8").tobytes())}]
    if np.all((column >= 0) & (column < 2**31) & (column == np.floor(column))):
        packings.append({"counts": _base64(_sevens(column.astype(np.int64)))})
    elif _is_short(column):
        bits = column.astype(np.float32).view(np.uint32).astype(np.int64) >> SHORT
        packings.append({"steps": _base64(_sevens(np.diff(bits, prepend=0)))})
    return min(packings, key=lambda one: len(json.dumps(one, separators=(",", ":"))))


def _is_short(column: FloatArray) -> bool:
    """Return whether numbers ascend from 0 and have 17 binary digits at most."""
    single = column.astype(np.float32)
    bits = single.view(np.uint32)
    ascend = bool(np.all(np.diff(column, prepend=0.0) >= 0))
    return ascend and bool(np.all((single == column) & (bits & ((1 << SHORT) - 1) == 0)))


def _sevens(numbers: np.ndarray[Any, np.dtype[np.int64]]) -> bytes:
    """Write whole numbers in groups of seven bits; the highest bit says that more follow."""
    written = bytearray()
    for number in numbers.tolist():
        while number > 127:
            written.append(number & 127 | 128)
            number >>= 7
        written.append(number)
    return bytes(written)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def pack_bytes(columns: FloatArray) -> dict[str, Any]:
    """Return a matrix in 8 bits, one scale a column, and the scales to five digits.

    Examples
    --------
    >>> import numpy as np
    >>> from stakes.report._packing import pack_bytes
    >>> pack_bytes(np.array([[1.27, 0.0], [-0.5, 0.0]]))
    {'scale': [0.01, 0.0], 'bytes': 'fwDOAA=='}
    """
    scale = np.array([float(f"{one:.5g}") for one in (np.abs(columns).max(axis=0, initial=0.0) / 127).tolist()])
    whole = np.round(np.divide(columns, scale, out=np.zeros_like(columns), where=scale > 0))
    return {"scale": scale.tolist(), "bytes": _base64(np.clip(whole, -127, 127).astype(np.int8).tobytes())}


def unpack_bytes(packed: dict[str, Any]) -> FloatArray:
    """Return a matrix as the page reads it; one without columns has no rows either."""
    scale = np.array(packed["scale"], dtype=np.float64)
    whole = np.frombuffer(base64.b64decode(packed["bytes"]), dtype=np.int8)
    rows = len(whole) // max(len(scale), 1)
    return np.asarray(whole.reshape(rows, len(scale)) * scale)
