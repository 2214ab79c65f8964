"""Workbooks: which sheet is read, and what its cells hold."""

from __future__ import annotations

import datetime
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from stakes._check import choice
from stakes._errors import InputError, Spelling, UnreadableFileError, join_words
from stakes._optional import import_optional
from stakes._spellings import same_label

Cell = str | float | datetime.date | datetime.time | datetime.timedelta


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet from its first on, and a sentence on how it was chosen, if there was a choice."""

    name: str
    rows: list[list[Cell]]
    note: str = ""


def read_sheet(path: Path, sheet: str | None) -> Sheet:
    """Read the named sheet of a workbook, or the only one that has data."""
    calamine = import_optional("python_calamine", "office", "to read workbooks")
    _check_whole(path)
    try:
        workbook = calamine.load_workbook(path)
        names = [one.name for one in workbook.sheets_metadata if one.typ == calamine.SheetTypeEnum.WorkSheet]
        if sheet is not None:
            known = _sheet_name(path, sheet, names)
            return Sheet(known, _filled_rows(path, workbook, known))
        filled = {name: rows for name in names if (rows := _rows(workbook, name))}
    except calamine.CalamineError as error:
        raise _unreadable(path, calamine, error) from None
    return _only(path, names, filled)


def _check_whole(path: Path) -> None:
    """Raise if a part of a workbook differs from its checksum, which readers of sheets may not notice."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except RuntimeError:  # it asks for a password
        raise _password_error(path) from None
    except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error):
        damaged = path.name
    if damaged:
        raise _damage_error(path)


def _damage_error(path: Path) -> UnreadableFileError:
    return UnreadableFileError(path, "be a whole workbook", "one that is truncated or damaged")


def _password_error(path: Path) -> UnreadableFileError:
    return UnreadableFileError(
        path, "be a workbook that anyone can read", "one with a password", hint="save it without one"
    )


def _unreadable(path: Path, calamine: ModuleType, error: Exception) -> UnreadableFileError:
    return _password_error(path) if isinstance(error, calamine.PasswordError) else _damage_error(path)


def _sheet_name(path: Path, sheet: str, names: Sequence[str]) -> str:
    """Return the name of a sheet, which is the same in capitals, as it is in the programs that write it."""
    meant = str(same_label(sheet, names)) if isinstance(sheet, str) else sheet
    try:
        return choice("sheet", meant, names)
    except InputError as error:
        raise error.but(file=path.name) from None


def _rows(workbook: Any, name: str) -> list[list[Cell]]:
    """Return the rows of a sheet, from its first; none if every cell is empty."""
    rows: list[list[Cell]] = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)
    return rows if any(cell != "" for row in rows for cell in row) else []


def _filled_rows(path: Path, workbook: Any, name: str) -> list[list[Cell]]:
    if not (rows := _rows(workbook, name)):
        raise UnreadableFileError(path, f"have data in sheet {name!r}", "an empty sheet")
    return rows


def _only(path: Path, names: Sequence[str], filled: dict[str, list[list[Cell]]]) -> Sheet:
    """Return the only sheet that has data."""
    if not filled:
        raise UnreadableFileError(path, "have a sheet with data", "empty sheets only")
    if len(filled) > 1:
        shown = join_words(map(repr, filled))
        hint = (f"its sheets with data: {shown}", Spelling(" (`stakes.frames.open_file` takes `sheet`)", ""))
        raise InputError("sheet", f"name a sheet of {path.name}, since several have data", "none", hint=hint)
    ((name, rows),) = filled.items()
    return Sheet(name, rows, f"The sheet {name!r} is read, the only one that has data." if len(names) > 1 else "")
