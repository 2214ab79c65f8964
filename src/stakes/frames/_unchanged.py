"""The state of a file on the disk, by which a change between two passes is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from stakes._errors import MissingFileError, Spelling, UnreadableFileError

_STAY = "stay as it is while it is read"

_AGAIN = (Spelling("open it again", "run the command again"),)


class FileState(NamedTuple):
    """Device, inode, size and time of modification of a file."""

    device: int
    inode: int
    size: int
    modified: int  # in nanoseconds

    @classmethod
    def of(cls, path: Path) -> FileState:
        """Look a file up; symbolic links are followed."""
        found = path.stat()
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)

    def check(self, path: Path) -> None:
        """Raise unless the file is still in this state: passes over two files give numbers of neither."""
        try:
            now = self.of(path)
        except OSError:
            raise MissingFileError(path, "stay where it is while it is read", "nothing of that name") from None
        if now != self:
            raise UnreadableFileError(path, _STAY, self._change(now), hint=_AGAIN)

    def _change(self, now: FileState) -> str:
        if (now.device, now.inode) != (self.device, self.inode):
            return "another file in its place"
        if now.size != self.size:
            return f"{now.size:,} bytes where there were {self.size:,}"
        return "one that was written to"
