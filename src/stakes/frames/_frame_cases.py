"""Cases of any frame: the columns that are needed, read into memory and judged as tables are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.cases import Cases
from stakes.frames._frame import Parts, model_columns
from stakes.frames._frame_tables import ON_MISSING, rows
from stakes.frames._prepare import Prepared, prepare

Labels = npt.NDArray[Any]


@dataclass(frozen=True)
class Columns:
    """The rows that can be used, column by column, as `stakes.evaluate` takes them."""

    y: BoolArray
    predictions: dict[str, npt.NDArray[np.floating]]
    weight: FloatArray | None
    group: Labels | None
    cluster: Labels | None
    dropped: dict[str, int]


def read_cases(prepared: Prepared, on_missing: str) -> Columns:
    """Read the rows of a prepared frame into memory."""
    found, faults = rows(prepared, on_missing)
    named = zip(prepared.parts.scores, prepared.scores, strict=True)
    weight = found.get("weight")
    if weight is not None and not weight.any():
        raise InputError(prepared.parts.argument("weight"), "not be zero for every case")
    return Columns(
        found["outcome"] == 1,
        {model: found[name] for model, name in named},
        weight,
        found.get("group"),
        found.get("cluster"),
        faults.missing,
    )


def cases_from_frame(
    frame: object,
    outcome: str,
    scores: Iterable[str] | Mapping[str, str],
    *,
    weight: str | None = None,
    cluster: str | None = None,
    on_missing: str = "error",
    pos_label: object = None,
) -> Cases:
    """Read cases from a data frame, for intervals and for comparing models on the same cases.

    Only the columns that are named are read, but all their rows: 8 bytes a case and column, and as much again for
    each model. Where that is too much, `tables_from_frame` needs only the counts.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    scores : list of str, or mapping
        Column of each model's scores, finite numbers; a mapping gives the models names of their own.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    cluster : str, keyword-only, optional
        Column of labels; cases with the same label belong together and are resampled together.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values are refused, or left out with a warning that says how many (`DroppedRows`).
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    Cases
        The cases.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes.frames import cases_from_frame
    >>> frame = pd.DataFrame({"died": [0, 1, 1, 0], "risk": [0.1, 0.4, 0.6, 0.5], "ward": ["a", "a", "b", "b"]})
    >>> cases = cases_from_frame(frame, "died", ["risk"], cluster="ward")
    >>> cases
    Cases(4 cases in 2 clusters, 2 positive; models risk)
    """
    _check.known("on_missing", on_missing, ON_MISSING)
    parts = Parts(outcome, model_columns("scores", scores), weight, cluster=cluster, pos_label=pos_label)
    columns = read_cases(prepare(frame, parts), on_missing)
    return Cases(columns.y, columns.predictions, weight=columns.weight, cluster=columns.cluster)
