"""Cases of any frame, read into memory and checked as tables are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from stakes import _columns
from stakes._errors import InputError
from stakes._roles import FrameColumns, Roles, at_horizons, droppable
from stakes.case_costs import CaseCosts, costs_by_column
from stakes.cases import Cases
from stakes.frames._aggregate import check_weight, rows
from stakes.frames._faults import FaultCounts, by_column, warn_of_dropped
from stakes.frames._file_roles import place_follow
from stakes.frames._frame import Arrays, model_columns
from stakes.frames._prepare import PreparedFrame, prepare, probabilities
from stakes.frames._stake_expressions import costs_of_rows
from stakes.outcome import EventBy, read_outcome


def read_cases(prepared: PreparedFrame, drop: Collection[str]) -> FrameColumns:
    """Read the rows of a prepared frame into memory."""
    found, faults = rows(prepared, drop)
    roles, weight = prepared.roles, found.get("weight")
    check_weight(roles, 1.0 if weight is None else _columns.total_weight(weight))
    named = zip(roles.predictions, prepared.scores, strict=True)
    return FrameColumns(
        outcome=found["outcome"] == 1 if roles.follow is None else _event_by(prepared, found, faults),
        predictions=at_horizons({model: found[name] for model, name in named}, roles.at_horizons),
        weight=weight,
        group=found.get("group"),
        cluster=None if roles.cluster is None else found["unit"],
        repeat=found.get("repeat"),
        site=found.get("site"),
        case_costs=costs_of_rows(roles, found),
        costs=roles.costs,
        dropped=faults.missing,
        notes=prepared.notes,
    )


def _event_by(prepared: PreparedFrame, found: Arrays, faults: FaultCounts) -> EventBy:
    """Return the outcome by a horizon; rows of errors are those of the frame, unless some were dropped."""
    follow = prepared.roles.follow
    assert follow is not None
    names = place_follow(follow).columns.values()
    columns = {argument: found[name] for argument, name in zip(follow.columns, names, strict=True)}
    try:
        return read_outcome(follow, found["outcome"], columns)
    except InputError as error:
        raise error.but(row=None if faults.missing else error.row) from None


def cases(
    frame: object,
    outcome: str | EventBy,
    predictions: Iterable[str] | Mapping[str, str],
    *,
    weight: str | None = None,
    cluster: str | None = None,
    on_missing: str = "error",
    pos_label: object = None,
    case_costs: CaseCosts | None = None,
) -> Cases:
    """Read cases from a data frame, for intervals and for comparing models on the same cases.

    Only the columns that are named are read, but all their rows: 8 bytes a case and column, and as much again for
    each model. Where that is too much, `frames.score_tables` needs only the counts.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str or EventBy
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one. An
        `EventBy` names columns too: ``EventBy("years", "status", 5)``.
    predictions : list of str, or mapping
        Column of scores of each model, finite numbers; a mapping gives the models names of their own.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    cluster : str, keyword-only, optional
        Column of cluster labels; cases with the same label are resampled together.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.
    case_costs : CaseCosts, keyword-only, optional
        Costs of each case: numbers, or names of columns, such as ``CaseCosts(false_negative="amount",
        false_positive=5)``.

    Returns
    -------
    Cases
        The cases.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes import frames
    >>> frame = pd.DataFrame({"died": [0, 1, 1, 0], "risk": [0.1, 0.4, 0.6, 0.5], "ward": ["a", "a", "b", "b"]})
    >>> cases = frames.cases(frame, "died", ["risk"], cluster="ward")
    >>> cases
    Cases(4 cases in 2 clusters, 2 positive; models risk)
    """
    drop, models = droppable(on_missing), model_columns("predictions", predictions)
    others = {"weight": weight, "cluster": cluster, "pos_label": pos_label}
    roles = Roles.of(outcome, predictions=models, costs=costs_by_column(case_costs, outcome), **others)
    prepared = prepare(frame, roles, drop=drop)
    columns = read_cases(probabilities(prepared) if roles.costs else prepared, drop)
    warn_of_dropped(by_column(columns.dropped))
    known: dict[str, Any] = {"weight": columns.weight, "cluster": columns.cluster, "case_costs": columns.case_costs}
    return Cases(columns.outcome, columns.predictions, **known)
