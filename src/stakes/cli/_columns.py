"""The columns of a file, judged before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._errors import Argument, InputError

Column = npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Columns as they were read; `labels` by their roles."""

    outcome: Column
    models: Mapping[str, Column]
    weight: Column | None
    labels: Mapping[str, Column]


def judged(found: Found, positive: str | None) -> dict[str, Any]:
    """Return columns as `evaluate` takes them, or say where one is wrong."""
    in_words = found.outcome.dtype == object
    return {
        "y": _outcome(found.outcome, positive) if in_words else _columns.outcome("outcome", found.outcome),
        "predictions": {model: _scores(model, column) for model, column in found.models.items()},
        "weight": _columns.weights("weight", found.weight),
        **{role: _names(role, column) for role, column in found.labels.items()},
    }


def _outcome(labels: Column, positive: str | None) -> Column:
    """Return outcomes that are words; the positive one may be typed in another way to write the same."""
    text = np.array([None if label is None else str(label) for label in labels], dtype=object)
    if positive is not None:
        positive = str(same_label(positive, {label for label in text if label is not None}))
    return _columns.outcome("outcome", text, positive)


def same_label(typed: str, labels: Iterable[object]) -> object:
    """Return the label that was typed, perhaps in another way to write it; what was typed where there is none."""
    exact_first = sorted(labels, key=lambda label: str(label) != typed)
    return next((label for label in exact_first if _plain(str(label)) == _plain(typed)), typed)


def _plain(label: str) -> str | float:
    """Return what two ways to write a label have in common: 1 and 1.0, True and TRUE."""
    try:
        return float(label)
    except ValueError:
        return label.strip().casefold()


def _scores(model: str, column: Column) -> Column:
    """Return scores; missing ones are left to `evaluate`, which compares models on the cases that all have one for."""
    missing = np.isnan(column)
    try:
        _columns.probabilities(Argument("predictions", model), np.where(missing, 0.0, column))
    except InputError as error:
        in_percent = np.nanmin(column) >= 0 and np.nanmax(column) <= 100
        raise error.but(hint_typed=_columns.PERCENT_HINT if in_percent else "") from None
    return column


def _names(role: str, labels: Column) -> Column:
    _columns.refuse_missing(role, np.array([label is None for label in labels]))
    return labels
