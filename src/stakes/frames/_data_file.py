"""A file of predictions, read by an embedded engine a piece at a time: memory does not grow with the file."""

from __future__ import annotations

import os
import secrets
import tempfile
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
from stakes._optional import needed
from stakes.frames._collect import raised_in
from stakes.frames._file_formats import dialect, explained, kind_of, refuse_truncated_zstd, unpack
from stakes.frames._scan import Scan, arrow, first_lines, literal, scan_text, typed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


@dataclass(frozen=True, eq=False, repr=False)
class DataFile:
    r"""A file of predictions that is there, has columns, and has not been read yet; made by `open_file`.

    Every function of this room that takes a data frame takes one of these.

    Attributes
    ----------
    path : Path
        Where it is.
    format : str
        ``"CSV"``, ``"TSV"``, ``"Parquet"`` or ``"Arrow"``.
    kinds : dict of str to str
        Its columns, and what each holds: ``"number"``, ``"yes or no"`` or ``"text"``; in text files as far as the
        first lines tell.
    scan : callable
        What the engine does to read it.

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
        """Say where a row is, counted from 0: its line in a text file, else its number."""
        line = self.line(row)
        return f"row {row}" if line is None else f"line {line}"

    def relation(self, *, numbers: Iterable[str] = (), labels: Iterable[str] = ()) -> DuckDBPyRelation:
        """Return columns as the engine's relation: `numbers` as numbers, `labels` as they are written."""
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
        """Say in words what the engine says when it cannot read the file."""
        import duckdb

        try:
            yield
        except Exception as error:
            if isinstance(error, duckdb.Error) or raised_in(error) == "pyarrow":  # which hands over its batches
                raise explained(self.path, self.format, self.columns, str(error)) from None
            raise


def open_file(path: str | os.PathLike[str], *, memory_limit: str | None = None) -> DataFile:
    r"""Open a file of predictions, whatever its format, for every function of this room.

    Only its first lines are read, to find the columns; the rest streams through DuckDB when numbers are asked for.
    The format is told by the content: CSV or TSV (delimiter, decimal comma and compression are found out; the first
    line names the columns; empty, NA, NaN, NULL and None are missing), Parquet, or Arrow IPC (Feather; needs pyarrow).

    Parameters
    ----------
    path : str or path-like
        The file.
    memory_limit : str, keyword-only, optional
        How much memory the engine may use before it spills to the folder for temporary files, such as ``"1GB"``;
        four fifths of the machine's when not given.

    Returns
    -------
    DataFile
        The file, ready to be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes.frames import open_file, read_columns
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.tsv"
    ...     _ = path.write_text("died\trisk\n0\t0.2\n1\t0.7\n")
    ...     columns = read_columns(open_file(path), numbers=["died", "risk"])
    >>> columns["risk"].tolist()
    [0.2, 0.7]
    """
    source = _check.path("path", path)
    kind = kind_of(source)
    connection = _connected(memory_limit)
    if kind == "Parquet":
        return DataFile(source, kind, *typed(source, kind, lambda: connection.read_parquet(literal(source))))
    if kind == "Arrow":
        return DataFile(source, kind, *typed(source, kind, lambda: connection.from_arrow(arrow(source))))
    if kind == "zstd":
        refuse_truncated_zstd(source)
    return _open_text(source, kind, connection)


def _connected(memory_limit: str | None) -> DuckDBPyConnection:
    duckdb = needed("duckdb", "files", "to read files")
    spill = Path(tempfile.gettempdir()) / f"stakes-{secrets.token_hex(8)}"  # made if it is needed, gone at the end
    settings = {"temp_directory": str(spill), "autoinstall_known_extensions": "false"}
    if memory_limit is not None:
        settings["memory_limit"] = memory_limit
    try:
        connection: DuckDBPyConnection = duckdb.connect(config=settings)
    except duckdb.Error:
        raise InputError("memory_limit", "be a size such as '1GB'", repr(memory_limit)) from None
    return connection


def _open_text(source: Path, kind: str, connection: DuckDBPyConnection) -> DataFile:
    """Open CSV or TSV; what had to be unpacked is kept as long as the result."""
    plain = unpack(source, kind) if kind in ("bz2", "xz") else source
    try:
        file = _text_file(source, plain, kind if kind in ("gzip", "zstd") else "none", connection)
    except BaseException:
        _forget(plain, source)
        raise
    weakref.finalize(file, _forget, plain, source)
    return file


def _forget(plain: Path, source: Path) -> None:
    """Remove what was unpacked; the file itself stays."""
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
    r"""Read some columns of a file into arrays, in the order of its rows.

    Parameters
    ----------
    file : DataFile
        The file, see `open_file`.
    numbers : iterable of str, keyword-only
        Columns to read as numbers; a value that is not a number is refused with its line. Missing is ``nan``.
    labels : iterable of str, keyword-only
        Columns to read as they are: text in CSV. Missing is ``None``.

    Returns
    -------
    dict of str to ndarray
        The columns. Row *i* of a text file is its line *i* + 2, see `DataFile.where`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes.frames import open_file, read_columns
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("died,risk,site\n0,0.2,007\n1,,008\n")
    ...     columns = read_columns(open_file(path), numbers=["risk"], labels=["site"])
    >>> columns["risk"].tolist(), columns["site"].tolist()
    ([0.2, nan], ['007', '008'])
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
