"""Paths that every engine takes for the file they name."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

# What no engine expands, besides letters and digits: *, ? and [ are patterns, ~ is a home, : ends a protocol, = names
# a partition, % and \ escape.
_PLAIN = frozenset(" ./_+,@()'-")


def unambiguous(path: Path, until: ExitStack, name: str = "") -> Path:
    """Return the absolute path of a file or folder, or of a link to it whose name cannot be misread.

    The link is removed with `until`. Absolute paths alone protect from ``~`` and ``file:`` at their start.
    """
    place = path.absolute()
    is_hidden = place.name.startswith((".", "_"))  # some engines skip such files
    if not is_hidden and all(one.isalnum() or one in _PLAIN for one in place.as_posix()[len(place.anchor) :]):
        return place
    folder = until.enter_context(tempfile.TemporaryDirectory(prefix="stakes-"))
    link = Path(folder) / (name or "file")
    try:
        link.symlink_to(place)
    except OSError:  # some systems allow links to administrators alone
        (shutil.copytree if place.is_dir() else shutil.copyfile)(place, link)
    return link
