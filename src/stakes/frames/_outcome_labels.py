"""Labels of outcomes of a frame, and the positive one."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check, _columns
from stakes._errors import Argument, InputError
from stakes._roles import DROP_HINT, DROP_HINT_TYPED, Roles
from stakes._spellings import same_label
from stakes.frames._data_file import DataFile
from stakes.frames._frame import collect

if TYPE_CHECKING:
    from stakes.frames._frame import NarwhalsFrame

_MOST_LABELS = 1000  # of an outcome; only to be listed in a message


def positive_label(
    roles: Roles,
    labels: list[Any],
    raw: NarwhalsFrame,
    text: bool,
    source: DataFile | NarwhalsFrame,
    drop: Collection[str],
) -> float | str:
    """Return the positive label; raise unless the outcome is 0 and 1, or has this label and another."""
    if not text and roles.pos_label is None:
        return 1.0
    if roles.pos_label is None:
        error = _not_binary(Argument("outcome", column=roles.outcome), labels)
        raise _in_file(error, raw, source, drop) if isinstance(source, DataFile) else error
    typed = roles.pos_label
    meant = same_label(typed, labels) if text and isinstance(typed, str) else typed
    if labels:  # none: every row misses it, which is a fault of its own
        _columns.outcome(Argument("outcome", column=roles.outcome), np.array(labels, dtype=object), meant)
    return str(meant) if text else float(meant)  # type: ignore[arg-type]


def _not_binary(argument: Argument, labels: list[Any]) -> InputError:
    got, hint = (_check.show(labels[0]), _columns.label_hint(labels)) if labels else ("no value at all", "")
    return InputError(argument, "be 0 or 1", got, hint=hint)


def _in_file(error: InputError, raw: NarwhalsFrame, file: DataFile, drop: Collection[str]) -> InputError:
    """Return the error for outcomes of a file in words: missing ones first, else the first of all."""
    rows = "select row_number() over () - 1 as row, raw from f"
    first = "min_by(raw, row), min(row) filter (raw is not null)"
    query = f"select count(*) - count(raw), min(row) filter (raw is null), {first} from ({rows})"
    ((missing, row, value, place),) = raw.to_native().query("f", query).fetchall()
    if missing and "outcome" not in drop:
        absent = _columns.missing_values(error.arguments[0], missing, row)
        return absent.but(line=file.line(row), hint=DROP_HINT, hint_typed=DROP_HINT_TYPED)
    return error.but(got=_check.show(value), row=place, line=None if place is None else file.line(place))


def outcome_labels(chosen: NarwhalsFrame) -> list[Any]:
    """Return the distinct labels of the outcome, sorted; at most a thousand of them."""
    rows = collect(chosen.select("raw").drop_nulls().unique().head(_MOST_LABELS))
    return _columns.distinct_labels(rows["raw"][rows["raw"] == rows["raw"]])
