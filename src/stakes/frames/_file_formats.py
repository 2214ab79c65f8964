"""The format of a file, told by its first bytes; the dialect of text; what went wrong while reading."""

from __future__ import annotations

import bz2
import csv
import lzma
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from stakes._check import shown

READABLE = "CSV or TSV text (plain, gz, zst, bz2 or xz), Parquet, or Arrow IPC (Feather)"


_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz"}


_TABLES = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}


_OTHERS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy array",
    b"\x80\x04": "a Python pickle",
    b"\x80\x05": "a Python pickle",
    b"FEA1": "a Feather file of the first version",
    b"\xff\xff\xff\xff": "an Arrow stream",
    b"{": "JSON",
    b"[": "JSON",
    b"<": "HTML or XML",
}


def kind_of(path: Path) -> str:
    """Return Parquet, Arrow, gzip, zstd, bz2, xz or text; refuse what is no file, or no table."""
    first = _first_bytes(path)
    if not first:
        raise ValueError(f"{path.name} must be {READABLE}, got an empty file.")
    for magic, kind in (_PACKED | _TABLES).items():
        if first.startswith(magic):
            return kind
    for magic, what in _OTHERS.items():
        if first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(magic):
            raise ValueError(f"{path.name} must be {READABLE}, got {what}.")
    return "text"


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except IsADirectoryError:
        raise IsADirectoryError(f"{path.name} must be a file, got a folder.") from None
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} must be a file, got nothing of that name.") from None
    except OSError as error:
        raise type(error)(f"{path} must be a file that can be read: {error.strerror or error}.") from None


def unpack(path: Path, kind: str) -> Path:
    """Unpack bz2 or xz, which the engine cannot stream, into a temporary file."""
    opener = bz2.open if kind == "bz2" else lzma.open
    handle, name = tempfile.mkstemp(prefix="stakes-", suffix=".csv")
    try:
        with os.fdopen(handle, "wb") as unpacked, opener(path, "rb") as source:
            shutil.copyfileobj(source, unpacked, 1 << 20)
    except (EOFError, lzma.LZMAError, OSError) as error:
        Path(name).unlink()
        if isinstance(error, OSError) and error.errno is not None:  # a full disk, not a damaged file
            raise
        raise ValueError(f"{path.name} must be a whole {kind} file, got one that is truncated or damaged.") from None
    return Path(name)


def refuse_truncated_zstd(path: Path) -> None:
    """Walk over the blocks of a zstd file: the engine takes one that ends too early for a shorter one."""
    size = path.stat().st_size
    with path.open("rb") as file:
        while file.tell() < size:
            if not (_skip_frame(file) and file.tell() <= size):
                raise ValueError(f"{path.name} must be a whole zstd file, got one that is truncated or damaged.")


def _skip_frame(file: BinaryIO) -> bool:
    """Move behind one frame (RFC 8878, section 3.1); say whether there was one."""
    magic, descriptor = file.read(4), file.read(1)
    if len(descriptor) != 1:
        return False
    if magic[1:] == b"\x2a\x4d\x18" and magic[0] >> 4 == 5:  # skippable
        file.seek(int.from_bytes(descriptor + file.read(3), "little"), 1)
        return True
    if magic != b"\x28\xb5\x2f\xfd":
        return False
    flags = descriptor[0]
    single, checksum = flags >> 5 & 1, flags >> 2 & 1
    content = (single, 2, 4, 8)[flags >> 6]
    file.seek((1 - single) + (0, 1, 2, 4)[flags & 3] + content, 1)
    last = False
    while not last:
        header = file.read(3)
        if len(header) != 3:
            return False
        block = int.from_bytes(header, "little")
        last = bool(block & 1)
        file.seek(1 if block >> 1 & 3 == 1 else block >> 3, 1)  # a run is one byte, repeated
    file.seek(4 * checksum, 1)
    return True


DELIMITERS = ",\t;|"


MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "#N/A")


_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+|inf(inity)?)(e[+-]?\d+)?\s*", re.IGNORECASE)


_SAMPLE = 1000  # lines, to tell numbers from words; what is wanted as numbers is judged in every line


@dataclass(frozen=True)
class Dialect:
    """How a text is written: what parts its columns, what they are called, and what parts whole from decimal."""

    delimiter: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]  # number, yes or no, text
    decimal: str


def dialect(name: str, first_lines: Sequence[str]) -> Dialect:
    """Read the dialect of the file `name` from its first lines."""
    header = first_lines[0] if first_lines else ""
    delimiter = max(DELIMITERS, key=lambda one: len(_fields(header, one)))
    columns = _fields(header, delimiter)
    _judge_header(name, header, columns)
    rows = [row for line in first_lines[1 : _SAMPLE + 1] if len(row := _fields(line, delimiter)) == len(columns)]
    values = [[row[i] for row in rows if row[i].strip() not in MISSING] for i in range(len(columns))]
    kinds = tuple(_kind(column) for column in values)
    commas = delimiter == ";" and any(k == "number" and _has_comma(v) for k, v in zip(kinds, values, strict=True))
    return Dialect(delimiter, tuple(columns), kinds, "," if commas else ".")


def _fields(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter), [])


def _judge_header(name: str, header: str, columns: Sequence[str]) -> None:
    """Refuse a first line that is no header: without names, with numbers for names, or with one name twice."""
    wanted = f"{name} must have a first line with the names of its columns"
    shown = header if len(header) <= 60 else f"{header[:57]}..."
    if "\0" in header:
        raise ValueError(f"{name} must be text in UTF-8, got binary data.")
    if not any(column.strip() for column in columns):
        raise ValueError(f"{wanted}, got an empty line.")
    if all(_NUMBER.fullmatch(column) for column in columns):
        raise ValueError(f"{wanted}, got the numbers {shown!r}.")
    for column in columns:
        if columns.count(column) > 1:
            raise ValueError(f"{wanted}, got {column!r} {columns.count(column)} times.")


def _kind(values: Iterable[str]) -> str:
    found = set(values)
    if all(_NUMBER.fullmatch(value) for value in found):
        return "number"
    return "yes or no" if {value.strip().lower() for value in found} <= {"true", "false"} else "text"


def _has_comma(values: Iterable[str]) -> bool:
    return any("," in value for value in values)


# Said while spilling: one thread of the engine may meet the full disk writing to a file, another resizing it.
_FULL = ("Could not write file", "Could not truncate file", "No space left on device", "max_temp_directory_size")


def explained(path: Path, kind: str, columns: Sequence[str], said: str) -> Exception:
    """Make an error of what the engine said; `columns` are the names behind the numbers it knows."""
    if not path.exists():
        return FileNotFoundError(f"{path.name} must stay where it is while it is read, got nothing of that name.")
    if said.startswith("Out of Memory"):
        return MemoryError(f"{path.name} needs more memory than the engine may use: {_first_sentence(said)}.")
    if any(sign in said for sign in _FULL):
        return OSError(f"{path.name} needs more room than the folder for temporary files has: {_first_sentence(said)}.")
    wanted, got = _of_text(columns, said) or _of_packing(said) or _of_anything(kind, said)
    return ValueError(f"{path.name} must {wanted}, got {got}.")


def _of_text(columns: Sequence[str], said: str) -> tuple[str, str] | None:
    line = re.search(r"CSV Error on Line: (\d+)", said)
    at = f"line {line[1]}" if line else "a line"
    if wrong := re.search(r'converting column "(\d+)"\. Could not convert string "(.*?)" to \'(\w+)', said, re.DOTALL):
        wanted = "true and false" if wrong[3] == "BOOLEAN" else "numbers"
        hint = "; divide by 100, and leave out the sign" if wrong[2].endswith("%") else ""
        return f"have {wanted} in column `{columns[int(wrong[1])]}`", f"{shown(wrong[2])} at {at}{hint}"
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", said):
        return "have as many fields in every line as in the first", f"{fields[1]} there and {fields[2]} in {at}"
    if "unicode" in said:
        return "be text in UTF-8", f"something else in {at}"
    if "unterminated quote" in said:
        return "close every quotation mark", f"one in {at} that stays open"
    return None


def _of_packing(said: str) -> tuple[str, str] | None:
    return ("be a whole gzip file", "one that is truncated or damaged") if "GZIP" in said else None


def _of_anything(kind: str, said: str) -> tuple[str, str]:
    whole = f"whole {kind}" if kind in ("Parquet", "Arrow") else "readable text"
    return f"be a {whole} file", f"one that the engine cannot read: {_first_sentence(said)}"


def _first_sentence(said: str) -> str:
    line = said.partition("\n")[0]
    return (line.partition(": ")[2] or line).rstrip(".")
