"""A sheet of a workbook as a plain text, by the rules for text where they apply."""

from __future__ import annotations

import datetime
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import BinaryIO

from stakes._check import show
from stakes._errors import UnreadableFileError
from stakes.reading._encoding import UTF_8
from stakes.reading._layout import Layout, cases_of, layout_of
from stakes.reading._notation import is_number
from stakes.reading._plain_copy import Below, PlainCopy, Rewriter, column_names, one_line, reading_notes
from stakes.reading._records import Record, join_fields
from stakes.reading._survey import HEAD, Survey, notations_of
from stakes.reading._workbook import Cell, Sheet


def number_text(value: float) -> str:
    """Write a number so that it is read back exactly, whole ones without a point."""
    return str(int(value)) if value == value and abs(value) < 1e15 and value == int(value) else repr(value)


def _cell_text(cell: Cell) -> str:
    """Write a cell: numbers exactly, truth values in words, dates and times by the standard."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return number_text(cell)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    return str(cell) if isinstance(cell, datetime.timedelta) else cell.isoformat()


def write_sheet(
    path: Path, sheet: Sheet, missing: Collection[str], target: BinaryIO
) -> tuple[PlainCopy, tuple[str, ...]]:
    """Write a sheet as text, from the header to the last case; return the rows and the notes."""
    rows = _without_empty_columns(sheet.rows)
    table = _SheetTable(rows, [list(map(_cell_text, row)) for row in rows])
    marks = frozenset(missing)
    found = table.survey(marks)
    writer = _RowWriter(path, table, found, Rewriter(path, found, marks))
    below, lines = Below(found), array("q")
    lines.append(found.layout.header + 1)
    target.write(f"{join_fields(map(one_line, found.columns))}\n".encode())
    for record, _ in below.left_out_of(table.records(found.layout)):
        lines.append(record.line)
        target.write(f"{join_fields(writer.row(record))}\n".encode())
    notes = (*filter(None, [sheet.note]), *reading_notes(found, below.foot), *table.notes(found, marks, lines))
    return PlainCopy(lines, below.foot), notes


def _without_empty_columns(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Leave out columns without a name and without a value, which formats alone may have left."""
    used = [any(not isinstance(cell, str) or cell.strip() for cell in column) for column in zip(*rows, strict=True)]
    return [list(compress(row, used)) for row in rows]


@dataclass(frozen=True)
class _SheetTable:
    """The cells of a sheet, and the same as text."""

    rows: Sequence[Sequence[Cell]]
    texts: Sequence[list[str]]

    def records(self, layout: Layout) -> Iterator[Record]:
        """Yield the rows below the header as records; their lines are those of the sheet.

        An empty row is an empty line.
        """
        for line, row in enumerate(self.texts[layout.header + 1 :], layout.header + 2):
            yield Record(line, join_fields(row) if any(map(str.strip, row)) else "")

    def survey(self, missing: frozenset[str]) -> Survey:
        """Look at a sheet as at a text; only cells with text have a notation."""
        layout = layout_of([Record(0, join_fields(_trim(row))) for row in self.texts[:HEAD]], ",")
        columns = tuple(self.texts[layout.header])
        layout = Layout(",", layout.header, columns=len(columns))
        each = list(cases_of(self.records(layout), layout))
        cases = [
            [cell if isinstance(cell, str) else "" for cell in self.rows[record.line - 1]]
            for is_case, record, _ in each
            if is_case and record.line <= HEAD
        ]
        has_foot = any(not is_case for is_case, _, _ in each)
        return Survey(UTF_8, layout, columns, *notations_of(cases, len(columns), missing, ""), has_foot, False)

    def notes(self, found: Survey, missing: frozenset[str], lines: Sequence[int]) -> Iterator[str]:
        """Yield a sentence on numbers that are written as text, and one on dates."""
        cases = [self.rows[line - 1] for line in lines[1:]]
        columns = {one_line(name): {row[number] for row in cases} for number, name in enumerate(found.columns)}
        if names := [name for name, cells in columns.items() if _has_written_numbers(cells, missing)]:
            yield f"Numbers in {column_names(names)} are written as text."
        if names := [name for name, cells in columns.items() if any(isinstance(c, datetime.date) for c in cells)]:
            yield f"Dates in {column_names(names)} are read as labels."


def _has_written_numbers(cells: Collection[Cell], missing: frozenset[str]) -> bool:
    written = [cell for cell in cells if isinstance(cell, str) and cell.strip() not in missing]
    return bool(written) and all(map(is_number, written))


def _trim(row: Sequence[str]) -> list[str]:
    """Return a row from its first filled cell to its last, since titles may stand anywhere."""
    filled = [number for number, text in enumerate(row) if text.strip()]
    return list(row[filled[0] : filled[-1] + 1]) if filled else []


@dataclass(frozen=True)
class _RowWriter:
    """Writes the rows of a sheet: its numbers as they are, text by the notation of its column."""

    path: Path
    table: _SheetTable
    found: Survey
    rewriter: Rewriter

    def row(self, record: Record) -> list[str]:
        """Return the fields of a row."""
        cells, texts = self.table.rows[record.line - 1], self.table.texts[record.line - 1]
        self._check_percent(record, cells)
        return [
            self.rewriter.field(record, number, cell) if isinstance(cell, str) else text
            for number, (cell, text) in enumerate(zip(cells, texts, strict=True))
        ]

    def _check_percent(self, record: Record, cells: Sequence[Cell]) -> None:
        """Raise if a column has numbers besides text with percent signs, since it is unclear then."""
        for number, notation in self.found.notations.items():
            cell = cells[number]
            if notation.in_percent and isinstance(cell, int | float):
                column = f"have percent signs in all rows of column `{self.found.columns[number]}`, or in none"
                raise UnreadableFileError(self.path, column, show(cell), record.line)
