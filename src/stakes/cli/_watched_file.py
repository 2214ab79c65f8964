"""Batches of a file: those whose outcomes are all known, and the scores of the others."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes._roles import FrameColumns, Roles
from stakes.cli._progress import progress
from stakes.cli._reading import (
    RunOptions,
    add_line,
    check_scores,
    columns_and_run,
    named_roles,
    read_columns,
    source_in_memory,
)
from stakes.cli._repeatable import repeatable
from stakes.evaluation import CaseSource, given_rows
from stakes.frames import DataFile, open_files


@dataclass(frozen=True)
class OpenBatch:
    """Scores of a batch whose outcomes are not all known yet."""

    label: str
    scores: FloatArray
    cases: int  # with a score or without
    unknown: int  # outcomes

    @property
    def without_score(self) -> int:
        """Number of cases that the model has given no score."""
        return self.cases - len(self.scores)


@dataclass(frozen=True)
class WatchedFile:
    """The cases of complete batches, if there are any, their labels in order, and the other batches."""

    source: CaseSource | None
    labels: tuple[str, ...]
    open: tuple[OpenBatch, ...]
    notes: tuple[str, ...]

    def batches(self) -> list[dict[str, Any]]:
        """Return the complete batches in the order in which they come, with the arguments of `Watch.update`."""
        if self.source is None:
            return []
        columns = self.source.columns
        site, positive = np.asarray(columns.site).astype(np.str_), np.asarray(columns.outcome) == 1
        names = ("score", "baseline")[: len(columns.predictions)]
        whole = {"y": positive, **dict(zip(names, map(np.asarray, columns.predictions.values()), strict=True))}
        if columns.cluster is not None:
            whole["cluster"] = np.asarray(columns.cluster)
        codes = np.searchsorted(np.sort(self.labels), site)
        order = np.argsort(codes, kind="stable")
        ends = np.r_[0, np.cumsum(np.bincount(codes, minlength=len(self.labels)))]
        places = {label: order[ends[k] : ends[k + 1]] for k, label in enumerate(np.sort(self.labels).tolist())}
        return [{name: column[places[label]] for name, column in whole.items()} for label in self.labels]


def read_batches(
    name: str, options: Mapping[str, Any], *, baseline: str | None, referred: bool, quiet: bool
) -> WatchedFile:
    """Read the batches of a file; it may have no column of outcomes if there is a reference."""
    asked, run = columns_and_run(options, quiet=quiet)
    with repeatable(name) as path:
        (file,) = open_files([path], run.text)
        if baseline is not None:
            asked |= {"predictions": (*asked["predictions"], file.known("baseline", baseline))}
        stand_in = referred and asked["site"] is not None and asked["outcome"] not in file.columns
        if stand_in:  # any column serves where no outcome is known
            asked |= {"outcome": file.known("site", asked["site"]), "pos_label": ""}
        roles = named_roles(asked, file.path.name, file)
        with progress(f"reading {path.name}", quiet=quiet):
            columns = read_columns(file, roles)
    with add_line(file):
        return _split(columns, file, run, roles, no_outcomes=stand_in)


def _split(columns: FrameColumns, file: DataFile, run: RunOptions, roles: Roles, *, no_outcomes: bool) -> WatchedFile:
    """Put batches apart that miss an outcome; where those cases are dropped, only batches that miss all."""
    labels = np.asarray(columns.site)
    starts = check_in_order(labels)
    sizes = np.diff(np.r_[starts, len(labels)])
    unknown = np.ones(len(labels), dtype=bool) if no_outcomes else _missing(columns.outcome)
    gaps = np.add.reduceat(unknown, starts)
    is_open = gaps == sizes if "outcome" in run.drop else gaps > 0
    here = ~np.repeat(is_open, sizes)
    waiting = tuple(
        _open_batch(columns, slice(int(start), int(start + size)), int(gap))
        for start, size, gap in zip(starts[is_open], sizes[is_open], gaps[is_open], strict=True)
    )
    codes = file.value_labels.get(roles.outcome, {})
    with given_rows(here):
        source = source_in_memory(columns.rows(here), run, codes) if here.any() else None
    assert source is None or isinstance(source, CaseSource)  # there are no repeats
    kept = () if source is None else dict.fromkeys(np.asarray(source.columns.site).astype(np.str_).tolist())
    return WatchedFile(source, tuple(kept), waiting, columns.notes)


def _open_batch(columns: FrameColumns, rows: slice, unknown: int) -> OpenBatch:
    """Return the scores of a batch; raise if one is not a probability."""
    model, given = next(iter(columns.predictions.items()))
    whole = np.asarray(given, dtype=np.float64)
    scored = np.zeros(len(whole), dtype=bool)
    scored[rows] = ~np.isnan(whole[rows])
    with given_rows(scored):
        check_scores(model, whole[scored])
    return OpenBatch(str(columns.site[rows.start]), whole[scored], rows.stop - rows.start, unknown)


def _missing(column: Any) -> BoolArray:
    found = _columns.missing_labels(np.asarray(column))
    return np.zeros(len(column), dtype=bool) if found is None else found


def check_in_order(labels: Any) -> Any:
    """Return where batches begin; raise if a row has no batch, or one that had ended before."""
    missing = _columns.missing_labels(labels)
    if missing is not None:
        _columns.check_no_missing("batch", missing)
    starts = np.r_[0, np.flatnonzero(labels[1:] != labels[:-1]) + 1]
    seen: set[object] = set()
    for row in starts.tolist():
        if labels[row] in seen:
            again = f"rows of {str(labels[row])!r} come again after {str(labels[row - 1])!r}"
            raise InputError("batch", f"be in the order of time: {again}", row=row)
        seen.add(labels[row])
    for before, row in itertools.pairwise(starts.tolist()):
        if _is_earlier(str(labels[row]), str(labels[before])):
            earlier = f"{str(labels[row])!r} comes after {str(labels[before])!r}"
            raise InputError("batch", f"be in the order of time: {earlier}", row=row, hint="sort the file by time")
    if 1 < len(labels) == len(starts):
        hint = "name a column that the cases of a batch share, such as the month"
        raise InputError("batch", "have fewer batches than the file has cases", f"{len(starts):,} of each", hint=hint)
    return starts


def _is_earlier(label: str, other: str) -> bool:
    """Whether a month or day, such as 2026-05, is before another; other labels have no order."""
    first, second = _first_day(label), _first_day(other)
    return first is not None and second is not None and len(label) == len(other) and first < second


def _first_day(label: str) -> date | None:
    """Return the day, or the first one of the month, that a label is, if it is one."""
    try:
        return date.fromisoformat(f"{label}-01" if len(label) == len("2026-05") else label)
    except ValueError:
        return None
