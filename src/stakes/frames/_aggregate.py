"""Rows of a prepared frame, and weights by score added up where the data are."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np

from stakes import _columns
from stakes._errors import Argument, InputError, UnreadableFileError
from stakes._roles import Roles
from stakes.frames._data_file import DataFile
from stakes.frames._faults import FaultCounts, count_faults
from stakes.frames._frame import Arrays, collect, unpivot
from stakes.frames._prepare import PreparedFrame
from stakes.frames._workers import by_partition

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame
    from stakes.frames._workers import Stage


def check_weight(roles: Roles, total: float) -> None:
    """Raise if there are weights, and all are zero or their sum is too large."""
    if roles.weight is not None:
        _columns.check_total_weight(Argument("weight", column=roles.weight), total)


def rows(prepared: PreparedFrame, drop: Collection[str]) -> tuple[Arrays, FaultCounts]:
    """Return the columns of valid rows and the faults of the others; raise unless these may be dropped."""
    with prepared.reading():
        found = collect(prepared.frame.drop("raw"))
    fault = found.pop("fault")
    faults = check_counts(prepared, count_faults(fault, found.pop("value"), np.ones(len(fault))), drop)
    check_usable_rows(prepared, faults, len(fault), int(np.count_nonzero(fault)))
    here = slice(None) if not fault.any() else fault == 0
    return {name: column[here] for name, column in found.items()}, faults


def counts(prepared: PreparedFrame, drop: Collection[str]) -> tuple[Arrays, FaultCounts]:
    """Return the weight of positives and negatives by score, model and group, in one aggregation.

    A bad row counts 1 as a positive of its fault, with the value that is shown in place of the score: so the bad rows
    come back with the good ones, however many there are, as a few rows more.
    """
    with prepared.reading():
        on_dask = prepared.frame.implementation.is_dask()
        found = by_partition(prepared.frame, *_steps(prepared)) if on_dask else collect(aggregate(prepared))
    fault = found.pop("fault")
    first = fault != 0 if "model" not in found else (fault != 0) & (found["model"] == 0)  # each model has them all
    faults = count_faults(np.where(first, fault, 0), found["score"], found["positive"])
    checked = check_counts(prepared, faults, drop)
    check_usable_rows(prepared, checked, len(fault), int(np.count_nonzero(fault)))
    good = slice(None) if not fault.any() else fault == 0
    return {name: column[good] for name, column in found.items()}, checked


def check_counts(prepared: PreparedFrame, found: dict[int, dict[float, int]], drop: Collection[str]) -> FaultCounts:
    """Raise for the first fault that was found; missing values are not faults in the roles of `drop`."""
    faults = FaultCounts(prepared.faults, found, prepared.first_row, prepared.line)
    faults.check(drop, lambda: prepared.labels)
    return faults


def check_usable_rows(prepared: PreparedFrame, faults: FaultCounts, rows: int, bad: int) -> None:
    """Raise if no row can be used, in the words used for cases in memory."""
    if rows != bad:
        return
    if not rows and isinstance(prepared.source, DataFile):
        raise UnreadableFileError(prepared.source.path, "hold at least one case", "none")
    if (
        rows
        and {argument.role for argument in faults.missing} == {"predictions"}
        and "predictions" not in prepared.called
    ):
        raise InputError("predictions", "share at least one case that every model has a score for", "none")
    kind = "case without missing values" if rows else "case"
    raise InputError(prepared.called.get("frame", "frame"), f"hold at least one {kind}", "none")


def aggregate(prepared: PreparedFrame) -> NarwhalsFrame:
    """Group by score (and model and group), bad rows apart, and add up the weights of the two classes."""
    by_class, added_up = _steps(prepared)
    return added_up(by_class(prepared.frame))


def _steps(prepared: PreparedFrame) -> tuple[Stage, Stage]:
    """Return the two steps of the aggregation, which Dask takes partition by partition."""
    grouped, several = prepared.roles.group is not None, len(prepared.scores) > 1
    keys = ["fault", *(["group"] if grouped else []), *(["model"] if several else []), "score"]
    sums = added_by_case(prepared)
    by_class = partial(_by_class, scores=prepared.scores, sums=sums, grouped=grouped)
    return by_class, partial(_sum_by, keys=keys, sums=list(sums))


def added_by_case(prepared: PreparedFrame) -> dict[str, tuple[list[str], str, bool]]:
    """Return what each row adds to each sum: a product of columns, if it is of a class or if it is not.

    Where cases have costs of their own, the two classes add money, and two more sums are those of people.
    """
    weight = [] if prepared.roles.weight is None else ["weight"]
    people = {"positive": (weight, "outcome", True), "negative": (weight, "outcome", False)}
    if not prepared.is_staked:
        return people
    money = [*weight, "stake"]
    staked = {"positive": (money, "side", True), "negative": (money, "side", False)}
    return staked | {f"{name} heads": added for name, added in people.items()}


def _sum_by(frame: NarwhalsFrame, keys: list[str], sums: list[str]) -> NarwhalsFrame:
    import narwhals as nw

    return frame.group_by(*keys).agg(*(nw.col(name).sum() for name in sums))


def _by_class(
    frame: NarwhalsFrame, scores: list[str], sums: dict[str, tuple[list[str], str, bool]], grouped: bool
) -> NarwhalsFrame:
    """Return the weight that each row adds to positives and negatives, in one block of rows per model."""
    import narwhals as nw

    good = nw.col("fault") == 0
    columns = {}
    for name, (factors, label, is_it) in sums.items():
        here = nw.col(label) if is_it else 1 - nw.col(label)
        added = reduce(lambda one, factor: one * nw.col(factor), reversed(factors), here)
        columns[name] = nw.when(good).then(added).otherwise(nw.lit(1.0 if name == "positive" else 0.0))
    for name in scores:
        score = nw.col(name).cast(nw.Float64)  # one type for all, since they become one column
        columns["score" if len(scores) == 1 else name] = nw.when(good).then(score).otherwise(nw.col("value"))
    if grouped:
        filler = nw.lit(_filler(frame.collect_schema()["group"]))
        columns["group"] = nw.when(good).then(nw.col("group")).otherwise(filler)
    found = frame.select("fault", **columns)
    if len(scores) == 1:
        return found
    index = ["fault", *(["group"] if grouped else []), *sums]
    long = unpivot(found, scores, index, "model", "score")
    return long.with_columns(nw.col("model").cast(nw.Int64))


def _filler(dtype: nw.dtypes.DType) -> str | float:
    """Return a value for the group of a bad row: groups are floats or text."""
    return 0.0 if dtype.is_float() else ""
