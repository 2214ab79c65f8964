"""Folders for spilled data that no one else can enter."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def spill_privately(connection: DuckDBPyConnection) -> None:
    """Let a connection spill to a folder of its own, removed with the connection or when the process ends.

    The engine makes its files readable by everyone, so the folder around them is closed to others.
    """
    folder = Path(tempfile.mkdtemp(prefix="stakes-"))  # mode 0700
    weakref.finalize(connection, _remove, folder, os.getpid())
    connection.execute("set temp_directory = ?", [str(folder / "spill")])


def _remove(folder: Path, process: int) -> None:
    """Remove the folder, unless this is a forked process that ends while the owner still works."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
