"""CSV and TSV: names, delimiter and kinds of the columns, from the first lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

DELIMITERS = ",\t;|"
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "#N/A")
_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+|inf(inity)?)(e[+-]?\d+)?\s*", re.IGNORECASE)
_SAMPLE = 1000  # lines, to tell numbers from words; what is wanted as numbers is judged in every line


@dataclass(frozen=True)
class Dialect:
    """How a text is written: what parts its columns, what they are called, and what parts whole from decimal."""

    delimiter: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]  # number, yes or no, text
    decimal: str


def dialect(name: str, first_lines: Sequence[str]) -> Dialect:
    """Read the dialect of the file `name` from its first lines."""
    header = first_lines[0] if first_lines else ""
    delimiter = max(DELIMITERS, key=lambda one: len(_fields(header, one)))
    columns = _fields(header, delimiter)
    _judge_header(name, header, columns)
    rows = [row for line in first_lines[1 : _SAMPLE + 1] if len(row := _fields(line, delimiter)) == len(columns)]
    values = [[row[i] for row in rows if row[i].strip() not in MISSING] for i in range(len(columns))]
    kinds = tuple(_kind(column) for column in values)
    commas = delimiter == ";" and any(k == "number" and _has_comma(v) for k, v in zip(kinds, values, strict=True))
    return Dialect(delimiter, tuple(columns), kinds, "," if commas else ".")


def _fields(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter), [])


def _judge_header(name: str, header: str, columns: Sequence[str]) -> None:
    """Refuse a first line that is no header: without names, with numbers for names, or with one name twice."""
    wanted = f"{name} must have a first line with the names of its columns"
    shown = header if len(header) <= 60 else f"{header[:57]}..."
    if "\0" in header:
        raise ValueError(f"{name} must be text in UTF-8, got binary data.")
    if not any(column.strip() for column in columns):
        raise ValueError(f"{wanted}, got an empty line.")
    if all(_NUMBER.fullmatch(column) for column in columns):
        raise ValueError(f"{wanted}, got the numbers {shown!r}.")
    for column in columns:
        if columns.count(column) > 1:
            raise ValueError(f"{wanted}, got {column!r} {columns.count(column)} times.")


def _kind(values: Iterable[str]) -> str:
    found = set(values)
    if all(_NUMBER.fullmatch(value) for value in found):
        return "number"
    return "yes or no" if {value.strip().lower() for value in found} <= {"true", "false"} else "text"


def _has_comma(values: Iterable[str]) -> bool:
    return any("," in value for value in values)
