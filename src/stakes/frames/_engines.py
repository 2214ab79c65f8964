"""Files opened with an engine of the user's choice, which keeps the cases."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from stakes import _check
from stakes._cost_columns import CostColumn
from stakes._errors import InputError, MissingPackageError, UnreadableFileError
from stakes._optional import import_optional
from stakes._roles import Roles
from stakes._wording import printable
from stakes.frames._data_file import DataFile, open_files
from stakes.frames._file_roles import name_positive_label, place_roles, scan_roles
from stakes.frames._frame import check_roles
from stakes.frames._plain_text import UNSTATED, TextOptions
from stakes.frames._unambiguous import folder_for_links, unambiguous
from stakes.frames._unchanged import FileState

Read = Callable[[str], Any]  # the place of Parquet to a data frame

_ROWS = 1 << 17  # of a batch of the rows of a text

_QUIET = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}

_INSTALL = {"dask": "'dask[dataframe,distributed]'", "spark": "pyspark"}


class OpenedFrame(NamedTuple):
    """The data frame of an engine, the roles of its columns, and what was found out about its file."""

    frame: Any
    roles: Roles
    notes: tuple[str, ...] = ()


@contextmanager
def open_with(
    engine: str, master: str | None, name: str, roles: Roles, stated: TextOptions = UNSTATED
) -> Iterator[OpenedFrame]:
    """Open a file, a folder or an address as the data frame of an engine, and close the engine at the end.

    Engines disagree about what a text means: which words are missing values, which are numbers, where a line ends. So
    only one reader reads text, and hands Parquet to the others.
    """
    if master is not None and engine not in CLUSTERS:
        raise InputError("master", f"come with the engine {' or '.join(CLUSTERS)}", engine)
    path = Path(name)
    with ExitStack() as until:
        if path.is_file() or not (path.is_dir() or "://" in name):
            yield until.enter_context(_open_local(engine, master, path, roles, stated, until))
            return
        if engine == "duckdb":
            got = "a folder" if path.is_dir() else "an address"
            raise InputError(
                "frame", "be a file for duckdb", got, hint="polars, dask and spark read folders of Parquet"
            )
        if not path.is_dir():
            _check_is_parquet(engine, name)
        where = until.enter_context(whole_folder(path, roles, until)) if path.is_dir() else name
        yield OpenedFrame(_read(engine, master, name, str(where), until), roles)


def _not_parquet(engine: str, name: str) -> InputError:
    """Return the error for text at an address, or on a cluster that cannot see a copy of it."""
    hint = "write it as Parquet, which has types; engines disagree about what text means"
    return InputError("frame", f"be Parquet for {engine} to read it from there", repr(name), hint=hint)


def _check_is_parquet(engine: str, name: str) -> None:
    """Raise if the name of an address is not that of Parquet or a folder."""
    suffixes = [suffix for suffix in PurePath(name).suffixes if suffix.casefold() not in (".gz", ".bz2", ".zst", ".xz")]
    if suffixes and not _ends_parquet(suffixes[-1]):
        raise _not_parquet(engine, name)


def _ends_parquet(suffix: str) -> bool:
    """Whether the end of a name is that of Parquet, in capitals or not."""
    return suffix.casefold() in (".parquet", ".pq")


@contextmanager
def _open_local(
    engine: str, master: str | None, path: Path, roles: Roles, stated: TextOptions, until: ExitStack
) -> Iterator[OpenedFrame]:
    """Open a file as a data frame: Parquet as it is, anything else as a copy; raise if it changes."""
    (file,) = open_files([path], stated)
    check_roles(roles, file, {})
    roles = name_positive_label(roles, file)
    with file.reading():
        if not scan_roles(file, roles).limit(1).fetchall():
            raise UnreadableFileError(path, "hold at least one case", "none")
    if engine == "duckdb":
        yield OpenedFrame(file, roles, file.notes)
        return
    is_here = _is_here(master)
    if file.format == "Parquet" and (_has_common_types(path, roles) or not is_here):
        where = unambiguous(path, folder_for_links(until), "scores.parquet")
    elif is_here:
        where, roles = _as_parquet(file, roles, until)
    else:
        raise _not_parquet(engine, str(path))
    try:
        yield OpenedFrame(_read(engine, master, str(path), str(where), until), roles, file.notes)
    finally:
        file.state.check(path)


def _has_common_types(path: Path, roles: Roles) -> bool:
    """Whether every engine reads the columns of a Parquet file alike: no decimals, dates, half precision."""
    schema = _pyarrow("pyarrow.parquet").read_schema(path)
    types = _pyarrow("pyarrow.types")
    common = (types.is_integer, types.is_float32, types.is_float64, types.is_boolean, types.is_string)
    return all(any(is_one(schema.field(column).type) for is_one in common) for _, column in roles)


def _pyarrow(module: str = "pyarrow") -> Any:
    import_optional("pyarrow", "files", "to hand files to other engines")
    return importlib.import_module(module)


def _is_here(master: str | None) -> bool:
    """Whether the workers of a cluster are on this machine, as far as its name tells."""
    return master is None or master.startswith("local") or "127.0.0.1" in master or "localhost" in master


def _as_parquet(file: DataFile, roles: Roles, until: ExitStack) -> tuple[Path, Roles]:
    """Write the columns that have a role to a temporary Parquet file; those that have two roles twice."""
    pyarrow, parquet = _pyarrow(), _pyarrow("pyarrow.parquet")
    numbers = {*roles.numbers, roles.outcome}
    twice: dict[str, Any] = {role: f"{column} as {role}" for role, column in roles.labels.items() if column in numbers}
    called = _costs_twice(_follow_twice(replace(roles, **twice)))
    names = {name: column for (_, name), (_, column) in zip(place_roles(roles), called, strict=True)}
    where = Path(until.enter_context(tempfile.TemporaryDirectory(prefix="stakes-"))) / "scores.parquet"
    with file.reading():
        relation: Any = scan_roles(file, roles)
        reader = (getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch)(_ROWS)
        schema = pyarrow.schema([field.with_name(names[field.name]) for field in reader.schema])
        with parquet.ParquetWriter(where, schema) as writer:
            for batch in reader:
                writer.write_batch(pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema))
    return where, called


def _costs_twice(roles: Roles) -> Roles:
    """Return roles in which columns of costs that have another role too have a name of their own."""
    columns = [column for _, column in roles]
    costs = {
        name: cost._replace(column=f"{cost.column} as {name}")
        if isinstance(cost, CostColumn) and columns.count(cost.column) > 1
        else cost
        for name, cost in roles.costs.items()
    }
    return replace(roles, costs=costs)


def _follow_twice(roles: Roles) -> Roles:
    """Return roles in which columns of follow-up that have another role too have a name of their own."""
    if roles.follow is None:
        return roles
    columns = [column for _, column in roles]

    def own(role: str, column: str | None) -> str | None:
        return f"{column} as {role}" if columns.count(str(column)) > 1 else column

    several: dict[str, Any] = {
        role: tuple(own(role, one) for one in getattr(roles.follow, role)) for role in ("labels", "covariates")
    }
    single: dict[str, Any] = {role: own(role, getattr(roles.follow, role)) for role in ("time", "entry", "probability")}
    return replace(roles, follow=replace(roles.follow, **several, **single))


@contextmanager
def whole_folder(folder: Path, roles: Roles, until: ExitStack) -> Iterator[Path]:
    """Check the pages of the Parquet files of a folder, and that none of them changes."""
    parts = sorted(path for path in folder.rglob("*") if _ends_parquet(path.suffix) and path.is_file())
    states = {path: FileState.of(path) for path in parts}
    for file in open_files(parts):
        known = [column for _, column in roles if column in file.kinds and file.kinds[column] != "nested"]
        with file.reading():
            file.relation(labels=known)
    try:
        yield unambiguous(folder, folder_for_links(until), "scores")
    finally:
        for path, state in states.items():
            state.check(path)


def _read(engine: str, master: str | None, name: str, where: str, until: ExitStack) -> Any:
    try:
        read = _READERS[engine](master, until)
    except ModuleNotFoundError as error:
        purpose = f"to use the engine {engine}"
        raise MissingPackageError(str(error.name), _INSTALL.get(engine, engine), purpose) from None
    except Exception as error:
        wanted = f"a cluster that {engine} can reach"
        raise InputError("master", f"be {wanted}", f"{_check.show(master)}: {_first_sentence(error)}") from None
    try:
        return read(where)
    except Exception as error:
        wanted = f"be something that {engine} can read"
        raise UnreadableFileError(name, wanted, f"an error: {_first_sentence(error)}", whole_path=True) from None


def _first_sentence(error: Exception) -> str:
    """Return the first sentence of an error of an engine."""
    return printable(str(error).partition("\n")[0]).partition(". ")[0].removesuffix(".")


def _polars(*_: object) -> Read:
    engine = importlib.import_module("polars")
    return lambda where: engine.scan_parquet(where, glob="://" in where)


def _dask(master: str | None, until: ExitStack) -> Read:
    engine = importlib.import_module("dask.dataframe")
    if master is not None:
        until.enter_context(importlib.import_module("distributed").Client(master))

    def read(where: str) -> Any:
        frame = engine.read_parquet(where)
        return frame if frame.index.name is None else frame.reset_index()  # an index of pandas is a column of the file

    return read


def _spark(master: str | None, until: ExitStack) -> Read:
    builder = importlib.import_module("pyspark.sql").SparkSession.builder.appName("stakes")
    if master is None or master.startswith("local"):  # workers on this machine run what this command runs
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in _QUIET.items():
        builder = builder.config(name, value)
    session = until.enter_context((builder if master is None else builder.master(master)).getOrCreate())
    return session.read.parquet  # type: ignore[no-any-return]


_READERS: dict[str, Callable[[str | None, ExitStack], Read]] = {
    "polars": _polars,
    "dask": _dask,
    "spark": _spark,
}

ENGINES, CLUSTERS = ("duckdb", *_READERS), ("dask", "spark")
