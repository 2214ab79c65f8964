"""What kind of file this is, told by its first bytes: its name may say nothing, or something else."""

from __future__ import annotations

import bz2
import lzma
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

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
