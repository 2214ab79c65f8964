"""Scans of files: relations that read the wanted columns when they are executed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stakes._errors import UnreadableFileError
from stakes._optional import needed
from stakes.frames._file_formats import DAMAGED, MISSING, Dialect, explain

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

Wanted = Mapping[str, str]  # column to number or text; empty: all columns, as they are


Scan = Callable[[Wanted], "DuckDBPyRelation"]


_FIRST_LINES = 1001  # the header, and enough lines to tell numbers from words


_TYPES = {"number": "DOUBLE", "yes or no": "BOOLEAN", "text": "VARCHAR"}


_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*")


def literal(path: Path) -> str:
    """Return a path escaped, so that the engine does not read it as a pattern."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _text(value: str) -> str:
    escaped = value.replace("'", "''")
    return f"'{escaped}'"


def _name(column: str) -> str:
    escaped = column.replace('"', '""')
    return f'"{escaped}"'


# ------------------------------------------------------------------------------------------- Parquet and Arrow


def typed_scan(source: Path, kind: str, scan: Callable[[], DuckDBPyRelation]) -> tuple[dict[str, str], Scan]:
    """Return the kinds of the columns of a typed file, and its scan."""
    import duckdb

    try:
        first = scan()
    except duckdb.Error as error:
        raise explain(source, kind, (), str(error)) from None
    kinds = {column: _kind(str(type_)) for column, type_ in zip(first.columns, first.types, strict=True)}

    def selected(wanted: Wanted) -> DuckDBPyRelation:
        for column, want in wanted.items():
            if want == "number" and kinds[column] == "text":
                raise UnreadableFileError(source, f"have numbers in column `{column}`", _type(first, column))
        return scan().select(*(duckdb.ColumnExpression(column) for column in wanted or kinds))

    return kinds, selected


def _kind(type_: str) -> str:
    if _NUMBER.fullmatch(type_):
        return "number"
    return "yes or no" if type_ == "BOOLEAN" else "text"


def _type(relation: DuckDBPyRelation, column: str) -> str:
    return str(relation.types[relation.columns.index(column)])


def arrow(path: Path) -> Any:
    """Open an Arrow file as a dataset, which the engine streams."""
    needed("pyarrow", "files", "to read Arrow files")
    import pyarrow
    from pyarrow import dataset

    try:
        opened = dataset.dataset(path, format="ipc")
        list(opened.schema.names)  # damaged ones cannot be decoded
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        if not os.access(path, os.R_OK):
            raise
        raise UnreadableFileError(path, "be a whole Arrow file", DAMAGED) from None
    return opened


# ------------------------------------------------------------------------------------------- text


def first_lines(connection: DuckDBPyConnection, source: Path, plain: Path, packing: str) -> Sequence[str]:
    """Read the first lines of the unpacked text `plain`; errors name `source`."""
    import duckdb

    query = f"""
        select line from read_csv({_text(literal(plain))}, auto_detect = false, columns = {{'line': 'VARCHAR'}},
        delim = '\x01', quote = '', escape = '', header = false, compression = '{packing}') limit {_FIRST_LINES}"""
    try:
        return [line or "" for (line,) in connection.execute(query).fetchall()]
    except duckdb.Error as error:
        raise explain(source, "text", (), str(error)) from None


def scan_text(
    connection: DuckDBPyConnection, plain: Path, packing: str, written: Dialect, wanted: Wanted
) -> DuckDBPyRelation:
    """Scan a text by the numbers of its columns, since the engine ignores the case of their names."""
    kinds = dict(zip(written.columns, written.kinds, strict=True))
    types = ", ".join(f"'{i}': '{_as(wanted, column, kind)}'" for i, (column, kind) in enumerate(kinds.items()))
    chosen = [f'"{i}" as {_name(column)}' for i, column in enumerate(kinds) if column in (wanted or kinds)]
    missing = ", ".join(map(_text, MISSING))
    return connection.sql(f"""
        select {", ".join(chosen)} from read_csv({_text(literal(plain))}, auto_detect = false, columns = {{{types}}},
        delim = {_text(written.delimiter)}, quote = '"', escape = '"', header = true, nullstr = [{missing}],
        decimal_separator = '{written.decimal}', compression = '{packing}')""")


def _as(wanted: Wanted, column: str, kind: str) -> str:
    """Return the type to read a column with: text, without parsing, for columns that are not wanted."""
    if not wanted or (wanted.get(column) == "number" and kind == "yes or no"):
        return _TYPES[kind]
    return _TYPES[wanted.get(column, "text")]
