"""Tables of any frame, built where the data are; rows as arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray
from stakes._groups import group_name
from stakes._roles import FrameColumns, Roles, droppable
from stakes.case_costs import CaseCosts, check_stakes, costs_by_column, stakes_of
from stakes.frames._aggregate import check_weight, counts, rows
from stakes.frames._faults import by_column, warn_of_dropped
from stakes.frames._frame import Arrays, codes, model_columns
from stakes.frames._frame_cases import read_cases
from stakes.frames._prepare import PreparedFrame, prepare, probabilities
from stakes.frames._stake_expressions import StakeTotals, costs_of_rows, stake_totals, with_stakes
from stakes.outcome import EventBy, check_one_horizon
from stakes.table import (
    ScoreTable,
    merge,
    pooled_heads,
    pooled_table,
    sorted_table,
    staked_table,
    table_of_outcome,
)


@dataclass(frozen=True, repr=False)
class FrameTables(Mapping[str, ScoreTable]):
    """The table of each model, from one pass over a frame; a mapping from models to tables.

    Attributes
    ----------
    tables : dict of str to ScoreTable
        The table of each model, all groups together.
    groups : dict of str to dict
        The table of each model in each group; empty where no group was asked for.
    dropped : dict of str to int
        Number of rows dropped for missing values, by the first column that misses one.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes import frames
    >>> frame = pd.DataFrame({"died": [0, 1, 1], "old": [0.2, 0.4, 0.3], "new": [0.1, 0.9, 0.9]})
    >>> frames.score_tables(frame, "died", ["old", "new"])
    FrameTables(models old, new)
    """

    tables: dict[str, ScoreTable]
    groups: dict[str, dict[str, ScoreTable]] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, model: str) -> ScoreTable:
        return (
            self.tables[_check.choice("model", model, self.tables)] if model not in self.tables else self.tables[model]
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        groups = f"; groups {', '.join(self.groups)}" if self.groups else ""
        return f"FrameTables(models {', '.join(self.tables)}{groups})"


def score_table(
    frame: object,
    outcome: str | EventBy,
    score: str,
    *,
    weight: str | None = None,
    on_missing: str = "error",
    pos_label: object = None,
    case_costs: CaseCosts | None = None,
) -> ScoreTable:
    """Make the table of a sample that stands in a data frame, on one machine or on many.

    The rows are counted by score where they are; only the counts move. It is the table that `score_table` makes of
    the same columns.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str or EventBy
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one. An
        `EventBy` names columns too, ``EventBy("years", "status", 5)``; its cases are read into memory.
    score : str
        Column of scores, finite numbers.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.
    case_costs : CaseCosts, keyword-only, optional
        Costs of each case: numbers, or names of columns, such as ``CaseCosts(false_negative="amount",
        false_positive=5)``. Then the rows hold money by stake-adjusted score, and `heads` the cases beside it.

    Returns
    -------
    ScoreTable
        The table.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes import frames
    >>> frame = pd.DataFrame({"died": [0, 1, 1, 0], "risk": [0.1, 0.4, 0.4, 0.4]})
    >>> frames.score_table(frame, "died", "risk")
    ScoreTable(2 scores, weight 4, prevalence 0.5)
    """
    costs = costs_by_column(case_costs, outcome)
    roles = Roles.of(outcome, predictions={"score": score}, weight=weight, pos_label=pos_label, costs=costs)
    return _tables(frame, roles, on_missing, {"predictions": "score"})["score"]


def score_tables(
    frame: object,
    outcome: str | EventBy,
    predictions: Iterable[str] | Mapping[str, str],
    *,
    weight: str | None = None,
    group: str | None = None,
    on_missing: str = "error",
    pos_label: object = None,
    case_costs: CaseCosts | None = None,
) -> FrameTables:
    """Make the tables of many models, and of groups of the cases, in one pass over a data frame.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str or EventBy
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one. An
        `EventBy` names columns too, ``EventBy("years", "status", 5)``; its cases are read into memory.
    predictions : list of str, or mapping
        Column of scores of each model, finite numbers; a mapping gives the models names of their own.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    group : str, keyword-only, optional
        Column of group labels; every group gets a table of each model too. Cases without a label are the group
        ``"(missing)"``.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
        A row that misses one model's score is dropped for all, so that they are compared on the same cases.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.
    case_costs : CaseCosts, keyword-only, optional
        Costs of each case: numbers, or names of columns, such as ``CaseCosts(false_negative="amount",
        false_positive=5)``. Then the rows hold money by stake-adjusted score, and `heads` the cases beside it.

    Returns
    -------
    FrameTables
        The table of each model, by name; and by group, under `groups`.

    Examples
    --------
    >>> import polars as pl
    >>> from stakes import auc
    >>> from stakes import frames
    >>> frame = pl.LazyFrame({"died": [0, 1, 1, 0], "old": [0.2, 0.1, 0.3, 0.4], "new": [0.1, 0.9, 0.8, 0.3],
    ...                       "site": ["north", "north", "south", "south"]})
    >>> tables = frames.score_tables(frame, "died", ["old", "new"], group="site")
    >>> {model: auc(table) for model, table in tables.items()}
    {'old': 0.25, 'new': 1.0}
    >>> {site: auc(models["old"]) for site, models in tables.groups.items()}
    {'north': 0.0, 'south': 0.0}
    """
    models, costs = model_columns("predictions", predictions), costs_by_column(case_costs, outcome)
    roles = Roles.of(outcome, predictions=models, weight=weight, group=group, pos_label=pos_label, costs=costs)
    return _tables(frame, roles, on_missing)


def _tables(frame: object, roles: Roles, on_missing: str, called: Mapping[str, str] | None = None) -> FrameTables:
    drop = droppable(on_missing)
    prepared = prepare(frame, roles, called, drop)
    if roles.follow is not None:
        tables = _followed_tables(prepared, drop)
    else:
        tables = make_tables(probabilities(prepared) if roles.costs else prepared, drop)
    warn_of_dropped(tables.dropped)
    return tables


def _followed_tables(prepared: PreparedFrame, drop: Collection[str]) -> FrameTables:
    """Make tables of outcomes by a horizon; each group has a censoring of its own."""
    columns = read_cases(prepared, drop)
    check_one_horizon("outcome", columns.outcome)
    whole, dropped = _tables_of_columns(columns), by_column(columns.dropped)
    if columns.group is None:
        return FrameTables(whole, {}, dropped)
    numbers = codes(columns.group)
    groups = {group_name(label): columns.rows(numbers[1] == number) for label, number in numbers[0].items()}
    some = {name: part for name, part in sorted(groups.items()) if part.weight is None or part.weight.any()}
    return FrameTables(whole, {name: _tables_of_columns(part) for name, part in some.items()}, dropped)


def _tables_of_columns(columns: FrameColumns) -> dict[str, ScoreTable]:
    names = ("outcome", "score", "weight")
    return {
        model: table_of_outcome(columns.outcome, _native(score), columns.weight, names=names)
        for model, score in columns.predictions.items()
    }


def make_tables(prepared: PreparedFrame, drop: Collection[str]) -> FrameTables:
    """Sort rows that are in memory, which is fastest; count the others where they are."""
    import narwhals as nw

    in_memory, roles = isinstance(prepared.frame, nw.DataFrame), prepared.roles
    if roles.costs and not (in_memory or prepared.is_staked):
        prepared = with_stakes(prepared)
    found, faults = (rows if in_memory else counts)(prepared, drop)
    if roles.weight is not None:
        columns = ("weight",) if in_memory else ("positive heads", "negative heads")[: 2 * prepared.is_staked]
        columns = columns or ("positive", "negative")
        check_weight(roles, _columns.total_weight(*(found[column] for column in columns)))
    totals = stake_totals(prepared) if prepared.is_staked else {}
    make = partial(_sort_rows, prepared) if in_memory else partial(_tables_of_counts, prepared, totals)
    if roles.group is None:
        return FrameTables(make("", found), {}, by_column(faults.missing))
    groups = {name: make(name, part) for name, part in _split(found)}
    groups = dict(sorted((name, tables) for name, tables in groups.items() if tables))
    whole = {model: merge(*(tables[model] for tables in groups.values())) for model in prepared.models}
    return FrameTables(whole, groups, by_column(faults.missing))


def _split(found: Arrays) -> Iterator[tuple[str, Arrays]]:
    """Return the rows of each group, by its label as text."""
    labels, numbers = codes(found.pop("group"))
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers))
    for label, at in zip(labels, np.split(order, ends[:-1]), strict=True):
        yield group_name(label), {name: column[at] for name, column in found.items()}


def _sort_rows(prepared: PreparedFrame, _: str, found: Arrays) -> dict[str, ScoreTable]:
    """Make tables of rows; a group without weight has none."""
    label: BoolArray = found["outcome"] == 1
    weight = found.get("weight")
    if weight is not None and not weight.any():
        return {}
    scores = {
        model: _native(found[name]) for model, name in zip(prepared.roles.predictions, prepared.scores, strict=True)
    }
    costs = costs_of_rows(prepared.roles, found)
    if costs is None:
        return {model: sorted_table(label, score, weight) for model, score in scores.items()}
    stakes = stakes_of(costs, label, weighs=None if weight is None else weight > 0)
    return {model: staked_table(label, stakes.scores(score), weight, stakes) for model, score in scores.items()}


def _native(score: npt.NDArray[Any]) -> npt.NDArray[np.floating]:
    return score if score.dtype in (np.float32, np.float64) else score.astype(np.float64)


def _tables_of_counts(
    prepared: PreparedFrame, totals: Mapping[str, StakeTotals], group: str, found: Arrays
) -> dict[str, ScoreTable]:
    """Make tables of counts; engines may hold 0.0 and -0.0 apart, and these are added up here."""
    people = ("positive heads", "negative heads") if totals else ("positive", "negative")
    if not any(found[name].any() for name in people):
        return {}
    models = found.get("model", np.zeros(len(found["score"]), dtype=np.intp))
    parts = {
        model: {name: column[models == i] for name, column in found.items()} for i, model in enumerate(prepared.models)
    }
    if totals:
        totals[group].check()
        return {model: _staked_of_counts(part, totals[group]) for model, part in parts.items()}
    columns = ("score", "positive", "negative")
    return {model: ScoreTable.from_counts(*(part[name] for name in columns)) for model, part in parts.items()}


def _staked_of_counts(part: Arrays, totals: StakeTotals) -> ScoreTable:
    """Make a table of money, with the heads beside it."""
    score, positive, negative = (np.asarray(part[name], dtype=np.float64) for name in ("score", "positive", "negative"))
    if not (positive.any() or negative.any()):
        check_stakes(positive)
    up, down = (np.asarray(part[f"{name} heads"], dtype=np.float64) for name in ("positive", "negative"))
    return pooled_table(score, positive, negative, heads=totals.beside(pooled_heads(score, up, down, up + down)))
