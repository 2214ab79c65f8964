"""Lines of a text file by row, where quoted fields hold line breaks and some lines are empty."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from stakes.frames._long_lines import LONGEST
from stakes.frames._packed_text import unpacked


@dataclass(frozen=True)
class TextLines:
    """The lines of a text, read anew for each question, which only errors ask."""

    path: Path
    packing: str
    has_one_column: bool  # where an empty line is a missing value

    def of_row(self, row: int) -> int:
        """Return the line where a row starts, counted from 0 after the header."""
        return self._start(row + 1, skip_empty=not self.has_one_column)

    def of_record(self, number: int) -> int:
        """Return the line of a record, counted from 1 as the engine does: also empty lines, none in quotes."""
        return self._start(number - 1, skip_empty=False)

    def is_too_long(self, first: int) -> bool:
        """Whether the record that starts at a line ends, but with more bytes than the engine holds."""
        is_open, length = False, 0
        for line in islice(self._lines(), first - 1, None):
            length += len(line) + 1
            is_open ^= line.count(b'"') % 2 == 1
            if not is_open:
                return length > LONGEST
        return False

    def _start(self, record: int, *, skip_empty: bool) -> int:
        is_open, before = False, 0
        for number, line in enumerate(self._lines(), 1):
            if not is_open and not (skip_empty and not line.strip(b"\r")):
                if before == record:
                    return number
                before += 1
            is_open ^= line.count(b'"') % 2 == 1
        return record + 1  # lines that end in another way are not told apart here

    def _lines(self) -> Iterator[bytes]:
        if self.packing == "none":
            with self.path.open("rb") as file:
                yield from (line.rstrip(b"\n") for line in file)
            return
        rest = b""
        for piece in unpacked(self.path, self.packing):
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
        yield rest


@dataclass(frozen=True)
class CopiedLines:
    """The lines of a text that was read from a plain copy: each record of the copy knows its own."""

    lines: array[int]

    def of_row(self, row: int) -> int:
        """Return the line where a row starts, counted from 0 after the header."""
        return self.lines[row + 1]

    def of_record(self, number: int) -> int:
        """Return the line of a record of the copy, counted from 1."""
        return self.lines[number - 1]

    def is_too_long(self, first: int) -> bool:
        """Whether the record at a line is too long: none is that was copied."""
        return False


Lines = TextLines | CopiedLines
