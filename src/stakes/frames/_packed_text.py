"""Streams of packed text, each checked to its last byte."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from stakes._errors import UnreadableFileError
from stakes._optional import import_optional

DAMAGED = "one that is truncated or damaged"

_PIECE = 1 << 20  # bytes


def unpacked(path: Path, kind: str) -> Iterator[bytes]:
    """Unpack gzip, bz2, xz or zstd in pieces; raise unless every byte belongs to a whole stream.

    Checksums and lengths are compared where the format has them, after the last piece of each stream. So no piece is
    known to be good before all of them have been seen.
    """
    pieces = {"gzip": _gzip, "zstd": _zstd}.get(kind)
    try:
        yield from _streams(path, kind) if pieces is None else pieces(path)
    except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # a full disk, not a damaged file
            raise
        raise UnreadableFileError(path, f"be a whole {kind} file", DAMAGED) from None


def _gzip(path: Path) -> Iterator[bytes]:
    with gzip.open(path) as file:  # compares the checksum and the length of each member
        while piece := file.read(_PIECE):
            yield piece


def _zstd(path: Path) -> Iterator[bytes]:
    pyarrow = import_optional("pyarrow", "files", "to read zstd files")
    _check_blocks(path)
    with pyarrow.CompressedInputStream(pyarrow.OSFile(os.fspath(path)), "zstd") as file:
        while piece := file.read(_PIECE):
            yield piece


def _streams(path: Path, kind: str) -> Iterator[bytes]:
    """Unpack all streams of bz2 or xz, and nothing else; the standard library ignores other bytes."""
    with path.open("rb") as file:
        packed = file.read(_PIECE)
        while packed:
            stream = bz2.BZ2Decompressor() if kind == "bz2" else lzma.LZMADecompressor(lzma.FORMAT_XZ)
            while not stream.eof:
                if stream.needs_input and not packed and not (packed := file.read(_PIECE)):
                    raise EOFError
                yield stream.decompress(packed, _PIECE)
                packed = b""
            packed = stream.unused_data or file.read(_PIECE)
            if kind == "xz":  # streams may be padded with zeros
                while packed and not (packed := packed.lstrip(b"\0")):
                    packed = file.read(_PIECE)


def _check_blocks(path: Path) -> None:
    """Raise unless a zstd file has all its blocks, since a decoder may not miss the last ones."""
    size = path.stat().st_size
    with path.open("rb") as file:
        while file.tell() < size:
            if not (_skip_frame(file) and file.tell() <= size):
                raise UnreadableFileError(path, "be a whole zstd file", DAMAGED)


def _skip_frame(file: BinaryIO) -> bool:
    """Skip one frame (RFC 8878, section 3.1); return whether there was one."""
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
