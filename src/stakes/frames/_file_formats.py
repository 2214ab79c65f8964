"""Formats of files by their first bytes, dialects of text, and errors of reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stakes._check import show
from stakes._errors import (
    Argument,
    MissingFileError,
    NotEnoughMemoryError,
    NotEnoughRoomError,
    Phrase,
    UnreadableFileError,
)
from stakes._whole_file import opening_error
from stakes.frames._long_lines import line_too_long
from stakes.frames._packed_text import DAMAGED, unpacked
from stakes.frames._text_lines import Lines
from stakes.reading import is_number, is_of_r, office_kind, other_office, split_fields

READABLE = (
    "CSV or TSV text (plain, gz, zst, bz2 or xz), Parquet, Arrow IPC (Feather), an Excel or OpenDocument workbook, "
    "or a file of SPSS, Stata or SAS"
)

_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz"}

_TABLES = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}

_OTHERS = {
    b"%PDF": "a PDF",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy array",
    b"\x80\x04": "a Python pickle",
    b"\x80\x05": "a Python pickle",
    b"FEA1": "a Feather file of the first version",
    b"\xff\xff\xff\xff": "an Arrow stream",
}


# JSON and markup, told from names of columns in brackets, as databases write them, and from names such as <5 years.
_TEXTS = {
    re.compile(rb'\{\s*["}]|\[\s*([\[{"\]\d-]|(true|false|null)\b)'): "JSON",
    re.compile(rb"<[A-Za-z!?/]"): "HTML or XML",
}


def kind_of(path: Path) -> str:
    """Return text, a packing, or the format of a file; raise if it is not a table."""
    first = _first_bytes(path)
    if not first:
        raise UnreadableFileError(path, f"be {READABLE}", "an empty file")
    packing = next((kind for magic, kind in _PACKED.items() if first.startswith(magic)), None)
    if packing is not None:
        _check_readable(path, _of_r(next(unpacked(path, packing), b"")))
        return packing
    found = next((kind for magic, kind in _TABLES.items() if first.startswith(magic)), None)
    if found := found or office_kind(path, first):
        return found
    _check_readable(path, _of_r(first) or other_office(path, first) or _other(first))
    return "text"


def _of_r(first: bytes) -> tuple[str, str] | None:
    """Describe a file of R.

    Its readers for Python bring several large packages, or a licence that binds those who use them.
    """
    return ("a file of R (.rds or .rda)", "save the data frame in R as CSV or Parquet") if is_of_r(first) else None


def _other(first: bytes) -> tuple[str, str] | None:
    start = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    known = [what for magic, what in _OTHERS.items() if start.startswith(magic)]
    known += [what for pattern, what in _TEXTS.items() if pattern.match(start)]
    return (known[0], "") if known else None


def _check_readable(path: Path, other: tuple[str, str] | None) -> None:
    """Raise if a file has another format than those that are read."""
    if other is not None:
        what, hint = other
        raise UnreadableFileError(path, f"be {READABLE}", what, hint=hint)


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except OSError as error:
        raise opening_error(path, error) from None


# Marks of missing values: of programs, of statisticians, and of spreadsheets in English and German.
MISSING: tuple[str, ...] = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "-", ".", "?", "#N/A", "#NA")
MISSING += ("#NV", "k.A.", "k. A.")


_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+|inf(inity)?)(e[+-]?\d+)?\s*", re.IGNORECASE)

_SAMPLE = 1000  # lines, to tell numbers from words; columns read as numbers are checked in every line


@dataclass(frozen=True)
class Dialect:
    """Delimiter, decimal separator, and names and kinds of the columns of a text file."""

    delimiter: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]  # number, yes or no, text
    decimal: str
    missing: tuple[str, ...]  # marks of missing values


def dialect(path: Path, first_lines: Sequence[str], delimiter: str, missing: tuple[str, ...] = MISSING) -> Dialect:
    """Read the dialect of a file from its first lines."""
    header = first_lines[0] if first_lines else ""
    columns = split_fields(header, delimiter)
    _check_header(path, header, columns)
    rows = [row for line in first_lines[1 : _SAMPLE + 1] if len(row := split_fields(line, delimiter)) == len(columns)]
    values = [[row[i] for row in rows if row[i].strip() not in missing] for i in range(len(columns))]
    kinds = tuple(_kind(column) for column in values)
    commas = delimiter != "," and any(k == "number" and _has_comma(v) for k, v in zip(kinds, values, strict=True))
    return Dialect(delimiter, tuple(columns), kinds, "," if commas else ".", missing)


_HEADER, _NAMES = "have a first line with the names of its columns", "have a name of its own for every column"


def _check_header(path: Path, header: str, columns: Sequence[str]) -> None:
    """Raise unless the first line is a header: it has names, not all numbers, none of them twice."""
    shown = header if len(header) <= 60 else f"{header[:57]}..."
    if "\0" in header:
        raise UnreadableFileError(path, "be text in UTF-8", "binary data")
    if not any(column.strip() for column in columns):
        raise UnreadableFileError(path, _HEADER, "an empty line")
    if all(map(is_number, columns)):
        raise UnreadableFileError(path, _HEADER, f"the numbers {shown!r}")
    check_names(path, columns)


def check_names(path: Path, columns: Sequence[str]) -> None:
    """Raise if two columns have one name."""
    for column in columns:
        if columns.count(column) > 1:
            raise UnreadableFileError(path, _NAMES, f"{column!r} {columns.count(column)} times")


def _kind(values: Iterable[str]) -> str:
    found = set(values)
    if all(_NUMBER.fullmatch(value) for value in found):
        return "number"
    return "yes or no" if {value.strip().lower() for value in found} <= {"true", "false"} else "text"


def _has_comma(values: Iterable[str]) -> bool:
    return any("," in value for value in values)


# Messages while spilling: one thread may meet the full disk while writing a file, another while resizing it.
_FULL = ("Could not write file", "Could not truncate file", "No space left on device", "max_temp_directory_size")


def explain(path: Path, kind: str, columns: Sequence[str], said: str, lines: Lines | None = None) -> Exception:
    """Return an error from a message of the engine, which knows the `columns` by number only.

    The engine counts records; `lines` knows their lines.
    """
    if not path.exists():
        return MissingFileError(path, "stay where it is while it is read", "nothing of that name")
    if said.startswith("Out of Memory"):
        return NotEnoughMemoryError(str(path), _first_sentence(said))
    if any(sign in said for sign in _FULL):
        return NotEnoughRoomError(str(path), _first_sentence(said))
    return _text_error(path, columns, said, lines) or _packing_error(path, said) or _other_error(path, kind, said)


def _text_error(path: Path, columns: Sequence[str], said: str, lines: Lines | None) -> UnreadableFileError | None:
    found = re.search(r"CSV Error on Line: (\d+)", said)
    record = int(found[1]) if found else None
    line = record if record is None or lines is None else lines.of_record(record)
    at = f"line {line}" if found else "a line"
    if wrong := re.search(r'converting column "(\d+)"\. Could not convert string "(.*?)" to \'(\w+)', said, re.DOTALL):
        wanted = "true and false" if wrong[3] == "BOOLEAN" else "numbers"
        got = show(wrong[2]) if found else f"{show(wrong[2])} at {at}"
        column = f"have {wanted} in column `{columns[int(wrong[1])]}`"
        return UnreadableFileError(path, column, got, line, _remedy(wrong[2]))
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", said):
        wanted = "have as many fields in every line as in the first"
        more = int(fields[2]) - int(fields[1])
        hint = _TOO_FEW if more < 0 else _TOO_MANY if more > 1 else f"{_TOO_MANY} ({_ROW_NAMES})"
        return UnreadableFileError(path, wanted, f"{fields[1]} there and {fields[2]} in {at}", hint=hint)
    if "Maximum line size" in said:
        return line_too_long(path, line)
    if "unicode" in said:
        return UnreadableFileError(path, "be text in UTF-8", f"something else in {at}")
    if "unterminated quote" in said:
        if lines is not None and line is not None and lines.is_too_long(line):  # the engine gave up before its end
            return line_too_long(path, line)
        hint = _ONE_COLUMN if len(columns) == 1 else ""
        return UnreadableFileError(path, "close every quotation mark", f"one in {at} that stays open", hint=hint)
    return None


_TOO_FEW = "remove lines that are not cases"
_TOO_MANY = "name every column, and put text that holds a delimiter in quotation marks"
_ROW_NAMES = "in R, `row.names = FALSE` leaves out the one that has no name"
_ONE_COLUMN = "columns are separated by commas, semicolons, tabs or bars"


def _remedy(value: str) -> Phrase:
    """Return how to correct a value in a column of numbers."""
    if value.endswith("%"):
        return "write a percent sign in all of its rows, or in none"
    if value.strip() in MISSING:
        return "leave out the blanks around it"
    if is_number(value):
        return "write all numbers of a column alike"
    return ("if it marks a missing value, state it with ", Argument("missing"))


def _packing_error(path: Path, said: str) -> UnreadableFileError | None:
    return UnreadableFileError(path, "be a whole gzip file", DAMAGED) if "GZIP" in said else None


def _other_error(path: Path, kind: str, said: str) -> UnreadableFileError:
    whole = f"whole {kind}" if kind in ("Parquet", "Arrow") else "readable text"
    return UnreadableFileError(path, f"be a {whole} file", f"one that the engine cannot read: {_first_sentence(said)}")


def _first_sentence(said: str) -> str:
    line = said.partition("\n")[0]
    return (line.partition(": ")[2] or line).rstrip(".")


def raised_in(error: Exception) -> str:
    """Return the package that raised an error."""
    trace, module = error.__traceback__, ""
    while trace is not None:
        module, trace = trace.tb_frame.f_globals.get("__name__", ""), trace.tb_next
    return module.partition(".")[0]
