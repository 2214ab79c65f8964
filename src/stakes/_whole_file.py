"""Files written whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path

from stakes._errors import InputError, MissingFolderError


def write_whole(path: Path, text: Iterable[str]) -> None:
    """Write text to a temporary file in the same folder, then rename it to `path`."""
    if not path.parent.is_dir():
        raise MissingFolderError("path", "be in a folder that exists", repr(str(path)))
    path = path.resolve()  # a link stays a link
    if path.exists() and not path.is_file():
        raise InputError("path", "be a file to write to", f"{str(path)!r}, which is not a regular file")
    draft = path.parent / f".{secrets.token_hex(8)}.part"
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(text)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
