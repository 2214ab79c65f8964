"""Files of SPSS, Stata and SAS: numbers and texts as they are, codes with their labels beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stakes._optional import import_optional
from stakes._spellings import same_when_plain
from stakes.reading._package_process import package_content
from stakes.reading._plain_copy import column_names
from stakes.reading._sheet import number_text

_MOST_EXACT = 2**53  # whole numbers up to here are exact

Values = Sequence[Any]  # of a column: numbers, texts, and None


@dataclass(frozen=True)
class Package:
    """Columns of a file, the labels of codes by column, and a sentence for each thing that was found out."""

    columns: Mapping[str, Values]
    labels: Mapping[str, Mapping[float, str]]
    notes: tuple[str, ...]


def label_column(column: str) -> str:
    """Return the name of the column with the labels of another; no name of these programs has a blank."""
    return f"labels of {column}"


def write_package(path: Path, kind: str, encoding: str | None, marks: Collection[str], target: Path) -> Package:
    """Write a file of a package as Parquet, with a column of labels for each column of labelled codes."""
    found = _read(path, kind, encoding, marks)
    pyarrow = import_optional("pyarrow", "files", "to read files of SPSS, Stata and SAS")
    parquet = import_optional("pyarrow.parquet", "files", "to read files of SPSS, Stata and SAS")
    columns = {name: pyarrow.array(values, _type(pyarrow, values)) for name, values in found.columns.items()}
    for name, labels in found.labels.items():
        shown = [None if code is None else labels.get(code, number_text(code)) for code in found.columns[name]]
        columns[label_column(name)] = pyarrow.array(shown, pyarrow.string())
    parquet.write_table(pyarrow.Table.from_arrays([*columns.values()], names=[*columns]), target)
    return found


def _type(pyarrow: Any, values: Values) -> Any:
    """Return the type of a column: text if it has any, whole numbers if all are."""
    present = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in present):
        return pyarrow.string()
    whole = all(value == value and abs(value) < _MOST_EXACT and value == int(value) for value in present)
    return pyarrow.int64() if whole and present else pyarrow.float64()


def _read(path: Path, kind: str, encoding: str | None, marks: Collection[str]) -> Package:
    columns, about = package_content(path, kind, encoding)
    numbers = [float(mark) for mark in marks if _is_number(mark)]
    plain = {name: [_value(one, marks, numbers) for one in values] for name, values in columns.items()}
    labels, unclear = _labels(plain, about["labels"])
    read_as = () if about["is_ascii"] or "read_as" not in about else (f"The text is read as {about['read_as']}.",)
    return Package(plain, labels, (*read_as, *_notes(labels, unclear, about["declared"], about["dated"])))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _value(value: Any, marks: Collection[str], numbers: Collection[float]) -> Any:
    """Return a number or a text; None for a missing value."""
    if isinstance(value, str):
        return None if not value.strip() or value.strip() in marks else value
    return None if value is None or value in numbers else value


def _labels(
    columns: Mapping[str, Values], stated: Mapping[str, Sequence[tuple[float, str]]]
) -> tuple[dict[str, dict[float, str]], list[str]]:
    """Return the labels of columns of codes, and the columns whose labels do not tell all codes apart."""
    labels: dict[str, dict[float, str]] = {}
    unclear = []
    for name, given in stated.items():
        codes = {value for value in columns.get(name, ()) if value is not None}
        if not codes or any(isinstance(code, str) for code in codes):
            continue  # texts that stand for others stay what they are
        found = {code: text for code, text in given if text.strip()}
        shown = {same_when_plain(found.get(code, number_text(code))) for code in codes}
        if len(shown) < len(codes):
            unclear.append(name)
        elif found.keys() & codes:
            labels[name] = {float(code): text for code, text in found.items()}
    return labels, unclear


def _notes(
    labels: Collection[str], unclear: Sequence[str], missing: Sequence[str], dated: Sequence[str]
) -> Iterator[str]:
    if labels:
        yield f"Codes in {_list([*labels])} are read as numbers, and as their labels where labels are wanted."
    if unclear:
        yield f"Labels of {_list(unclear)} are not used, since two codes have the same."
    if missing:
        yield f"Values declared missing in {_list(missing)} are missing."
    if dated:
        yield f"Dates in {_list(dated)} are read as labels."


_MOST_LISTED = 5


def _list(names: Sequence[str]) -> str:
    return column_names([*names]) if len(names) <= _MOST_LISTED else f"{len(names)} columns"
