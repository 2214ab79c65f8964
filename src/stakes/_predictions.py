"""Scores of several models as users give them: a mapping, or a table with a column per model."""

from __future__ import annotations

import itertools
import reprlib
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from stakes._errors import InputError, InputTypeError, Name


class PolarsLike(Protocol):
    """A data frame of polars."""

    def get_columns(self) -> Sequence[Any]:
        """Return the columns, each with its name."""


class ArrowLike(Protocol):
    """A table or a record batch of PyArrow."""

    @property
    def column_names(self) -> Sequence[str]:
        """The names of the columns, of which some may be the same."""

    @property
    def columns(self) -> Sequence[Any]:
        """The columns."""


PredictionsLike: TypeAlias = Mapping[str, npt.ArrayLike] | PolarsLike | ArrowLike


def _columns_of_table(predictions: object) -> list[tuple[str, Any]] | None:
    """Return names and columns of a polars or PyArrow table; None of anything else."""
    if hasattr(predictions, "get_columns"):
        return [(column.name, column) for column in predictions.get_columns()]
    if hasattr(predictions, "column_names") and hasattr(predictions, "columns"):
        return list(zip(predictions.column_names, predictions.columns, strict=True))
    return None


def named_scores(predictions: PredictionsLike) -> dict[str, npt.ArrayLike]:
    """Return the scores of each model, unchecked; raise unless every model has a name."""
    columns = _columns_of_table(predictions)
    if columns is None and not hasattr(predictions, "items"):
        raise InputTypeError("predictions", "map names of models to scores", type(predictions).__name__)
    if getattr(predictions, "ndim", 2) == 1:  # a pandas column, whose items are cases
        raise InputTypeError(
            "predictions", "map names of models to scores", "one column", hint="write {'model': column}"
        )
    columns = list(cast("Mapping[str, npt.ArrayLike]", predictions).items()) if columns is None else columns
    if not columns:
        raise InputError("predictions", "hold the scores of at least one model", "none")
    for name, times in Counter(name for name, _ in columns).items():
        if not isinstance(name, str):
            raise InputTypeError("predictions", "have names that are text", type(name).__name__)
        if times > 1:
            raise InputError("predictions", "have each name once", f"{name!r} {times} times")
    return dict(columns)


def reference_name(name: str, models: Container[str]) -> str:
    """Return the name of a reference, marked as one where a model is called the same."""
    while name in models:
        name = f"{name} (reference)"
    return name


def check_same_index(columns: Mapping[Name, object]) -> None:
    """Raise if pandas columns have different indices, since they would be paired by position."""
    indices: list[tuple[Name, Any]] = [
        (name, column.index) for name, column in columns.items() if hasattr(column, "iloc") and hasattr(column, "index")
    ]
    for (first, labels), (name, other) in itertools.pairwise(indices):
        if len(labels) == len(other) and not labels.equals(other):  # different lengths are reported as such
            row = int(np.argmax(np.asarray(labels != other)))
            one, two = (reprlib.repr(index[row : row + 1].tolist()[0]) for index in (labels, other))
            raise InputError(
                (first, name),
                "have the same index",
                f"{one} and {two}",
                row=row,
                hint="align them, or pass `.to_numpy()` if rows correspond by position",
            )
