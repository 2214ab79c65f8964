"""Exact tables of files larger than memory, one batch at a time."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._optional import import_optional
from stakes._roles import Roles, droppable
from stakes.frames import (
    DataFile,
    PreparedFrame,
    aggregate,
    batches,
    by_column,
    check_counts,
    check_usable_rows,
    check_weight,
    count_faults,
    open_file,
    prepare,
    warn_of_dropped,
)
from stakes.table import ScoreTable, frozen_table

ROWS = 1 << 18  # of a batch

_BLOCK = 1 << 24  # numbers of a block

_MOST_COUNT = (1 << 32) - 1  # that four bytes hold


def score_table(
    file: DataFile | str | os.PathLike[str],
    outcome: str,
    score: str,
    *,
    weight: str | None = None,
    on_missing: str = "error",
    pos_label: object = None,
    memory_limit: str = "400MB",
) -> ScoreTable:
    r"""Make the exact table of a file in little more memory than the table itself needs.

    The engine counts the rows by score, spilling to the disk what does not fit into `memory_limit`, and hands the
    counts over piece by piece. The table takes 24 bytes for each distinct score, and up to half as much again while it
    is sorted.

    Parameters
    ----------
    file : DataFile, str or path-like
        The file: CSV, TSV, Parquet or Arrow.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    score : str
        Column of scores, finite numbers.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.
    memory_limit : str, keyword-only
        Memory that the engine may use before it spills; a `DataFile` has its own limit.

    Returns
    -------
    ScoreTable
        The table.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes import large
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("died,risk\n0,0.2\n1,0.7\n1,0.2\n")
    ...     large.score_table(path, "died", "risk")
    ScoreTable(2 scores, weight 3, prevalence 0.667)
    """
    drop = droppable(on_missing)
    roles = Roles(outcome=outcome, predictions={"score": score}, weight=weight, pos_label=pos_label)
    prepared = prepare_file(file, roles, memory_limit, drop)
    kept, bad, rows = _counts(prepared)
    faults = check_counts(prepared, bad, drop)
    warn_of_dropped(by_column(faults.missing))
    check_usable_rows(prepared, faults, rows, rows - kept["score"].size)
    return _sorted_table(kept, roles)


# ------------------------------------------------------------------------------------------- what is a mean


def prepare_file(
    file: DataFile | str | os.PathLike[str], roles: Roles, memory_limit: str, drop: Collection[str]
) -> PreparedFrame:
    import_optional("pyarrow", "files", "to stream a file")
    opened = file if isinstance(file, DataFile) else open_file(_check.path("file", file), memory_limit=memory_limit)
    return prepare(opened, roles, {"predictions": "score"}, drop)


def count_bad_rows(bad: dict[int, dict[float, int]], more: Mapping[int, Mapping[float, int]]) -> None:
    """Add the bad rows of a batch; of the values to show only the smallest is kept."""
    for number, values in more.items():
        both = {**bad.get(number, {}), **values}
        count = sum(values.values()) + sum(bad.get(number, {}).values())
        bad[number] = {min(both): count}


# ------------------------------------------------------------------------------------------- the exact table


class _Column:
    """A growing column of numbers, in blocks large enough to return to the system when freed."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._dtype = np.dtype(dtype)
        self._blocks: list[npt.NDArray[Any]] = []
        self._room = 0  # left in the last block
        self.size = 0

    def append(self, values: npt.NDArray[Any]) -> None:
        """Add some numbers at the end."""
        if self._dtype.kind == "u" and values.max(initial=0) > _MOST_COUNT:
            self._widen()
        self.size += len(values)
        while len(values):
            if not self._room:
                self._blocks.append(np.empty(_BLOCK, self._dtype))
                self._room = _BLOCK
            fitting = values[: self._room]
            start = _BLOCK - self._room
            self._blocks[-1][start : start + len(fitting)] = fitting
            self._room -= len(fitting)
            values = values[len(fitting) :]

    def taken(self) -> npt.NDArray[Any]:
        """Return all numbers, letting go of each block as soon as it is used."""
        whole, start = np.empty(self.size, self._dtype), 0
        while self._blocks:
            block = self._blocks.pop(0)[: self.size - start]
            whole[start : start + len(block)] = block
            start += len(block)
        return whole

    def _widen(self) -> None:
        self._dtype = np.dtype(np.float64)
        self._blocks = [block.astype(np.float64) for block in self._blocks]


def _counts(prepared: PreparedFrame) -> tuple[dict[str, _Column], dict[int, dict[float, int]], int]:
    """Return the counts by score, the bad rows, and the number of rows of both."""
    import narwhals as nw

    narrow = prepared.frame.collect_schema()["0"] == nw.Float32  # then four bytes hold every score
    number = np.uint32 if prepared.roles.weight is None else np.float64
    kept = {"score": _Column(np.float32 if narrow else np.float64), "positive": _Column(number)}
    kept["negative"] = _Column(number)
    bad: dict[int, dict[float, int]] = {}
    rows = 0
    with prepared.reading():
        for batch in batches(aggregate(prepared).to_native(), ROWS):
            fault = batch["fault"]
            rows += len(fault)
            count_bad_rows(bad, count_faults(fault, batch["score"], batch["positive"]))
            good = slice(None) if not fault.any() else fault == 0
            for name, column in kept.items():
                column.append(batch[name][good])
    return kept, bad, rows


def _sorted_table(kept: dict[str, _Column], roles: Roles) -> ScoreTable:
    """Sort the counts in their small types, and then convert them one column at a time."""
    columns = [kept["score"].taken()]
    order = np.argsort(columns[0], kind="stable")
    if len(order) <= np.iinfo(np.uint32).max:
        order = order.astype(np.uint32)
    columns[0] = columns[0][order]
    columns += [kept[name].taken()[order] for name in ("positive", "negative")]
    del order
    for number, column in enumerate(columns):
        columns[number] = column.astype(np.float64, copy=False)
        del column
    ready, positive, negative = columns
    check_weight(roles, _columns.total_weight(positive, negative))
    ready += 0.0  # -0.0 and 0.0 are one score
    if np.all(ready[1:] > ready[:-1]) and np.all((positive > 0) | (negative > 0)):
        return frozen_table(ready, positive, negative)
    return ScoreTable.from_counts(ready, positive, negative)
