"""Workbooks and files of statistics packages, known by their bytes and by the contents of archives."""

from __future__ import annotations

import mmap
import zipfile
import zlib
from pathlib import Path

WORKBOOKS = ("Excel", "OpenDocument")

PACKAGES = ("SPSS", "Stata", "SAS")

_ARCHIVE, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")

_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"


# What else an archive is that holds such a file, and what to do about it.
_OTHER_ARCHIVES = {
    "xl/workbook.bin": ("a binary Excel workbook (.xlsb)", "save it as .xlsx"),
    "word/document.xml": ("a Word document", "copy its table into a workbook"),
    "ppt/presentation.xml": ("a PowerPoint presentation", "copy its table into a workbook"),
    "Index/Document.iwa": ("a document of Apple's Numbers or Pages", "export it as .xlsx"),
}


# The same for the older files of Office, by the names of their streams.
_STREAMS = {
    "EncryptedPackage": ("a workbook or document with a password", "save it without one"),
    "WordDocument": ("an old Word document", "copy its table into a workbook"),
    "Workbook": ("an old Excel workbook (.xls)", "save it as .xlsx"),
    "Book": ("an old Excel workbook (.xls)", "save it as .xlsx"),
}


def office_kind(path: Path, first: bytes) -> str | None:
    """Return the program of a file that is read, given its first bytes; None for other files."""
    if first.startswith(_ARCHIVE):
        return _kind_of_archive(path)
    if first.startswith((b"$FL2", b"$FL3")):
        return "SPSS"
    if first.startswith(b"<stata_dta>") or _is_old_stata(first):
        return "Stata"
    return "SAS" if first.startswith(_SAS) else None


def _is_old_stata(first: bytes) -> bool:
    """Whether these are a version before 13, the order of bytes, and a 1, which no text begins with."""
    return len(first) > 3 and 104 <= first[0] <= 115 and first[1] in (1, 2) and first[2] == 1


def _kind_of_archive(path: Path) -> str | None:
    names = _names(path)
    if "xl/workbook.xml" in names:
        return "Excel"
    return "OpenDocument" if _media_type(path, names).startswith(_SPREADSHEET) else None


def _names(path: Path) -> frozenset[str]:
    """Return the names of the files in an archive; none if it is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            return frozenset(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        return frozenset()


def _media_type(path: Path, names: frozenset[str]) -> bytes:
    if "mimetype" not in names:
        return b""
    try:
        with zipfile.ZipFile(path) as archive, archive.open("mimetype") as file:
            return file.read(100)
    except RuntimeError:  # it asks for a password
        return b""
    except (zipfile.BadZipFile, EOFError, zlib.error):  # damaged
        return b""


def other_office(path: Path, first: bytes) -> tuple[str, str] | None:
    """Describe a file of an office or an archiver that is not read, and the remedy."""
    if first.startswith(_ARCHIVE):
        return _other_archive(path)
    if first.startswith(_OLD_OFFICE):
        return next((found for stream, found in _STREAMS.items() if _has_stream(path, stream)), _OLD)
    return None


_OLD = ("an old file of Office", "save it as .xlsx")


def _other_archive(path: Path) -> tuple[str, str]:
    names = _names(path)
    if not names:
        return "a workbook or zip archive that is truncated or damaged", ""
    if _media_type(path, names).startswith(b"application/vnd.oasis.opendocument"):
        return "an OpenDocument file without sheets", "copy its table into a workbook"
    return next((found for name, found in _OTHER_ARCHIVES.items() if name in names), ("a zip archive", "unpack it"))


def _has_stream(path: Path, name: str) -> bool:
    """Whether an old file of Office has a stream of this name, in UTF-16 with a 0 at its end."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(f"{name}\0".encode("utf-16-le")) >= 0


_R = (b"X\n\x00\x00\x00", b"A\n", b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n")


def is_of_r(first: bytes) -> bool:
    """Whether the first bytes, unpacked, are those of R's own files."""
    return first.startswith(_R[:1]) or first.startswith(_R[2:]) or (first.startswith(_R[1]) and first[2:3].isdigit())
