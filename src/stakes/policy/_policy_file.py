"""A policy as a JSON file, in the form of ``policy.schema.json``, with a checksum of its contents."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, UnreadableFileError
from stakes._whole_file import write_whole
from stakes.limits import Limits

KIND, FORMAT = "stakes policy", 1


_SCALES = ("cost proportion", "fractional cost", "cost ratio", "inverse cost ratio")


_INFINITE = {"infinity": math.inf, "-infinity": -math.inf}


def write_policy(path: str | os.PathLike[str], fields: Mapping[str, Any], steps: Mapping[str, FloatArray]) -> None:
    """Write the fields and the steps of a policy, whole or not at all."""
    limits: Limits = fields["limits"]
    contents = {
        "kind": KIND,
        "format": FORMAT,
        "model": fields["model"],
        "scale": fields["scale"],
        "prevalence": _plain(fields["prevalence"]),
        "limits": {"capacity": limits.capacity, "min_precision": limits.min_precision},
        "steps": [
            {name: _plain(value) for name, value in zip(steps, row, strict=True)}
            for row in zip(*(column.tolist() for column in steps.values()), strict=True)
        ],
    }
    whole = contents | {"sha256": _checksum(contents)}
    write_whole(_check.path("path", path), [json.dumps(whole, indent=1, allow_nan=False), "\n"])


def read_policy(path: str | os.PathLike[str], columns: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a saved policy; raise if it was changed, or is of another kind or format."""
    source = _check.path("path", path)
    contents = _contents(source)
    if contents.get("kind") != KIND:
        raise _unreadable(source, f"it does not say that it is a {KIND}")
    if contents.get("format") != FORMAT:
        raise _unreadable(
            source, f"it has format {_check.show(contents.get('format'))}, and this version reads {FORMAT}"
        )
    stated = contents.pop("sha256", None)
    if stated != _checksum(contents):
        raise _unreadable(source, "its contents do not have the sha256 that it states, so it was changed or damaged")
    try:
        return _fields(contents, columns)
    except (KeyError, TypeError, ValueError, InputError):
        raise _unreadable(source, "it lacks a part, or has one of the wrong kind") from None


def _contents(source: Path) -> dict[str, Any]:
    """Return the JSON object of a file, of which every key is there once."""
    try:
        contents = json.loads(source.read_text(encoding="utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, a key twice
        raise _unreadable(source, "it is not JSON, or only part of it") from None
    if not isinstance(contents, dict):
        raise _unreadable(source, "it is not a JSON object")
    return contents


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _no_constant(text: str) -> float:
    raise ValueError(text)  # NaN and Infinity, which Python would read and nobody wrote


def _fields(contents: Mapping[str, Any], columns: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a policy from plain values."""
    if contents["scale"] not in _SCALES or not isinstance(contents["model"], str | None):
        raise ValueError
    steps = {name: np.array([_number(step[name]) for step in contents["steps"]]) for name in columns}
    low, high = steps["from_cost"], steps["to_cost"]
    if not len(low) or np.any(low > high) or np.any(high[:-1] != low[1:]) or np.isnan(steps["threshold"]).any():
        raise ValueError
    return steps | {
        "scale": contents["scale"],
        "model": contents["model"],
        "prevalence": _number(contents["prevalence"]),
        "limits": Limits(**contents["limits"]),
    }


def _plain(value: float) -> float | str | None:
    """Return a number as JSON has it: null for nan, words for infinity."""
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    return None if math.isnan(value) else value


def _number(value: float | str | None) -> float:
    if value is None:
        return math.nan
    return _INFINITE[value] if isinstance(value, str) else _check.number("value", value)


def _checksum(contents: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the contents, whatever the order of keys and the blanks between them."""
    text = json.dumps(contents, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _unreadable(source: Path, reason: str) -> UnreadableFileError:
    return UnreadableFileError(source, f"be a file written by `Policy.save`: {reason}")
