"""Checks of raw arrays on their device; more than a few numbers are fetched only after an error."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

from stakes import _columns
from stakes._errors import InputError, InputTypeError
from stakes.tensors._block_sums import BlockSums, by_block
from stakes.tensors._device import Array, Arrays, arrays_of

# Cases of a block, which is summarised by itself.
_BLOCK = 1 << 13


class Names(NamedTuple):
    """The caller's names of the arrays."""

    y: str = "y"
    score: str = "score"
    weight: str = "weight"


@dataclass(frozen=True)
class ValidColumns:
    """Valid columns: labels as booleans, scores as float32 or float64, weights as float64."""

    arrays: Arrays
    label: Array
    score: Array
    weight: Array | None
    lowest: float
    highest: float
    positive_total: float
    negative_total: float


def check_columns(
    y: object,
    score: object,
    weight: object = None,
    *,
    probabilities: bool = False,
    part: bool = False,
    names: Names | None = None,
) -> ValidColumns:
    """Check the columns of a sample; valid ones need a single wait for the device.

    Parameters
    ----------
    y, score, weight : array
        Outcomes, scores and, optionally, weights, on one device.
    probabilities : bool, keyword-only
        Whether the scores must be probabilities.
    part : bool, keyword-only
        Whether this is a part of a sample, which may have no weight at all.
    names : Names, keyword-only, optional
        The caller's names of the arrays.

    Returns
    -------
    ValidColumns
        The columns, without cases of weight 0.
    """
    called = names or Names()
    arrays = arrays_of(called.score, score)
    given = {called.y: y, called.score: score} | ({} if weight is None else {called.weight: weight})
    columns = {name: _column(arrays, name, called.score, array) for name, array in given.items()}
    _columns.check_same_length(**columns)
    outcome, scores = columns[called.y], columns[called.score]
    weights = None if weight is None else arrays.double(columns[called.weight])
    label = outcome if outcome.dtype == arrays.xp.bool else outcome == 1
    seen = _summarise(arrays, outcome, scores, weights)
    if not seen.binary:
        _raise_for_outcome(arrays, called.y, outcome)
    _check_scores(arrays, called.score, scores, seen, probabilities)
    if weights is None:
        return ValidColumns(arrays, label, scores, None, seen.lowest, seen.highest, seen.positive, seen.negative)
    _check_weights(arrays, called.weight, weights, seen)
    if seen.most == 0 and part:
        return ValidColumns(arrays, label[:0], scores[:0], weights[:0], math.nan, math.nan, 0.0, 0.0)
    _columns.check_total_weight(called.weight, seen.positive + seen.negative)
    if seen.least == 0:
        present = weights > 0
        return check_columns(
            label[present], scores[present], weights[present], probabilities=probabilities, names=called
        )
    return ValidColumns(arrays, label, scores, weights, seen.lowest, seen.highest, seen.positive, seen.negative)


class _Summary(NamedTuple):
    """Extremes and totals of the columns, which decide whether they are valid."""

    lowest: float
    highest: float
    positive: float
    binary: float = 1.0
    negative: float = 0.0
    least: float = 1.0
    most: float = 1.0


def _summarise(arrays: Arrays, y: Array, score: Array, weight: Array | None) -> _Summary:
    """Compute the summary in one pass and one wait for the device."""
    xp, weighted, boolean = arrays.xp, weight is not None, y.dtype == arrays.xp.bool
    columns = (y, score, weight) if weighted else (y, score)
    blocks = by_block(arrays, _summarise_block(arrays, weighted=weighted, boolean=boolean), _BLOCK, columns)
    reductions = {"lowest": xp.min, "highest": xp.max, "positive": xp.sum}
    if not boolean:
        reductions |= {"binary": xp.min}
    if weighted:
        reductions |= {"negative": xp.sum, "least": xp.min, "most": xp.max}
    found = arrays.read(*(reduce(block) for reduce, block in zip(reductions.values(), blocks, strict=True)))
    seen = _Summary(**dict(zip(reductions, found, strict=True)))
    return seen if weighted else seen._replace(negative=len(score) - seen.positive)


@functools.cache
def _summarise_block(arrays: Arrays, *, weighted: bool, boolean: bool) -> BlockSums:
    xp, whole, double = arrays.plain, arrays.xp.int32, arrays.double

    def ends(column: Array) -> tuple[Array, Array]:
        return xp.amin(column, axis=-1), xp.amax(column, axis=-1)  # nan if any is nan

    def binary(y: Array) -> tuple[Array, ...]:
        return () if boolean else (double(xp.all((y == 0) | (y == 1), axis=-1)),)  # nan is neither

    def seen(y: Array, score: Array) -> tuple[Array, ...]:
        # That a score is a number is asked for only because a compiler makes one pass of what looks at the same column.
        positive = xp.sum((y != 0) & (score == score), axis=-1, dtype=whole)
        return (*ends(score), positive, *binary(y))

    def seen_with_weight(y: Array, score: Array, weight: Array) -> tuple[Array, ...]:
        positive, negative = xp.where(y != 0, weight, 0.0), xp.where(y != 0, 0.0, weight)
        by_class = xp.sum(positive, axis=-1), xp.sum(negative, axis=-1)
        return (*ends(score), by_class[0], *binary(y), by_class[1], *ends(weight))

    return seen_with_weight if weighted else seen


def _column(arrays: Arrays, name: str, like: str, array: Array) -> Array:
    """Return an array of the same library and device; half precision and integers become floats."""
    own = arrays_of(name, array)
    if own != arrays:
        where = (f"{one.xp.__name__.rpartition('.')[2]} on {one.device}" for one in (own, arrays))
        raise InputError((name, like), "be on one device", " and ".join(where))
    _columns.check_one_dimension(name, tuple(array.shape))
    column = array.detach() if hasattr(array, "detach") else array
    xp = arrays.xp
    if xp.isdtype(column.dtype, "complex floating"):
        raise InputTypeError(name, "be real numbers", str(column.dtype))
    if name == like and column.dtype not in (xp.float32, xp.float64):
        narrow = xp.isdtype(column.dtype, "real floating")
        column = xp.astype(column, xp.float32 if narrow else xp.float64)
    return column


def _check_scores(arrays: Arrays, name: str, score: Array, seen: _Summary, probabilities: bool) -> None:
    if math.isnan(seen.lowest):
        missing = arrays.xp.isnan(score)
        raise _columns.missing_values(name, *_count_and_first(arrays, missing))
    if probabilities and not 0 <= seen.lowest <= seen.highest <= 1:
        _refuse(arrays, name, _columns.A_PROBABILITY, score, (score < 0) | (score > 1), _columns.RANKING_HINT)


def _check_weights(arrays: Arrays, name: str, weight: Array, seen: _Summary) -> None:
    if math.isnan(seen.least):
        raise _columns.missing_values(name, *_count_and_first(arrays, arrays.xp.isnan(weight)))
    if not 0 <= seen.least <= seen.most < math.inf:
        _refuse(arrays, name, _columns.A_WEIGHT, weight, (weight < 0) | (weight == math.inf))


def _raise_for_outcome(arrays: Arrays, name: str, y: Array) -> None:
    if arrays.xp.isdtype(y.dtype, "real floating"):
        count, row = _count_and_first(arrays, arrays.xp.isnan(y))
        if count:
            raise _columns.missing_values(name, count, row)
    labels = arrays.host(arrays.xp.unique_values(y)).tolist()
    hint = ""
    if _columns.are_two_other_labels(labels):
        hint = f"pass booleans, such as `{name} == {labels[1]:g}` (labels found: {labels[0]:g}, {labels[1]:g})"
    _refuse(arrays, name, "0 or 1", y, (y != 0) & (y != 1), hint)


def _refuse(arrays: Arrays, name: str, wanted: str, column: Array, wrong: Array, hint: str = "") -> None:
    _, row = _count_and_first(arrays, wrong)
    raise _columns.wrong_value(name, wanted, arrays.host(column[row : row + 1])[0], row, hint)


def _count_and_first(arrays: Arrays, which: Array) -> tuple[int, int]:
    xp = arrays.xp
    count, row = arrays.read(xp.count_nonzero(which), xp.argmax(xp.astype(which, xp.uint8)))
    return int(count), int(row)
