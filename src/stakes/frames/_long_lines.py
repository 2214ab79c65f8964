"""Lines longer than the engine reads, which it may drop without an error."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from stakes._errors import UnreadableFileError

LONGEST = 2_000_000  # bytes of a line, with its end

_BLOCK = 1 << 16


def line_too_long(path: Path, line: int | None) -> UnreadableFileError:
    """Return the error for a line that the engine cannot hold."""
    return UnreadableFileError(path, f"have lines of at most {LONGEST:,} bytes", "a longer one", line)


def check_plain(path: Path, place: Path) -> None:
    """Raise if a line of the text at `place` is too long, reading one block of every two million bytes.

    From the start of a line, the last end of a line that the longest one could have is looked for backwards: if there
    is one, no line up to it is too long. Where lines are short, the first block of 65,536 bytes holds one.
    """
    with place.open("rb") as file:
        size, start = os.fstat(file.fileno()).st_size, 0
        while start + LONGEST < size:
            end = _last_end(file, start, start + LONGEST)
            if end is None:
                raise line_too_long(path, _line_at(_blocks(place), start))
            start = end


def _last_end(file: BinaryIO, start: int, stop: int) -> int | None:
    """Return where the last line that ends between two places does."""
    while stop > start:
        first = max(start, stop - _BLOCK)
        file.seek(first)
        block = file.read(stop - first)
        if (at := max(block.rfind(b"\n"), block.rfind(b"\r"))) >= 0:
            return first + at + 1
        stop = first
    return None


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(LONGEST):
            yield block


def check_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Raise if a line of a text in pieces is too long, but not before the last piece has been seen.

    So a packed text that is damaged is said to be damaged.
    """
    since, line, long = 0, 1, None
    for piece in pieces:
        first = min((at + 1 for end in (b"\n", b"\r") if (at := piece.find(end)) >= 0), default=len(piece))
        if long is None and since + first > LONGEST:
            long = line
        last = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        since = since + len(piece) if last < 0 else len(piece) - last - 1
        line += _ends(piece)
    if long is not None:
        raise line_too_long(path, long)


def _line_at(pieces: Iterable[bytes], place: int) -> int:
    """Return the number of the line that starts at a place."""
    line, left = 1, place
    for piece in pieces:
        line += _ends(piece[:left])
        left -= len(piece)
        if left <= 0:
            break
    return line


def _ends(piece: bytes) -> int:
    return piece.count(b"\n") or piece.count(b"\r")  # the latter where lines end as on old systems
