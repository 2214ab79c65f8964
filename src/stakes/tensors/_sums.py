"""Sums over rows that are only read once: in blocks, each fused into one pass where the library can."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from stakes.tensors._device import Array, Arrays
from stakes.tensors._formula import Formula

# Rows of a block, which is added up by itself.
_BLOCK = 1 << 13

BlockSums = Callable[..., tuple[Array, ...]]


def class_totals(arrays: Arrays, formula: Formula, label: Array, score: Array, weight: Array | None) -> list[float]:
    """Sum over the positives of the formula's first loss, and over the negatives of its second."""
    sums = _class_sums(formula.code, arrays, weight is not None)
    columns = (label, score) if weight is None else (label, score, weight)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = by_block(arrays, sums, _BLOCK, columns, arrays.numbers(formula.numbers))
    return arrays.read(*(arrays.xp.sum(column) for column in found))


@functools.cache
def _class_sums(code: str, arrays: Arrays, weighted: bool) -> BlockSums:
    """Write a function that adds up a formula by class: one for each code, since a compiler knows them by that."""
    added = "added * double(weight)" if weighted else "added"
    lines = [
        f"def sums(label, score, {'weight, ' if weighted else ''}c):",
        "    s = double(score)",
        *code.splitlines()[:-1],
        f"    positive, negative = {code.splitlines()[-1].strip().removeprefix('return ')}",
        "    added = double(xp.where(label, positive, negative))",
        f"    added = {added}",
        "    return xp.sum(xp.where(label, added, 0.0), axis=-1), xp.sum(xp.where(label, 0.0, added), axis=-1)",
    ]
    made: dict[str, Any] = {"xp": arrays.plain, "double": arrays.double}
    exec(compile("\n".join(lines), f"{__file__} (written)", "exec"), made)
    found: BlockSums = made["sums"]
    return found


def by_block(
    arrays: Arrays, sums: BlockSums, block: int, columns: tuple[Array, ...], *extra: Array
) -> tuple[Array, ...]:
    """Add up each block of rows; the last one may be shorter."""
    rows = columns[0].shape[0]
    whole = rows // block * block
    fused = arrays.fused(sums, rows)
    at_once = whole if fused else max(arrays.at_once // block * block, block)
    parts = [
        (fused or sums)(*(_blocks(column[start : min(start + at_once, whole)], block) for column in columns), *extra)
        for start in range(0, whole, at_once or 1)
    ]
    if whole < rows:
        parts.append(sums(*(_blocks(column[whole:], rows - whole) for column in columns), *extra))
    return tuple(arrays.xp.concat(column) for column in zip(*parts, strict=True))


def _blocks(column: Array, block: int) -> Array:
    return column.reshape((-1, block))
