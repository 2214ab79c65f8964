"""Script that reads a file of SPSS, Stata or SAS, in a process of its own; see ``_package_process``.

It is run as a script, and imports nothing of the house, which takes longer than a small file does.
"""

from __future__ import annotations

import datetime
import importlib
import json
import math
import os
import sys
from pathlib import Path
from typing import Any


def answer(folder: Path) -> None:
    """Read the file that is asked for; write its columns and labels, or what went wrong."""
    asked = json.loads((folder / "asked.json").read_bytes())
    try:
        found = _read_somehow(folder, asked)
    except UnicodeDecodeError:
        found = {"fault": "encoding"}
    except MemoryError:
        found = {"fault": "memory"}
    except Exception:  # what a damaged file is taken for may go wrong in any way
        found = {"fault": "damage"}
    (folder / "found.json").write_text(json.dumps(found), encoding="ascii")


def _read_somehow(folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """Read a file that states no encoding as UTF-8 if all of it fits, and else as its reader would."""
    if not asked.pop("may_be_utf_8"):
        return _read(folder, **asked)
    try:
        return _read(folder, **asked | {"encoding": "UTF-8"}) | {"read_as": "UTF-8"}
    except Exception:  # the reader has errors of its own for bytes that do not fit
        return _read(folder, **asked) | {"read_as": "Windows-1252"}


def _read(folder: Path, path: str, reader: str, encoding: str | None, asks_for_missing: bool) -> dict[str, Any]:
    """Write the columns of a file as Parquet; values that were declared missing are missing."""
    read = getattr(importlib.import_module("pyreadstat"), reader)
    columns, about = read(path, output_format="dict", encoding=encoding)
    if asks_for_missing:  # only then SPSS says what was declared missing
        _, about = read(path, output_format="dict", encoding=encoding, metadataonly=True, user_missing=True)
    _write({name: [*map(_plain, values)] for name, values in columns.items()}, folder / "columns.parquet")
    labels = about.variable_value_labels.items()
    return {
        "labels": {name: [[code, text] for code, text in given.items() if _is_code(code)] for name, given in labels},
        "declared": [name for name in columns if name in about.missing_ranges],
        "is_ascii": all(_is_ascii(one) for values in columns.values() for one in values)
        and all(_is_ascii(text) for given in about.variable_value_labels.values() for text in given.values()),
        "dated": [name for name, values in columns.items() if any(isinstance(one, _DATES) for one in values)],
    }


_DATES = (datetime.date, datetime.time)


def _is_code(code: Any) -> bool:
    return isinstance(code, int | float) and math.isfinite(code)


def _is_ascii(value: Any) -> bool:
    return not isinstance(value, str) or value.isascii()


def _plain(value: Any) -> Any:
    """Return a number or a text, None for a missing value; dates as they are written."""
    if isinstance(value, _DATES):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    return None if value is None or value != value else value


def _write(columns: dict[str, list[Any]], target: Path) -> None:
    pyarrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    arrays = [pyarrow.array(values, _type(pyarrow, values)) for values in columns.values()]
    parquet.write_table(pyarrow.Table.from_arrays(arrays, names=[*columns]), target)


def _type(pyarrow: Any, values: list[Any]) -> Any:
    return pyarrow.string() if any(isinstance(value, str) for value in values) else pyarrow.float64()


def _leave_no_core() -> None:
    """Let a crash write no image of the memory, which may hold patients, to the disk."""
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _leave_no_core()
    answer(Path(sys.argv[1]))
