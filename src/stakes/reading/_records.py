"""Text as records of fields; a quoted field may hold a line break."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Record(NamedTuple):
    """One record of a text, and the line on which it starts, counted from 1."""

    line: int
    text: str

    def fields(self, delimiter: str) -> list[str]:
        """Return its fields, without the quotation marks around them."""
        return split_fields(self.text, delimiter)


def records(pieces: Iterable[bytes], encoding: str) -> Iterator[Record]:
    """Yield the records of a text; a line whose quotation marks do not close goes on in the next.

    The mark of the encoding at the start of a text belongs to no record.
    """
    begun: list[str] = []
    first, is_open = 1, False
    for number, line in enumerate(lines(codecs.iterdecode(pieces, encoding)), 1):
        if not begun:
            first = number
        begun.append(line.removeprefix("\ufeff") if number == 1 else line)
        is_open = _stays_open(begun[-1], is_open)
        if not is_open:
            yield Record(first, "\n".join(begun))
            begun = []
    if begun:
        yield Record(first, "\n".join(begun))


def _stays_open(line: str, is_open: bool) -> bool:
    """Whether a quoted field goes on after a line.

    A quotation mark within a field, as in 5" pipe, opens none.
    """
    at = 0
    while (mark := line.find('"', at)) >= 0:
        at = mark + 1
        if not is_open:
            is_open = mark == 0 or _starts_field(line[mark - 1])
        elif line.startswith('"', at):  # two of them stand for one
            at += 1
        else:
            is_open = False
    return is_open


def _starts_field(before: str) -> bool:
    """Whether a character could be a delimiter, of which any may be stated."""
    return before == "\t" or not (before.isalnum() or before.isspace())


def lines(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text that comes in pieces, whichever of the three ends they have."""
    rest = ""
    for piece in pieces:
        text = rest + piece
        held = "\r" if text.endswith("\r") else ""  # the next piece may start with the other half of an end
        *whole, rest = text[: len(text) - len(held)].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        rest += held
        yield from whole
    if rest:
        yield from rest.removesuffix("\r").split("\n")


def split_fields(text: str, delimiter: str) -> list[str]:
    """Split a record of any length; the `csv` module of Python refuses fields over 131,072 characters."""
    if '"' not in text:
        return text.split(delimiter) if text else []
    field = re.compile(f'"([^"]*(?:""[^"]*)*)"([^{re.escape(delimiter)}]*)|([^{re.escape(delimiter)}]*)')
    fields, at = [], 0
    while at <= len(text):
        found = field.match(text, at)
        assert found is not None  # the last alternative matches nothing, too
        fields.append(found[3] if found[1] is None else found[1].replace('""', '"') + found[2])
        at = found.end() + 1
    return fields


def join_fields(fields: Iterable[str]) -> str:
    """Return a record that `split_fields` splits into these fields at commas."""
    return ",".join(map(_quote, fields))


_SPECIAL = re.compile(r'[",;\t|\r\n]')  # other delimiters, too, so that the comma is the most frequent one


def _quote(field: str) -> str:
    if not _SPECIAL.search(field):
        return field
    doubled = field.replace('"', '""')
    return f'"{doubled}"'
