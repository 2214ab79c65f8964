"""Columns of cases: read-only views, the rows of scores, and the scores of models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, is_settled
from stakes._errors import Argument, InputError
from stakes._predictions import PredictionsLike, named_scores

IntArray = npt.NDArray[np.intp]
Check = Callable[[Argument, Any], npt.NDArray[np.floating]]


def find_rows(score: npt.NDArray[np.floating]) -> IntArray:
    """Return the place of each score among the distinct ones; a sort is faster than looking up each."""
    order, found = np.argsort(score), np.empty(len(score), dtype=np.intp)
    ordered = score[order]
    found[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]))
    return found


def fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def scores_by_model(predictions: PredictionsLike, horizons: int = 1) -> dict[str, npt.NDArray[np.floating]]:
    """Return the checked scores of each model, with a column for each of several horizons."""
    named = {Argument("predictions", name): (name, score) for name, score in named_scores(predictions).items()}
    if horizons == 1:
        return {name: _columns.scores(argument, score) for argument, (name, score) in named.items()}
    return {name: horizon_columns(argument, score, horizons) for argument, (name, score) in named.items()}


def horizon_columns(
    argument: Argument, score: npt.ArrayLike, horizons: int, check: Check = _columns.scores
) -> npt.NDArray[np.floating]:
    """Return the checked scores of a model at several horizons, a column for each."""
    shape = np.shape(score)
    if len(shape) != 2 or shape[1] != horizons:
        raise InputError(argument, f"have a column for each of the {horizons} horizons", f"shape {shape}")
    columns = np.asarray(score)
    return np.column_stack([check(argument, columns[:, place]) for place in range(horizons)])


def stacked(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the columns of several horizons one after the other; one column as it is."""
    return column if column.ndim == 1 else column.ravel(order="F")


def short(name: str) -> str:
    """Return the name of a model, shortened for printing."""
    return name if len(name) <= 20 else f"{name[:17]}..."


def own_scores(score: npt.NDArray[np.floating], given: BoolArray | None) -> npt.NDArray[np.floating]:
    """Return scores, copied if whoever holds the columns may change them."""
    return score[given] if given is not None else score if is_settled(score) else np.array(score)


def is_followed(column: object) -> bool:
    """Whether an outcome is an EventBy, which knows its cases itself; labels of a Series say nothing."""
    return hasattr(type(column), "competing")
