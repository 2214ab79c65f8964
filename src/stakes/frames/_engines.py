"""Files opened with an engine of the user's choice, which keeps the cases."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import PurePath
from typing import Any

from stakes import _check
from stakes._errors import InputError, MissingPackageError, UnreadableFileError
from stakes._wording import printable

Read = Callable[[str, str | None], Any]  # a name and a delimiter, none for Parquet, to a data frame


_PARQUET, _TEXT = (".parquet", ".pq"), {".csv": ",", ".tsv": "\t"}


_PACKED = (".gz", ".bz2", ".zst", ".xz")


_QUIET = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}


_INSTALL = {"dask": "'dask[dataframe,distributed]'", "spark": "pyspark"}


@contextmanager
def open_with(engine: str, master: str | None, name: str) -> Iterator[Any]:
    """Open a file, a folder or an address as the data frame of an engine, and close the engine at the end."""
    delimiter = _delimiter(engine, name)
    if master is not None and engine not in CLUSTERS:
        raise InputError("master", f"come with the engine {' or '.join(CLUSTERS)}", engine)
    with ExitStack() as until:
        yield _read(engine, master, name, delimiter, until)


def _read(engine: str, master: str | None, name: str, delimiter: str | None, until: ExitStack) -> Any:
    try:
        read = _READERS[engine](master, until)
    except ModuleNotFoundError as error:
        purpose = f"to use the engine {engine}"
        raise MissingPackageError(str(error.name), _INSTALL.get(engine, engine), purpose) from None
    except Exception as error:
        wanted = f"a cluster that {engine} can reach"
        raise InputError("master", f"be {wanted}", f"{_check.show(master)}: {_first_sentence(error)}") from None
    try:
        return read(name, delimiter)
    except Exception as error:
        wanted = f"be something that {engine} can read"
        raise UnreadableFileError(name, wanted, f"an error: {_first_sentence(error)}", whole_path=True) from None


def _first_sentence(error: Exception) -> str:
    """Return the first sentence of an error of an engine."""
    return printable(str(error).partition("\n")[0]).partition(". ")[0].removesuffix(".")


def _delimiter(engine: str, name: str) -> str | None:
    """Return the delimiter of a text file by its name; none for Parquet or a folder."""
    suffixes = [suffix for suffix in PurePath(name).suffixes if suffix not in _PACKED]
    last = suffixes[-1] if suffixes else _PARQUET[0]
    if last not in (*_PARQUET, *_TEXT):
        known = ", ".join((_PARQUET[0], *_TEXT))
        raise InputError("frame", f"end in one of {known}, or be a folder of Parquet, for {engine}", repr(name))
    return _TEXT.get(last)


def _duckdb(*_: object) -> Read:
    engine = importlib.import_module("duckdb")
    return lambda name, sep: engine.read_parquet(name) if sep is None else engine.read_csv(name, sep=sep, header=True)


def _polars(*_: object) -> Read:
    engine = importlib.import_module("polars")
    return lambda name, sep: engine.scan_parquet(name) if sep is None else engine.scan_csv(name, separator=sep)


def _dask(master: str | None, until: ExitStack) -> Read:
    engine = importlib.import_module("dask.dataframe")
    if master is not None:
        until.enter_context(importlib.import_module("distributed").Client(master))
    return lambda name, sep: engine.read_parquet(name) if sep is None else engine.read_csv(name, sep=sep)


def _spark(master: str | None, until: ExitStack) -> Read:
    builder = importlib.import_module("pyspark.sql").SparkSession.builder.appName("stakes")
    if master is None or master.startswith("local"):  # workers on this machine run what this command runs
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in _QUIET.items():
        builder = builder.config(name, value)
    session = until.enter_context((builder if master is None else builder.master(master)).getOrCreate())
    text = {"header": True, "inferSchema": True}
    return lambda name, sep: session.read.parquet(name) if sep is None else session.read.csv(name, sep=sep, **text)


_READERS: dict[str, Callable[[str | None, ExitStack], Read]] = {
    "duckdb": _duckdb,
    "polars": _polars,
    "dask": _dask,
    "spark": _spark,
}


ENGINES, CLUSTERS = tuple(_READERS), ("dask", "spark")
