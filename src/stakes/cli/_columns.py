"""The columns of a file, judged before any work; what is wrong is said in terms of the command and the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes.frames import DataFile

Column = npt.NDArray[Any]


# What the command calls an argument of `evaluate`.
_OPTIONS = {
    "`frame`": "`FILE`",
    "`y`": "`--outcome`",
    "`outcome`": "`--outcome`",
    "`table`": "`--outcome`",
    "`predictions`": "`--models`",
    "`pos_label`": "`--positive`",
    "`costs`": "`--cost`",
    "`prevalence`": "`--prevalence`",
    "`weight`": "`--weight`",
    "`group`": "`--group`",
    "`cluster`": "`--cluster`",
    "`folds`": "`--folds`",
    "`key`": "`--key`",
    "`in_memory`": "`--in-memory`",
}


@dataclass(frozen=True, kw_only=True)
class Found:
    """Columns as they were read; `labels` by the option that names them."""

    outcome: Column
    models: Mapping[str, Column]
    weight: Column | None
    labels: Mapping[str, Column]


def judged(found: Found, positive: str | None) -> dict[str, Any]:
    """Return columns as `evaluate` takes them, or say where one is wrong."""
    in_words = found.outcome.dtype == object
    return {
        "y": _outcome(found.outcome, positive) if in_words else _columns.outcome("--outcome", found.outcome),
        "predictions": {model: _scores(model, column) for model, column in found.models.items()},
        "weight": _columns.weights("--weight", found.weight),
        **{option.removeprefix("--"): _names(option, column) for option, column in found.labels.items()},
    }


def _outcome(labels: Column, positive: str | None) -> Column:
    """Return outcomes that are words; the positive one may be typed in another way to write the same."""
    text = np.array([None if label is None else str(label) for label in labels], dtype=object)
    if positive is not None:
        positive = str(same_label(positive, {label for label in text if label is not None}))
    return _columns.outcome("--outcome", text, positive)


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
        _columns.probabilities(f"--models {model}", np.where(missing, 0.0, column))
    except ValueError as error:
        in_percent = np.nanmin(column) >= 0 and np.nanmax(column) <= 100
        hint = _columns.PERCENT_HINT if in_percent else ""
        raise ValueError(f"{str(error).partition(';')[0].removesuffix('.')}{hint}.") from None
    return column


def _names(option: str, labels: Column) -> Column:
    _columns.refuse_missing(option, np.array([label is None for label in labels]))
    return labels


@contextmanager
def in_the_words_of(file: DataFile | None) -> Iterator[None]:
    """Say options where Python says arguments, and lines of the file where it says rows."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if type(error) not in (ValueError, TypeError):
            raise
        said = str(error)
        for argument, option in _OPTIONS.items():
            said = said.replace(argument, option)
        if file is not None:
            said = re.sub(r"\brow (\d+)", lambda row: file.where(int(row[1])), said)
        raise type(error)(said) from None
