"""Copies of sheets and of files of statistics packages that the engine reads."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from stakes._errors import InputError
from stakes.frames._long_lines import check_plain
from stakes.frames._plain_text import Place, TextOptions, find_place
from stakes.frames._scan import Scan, Wanted
from stakes.reading import PACKAGES, WORKBOOKS, label_column, read_sheet, write_package, write_sheet

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def find_any_place(source: Path, kind: str, stated: TextOptions, until: ExitStack, folder: Callable[[], Path]) -> Place:
    """Return where the engine finds a file of any kind, or a copy of it that lasts as long as `until`."""
    if kind in WORKBOOKS:
        return _sheet_place(source, stated, until)
    if stated.sheet is not None:
        raise InputError("sheet", "come with a workbook", f"{stated.sheet!r} for {source.name}")
    return (
        _package_place(source, kind, stated, until)
        if kind in PACKAGES
        else find_place(source, kind, stated, until, folder)
    )


def _sheet_place(source: Path, stated: TextOptions, until: ExitStack) -> Place:
    sheet = read_sheet(source, stated.sheet)
    handle, place = _temporary(".csv", until)
    with os.fdopen(handle, "wb") as target:
        copy, notes = write_sheet(source, sheet, stated.missing, target)
    check_plain(source, place)
    return Place(place, lines=copy.lines, notes=notes)


def _package_place(source: Path, kind: str, stated: TextOptions, until: ExitStack) -> Place:
    handle, place = _temporary(".parquet", until)
    os.close(handle)
    found = write_package(source, kind, stated.encoding, stated.marks, place)
    return Place(place, notes=found.notes, labels=found.labels)


def _temporary(suffix: str, until: ExitStack) -> tuple[int, Path]:
    """Make a file that is removed with `until`."""
    handle, name = tempfile.mkstemp(prefix="stakes-", suffix=suffix)
    until.callback(Path(name).unlink, missing_ok=True)
    return handle, Path(name)


def with_labels(
    kinds: Mapping[str, str], scan: Scan, labels: Mapping[str, Mapping[float, str]]
) -> tuple[dict[str, str], Scan]:
    """Return the columns of a file and a scan that reads labels instead of codes where text is wanted."""
    beside = {column: label_column(column) for column in labels}

    def selected(wanted: Wanted) -> DuckDBPyRelation:
        return scan(
            {
                name: (beside.get(column, column) if how == "text" else column, how)
                for name, (column, how) in wanted.items()
            }
        )

    return {name: kind for name, kind in kinds.items() if name not in beside.values()}, selected
