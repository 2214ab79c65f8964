"""Paths that every engine takes for the file they name."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

# What no engine expands, besides letters and digits: *, ? and [ are patterns, ~ is a home, : ends a protocol, = names
# a partition, % and \ escape.
_PLAIN = frozenset(" ./_+,@()'-")


def folder_for_links(until: ExitStack) -> Callable[[], Path]:
    """Return a function that makes a folder when it is first needed; it is removed with `until`."""
    return cache(lambda: Path(until.enter_context(tempfile.TemporaryDirectory(prefix="stakes-"))))


def unambiguous(path: Path, folder: Callable[[], Path], name: str = "") -> Path:
    """Return the absolute path of a file or folder, or of a link to it whose name cannot be misread.

    The link is in `folder`, and without a `name` called by a number. Absolute paths alone protect from ``~`` and
    ``file:`` at their start.
    """
    place = path.absolute()
    is_hidden = place.name.startswith((".", "_"))  # some engines skip such files
    if not is_hidden and all(one.isalnum() or one in _PLAIN for one in place.as_posix()[len(place.anchor) :]):
        return place
    link = folder() / (name or f"file{len([*folder().iterdir()])}")
    try:
        link.symlink_to(place)
    except OSError:  # some systems allow links to administrators alone
        (shutil.copytree if place.is_dir() else shutil.copyfile)(place, link)
    return link
