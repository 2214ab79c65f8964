"""Tables of any frame by bin and class, summed by its engine; only the sums move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _columns
from stakes._roles import Roles, droppable
from stakes.frames import (
    Arrays,
    PreparedFrame,
    by_column,
    by_partition,
    check_counts,
    check_usable_rows,
    check_weight,
    collect,
    count_faults,
    model_columns,
    prepare,
    probabilities,
    unpivot,
    warn_of_dropped,
)
from stakes.large._bins import Bins, as_bins
from stakes.large._quantise import Number, check_tolerance, finer_bins
from stakes.large._quantised_table import QuantisedTable

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames import NarwhalsFrame

_SUMS = ("cases", "score", "square", "least", "most")


def quantise_frame(
    frame: object,
    outcome: str,
    predictions: Iterable[str] | Mapping[str, str],
    *,
    weight: str | None = None,
    bins: Bins | int = 65536,
    tolerance: float | None = None,
    number: Number | None = None,
    on_missing: str = "error",
    pos_label: object = None,
) -> dict[str, QuantisedTable]:
    """Make the quantised table of each model from a data frame, on one machine or on many, in one pass.

    The rows are added up by bin and class where they are; what moves is about 80 bytes for each bin and class,
    however many rows there are. They are the tables that `quantise` makes of the same columns.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    predictions : list of str, or mapping
        Column of predicted probabilities of each model; a mapping gives the models names of their own.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    bins : Bins or int, keyword-only
        Bins of scores; a number, which must be a power of two, makes even bins.
    tolerance : float, keyword-only, optional
        Largest distance between the bounds of `number`: the frame is read again with finer bins, the finest that any
        model needs, until no bounds are further apart, which mostly takes one more reading.
    number : callable, keyword-only, optional
        The number that `tolerance` is for, as for `stakes.large.quantise`; the mean regret, whatever the costs, when
        not given.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
        A row that misses one model's score is dropped for all, so that they are compared on the same cases.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.

    Returns
    -------
    dict of str to QuantisedTable
        The table of each model, in the order given.

    Examples
    --------
    >>> import polars as pl
    >>> from stakes import bounds
    >>> from stakes.large import quantise_frame
    >>> frame = pl.LazyFrame({"died": [0, 1, 1], "old": [0.2, 0.1, 0.3], "new": [0.1, 0.9, 0.8]})
    >>> tables = quantise_frame(frame, "died", ["old", "new"])
    >>> {model: bounds.auc(table).estimate for model, table in tables.items()}
    {'old': 0.5, 'new': 1.0}
    """
    check_tolerance(tolerance, number)
    drop, models = droppable(on_missing), model_columns("predictions", predictions)
    roles = Roles(outcome=outcome, predictions=models, weight=weight, pos_label=pos_label)
    prepared = probabilities(prepare(frame, roles, drop=drop))
    tables = _quantise_models(prepared, as_bins(bins), drop)
    while finer := [found for table in tables.values() if (found := finer_bins(table, tolerance, number)) is not None]:
        tables = _quantise_models(prepared, max(finer, key=len), None)
    return tables


def _quantise_models(prepared: PreparedFrame, bins: Bins, drop: Collection[str] | None) -> dict[str, QuantisedTable]:
    """Sum, check for bad rows (not where `drop` is None: they were checked before), and make the tables."""
    with prepared.reading():
        found = _sum_by_bin(prepared, bins)
    fault = found.pop("fault")
    if drop is not None:
        first = found["model"] == 0  # each model has all bad rows
        bad = count_faults(np.where(first, fault, 0), found["least"], found["cases"])
        faults = check_counts(prepared, bad, drop)
        check_usable_rows(prepared, faults, len(fault), int(np.count_nonzero(fault)))
        warn_of_dropped(by_column(faults.missing))
    good = (fault == 0) & (found["bin"] >= 0)
    return {
        model: _table(bins, prepared, found, good & (found["model"] == i))
        for i, model in enumerate(prepared.roles.predictions)
    }


def _table(bins: Bins, prepared: PreparedFrame, found: Arrays, rows: Any) -> QuantisedTable:
    names = _SUMS if prepared.roles.weight is None else (*_SUMS, "weight")
    sums = {name: found[name][rows] for name in names}
    check_weight(prepared.roles, _columns.total_weight(sums.get("weight", np.ones(0))))
    return QuantisedTable.from_sums(bins, bin=found["bin"][rows], positive=found["outcome"][rows], **sums)


# ------------------------------------------------------------------------------------------- the aggregation


def _sum_by_bin(prepared: PreparedFrame, bins: Bins) -> Arrays:
    """Add up by bin, class and model, bad rows apart; what moves are the sums."""
    weighted = prepared.roles.weight is not None
    of_rows = partial(_of_rows, bins=bins, scores=prepared.scores, weighted=weighted)
    added_up = partial(_added_up, weighted=weighted)
    if prepared.frame.implementation.is_dask():
        return by_partition(prepared.frame, of_rows, added_up)
    return collect(added_up(of_rows(prepared.frame)))


def _added_up(frame: NarwhalsFrame, weighted: bool) -> NarwhalsFrame:
    """Sum partial sums or single rows."""
    import narwhals as nw

    sums = [nw.col(name).sum() for name in ("cases", "score", "square", *(["weight"] if weighted else []))]
    return frame.group_by("fault", "model", "bin", "outcome").agg(*sums, nw.col("least").min(), nw.col("most").max())


def _of_rows(frame: NarwhalsFrame, bins: Bins, scores: list[str], weighted: bool) -> NarwhalsFrame:
    """Return the sums of single rows, per model; a bad row has the value to show in place of its score."""
    import narwhals as nw

    good = nw.col("fault") == 0
    columns = {"outcome": nw.when(good).then(nw.col("outcome")).otherwise(nw.lit(0.0))}
    if weighted:
        columns["weight"] = nw.when(good).then(nw.col("weight")).otherwise(nw.lit(0.0))
    for name in scores:
        columns[name] = nw.when(good).then(nw.col(name).cast(nw.Float64)).otherwise(nw.col("value"))
    long, score = _long(frame.select("fault", **columns), scores), nw.col("least")
    product = nw.col("weight") * score if weighted else score
    found = _bin(bins)
    if weighted:  # weight 0 means absent: these rows have a bin of their own, which is left out
        found = nw.when(nw.col("weight") > 0).then(found).otherwise(nw.lit(-1.0))
    return long.with_columns(
        bin=nw.when(good).then(found).otherwise(nw.lit(0.0)),
        cases=nw.lit(1.0),
        score=product,
        square=product * score,
        most=score,
    )


def _long(frame: NarwhalsFrame, scores: list[str]) -> NarwhalsFrame:
    """Return a row for each case and model, with its score as ``least``."""
    import narwhals as nw

    if len(scores) == 1:
        return frame.rename({scores[0]: "least"}).with_columns(model=nw.lit(0))
    index = [name for name in frame.collect_schema().names() if name not in scores]
    long = unpivot(frame, scores, index, "model", "least")
    return long.with_columns(nw.col("model").cast(nw.Int64))


def _bin(bins: Bins) -> nw.Expr:
    """Return the bin of the score ``least``; ``// 1`` rounds down on every engine, where a cast may not."""
    import narwhals as nw

    starts = [piece.start for piece in bins.pieces[1:]]
    in_piece = _search_edges(starts, lambda number: _in_piece(bins, number), 0, len(starts))
    return in_piece + _search_edges(bins.edges, lambda number: nw.lit(float(number)), 0, len(bins.edges))


def _search_edges(edges: Sequence[float], found: Callable[[int], nw.Expr], first: int, last: int) -> nw.Expr:
    """Return `found` of the number of edges up to the score, which is from `first` to `last`.

    Half of the edges that are left are ruled out at a time, so that hundreds of them cost an engine a few comparisons.
    """
    import narwhals as nw

    if first == last:
        return found(first)
    middle = (first + last) // 2
    above, below = _search_edges(edges, found, middle + 1, last), _search_edges(edges, found, first, middle)
    return nw.when(nw.col("least") >= edges[middle]).then(above).otherwise(below)


def _in_piece(bins: Bins, number: int) -> nw.Expr:
    import narwhals as nw

    _, factor, offset = bins.pieces[number]
    return (nw.col("least") * factor) // 1 + float(offset)
