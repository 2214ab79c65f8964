"""Pages of Parquet files, compared with the checksums in their headers, which engines ignore."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from stakes._errors import UnreadableFileError
from stakes.frames._packed_text import DAMAGED

_FIRST, _MOST = 512, 1 << 26  # bytes of a header that are read: nearly always enough, and never exceeded


# Fields of a page header (parquet.thrift), and of the header of its content; a data page is of type 0 or, later, 3.
_TYPE, _SIZE, _CHECKSUM, _CONTENT, _VALUES = 1, 3, 4, {0: 5, 3: 8}, 1


class DamagedPageError(Exception):
    """A page, or its header, is not what was written."""


class Chunk(NamedTuple):
    """Where one column of a row group is, and how many values it has."""

    start: int
    length: int
    values: int


def check_pages(path: Path, chunks: Iterable[Chunk]) -> None:
    """Raise if a page differs from its checksum; chunks without checksums cannot be checked.

    A flipped bit in a header may hide a checksum, or a page. So either all pages have one or none has, and where
    they have, the pages of a chunk fill it and hold its values.
    """
    with path.open("rb") as file:
        try:
            found = {_has_checksums(file, chunk) for chunk in chunks}
        except (DamagedPageError, IndexError, KeyError, TypeError, ValueError, RecursionError):  # a header that is none
            found = {True, False}
    if len(found) > 1:
        raise UnreadableFileError(path, "be a whole Parquet file", DAMAGED)


def _has_checksums(file: BinaryIO, chunk: Chunk) -> bool:
    """Compare the pages of a chunk with their checksums; return whether they have any."""
    at, values, seen = chunk.start, 0, set()
    while at < chunk.start + chunk.length:
        header, size = _header(file, at)
        length, checksum = header[_SIZE], header.get(_CHECKSUM)
        if length < 0:
            raise DamagedPageError("a page of negative length")
        if checksum is not None:
            file.seek(at + size)
            if zlib.crc32(file.read(length)) != checksum & 0xFFFFFFFF:
                raise DamagedPageError("a page that differs from its checksum")
        seen.add(checksum is not None)
        values += header[_CONTENT[header[_TYPE]]][_VALUES] if header[_TYPE] in _CONTENT else 0
        at += size + length
    if True in seen and (False in seen or at != chunk.start + chunk.length or values != chunk.values):
        raise DamagedPageError("pages that are not those of the chunk")
    return True in seen


def _header(file: BinaryIO, at: int) -> tuple[dict[int, Any], int]:
    """Read the header of a page, and return it with its length."""
    room = _FIRST
    while True:
        file.seek(at)
        data = file.read(room)
        try:
            return _struct(data, 0)
        except IndexError:  # it is longer, because of the statistics in it
            if len(data) < room or room >= _MOST:
                raise
            room *= 16


# ------------------------------------------------------------------------------------------- Thrift, compact


def _struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    """Read a structure: the value of each field, by its number, and the place after it."""
    fields: dict[int, Any] = {}
    number = 0
    while data[at]:
        kind, step = data[at] & 15, data[at] >> 4
        at += 1
        if step:
            number += step
        else:
            number, at = _integer(data, at)
        fields[number], at = _value(data, at, kind)
    return fields, at + 1


def _value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in (1, 2):
        return kind == 1, at
    if kind == 3:
        return data[at], at + 1
    if kind in (4, 5, 6):
        return _integer(data, at)
    if kind == 7:
        return data[at : at + 8], at + 8
    if kind == 8:
        length, at = _varint(data, at)
        return data[at : at + length], at + length
    if kind in (9, 10):
        return _list(data, at)
    if kind == 12:
        return _struct(data, at)
    raise DamagedPageError(f"no type of Thrift: {kind}")


def _list(data: bytes, at: int) -> tuple[list[Any], int]:
    length, kind = data[at] >> 4, data[at] & 15
    at += 1
    if length == 15:
        length, at = _varint(data, at)
    items = []
    for _ in range(length):
        item, at = (data[at], at + 1) if kind in (1, 2) else _value(data, at, kind)
        items.append(item)
    return items, at


def _integer(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return value >> 1 ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & 128:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1
