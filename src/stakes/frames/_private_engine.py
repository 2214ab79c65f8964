"""An engine that may read a few files only, and its temporary files."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stakes._errors import InputError
from stakes._optional import import_optional

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NO_EXTENSIONS = ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions")

_HELD = "stakes_temporary_files"


class PrivateEngine:
    """A connection that can read only the files at `places`, and spills to a folder of its own.

    Temporary files are removed with the last of this object and of the relations that come from it. A relation of
    DuckDB cannot hold a reference to a Python object, and relations derived from it do not keep it alive. But an array
    that is registered as a view is kept alive by the cursor that they all share, so the files are tied to that array.
    """

    def __init__(self, places: Sequence[Path], until: ExitStack, memory_limit: str | None = None) -> None:
        self._connection = _connect(places, until, memory_limit)
        self._held = np.zeros(1)

    def keep(self, until: ExitStack) -> None:
        """Close `until` when nothing reads the files any more."""
        weakref.finalize(self._held, until.pop_all().close)

    def cursor(self) -> DuckDBPyConnection:
        """Return a cursor, whose relations keep the temporary files; each thread needs its own."""
        cursor = self._connection.cursor()
        cursor.register(_HELD, {"held": self._held})
        return cursor


def _connect(places: Sequence[Path], until: ExitStack, memory_limit: str | None) -> DuckDBPyConnection:
    duckdb = import_optional("duckdb", "files", "to read files")
    settings = dict.fromkeys(_NO_EXTENSIONS, "false")
    if memory_limit is not None:
        settings["memory_limit"] = memory_limit
    try:
        connection: DuckDBPyConnection = duckdb.connect(config=settings)
    except duckdb.Error:
        raise InputError("memory_limit", "be a size such as '1GB'", repr(memory_limit)) from None
    connection.execute("set temp_directory = ?", [str(_private_folder(until) / "spill")])
    connection.execute("set allowed_paths = ?", [[str(place) for place in places]])
    connection.execute("set enable_external_access = false")
    return connection


def _private_folder(until: ExitStack) -> Path:
    """Make a folder that no one else can enter, since the engine makes its files readable by everyone."""
    folder = Path(tempfile.mkdtemp(prefix="stakes-"))  # mode 0700
    until.callback(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, process: int) -> None:
    """Remove the folder, unless this is a forked process that ends while the owner still works."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
