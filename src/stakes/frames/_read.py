"""Two ways to read a prepared frame: its rows as arrays, or counted by score where the data are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from stakes.frames._collect import Arrays, collected, unpivoted
from stakes.frames._judge import Counted, counted
from stakes.frames._prepare import Prepared
from stakes.frames._workers import by_partition

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._columns import NarwhalsFrame
    from stakes.frames._workers import Stage


def rows(prepared: Prepared, on_missing: str) -> tuple[Arrays, Counted]:
    """Return the rows that can be used, column by column; other rows are refused, or dropped and announced."""
    with prepared.reading():
        found = collected(prepared.frame.drop("raw"))
    fault = found.pop("fault")
    faults = judged_counts(prepared, counted(fault, found.pop("value"), np.ones(len(fault))), on_missing)
    refuse_none(len(fault), int(np.count_nonzero(fault)))
    here = slice(None) if not fault.any() else fault == 0
    return {name: column[here] for name, column in found.items()}, faults


def counts(prepared: Prepared, on_missing: str) -> tuple[Arrays, Counted]:
    """Return the weight of positives and negatives by score, model and group: one aggregation, bad rows and all.

    A bad row counts 1 as a positive of its fault, with the value that is shown in place of the score: so the bad rows
    come back with the good ones, however many there are, as a few rows more.
    """
    with prepared.reading():
        on_dask = prepared.frame.implementation.is_dask()
        found = by_partition(prepared.frame, *_steps(prepared)) if on_dask else collected(aggregated(prepared))
    fault = found.pop("fault")
    first = fault != 0 if "model" not in found else (fault != 0) & (found["model"] == 0)  # each model has them all
    faults = counted(np.where(first, fault, 0), found["score"], found["positive"])
    judged = judged_counts(prepared, faults, on_missing)
    refuse_none(len(fault), int(np.count_nonzero(fault)))
    good = slice(None) if not fault.any() else fault == 0
    return {name: column[good] for name, column in found.items()}, judged


def judged_counts(prepared: Prepared, found: dict[int, dict[float, int]], on_missing: str) -> Counted:
    faults = Counted(prepared.faults, found, prepared.first_row)
    faults.judged(on_missing, lambda: prepared.labels)
    return faults


def refuse_none(rows: int, bad: int) -> None:
    if rows == bad:
        kind = "case without missing values" if rows else "case"
        raise ValueError(f"`frame` must hold at least one {kind}, got none.")


# ------------------------------------------------------------------------------------------- the aggregation


def aggregated(prepared: Prepared) -> NarwhalsFrame:
    """Group by score (and model and group), bad rows apart, and add up the weights of the two classes."""
    by_class, added_up = _steps(prepared)
    return added_up(by_class(prepared.frame))


def _steps(prepared: Prepared) -> tuple[Stage, Stage]:
    """Return the two steps of the aggregation, which Dask takes partition by partition."""
    grouped, several = prepared.parts.group is not None, len(prepared.scores) > 1
    keys = ["fault", *(["group"] if grouped else []), *(["model"] if several else []), "score"]
    by_class = partial(_by_class, scores=prepared.scores, weighted=prepared.parts.weight is not None, grouped=grouped)
    return by_class, partial(_added_up, keys=keys)


def _added_up(frame: NarwhalsFrame, keys: list[str]) -> NarwhalsFrame:
    import narwhals as nw

    return frame.group_by(*keys).agg(nw.col("positive").sum(), nw.col("negative").sum())


def _by_class(frame: NarwhalsFrame, scores: list[str], weighted: bool, grouped: bool) -> NarwhalsFrame:
    """Return what each row adds to the positives and negatives of its score; of several models one after the other."""
    import narwhals as nw

    good = nw.col("fault") == 0
    weight = nw.col("weight") if weighted else nw.lit(1.0)
    columns = {
        "positive": nw.when(good).then(weight * nw.col("outcome")).otherwise(nw.lit(1.0)),
        "negative": nw.when(good).then(weight * (1 - nw.col("outcome"))).otherwise(nw.lit(0.0)),
    }
    for name in scores:
        score = nw.col(name).cast(nw.Float64)  # one type for all, since they become one column
        columns["score" if len(scores) == 1 else name] = nw.when(good).then(score).otherwise(nw.col("value"))
    if grouped:
        filler = nw.lit(_filler(frame.collect_schema()["group"]))
        columns["group"] = nw.when(good).then(nw.col("group")).otherwise(filler)
    found = frame.select("fault", **columns)
    if len(scores) == 1:
        return found
    index = ["fault", *(["group"] if grouped else []), "positive", "negative"]
    long = unpivoted(found, scores, index, "model", "score")
    return long.with_columns(nw.col("model").cast(nw.Int64))


def _filler(dtype: nw.dtypes.DType) -> str | float | bool:
    """Return a value for the group of a bad row, whose own may be missing."""
    import narwhals as nw

    if dtype == nw.Boolean:
        return False
    return 0 if dtype.is_integer() else 0.0 if dtype.is_float() else ""
