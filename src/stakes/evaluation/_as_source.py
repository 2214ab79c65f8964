"""Sources from what users give: arrays, frames and files, and repeats among their rows."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import Column
from stakes._case_columns import is_followed
from stakes._check import Seed
from stakes._errors import Argument, InputError, Spelling
from stakes._roles import FrameColumns, Roles
from stakes.evaluation._repeated import repeated
from stakes.evaluation._sources import CaseSource, Source

# Argument names of `evaluate` for the roles that frames know.
_CALLED = {"outcome": "y", "frame": "data"}


def as_source(
    data: object,
    roles: Roles,
    *,
    drop: Collection[str] = (),
    in_memory: int = 1_000_000,
    resampled: bool = False,
    rng: Seed = None,
) -> Source:
    """Return columns of a frame, file or path as a source, in memory unless the cases are many.

    Rows that miss a value are dropped for the roles in `drop`, and refused for the others. Cases that stay where they
    are need a key or clusters, if measures will be `resampled`.
    """
    from stakes.frames import FrameSource, open_file

    opened = open_file(data) if isinstance(data, str | os.PathLike) else data
    source = FrameSource.of(opened, roles, drop=drop, seed=_seed(rng), called=_CALLED)
    if source.fits(in_memory):
        return source_of_columns(source.read(), checked=True)
    if roles.follow is not None:
        hint = "the chance of still being followed is estimated from all cases"
        wanted = "be at least the number of cases where outcomes are censored"
        raise InputError("in_memory", wanted, f"{in_memory:,}", hint=hint)
    in_pieces = ("be left out with more cases than ", Argument("in_memory"), " allows")
    for role, column in (("repeat", roles.repeat), ("site", roles.site)):
        if column is not None:
            raise InputError(role, in_pieces, _check.show(column))
    if resampled and roles.unit is None:
        wanted = "name the column that tells cases apart, where intervals are resampled and there are more cases than "
        raise InputError("key", (wanted, Argument("in_memory"), " allows"), "none")
    return source


def _seed(rng: Seed) -> int:
    """Return the seed of replicates that are drawn where the cases are."""
    if rng is None or isinstance(rng, int | np.integer):
        return _check.whole_number("rng", 0 if rng is None else rng, 0)
    return int(_check.generator(rng).integers(1 << 32))


# ------------------------------------------------------------------------------------------- repeats


def source_of_columns(given: FrameColumns, *, drop: Collection[str] = (), checked: bool = False) -> Source:
    """Return columns in memory as a source, split by their repeats where there are any.

    Cases that miss a value in the roles of `drop` are dropped. Columns that a frame has `checked` are taken as given.
    """
    if given.repeat is None:
        return CaseSource.of(given) if checked else CaseSource.of_arrays(given, drop)
    if is_followed(given.outcome):
        raise InputError("repeat", ("be left out with ", Spelling("an EventBy", "`--time`")), "one")
    if not checked:  # all rows at once, so that errors name the rows that users know
        _check_repeat(given.repeat, len(given))
        given = CaseSource.of_arrays(given, drop).columns
    labels = _labels(given.repeat, len(given))
    names, codes = np.unique(labels, return_inverse=True)
    _check_same_cases(given, names, codes)
    dropped = {argument: count // len(names) for argument, count in given.dropped.items()}  # cases, not rows
    whole = replace(given, repeat=None, dropped=dropped)
    return repeated(tuple(CaseSource.of(whole.rows(codes == code)) for code in range(len(names))))


def _check_repeat(repeat: Any, cases: int) -> Column:
    """Return the labels of repeats; raise unless there is one for each row."""
    labels: Column = np.asarray(repeat, dtype=object if isinstance(repeat, list | tuple) else None)
    if labels.shape != (cases,):
        raise InputError("repeat", f"have one label for each of the {cases:,} rows", f"shape {labels.shape}")
    return labels


def _labels(repeat: Any, cases: int) -> Column:
    """Return the label of each case's repeat as text; raise if one is missing."""
    labels = _check_repeat(repeat, cases)
    missing = _columns.missing_labels(labels)
    if missing is not None:
        _columns.check_no_missing("repeat", missing)
    return labels.astype(np.str_)


def _check_same_cases(given: FrameColumns, names: Column, codes: npt.NDArray[np.intp]) -> None:
    """Raise unless every repeat has the same cases, as far as outcome, weight, group and cluster tell."""
    columns = [column for column in (given.outcome, given.weight, given.group, given.cluster) if column is not None]
    described = np.column_stack([np.unique(np.asarray(one).astype(np.str_), return_inverse=True)[1] for one in columns])
    one, *others = (_sorted_rows(described[codes == code]) for code in range(len(names)))
    for name, two in zip(names[1:], others, strict=True):
        if not np.array_equal(one, two):
            many = f"{len(two):,}" if len(one) != len(two) else "others"
            got = f"{len(one):,} cases in {str(names[0])!r} and {many} in {str(name)!r}"
            hint = "each repeat needs one row for every case, with the same outcome, weight, group and cluster"
            raise InputError("repeat", "label repeats of the same cases", got, hint=hint)


def _sorted_rows(rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    found: npt.NDArray[np.intp] = rows[np.lexsort(rows.T)]
    return found
