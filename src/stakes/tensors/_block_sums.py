"""Sums of formulas over blocks of rows, on the device."""

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


def class_totals(
    arrays: Arrays, formula: Formula, label: Array, score: Array, weight: Array | None, *, any_sign: bool
) -> list[float]:
    """Sum of the formula over the positives, and over the negatives; scores may be of `any_sign`."""
    sums = _class_sums(formula.lines, formula.result, arrays, weighted=weight is not None, any_sign=any_sign)
    columns = (label, score) if weight is None else (label, score, weight)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = by_block(arrays, sums, _BLOCK, columns, _on_device(arrays, formula.numbers))
    return arrays.read(*(arrays.xp.sum(column) for column in found))


@functools.lru_cache(maxsize=256)
def _on_device(arrays: Arrays, numbers: tuple[float, ...]) -> Array:
    return arrays.numbers(numbers)


@functools.cache
def _class_sums(lines: tuple[str, ...], result: str, arrays: Arrays, *, weighted: bool, any_sign: bool) -> BlockSums:
    """Write a function that sums a formula by class; compilers cache by function, so one per formula."""
    code = [
        f"def sums(label, score, {'weight, ' if weighted else ''}c):",
        f"    s = {'' if any_sign else 'abs'}(double(score))",  # -0.0 is 0.0
        *(f"    {line}" for line in lines),
        f"    added = double({result}){' * double(weight)' if weighted else ''}",
        "    return xp.sum(xp.where(label, added, 0.0), axis=-1), xp.sum(xp.where(label, 0.0, added), axis=-1)",
    ]
    made: dict[str, Any] = {"xp": arrays.plain, "double": arrays.double}
    # Under the name of this file: torch's compiler takes functions without a file for one and the same.
    exec(compile("\n".join(code), __file__, "exec"), made)
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
