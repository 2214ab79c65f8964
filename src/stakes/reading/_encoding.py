"""Encodings of text, found from all of its bytes."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain

from stakes._check import show
from stakes._errors import InputError, InputTypeError

UTF_8 = "utf-8"


# What people call the encodings that are found, or that they are likely to name.
_CALLED = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": "Windows-1252",
    "iso8859-1": "Latin-1",
}

_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

_LOOKED_AT = 4096  # bytes, to tell UTF-16 without a mark from binary data


def encoding_called(encoding: str) -> str:
    """Return the name of an encoding as people write it."""
    return _CALLED.get(encoding, encoding)


def check_encoding(name: str) -> str:
    """Return the standard name of an encoding that was asked for; raise if there is none."""
    if not isinstance(name, str):
        raise InputTypeError("encoding", "be the name of a text encoding", show(name))
    try:
        found = codecs.lookup(name)
        "".encode(found.name)  # some codecs are not of text
    except LookupError:
        hint = "common ones are utf-8, cp1252, latin-1 and utf-16"
        raise InputError("encoding", "be the name of a text encoding", repr(name), hint=hint) from None
    return found.name


def find_encoding(pieces: Iterable[bytes]) -> str:
    """Return UTF-16 if the text says so, UTF-8 if every byte fits it, and Windows-1252 otherwise.

    Windows-1252 is what spreadsheets in western countries save, and fits almost any bytes: it can only be assumed.
    """
    each = iter(pieces)
    first = next(each, b"")
    if marked := _MARKS.get(first[:2]):
        return marked
    if wide := _wide(first[:_LOOKED_AT]):
        return wide
    return UTF_8 if _is_utf_8(chain([first], each)) else "cp1252"


def _wide(first: bytes) -> str | None:
    """Return UTF-16 without a mark, where most characters have one byte that is 0."""
    low, high = first[0::2].count(0), first[1::2].count(0)
    half = len(first) // 2
    if half and high > 0.7 * half and low < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if half and low > 0.7 * half and high < 0.1 * half else None


def _is_utf_8(pieces: Iterable[bytes]) -> bool:
    decoder = codecs.getincrementaldecoder(UTF_8)()
    try:
        for piece in pieces:
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def as_utf_8(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield a text in UTF-8, without a mark at its start."""
    start = True
    for text in codecs.iterdecode(pieces, encoding):
        yield (text.removeprefix("\ufeff") if start else text).encode()
        start = start and not text
