"""A process of its own for files of SPSS, Stata and SAS, whose reader may crash on damaged bytes.

It finds what is asked for in a folder, ``asked.json``, and answers there: ``columns.parquet``, and ``found.json`` with
the labels of codes, or with what went wrong. A process that ends without an answer has crashed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from stakes._errors import MissingPackageError, NotEnoughMemoryError, UnreadableFileError
from stakes._optional import import_optional

READERS = {"SPSS": "read_sav", "Stata": "read_dta", "SAS": "read_sas7bdat"}

_SCRIPT = Path(__file__).with_name("_package_script.py")


# Seconds that a file may take, far more than a whole one does, and more for each of its bytes.
_WAIT, _WAIT_FOR_A_BYTE = 300.0, 1e-5


def package_content(path: Path, kind: str, encoding: str | None) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return the columns of a file, the labels of its codes, and which have dates or declared gaps."""
    if importlib.util.find_spec("pyreadstat") is None:  # importing it here would take as long as a small file
        raise MissingPackageError("pyreadstat", "'stakes[office]'", f"to read files of {kind}")
    parquet = import_optional("pyarrow.parquet", "files", "to read files of SPSS, Stata and SAS")
    asked: dict[str, Any] = {"path": str(path.absolute()), "reader": READERS[kind], "encoding": encoding}
    asked |= {"asks_for_missing": kind == "SPSS", "may_be_utf_8": encoding is None and _is_old_stata(path, kind)}
    with tempfile.TemporaryDirectory(prefix="stakes-") as name:
        folder = Path(name)
        (folder / "asked.json").write_text(json.dumps(asked), encoding="ascii")
        _run(path, kind, folder)
        found = _read_answer(path, kind, folder)
        table = parquet.read_table(folder / "columns.parquet", memory_map=False)
    return {name: column.to_pylist() for name, column in zip(table.column_names, table.columns, strict=True)}, found


def _is_old_stata(path: Path, kind: str) -> bool:
    """Whether a file is of a version before 14, which states no encoding; others still write it."""
    if kind != "Stata":
        return False
    with path.open("rb") as file:
        start = file.read(40)
    return not start.startswith(b"<") or b"<release>117" in start


def _run(path: Path, kind: str, folder: Path) -> None:
    """Run the process and wait for it, whatever it does; it imports from where this one does."""
    here = os.pathsep.join(filter(None, sys.path))
    wait = _WAIT + _WAIT_FOR_A_BYTE * path.stat().st_size
    try:
        subprocess.run(
            [sys.executable, "-P", str(_SCRIPT), str(folder)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=wait,
            env={**os.environ, "PYTHONPATH": here},
            check=False,
        )
    except subprocess.TimeoutExpired:
        wanted = f"be a file of {kind} that can be read within {wait / 60:.0f} minutes"
        raise UnreadableFileError(path, wanted, "one that takes longer", hint="save it as CSV") from None


def _read_answer(path: Path, kind: str, folder: Path) -> dict[str, Any]:
    """Return the answer of the process; raise what went wrong."""
    try:
        found: dict[str, Any] = json.loads((folder / "found.json").read_bytes())
    except (FileNotFoundError, ValueError):  # no answer, or half of one
        crashed = "one that is damaged, so that its reader crashed"
        raise UnreadableFileError(path, f"be a whole file of {kind}", crashed) from None
    fault = found.get("fault")
    if fault == "memory":
        raise NotEnoughMemoryError(str(path), f"the reader of files of {kind} ran out of it")
    if fault == "encoding":
        wanted = f"be a file of {kind} with text in the encoding that it states"
        raise UnreadableFileError(path, wanted, "something else", hint="state its encoding")
    if fault:
        raise UnreadableFileError(path, f"be a whole file of {kind}", "one that is truncated or damaged")
    return found
