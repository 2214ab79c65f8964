"""Columns of cases: read-only views, the rows of scores, and the scores of models."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, is_settled
from stakes._errors import Argument
from stakes._predictions import PredictionsLike, named_scores

IntArray = npt.NDArray[np.intp]


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


def scores_by_model(predictions: PredictionsLike) -> dict[str, npt.NDArray[np.floating]]:
    """Return the checked scores of each model."""
    return {
        name: _columns.scores(Argument("predictions", name), score) for name, score in named_scores(predictions).items()
    }


def short(name: str) -> str:
    """Return the name of a model, shortened for printing."""
    return name if len(name) <= 20 else f"{name[:17]}..."


def own_scores(score: npt.NDArray[np.floating], given: BoolArray | None) -> npt.NDArray[np.floating]:
    """Return scores, copied if whoever holds the columns may change them."""
    return score[given] if given is not None else score if is_settled(score) else np.array(score)
