"""Where an engine finds a file: at its own place, or at that of a plain copy."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from stakes import _check
from stakes._errors import InputTypeError
from stakes.frames._file_formats import MISSING
from stakes.frames._long_lines import check_pieces, check_plain
from stakes.frames._packed_text import unpacked
from stakes.frames._text_lines import CopiedLines, Lines, TextLines
from stakes.frames._unambiguous import unambiguous
from stakes.reading import check_encoding, reading_notes, survey, write_plain

_PIECE = 1 << 20  # bytes


@dataclass(frozen=True)
class Place:
    """Where the engine reads a file, how it is packed there, and what was found out about its text."""

    path: Path
    packing: str = "none"
    delimiter: str = ","
    lines: array[int] | None = None  # of the records of a copy, in the file itself
    notes: tuple[str, ...] = ()
    labels: Mapping[str, Mapping[float, str]] = field(default_factory=dict)  # of codes, by column

    def text_lines(self, columns: int) -> Lines:
        """Return what tells the lines of the file, given how many columns it has."""
        return TextLines(self.path, self.packing, columns == 1) if self.lines is None else CopiedLines(self.lines)


@dataclass(frozen=True)
class TextOptions:
    """Encoding of a file, its sheet, and further marks of missing values, as stated."""

    encoding: str | None = None
    marks: tuple[str, ...] = ()
    sheet: str | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """All marks of missing values."""
        return MISSING + self.marks


UNSTATED = TextOptions()


def text_options(encoding: str | None, missing: Sequence[str], sheet: str | None = None) -> TextOptions:
    """Check what the user states about a file."""
    several = isinstance(missing, Sequence) and not isinstance(missing, str)
    marks: tuple[Any, ...] = tuple(missing) if several else (missing,)
    for mark in marks:
        if not isinstance(mark, str):
            raise InputTypeError("missing", "be marks of missing values, as text", _check.show(mark))
    if not isinstance(sheet, str | None):
        raise InputTypeError("sheet", "be the name of a sheet", _check.show(sheet))
    found = None if encoding is None else check_encoding(encoding)
    return TextOptions(found, tuple(mark.strip() for mark in marks), sheet)


def find_place(source: Path, kind: str, stated: TextOptions, until: ExitStack, folder: Callable[[], Path]) -> Place:
    """Return where the engine finds a file, or a plain copy of it that lasts as long as `until`.

    The path is absolute, with nothing in it to expand.
    """
    place = unambiguous(source, folder)
    if kind in ("Parquet", "Arrow"):
        return Place(place)
    pieces = partial(_blocks, source) if kind == "text" else partial(unpacked, source, kind)
    if kind == "text":
        check_plain(source, place)
    else:
        check_pieces(source, pieces())
    found = survey(source, pieces, stated.missing, stated.encoding)
    if found.is_plain and kind in ("text", "gzip", "zstd"):
        packing = "none" if kind == "text" else kind
        return Place(place, packing, found.layout.delimiter, notes=reading_notes(found))
    handle, name = tempfile.mkstemp(prefix="stakes-", suffix=".csv")
    until.callback(Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as target:
        copy = write_plain(source, pieces, found, stated.missing, target)
    delimiter = found.layout.delimiter if copy.lines is None else ","
    return Place(Path(name), "none", delimiter, copy.lines, reading_notes(found, copy.foot))


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_PIECE):
            yield block
