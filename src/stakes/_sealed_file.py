"""JSON files that state the SHA-256 of their contents, so that a changed one gives no number."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stakes import _check
from stakes._errors import UnreadableFileError
from stakes._whole_file import opening_error, write_whole

_INFINITE = {"infinity": math.inf, "-infinity": -math.inf}


def write_sealed(path: Path, contents: Mapping[str, Any]) -> None:
    """Write contents with their SHA-256, whole or not at all."""
    whole = {**contents, "sha256": _checksum(contents)}
    write_whole(path, [json.dumps(whole, indent=1, allow_nan=False), "\n"])


def read_sealed(source: Path, kind: str, version: int | tuple[int, ...], writer: str) -> dict[str, Any]:
    """Return the contents of a sealed file; raise if it was changed, or is of another kind or format."""
    versions = (version,) if isinstance(version, int) else version
    contents = _contents(source, writer)
    if contents.get("kind") != kind:
        raise unreadable(source, writer, f"it does not say that it is a {kind}")
    if contents.get("format") not in versions:
        found, known = _check.show(contents.get("format")), " and ".join(map(str, versions))
        raise unreadable(source, writer, f"it has format {found}, and this version reads {known}")
    stated = contents.pop("sha256", None)
    if stated != _checksum(contents):
        reason = "its contents do not have the sha256 that it states, so it was changed or damaged"
        raise unreadable(source, writer, reason)
    return contents


def unreadable(source: Path, writer: str, reason: str) -> UnreadableFileError:
    """Return the error for a file that was not written by `writer`, or is not as it was."""
    return UnreadableFileError(source, f"be a file written by `{writer}`: {reason}")


def plain(value: float) -> float | str | None:
    """Return a number as JSON has it: null for nan, words for infinity."""
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    return None if math.isnan(value) else value


def number_of(value: float | str | None) -> float:
    """Return the number that `plain` wrote."""
    if value is None:
        return math.nan
    return _INFINITE[value] if isinstance(value, str) else _check.number("value", value)


class _NotPlainJSONError(ValueError):
    """JSON that Python reads, but that nobody wrote who seals files."""


def _contents(source: Path, writer: str) -> dict[str, Any]:
    """Return the JSON object of a file, of which every key is there once."""
    try:
        contents = json.loads(source.read_text(encoding="utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, a key twice
        raise unreadable(source, writer, "it is not JSON, or only part of it") from None
    except OSError as error:
        raise opening_error(source, error) from None
    if not isinstance(contents, dict):
        raise unreadable(source, writer, "it is not a JSON object")
    return contents


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise _NotPlainJSONError("a key twice")
    return dict(pairs)


def _no_constant(text: str) -> float:
    raise _NotPlainJSONError(text)  # NaN and Infinity, which Python would read and nobody wrote


def _checksum(contents: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the contents, whatever the order of keys and the blanks between them."""
    text = json.dumps(contents, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
