"""Files of predictions, read piece by piece in bounded memory by an embedded engine."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import InputError, Name, UnreadableFileError
from stakes._optional import import_optional
from stakes.frames._file_formats import check_zstd_is_whole, dialect, explain, kind_of, raised_in, unpack
from stakes.frames._private_folder import spill_privately
from stakes.frames._scan import Scan, arrow, first_lines, literal, scan_text, typed_scan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


@dataclass(frozen=True, eq=False, repr=False)
class DataFile:
    r"""A file of predictions with known columns, made by `open_file` and not read yet.

    Every function that takes a data frame also takes a `DataFile`.

    Attributes
    ----------
    path : Path
        Path of the file.
    format : str
        ``"CSV"``, ``"TSV"``, ``"Parquet"`` or ``"Arrow"``.
    kinds : dict of str to str
        Kind of each column, ``"number"``, ``"yes or no"`` or ``"text"``; in text files inferred from the first lines.
    scan : callable
        Function from the wanted columns to a relation of the engine.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes.frames import open_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("died,risk,site\n0,0.2,north\n1,0.7,south\n")
    ...     file = open_file(path)
    >>> file
    DataFile(scores.csv: CSV with 3 columns)
    >>> file.kinds
    {'died': 'number', 'risk': 'number', 'site': 'text'}
    """

    path: Path
    format: str
    kinds: dict[str, str]
    scan: Scan

    def __repr__(self) -> str:
        count = "1 column" if len(self.kinds) == 1 else f"{len(self.kinds)} columns"
        return f"DataFile({self.path.name}: {self.format} with {count})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.kinds)

    def line(self, row: int) -> int | None:
        """Return the line of a row of a text file, whose header is line 1; other files have no lines."""
        return row + 2 if self.format in ("CSV", "TSV") else None

    def where(self, row: int) -> str:
        """Return the place of a row, counted from 0: its line in a text file, else its number."""
        line = self.line(row)
        return f"row {row}" if line is None else f"line {line}"

    def relation(self, *, numbers: Iterable[str] = (), labels: Iterable[str] = ()) -> DuckDBPyRelation:
        """Return a relation of the engine with `numbers` as numbers and `labels` as written."""
        wanted = dict.fromkeys(numbers, "number") | dict.fromkeys(labels, "text")
        for column in wanted:
            self.known("columns", column)
        with self.reading():
            return self.scan(wanted)

    def known(self, argument: Name, column: str) -> str:
        """Return the name of a column of this file; otherwise list those it has, nearest first."""
        try:
            return _check.choice(argument, column, self.columns)
        except InputError as error:
            parts = [part.strip() for part in str(column).split(",")]
            hint = "separate names by spaces" if len(parts) > 1 and set(parts) <= set(self.columns) else ""
            if spaced := [name for name in self.columns if name.startswith(f"{column} ")]:
                hint = f"put {spaced[0]!r} in quotation marks"
            raise error.but(file=self.path.name, hint=hint) from None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn errors of the engine while reading into one sentence."""
        import duckdb

        try:
            yield
        except Exception as error:
            if isinstance(error, duckdb.Error) or raised_in(error) == "pyarrow":  # which reads the batches
                raise explain(self.path, self.format, self.columns, str(error)) from None
            raise


def open_file(path: str | os.PathLike[str], *, memory_limit: str | None = None) -> DataFile:
    r"""Open a file of predictions in any format, for every function that takes a data frame.

    Only the first lines are read, to find the columns; the rest streams through DuckDB when it is needed.
    The format is detected from the content: CSV or TSV (delimiter, decimal comma and compression are detected; the
    first line names the columns; empty, NA, NaN, NULL and None are missing), Parquet, or Arrow IPC (Feather; needs
    pyarrow).

    Parameters
    ----------
    path : str or path-like
        The file.
    memory_limit : str, keyword-only, optional
        Memory that the engine may use before it spills to the folder for temporary files, such as ``"1GB"``;
        four fifths of the machine's memory by default.

    Returns
    -------
    DataFile
        The file, not read yet.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes import frames
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.tsv"
    ...     _ = path.write_text("died\trisk\n0\t0.2\n1\t0.7\n")
    ...     table = frames.score_table(frames.open_file(path), "died", "risk")
    >>> table
    ScoreTable(2 scores, weight 2, prevalence 0.5)
    """
    source = _check.path("path", path)
    kind = kind_of(source)
    connection = _connect(memory_limit)
    if kind == "Parquet":
        return DataFile(source, kind, *typed_scan(source, kind, lambda: connection.read_parquet(literal(source))))
    if kind == "Arrow":
        return DataFile(source, kind, *typed_scan(source, kind, lambda: connection.from_arrow(arrow(source))))
    if kind == "zstd":
        check_zstd_is_whole(source)
    return _open_text(source, kind, connection)


def _connect(memory_limit: str | None) -> DuckDBPyConnection:
    duckdb = import_optional("duckdb", "files", "to read files")
    settings = {"autoinstall_known_extensions": "false"}
    if memory_limit is not None:
        settings["memory_limit"] = memory_limit
    try:
        connection: DuckDBPyConnection = duckdb.connect(config=settings)
    except duckdb.Error:
        raise InputError("memory_limit", "be a size such as '1GB'", repr(memory_limit)) from None
    spill_privately(connection)
    return connection


def _open_text(source: Path, kind: str, connection: DuckDBPyConnection) -> DataFile:
    """Open CSV or TSV; an unpacked copy is kept as long as the result."""
    plain = unpack(source, kind) if kind in ("bz2", "xz") else source
    try:
        file = _text_file(source, plain, kind if kind in ("gzip", "zstd") else "none", connection)
    except BaseException:
        _remove_unpacked(plain, source)
        raise
    weakref.finalize(file, _remove_unpacked, plain, source)
    return file


def _remove_unpacked(plain: Path, source: Path) -> None:
    """Remove the unpacked copy, if there is one."""
    if plain != source:
        plain.unlink(missing_ok=True)


def _text_file(source: Path, plain: Path, packing: str, connection: DuckDBPyConnection) -> DataFile:
    written = dialect(source, first_lines(connection, source, plain, packing))
    return DataFile(
        source,
        "TSV" if written.delimiter == "\t" else "CSV",
        dict(zip(written.columns, written.kinds, strict=True)),
        partial(scan_text, connection, plain, packing, written),
    )


def read_columns(
    file: DataFile, *, numbers: Iterable[str] = (), labels: Iterable[str] = ()
) -> dict[str, npt.NDArray[Any]]:
    """Read columns of a file into arrays, in the order of its rows.

    A missing number is ``nan``, a missing label ``None``; labels of a text file stay text.
    """
    numbers, labels = list(numbers), list(labels)
    with file.reading():
        found = file.relation(numbers=numbers, labels=labels).fetchnumpy()
    if not all(map(len, found.values())):
        raise UnreadableFileError(file.path, "hold at least one case", "none")
    as_number = {column: _floats(found[column]) for column in numbers}
    return as_number | {column: _objects(found[column]) for column in labels}


def _floats(column: npt.NDArray[Any]) -> npt.NDArray[np.floating]:
    kept = column.dtype in (np.float32, np.float64)
    return np.asarray(np.ma.asarray(column if kept else column.astype(np.float64)).filled(np.nan))


def _objects(column: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
    objects = np.asarray(column).astype(object)
    objects[np.ma.getmaskarray(column)] = None
    return objects
