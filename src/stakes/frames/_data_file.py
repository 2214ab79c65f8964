"""Files of predictions, read piece by piece in bounded memory by an embedded engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import InputError, Name, UnreadableFileError
from stakes.frames._file_formats import dialect, explain, kind_of, raised_in
from stakes.frames._office_copy import find_any_place, with_labels
from stakes.frames._plain_text import UNSTATED, Place, TextOptions, text_options
from stakes.frames._private_engine import PrivateEngine
from stakes.frames._scan import Scan, arrow, first_lines, page_check, parquet_names, scan_text, typed_scan
from stakes.frames._text_lines import Lines
from stakes.frames._unambiguous import folder_for_links
from stakes.frames._unchanged import FileState
from stakes.reading import PACKAGES, WORKBOOKS

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


@dataclass(frozen=True, eq=False, repr=False)
class DataFile:
    r"""A file of predictions with known columns, made by `open_file` and not read yet.

    Every function that takes a data frame also takes a `DataFile`.

    Attributes
    ----------
    path : Path
        Path of the file.
    format : str
        ``"CSV"``, ``"TSV"``, ``"Parquet"``, ``"Arrow"``, ``"Excel"``, ``"OpenDocument"``, ``"SPSS"``, ``"Stata"`` or
        ``"SAS"``.
    kinds : dict of str to str
        Kind of each column: ``"number"``, ``"yes or no"`` or ``"text"``, in text files inferred from the first lines;
        other files may also have ``"date or time"``, ``"binary"`` and ``"nested"``.
    scan : callable
        Function from the wanted columns to a relation of the engine.
    state : tuple
        Device, inode, size and time of modification when the file was opened. If they have changed before or after it
        is read, reading raises an error, since several passes would not have seen the same file.
    lines : object, optional
        Where the rows of a text file or a sheet are, for messages.
    notes : tuple of str
        One sentence for each thing about a file that was found out and not stated, such as its encoding.
    value_labels : dict of str to dict
        Labels of codes by column, in files of SPSS and Stata. They are read where labels are wanted, such as those of
        groups, or of outcomes with a `pos_label` in words; the codes where numbers are.

    Notes
    -----
    Several threads may read one `DataFile`.

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
    state: FileState
    lines: Lines | None = None
    notes: tuple[str, ...] = ()
    value_labels: Mapping[str, Mapping[float, str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        count = "1 column" if len(self.kinds) == 1 else f"{len(self.kinds)} columns"
        return f"DataFile({self.path.name}: {self.format} with {count})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.kinds)

    def line(self, row: int) -> int | None:
        """Return the line of a row of a text file or a sheet, counted from 1; other files have no lines."""
        return None if self.lines is None else self.lines.of_row(row)

    def where(self, row: int) -> str:
        """Return the place of a row, counted from 0: its line in a text file, else its number."""
        line = self.line(row)
        return f"row {row}" if line is None else f"line {line}"

    def relation(self, *, numbers: Iterable[str] = (), labels: Iterable[str] = ()) -> DuckDBPyRelation:
        """Return a relation of the engine with `numbers` as numbers and `labels` as written."""
        named = dict.fromkeys(numbers, "number") | dict.fromkeys(labels, "text")
        for column in named:
            self.known("columns", column)
        with self.reading():
            return self.scan({column: (column, how) for column, how in named.items()})

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
        """Turn errors of the engine into one sentence, and raise if the file changes meanwhile."""
        import duckdb

        try:
            self.state.check(self.path)
            yield
            self.state.check(self.path)
        except Exception as error:
            self.state.check(self.path)  # whatever went wrong, this is why
            if isinstance(error, duckdb.Error) or raised_in(error) == "pyarrow":  # which reads the batches
                raise explain(self.path, self.format, self.columns, str(error), self.lines) from None
            raise


def open_file(
    path: str | os.PathLike[str],
    *,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    sheet: str | None = None,
    memory_limit: str | None = None,
) -> DataFile:
    r"""Open a file of predictions in any format, for every function that takes a data frame.

    Only the first lines are read, to find the columns; the rest streams through DuckDB when it is needed. A packed
    text is unpacked once before, since only its end tells whether it is whole. A file that changes between two
    passes, a page of Parquet that differs from its checksum, and a line of more than 2 MB are errors.
    The format is detected from the content: CSV or TSV, Parquet, Arrow IPC (Feather; needs pyarrow), and with the extra
    ``office`` workbooks (.xlsx and .ods) and files of SPSS (.sav), Stata (.dta) and SAS (.sas7bdat), which are read
    whole and copied.

    Text may be as a spreadsheet saves it: compressed or not, in UTF-8, UTF-16 or Windows-1252, with commas,
    semicolons, tabs or bars between columns, decimal commas, thousands separators, percent signs, titles above the
    header, and empty lines and sums below the cases. What is found out is said in `DataFile.notes`. Empty fields, NA,
    NaN, NULL, None, ``-``, ``.``, ``?`` and what spreadsheets write for them are missing. A sheet of a workbook is
    read by the same rules; its lines are its rows.

    Parameters
    ----------
    path : str or path-like
        The file.
    encoding : str, keyword-only, optional
        Encoding of a text file, such as ``"cp1252"``. By default it is found out, and said in `notes` if it is not
        UTF-8: UTF-16 is known by its first bytes, and what is neither is taken for Windows-1252.
    missing : sequence of str, keyword-only, optional
        Marks of missing values in text files, sheets and files of SPSS, Stata and SAS, besides the common ones.
    sheet : str, keyword-only, optional
        Sheet of a workbook, needed only where several have data.
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
    (file,) = open_files([_check.path("path", path)], text_options(encoding, missing, sheet), memory_limit=memory_limit)
    return file


def open_files(
    sources: Sequence[Path], stated: TextOptions = UNSTATED, *, memory_limit: str | None = None
) -> list[DataFile]:
    """Open files with one engine, which has one folder to spill to, however many they are."""
    if not sources:
        return []
    kinds = [kind_of(source) for source in sources]
    states = [FileState.of(source) for source in sources]
    with ExitStack() as until:  # what is temporary goes with what reads the files, or at once if nothing does
        folder = folder_for_links(until)
        places = [find_any_place(*one, stated, until, folder) for one in zip(sources, kinds, strict=True)]
        engine = PrivateEngine([place.path for place in places], until, memory_limit)
        files = [_open(engine, stated, *one) for one in zip(sources, kinds, places, states, strict=True)]
        engine.keep(until)
    return files


def _open(
    engine: PrivateEngine, stated: TextOptions, source: Path, kind: str, place: Place, state: FileState
) -> DataFile:
    if kind in ("Parquet", "Arrow"):
        file = DataFile(source, kind, *_columns_and_scan(source, kind, place.path, engine), state)
    elif kind in PACKAGES:
        columns = with_labels(*_columns_and_scan(source, kind, place.path, engine), place.labels)
        file = DataFile(source, kind, *columns, state, notes=place.notes, value_labels=place.labels)
    else:
        file = _text_file(source, kind, place, engine, stated, state)
    state.check(source)
    return file


def _columns_and_scan(source: Path, kind: str, place: Path, engine: PrivateEngine) -> tuple[dict[str, str], Scan]:
    """Return the columns and the scan of Arrow, Parquet or a copy; each scan has its own cursor."""
    if kind == "Arrow":
        names = arrow(source, place).schema.names
        return typed_scan(source, names, lambda: engine.cursor().from_arrow(arrow(source, place)))

    def scan() -> DuckDBPyRelation:
        return engine.cursor().read_parquet(str(place), hive_partitioning=False)

    names = parquet_names(engine, source, place)
    return typed_scan(source, names, scan, *([page_check(engine, source, place)] if kind == "Parquet" else []))


def _text_file(
    source: Path, kind: str, place: Place, engine: PrivateEngine, stated: TextOptions, state: FileState
) -> DataFile:
    first = first_lines(engine, source, place.path, place.packing)
    written = dialect(source, first, place.delimiter, stated.missing)
    return DataFile(
        source,
        kind if kind in WORKBOOKS else "TSV" if written.delimiter == "\t" else "CSV",
        dict(zip(written.columns, written.kinds, strict=True)),
        partial(scan_text, engine, place.path, place.packing, written),
        state,
        place.text_lines(len(written.columns)),
        place.notes,
    )


def fetch(file: DataFile, scan: Callable[[], DuckDBPyRelation]) -> dict[str, npt.NDArray[Any]]:
    """Execute a scan of a file; raise if it has no rows."""
    with file.reading():
        found: dict[str, npt.NDArray[Any]] = scan().fetchnumpy()
    if not all(map(len, found.values())):
        raise UnreadableFileError(file.path, "hold at least one case", "none")
    return found


def as_floats(column: npt.NDArray[Any]) -> npt.NDArray[np.floating]:
    """Return a column of the engine as numbers, nan where one is missing."""
    kept = column.dtype in (np.float32, np.float64)
    return np.asarray(np.ma.asarray(column if kept else column.astype(np.float64)).filled(np.nan))


def as_objects(column: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
    """Return a column of the engine as labels, None where one is missing."""
    objects = np.asarray(column).astype(object)
    objects[np.ma.getmaskarray(column)] = None
    return objects
