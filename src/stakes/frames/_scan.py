"""Scans of files: relations that read the wanted columns when they are executed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stakes._errors import UnreadableFileError
from stakes._optional import import_optional
from stakes.frames._file_formats import Dialect, check_names, explain
from stakes.frames._long_lines import LONGEST
from stakes.frames._packed_text import DAMAGED
from stakes.frames._parquet_pages import Chunk, check_pages

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from stakes.frames._private_engine import PrivateEngine

Wanted = Mapping[str, tuple[str, str]]  # a name to the column that it is given to, and to number or text

Scan = Callable[[Wanted], "DuckDBPyRelation"]

_FIRST_LINES = 1001  # the header, and enough lines to tell numbers from words

_TYPES = {"number": "DOUBLE", "yes or no": "BOOLEAN", "text": "VARCHAR"}


# A folder may be called ``a=1``, and that adds no column; a line of `LONGEST` bytes without an end is whole.
_READ = f"hive_partitioning = false, max_line_size = {LONGEST + 1}"


# Kinds of columns of typed files, by the engine's names of types; the first that matches.
_KINDS = {
    "nested": r".*\[\d*\]|(STRUCT|MAP|UNION|LIST|ARRAY|VARIANT).*",
    "number": r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*",
    "yes or no": "BOOLEAN",
    "date or time": r"DATE|TIME.*|INTERVAL",
    "binary": "BLOB|BIT|GEOMETRY.*",
    "text": ".*",
}


def _text(value: str) -> str:
    escaped = value.replace("'", "''")
    return f"'{escaped}'"


def _name(value: str) -> str:
    escaped = value.replace('"', '""')  # names come from files, and may hold anything
    return f'"{escaped}"'


# ------------------------------------------------------------------------------------------- Parquet and Arrow


Check = Callable[[Sequence[str]], None]  # raises if what the file has of these columns is damaged


def typed_scan(
    source: Path, names: Sequence[str], scan: Callable[[], DuckDBPyRelation], check: Check = lambda _: None
) -> tuple[dict[str, str], Scan]:
    """Return the kinds of the columns of a typed file, and its scan.

    The engine ignores capitals in names, and calls some columns otherwise than the file does.
    """
    first = scan()
    check_names(source, names)
    types = {name: str(type_) for name, type_ in zip(names, first.types, strict=True)}
    kinds = {name: _kind(type_) for name, type_ in types.items()}
    called = dict(zip(names, first.columns, strict=True))

    def selected(wanted: Wanted) -> DuckDBPyRelation:
        for column, how in wanted.values():
            if how == "number" and kinds[column] not in ("number", "yes or no"):
                raise UnreadableFileError(source, f"have numbers in column `{column}`", types[column])
            if kinds[column] in ("binary", "nested"):
                raise UnreadableFileError(source, f"have labels in column `{column}`", types[column])
        check([column for column, _ in wanted.values()])
        found = scan()
        return found.select(
            *(_typed_column(called[column], types[column], how).alias(name) for name, (column, how) in wanted.items())
        )

    return kinds, selected


def _kind(type_: str) -> str:
    return next(kind for kind, types in _KINDS.items() if re.fullmatch(types, type_, re.DOTALL))


def _typed_column(column: str, type_: str, how: str) -> Any:
    """Select a column; types that Python, or another engine, may write otherwise become text or numbers."""
    import duckdb

    found = duckdb.ColumnExpression(column)
    if type_ in _COMMON:
        return found
    return found.cast(_TYPES["number"] if how == "number" or type_.startswith("DECIMAL") else _TYPES["text"])


_COMMON = {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}


_COMMON |= {"FLOAT", "DOUBLE", "VARCHAR"}


def parquet_names(engine: PrivateEngine, source: Path, place: Path) -> list[str]:
    """Return the names of the columns of a Parquet file, as they are written in it."""
    import duckdb

    query = "select name, num_children from parquet_schema(?)"
    try:
        _, *entries = engine.cursor().execute(query, [str(place)]).fetchall()
    except duckdb.Error as error:
        raise explain(source, "Parquet", (), str(error)) from None
    names, inside = [], 0
    for name, children in entries:  # those of a nested column follow it
        if not inside:
            names.append(name)
        inside += (children or 0) - (1 if inside else 0)
    return names


def page_check(engine: PrivateEngine, source: Path, place: Path) -> Check:
    """Return what compares the pages of columns of a Parquet file with their checksums, each of them once."""
    checked: set[str] = set()

    def check(columns: Sequence[str]) -> None:
        if new := set(columns) - checked:
            check_pages(source, [chunk for column, chunk in _chunks(engine, place) if column in new])
            checked.update(new)

    return check


def _chunks(engine: PrivateEngine, place: Path) -> Iterator[tuple[str, Chunk]]:
    query = """
        select path_in_schema, least(nullif(data_page_offset, 0), nullif(dictionary_page_offset, 0)) as start,
        total_compressed_size, num_values from parquet_metadata(?) where start is not null"""
    for column, start, length, values in engine.cursor().execute(query, [str(place)]).fetchall():
        yield column, Chunk(start, length, values)


def arrow(source: Path, place: Path) -> Any:
    """Open an Arrow file as a dataset, which the engine streams; errors name `source`."""
    import_optional("pyarrow", "files", "to read Arrow files")
    import pyarrow
    from pyarrow import dataset

    try:
        opened = dataset.dataset(place, format="ipc")
        list(opened.schema.names)  # damaged ones cannot be decoded
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        if not os.access(place, os.R_OK):
            raise
        raise UnreadableFileError(source, "be a whole Arrow file", DAMAGED) from None
    return opened


# ------------------------------------------------------------------------------------------- text


def first_lines(engine: PrivateEngine, source: Path, plain: Path, packing: str) -> Sequence[str]:
    """Read the first lines of the unpacked text `plain`; errors name `source`."""
    import duckdb

    query = f"""
        select line from read_csv({_text(str(plain))}, auto_detect = false, columns = {{'line': 'VARCHAR'}},
        delim = '\x01', quote = '', escape = '', header = false, {_READ}, compression = '{packing}')
        limit {_FIRST_LINES}"""
    try:
        return [line or "" for (line,) in engine.cursor().execute(query).fetchall()]
    except duckdb.Error as error:
        raise explain(source, "text", (), str(error)) from None


def scan_text(engine: PrivateEngine, plain: Path, packing: str, written: Dialect, wanted: Wanted) -> DuckDBPyRelation:
    """Scan a text by the numbers of its columns, since the engine ignores the case of their names."""
    numbers = {column: number for number, column in enumerate(written.columns)}
    types = ", ".join(
        f"'{number}': '{_type(_ways(wanted, column), kind)}'"
        for (column, number), kind in zip(numbers.items(), written.kinds, strict=True)
    )
    chosen = ", ".join(
        f"{_cast(numbers[column], how, _ways(wanted, column))} as {_name(name)}"
        for name, (column, how) in wanted.items()
    )
    missing = ", ".join(map(_text, written.missing))
    return engine.cursor().sql(f"""
        select {chosen} from read_csv({_text(str(plain))}, auto_detect = false, columns = {{{types}}},
        delim = {_text(written.delimiter)}, quote = '"', escape = '"', header = true, nullstr = [{missing}],
        decimal_separator = {_text(written.decimal)}, {_READ}, compression = '{packing}')""")


def _ways(wanted: Wanted, column: str) -> set[str]:
    """Return the ways in which a column is wanted: as numbers, as text, both or none."""
    return {how for one, how in wanted.values() if one == column}


def _type(ways: set[str], kind: str) -> str:
    """Return the type to read a column with: text, without parsing, for columns that are not wanted."""
    if ways != {"number"}:
        return _TYPES["text"]
    return _TYPES["yes or no" if kind == "yes or no" else "number"]


def _cast(number: int, how: str, ways: set[str]) -> str:
    """Return a column, converted if it is wanted both as numbers and as text, and so read as text."""
    return f'cast("{number}" as {_TYPES["number"]})' if how == "number" and len(ways) > 1 else f'"{number}"'
