"""Files written whole or not at all, and why one cannot be opened."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path

from stakes._errors import (
    FolderError,
    ForbiddenFileError,
    InputError,
    MissingFileError,
    MissingFolderError,
    UnreadableFileError,
)

_OWNER, _ANYONE = 0o600, 0o666


def write_whole(path: Path, text: Iterable[str]) -> None:
    """Write text to a temporary file in the same folder, then rename it to `path`.

    A file that is replaced keeps its permissions. The text is on the disk before the name is: after a crash of the
    machine the path holds the old file or the new one, whole.
    """
    if not path.parent.is_dir():
        raise MissingFolderError("path", "be in a folder that exists", repr(str(path)))
    path = path.resolve()  # a link stays a link
    if path.exists() and not path.is_file():
        raise InputError("path", "be a file to write to", f"{str(path)!r}, which is not a regular file")
    replaced = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    draft = path.parent / f".{secrets.token_hex(8)}.part"
    try:
        _write(draft, text, _ANYONE if replaced is None else _OWNER)  # what replaces a private file is private
        if replaced is not None:
            with contextlib.suppress(PermissionError):  # a file system without permissions
                draft.chmod(replaced)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _keep_name(path.parent)


def _write(draft: Path, text: Iterable[str], mode: int) -> None:
    """Write a new file with these permissions, less the umask, and wait until it is on the disk."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    with open(draft, "x", encoding="utf-8", newline="\n", opener=opener) as file:
        file.writelines(text)
        file.flush()
        os.fsync(file.fileno())


def _keep_name(folder: Path) -> None:
    """Wait until a new name in a folder is on the disk, on systems where a folder can be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def opening_error(path: Path, error: OSError) -> UnreadableFileError:
    """Return the error for a file that the operating system does not open."""
    if isinstance(error, IsADirectoryError):
        return FolderError(path, "be a file", "a folder")
    if isinstance(error, FileNotFoundError):
        return MissingFileError(path, "")
    kind = ForbiddenFileError if isinstance(error, PermissionError) else UnreadableFileError
    return kind(path, f"be a file that can be read: {error.strerror or error}", whole_path=True)
