"""A plain copy of a text file that engines would misread, and where its records come from."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from stakes._check import show
from stakes._errors import UnreadableFileError
from stakes.reading._encoding import UTF_8, as_utf_8, encoding_called
from stakes.reading._layout import cases_of
from stakes.reading._notation import Notation, is_number
from stakes.reading._records import Record, join_fields, records
from stakes.reading._survey import Pieces, Survey, decodable

_ALIKE = "write it as those of the first 1,000 lines are"

_NAMED = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True)
class Foot:
    """Records at the end that are no cases: how many, and the line of the first of them."""

    lines: int = 0
    first: int = 0


NO_FOOT = Foot()


@dataclass
class PlainCopy:
    """Lines of the text that the records of its copy come from, and the records left out at the end."""

    lines: array[int] | None = None
    foot: Foot = NO_FOOT


def write_plain(path: Path, pieces: Pieces, found: Survey, missing: Collection[str], target: BinaryIO) -> PlainCopy:
    """Write a text in UTF-8, from the header to the last case, with numbers that every engine reads."""
    given = decodable(path, pieces(), found.encoding)
    if not found.must_rewrite:
        target.writelines(as_utf_8(given, found.encoding))
        return PlainCopy()
    lines, below = array("q"), Below(found)
    rewriter = Rewriter(path, found, frozenset(missing))
    each = islice(records(given, found.encoding), found.layout.header, None)
    for header in islice(each, 1):
        lines.append(header.line)
        target.write(f"{join_fields(map(one_line, found.columns))}\n".encode())
    for record, fields in below.left_out_of(each):
        lines.append(record.line)
        target.write(f"{join_fields(rewriter.row(record, fields))}\n".encode())
    return PlainCopy(lines, below.foot)


def one_line(name: str) -> str:
    """Return the name of a column without line breaks."""
    return " ".join(name.split("\n")) if "\n" in name else name


@dataclass
class Below:
    """The records below the header, to the last case."""

    found: Survey
    foot: Foot = NO_FOOT  # known at the end

    def left_out_of(self, each: Iterable[Record]) -> Iterator[tuple[Record, list[str]]]:
        """Yield the cases, and count the records below them."""
        for is_case, record, fields in cases_of(each, self.found.layout):
            if is_case:
                yield record, fields
            else:
                self.foot = Foot(self.foot.lines + 1, self.foot.first or record.line)


@dataclass(frozen=True)
class Rewriter:
    """Writes the numbers of a row as every engine reads them."""

    path: Path
    found: Survey
    missing: frozenset[str]

    def row(self, record: Record, fields: list[str]) -> list[str]:
        """Return the fields of a record, with plain numbers and marks of missing values."""
        if self.found.has_padded_marks:
            fields = ["" if field.strip() in self.missing else field for field in fields]
        for number in (*self.found.notations, *self.found.whole):
            if number < len(fields):
                fields[number] = self.field(record, number, fields[number])
        return fields

    def field(self, record: Record, number: int, value: str) -> str:
        """Return a field in plain notation, if its column has one; marks of missing values without blanks."""
        notation, bare = self.found.notation(number), value.strip()
        if bare in self.missing:
            return bare
        return value if notation is None else self._number(record, number, notation, bare)

    def _number(self, record: Record, number: int, notation: Notation, value: str) -> str:
        plain = notation.plain(value)
        if plain is None and is_number(value):  # it would be read, and as another number
            column = f"have numbers in column `{self.found.columns[number]}` that are written alike"
            is_other = value.endswith("%") != notation.in_percent
            hint = "write a percent sign in all of its rows, or in none" if is_other else _ALIKE
            raise UnreadableFileError(self.path, column, show(value), record.line, hint)
        return value if plain is None else plain


def reading_notes(found: Survey, foot: Foot = NO_FOOT) -> tuple[str, ...]:
    """Return a sentence for each thing about a file that was found out and not stated."""
    return (*_text_notes(found), *_line_notes(found, foot), *_number_notes(found))


def _text_notes(found: Survey) -> Iterator[str]:
    if found.encoding != UTF_8:
        yield f"The text is read as {encoding_called(found.encoding)}."
    if found.layout.delimiter not in ",\t" and len(found.columns) > 1:
        delimiter = _NAMED.get(found.layout.delimiter, repr(found.layout.delimiter))
        yield f"Columns are separated by {delimiter}."


def _line_notes(found: Survey, foot: Foot) -> Iterator[str]:
    if above := found.layout.header:
        yield f"{_lines(above)} above the header {_are(above)} skipped."
    if found.has_broken_names:
        yield "Line breaks in names of columns are read as blanks."
    if found.layout.empty:
        yield "The delimiter at the end of each line is ignored."
    if foot.lines:
        yield f"{_lines(foot.lines)} below the cases {_are(foot.lines)} skipped, from line {foot.first} on."


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _number_notes(found: Survey) -> Iterator[str]:
    notations = {one_line(found.columns[number]): notation for number, notation in found.notations.items()}
    if commas := [name for name, one in notations.items() if one.decimal == ","]:
        is_all = len(commas) == len(notations)
        yield f"Numbers {'' if is_all else f'in {column_names(commas)} '}have a decimal comma."
    if thousands := [name for name, one in notations.items() if one.has_thousands]:
        yield f"Numbers in {column_names(thousands)} have thousands separators."
    if percent := [name for name, one in notations.items() if one.in_percent]:
        yield f"Numbers in {column_names(percent)} are in percent, and divided by 100."


def column_names(columns: list[str]) -> str:
    """List names of columns."""
    return ", ".join(f"`{name}`" for name in columns)
