"""Files that can be read repeatedly, from pipes and the standard input too."""

from __future__ import annotations

import os
import select
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from stakes._errors import InputError

_PIECE = 1 << 20  # bytes of a stream that are copied at once


@contextmanager
def repeatable(name: str) -> Iterator[Path]:
    """Yield the path of a file that can be read repeatedly and whose name is valid text."""
    path, shown = Path(name), name.encode(errors="replace").decode()
    if name != "-" and not _is_pipe(path) and (name == shown or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="stakes-") as folder:
        stand_in = Path(folder) / ("standard input" if name == "-" else Path(shown).name)
        if name == "-" or _is_pipe(path):
            _copy_stream(name, stand_in)
        else:
            stand_in.symlink_to(path.absolute())
        yield stand_in


def _copy_stream(name: str, target: Path) -> None:
    """Copy a stream to a file."""
    standard = name == "-"
    if standard and sys.stdin is None:
        raise InputError("file", "be a file, or - with an open standard input", "- with a closed one")
    with (
        target.open("wb") as copy,
        open(sys.stdin.fileno() if standard else name, "rb", buffering=0, closefd=not standard) as source,
    ):
        while piece := _next_piece(source):
            copy.write(piece)


def _next_piece(source: FileIO) -> bytes | None:
    """Read what has come, and wait for it in short spells.

    A signal that arrives just before a wait is noticed only after it, which could be never.
    """
    if os.name == "posix":  # elsewhere only sockets can be waited for
        while not select.select([source], [], [], 0.5)[0]:
            pass
    return source.read(_PIECE)


def _is_pipe(path: Path) -> bool:
    """Whether a path is a pipe, which can be read only once."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False  # opening it reports the error
