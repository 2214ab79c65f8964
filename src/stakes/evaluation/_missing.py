"""Cases that miss a value, dropped and counted by what they miss, or refused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from stakes import _columns
from stakes._arrays import BoolArray
from stakes._case_columns import is_followed
from stakes._errors import Argument, InputError, Name
from stakes._roles import DROP_HINT, DROP_HINT_TYPED, FrameColumns

_LABELS = ("outcome", "weight", "cluster", "repeat", "site")  # in the order of frames, before the predictions


def without_missing(
    columns: FrameColumns, drop: Collection[str], called: Mapping[str, str] | None = None
) -> tuple[FrameColumns, BoolArray | None]:
    """Drop cases that miss a value in the roles of `drop`, and refuse others; return which are left.

    They are counted by the first role in which they miss one. `called` maps roles to arguments of another name.
    """
    gaps = _gaps(columns)
    for argument, missing in gaps.items():
        if argument.role not in drop:
            raise _missing_error(argument, missing, called or {})
    if not gaps or len({missing.shape for missing in gaps.values()}) > 1:  # lengths that differ are refused by `Cases`
        return columns, None
    here = ~np.any(list(gaps.values()), axis=0)
    if not here.any():
        raise _none_left(list(gaps))
    _check_lengths(columns, here, called or {})  # while the lengths are those that were given
    return replace(columns.rows(here), dropped=_counts(gaps)), here


@contextmanager
def given_rows(here: BoolArray | None) -> Iterator[None]:
    """Let errors name the rows that users know, of which only those `here` are left."""
    try:
        yield
    except InputError as error:
        if here is None or error.row is None:
            raise
        raise error.but(row=int(np.flatnonzero(here)[error.row])) from None


def _gaps(columns: FrameColumns) -> dict[Argument, BoolArray]:
    """Return which cases miss a value, by argument, without those that none misses."""
    given: dict[Argument, Any] = {Argument(role): getattr(columns, role) for role in _LABELS}
    if columns.follow is not None:
        given = {Argument("event"): given.pop(Argument("outcome")), **columns.further, **given}
    else:
        given |= columns.further  # of costs
    given |= {Argument("predictions", model): scores for model, scores in columns.predictions.items()}
    found = {argument: _missing_values(column) for argument, column in given.items() if column is not None}
    return {argument: missing for argument, missing in found.items() if missing is not None and missing.any()}


def _missing_values(column: Any) -> BoolArray | None:
    """Return which values of a column are missing; None where it can miss none, or is no column."""
    if is_followed(column):  # which has been checked already
        return None
    if isinstance(column, np.ma.MaskedArray):
        return np.ma.getmaskarray(column) if column.ndim == 1 else None
    try:
        array = np.asarray(column)
        if array.dtype.kind == "U" and not isinstance(column, np.ndarray):  # a nan among words has become a word
            array = np.asarray(column, dtype=object)
    except ValueError:  # rows of different lengths, which are refused later
        return None
    if array.ndim == 2 and array.dtype.kind == "f":  # a column for each of several horizons
        return np.asarray(np.isnan(array).any(axis=1))
    return _columns.missing_labels(array)


def _missing_error(argument: Argument, missing: BoolArray, called: Mapping[str, str]) -> InputError:
    name: Name = argument._replace(role=called.get(argument.role, argument.role))
    error = _columns.missing_values(name, int(np.count_nonzero(missing)), int(missing.argmax()))
    return error.but(hint=DROP_HINT, hint_typed=DROP_HINT_TYPED)


def _none_left(arguments: Collection[Argument]) -> InputError:
    if {argument.role for argument in arguments} == {"predictions"}:
        return InputError("predictions", "share at least one case that every model has a score for", "none")
    return InputError("on_missing", "leave at least one case", "none")


def _check_lengths(columns: FrameColumns, here: BoolArray, called: Mapping[str, str]) -> None:
    others = {called.get(role, role): getattr(columns, role) for role in (*_LABELS, "group")}
    columns_given = {name: one for name, one in others.items() if one is not None}
    given: dict[Name, Any] = {name: one for name, one in columns_given.items() if is_followed(one) or np.ndim(one) == 1}
    _columns.check_same_length({**given, "predictions": here})


def _counts(gaps: Mapping[Argument, BoolArray]) -> dict[Argument, int]:
    counts, before = {}, np.zeros_like(next(iter(gaps.values())))
    for argument, missing in gaps.items():
        counts[argument] = int(np.count_nonzero(missing & ~before))
        before = before | missing
    return {argument: count for argument, count in counts.items() if count}
