"""Quantised tables of any frame: an engine adds up by bin and class, and only the sums move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check
from stakes.frames import _judge
from stakes.frames._collect import Arrays, collected
from stakes.frames._columns import Parts, model_columns
from stakes.frames._judge import Fault
from stakes.frames._prepare import Prepared, prepare
from stakes.frames._read import _judged, _refuse_none
from stakes.table import Bins, QuantisedTable, as_bins, finer_bins

if TYPE_CHECKING:
    import narwhals as nw

ON_MISSING = ("error", "drop")
_SUMS = ("cases", "score", "square", "least", "most")


def quantised_table_from_frame(
    frame: object,
    outcome: str,
    score: str,
    *,
    weight: str | None = None,
    bins: Bins | int = 65536,
    tolerance: float | None = None,
    on_missing: str = "error",
    pos_label: object = None,
) -> QuantisedTable:
    """Make the quantised table of a sample that stands in a data frame, on one machine or on many.

    The rows are added up by bin and class where they are; what moves is a hundred bytes for each bin, however
    many rows there are. It is the table that `quantise` makes of the same columns.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    score : str
        Column of scores, probabilities of a positive.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    bins : Bins or int, keyword-only
        How to put scores into bins; a number of bins, a power of two, makes even ones.
    tolerance : float, keyword-only, optional
        How far apart the bounds of a mean regret may be, whatever the costs: the frame is read again with finer
        bins until `QuantisedTable.undecided` is at most this.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values are refused, or left out with a warning that says how many (`DroppedRows`).
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    QuantisedTable
        The table.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes import quantised_table_from_frame
    >>> frame = pd.DataFrame({"died": [0, 1, 1, 0], "risk": [0.1, 0.4, 0.45, 0.3]})
    >>> quantised_table_from_frame(frame, "died", "risk", bins=4)
    QuantisedTable(2 of 5 bins, weight 4, prevalence 0.5, undecided up to 0.5)
    """
    if tolerance is not None:
        _check.above("tolerance", tolerance)
    parts = Parts(outcome, {"score": score}, weight, pos_label=pos_label, called={"scores": "score"})
    prepared = _prepared(frame, parts, on_missing)
    table = _quantised(prepared, as_bins(bins), on_missing)["score"]
    while (finer := finer_bins(table, tolerance)) is not None:
        table = _quantised(prepared, finer, None)["score"]
    return table


def quantised_tables_from_frame(
    frame: object,
    outcome: str,
    scores: Iterable[str] | Mapping[str, str],
    *,
    weight: str | None = None,
    bins: Bins | int = 65536,
    on_missing: str = "error",
    pos_label: object = None,
) -> dict[str, QuantisedTable]:
    """Make the quantised tables of many models in one pass over a data frame.

    Parameters
    ----------
    frame : data frame
        As for `quantised_table_from_frame`.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    scores : list of str, or mapping
        Column of each model's scores, probabilities of a positive; a mapping gives the models names of their own.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    bins : Bins or int, keyword-only
        How to put scores into bins; a number of bins, a power of two, makes even ones.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values are refused, or left out with a warning that says how many (`DroppedRows`).
        A row that misses one model's score is left out for all, so that they are compared on the same cases.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    dict of str to QuantisedTable
        The table of each model.

    Examples
    --------
    >>> import polars as pl
    >>> from stakes import bounds, quantised_tables_from_frame
    >>> frame = pl.LazyFrame({"died": [0, 1, 1], "old": [0.2, 0.1, 0.3], "new": [0.1, 0.9, 0.8]})
    >>> tables = quantised_tables_from_frame(frame, "died", ["old", "new"])
    >>> {model: bounds.auc(table).estimate for model, table in tables.items()}
    {'old': 0.5, 'new': 1.0}
    """
    parts = Parts(outcome, model_columns("scores", scores), weight, pos_label=pos_label)
    return _quantised(_prepared(frame, parts, on_missing), as_bins(bins), on_missing)


def _prepared(frame: object, parts: Parts, on_missing: str) -> Prepared:
    _check.known("on_missing", on_missing, ON_MISSING)
    return probabilities(prepare(frame, parts))


def probabilities(prepared: Prepared) -> Prepared:
    """Find one more fault in a row: a score that is not a probability."""
    faults = (*prepared.faults, *map(_not_a_probability, prepared.scores, prepared.parts.scores.values()))
    fault, value = _judge.numbered(faults)
    return replace(prepared, frame=prepared.frame.with_columns(fault=fault, value=value), faults=faults)


def _not_a_probability(name: str, column: str) -> Fault:
    import narwhals as nw

    wrong = (nw.col(name) < 0) | (nw.col(name) > 1)
    return Fault(column, "be a probability between 0 and 1", wrong, nw.col(name).cast(nw.Float64))


def _quantised(prepared: Prepared, bins: Bins, on_missing: str | None) -> dict[str, QuantisedTable]:
    """Add up, refuse or announce bad rows (once: not where `on_missing` is none), and make the tables."""
    with prepared.reading():
        found = collected(_aggregated(prepared, bins))
    fault = found.pop("fault")
    if on_missing is not None:
        first = found["model"] == 0  # each model has all bad rows
        faults = _judge.counted(np.where(first, fault, 0), found["least"], found["cases"])
        _judged(prepared, faults, on_missing)
        _refuse_none(len(fault), int(np.count_nonzero(fault)))
    good = (fault == 0) & (found["bin"] >= 0)
    return {
        model: _table(bins, prepared, found, good & (found["model"] == i))
        for i, model in enumerate(prepared.parts.scores)
    }


def _table(bins: Bins, prepared: Prepared, found: Arrays, rows: Any) -> QuantisedTable:
    names = _SUMS if prepared.parts.weight is None else (*_SUMS, "weight")
    sums = {name: found[name][rows] for name in names}
    if not rows.any():
        raise ValueError(f"`{prepared.parts.weight}` must not be zero for every case.")
    return QuantisedTable.from_sums(bins, bin=found["bin"][rows], positive=found["outcome"][rows], **sums)


# ------------------------------------------------------------------------------------------- the aggregation


def _aggregated(prepared: Prepared, bins: Bins) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Group by bin, class and model, bad rows apart; the value shown for a bad row stands in place of its score."""
    import narwhals as nw

    good, weighted = nw.col("fault") == 0, prepared.parts.weight is not None
    columns = {"outcome": nw.when(good).then(nw.col("outcome")).otherwise(nw.lit(0.0))}
    if weighted:
        columns["weight"] = nw.when(good).then(nw.col("weight")).otherwise(nw.lit(0.0))
    for name in prepared.scores:
        columns[name] = nw.when(good).then(nw.col(name).cast(nw.Float64)).otherwise(nw.col("value"))
    return _summed(_long(prepared.frame.select("fault", **columns), prepared.scores), bins, weighted=weighted)


def _long(frame: Any, scores: list[str]) -> Any:
    """Return a row for each case and model; of one model the rows stay as they are."""
    import narwhals as nw

    if len(scores) == 1:
        return frame.rename({scores[0]: "score"}).with_columns(model=nw.lit(0))
    index = [name for name in frame.collect_schema().names() if name not in scores]
    long = frame.unpivot(on=scores, index=index, variable_name="model", value_name="score")
    return long.with_columns(nw.col("model").cast(nw.Int64))


def _summed(frame: Any, bins: Bins, *, weighted: bool) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    import narwhals as nw

    score = nw.col("score")
    product = nw.col("weight") * score if weighted else score
    found = _bin(bins)
    if weighted:  # weight 0 means absent: these rows have a bin of their own, which is left out
        found = nw.when(nw.col("weight") > 0).then(found).otherwise(nw.lit(-1.0))
    columns = {
        "bin": nw.when(nw.col("fault") == 0).then(found).otherwise(nw.lit(0.0)),
        "sum": product,
        "square": product * score,
    }
    sums = [nw.len().alias("cases"), nw.col("sum").sum().alias("total"), nw.col("square").sum()]
    sums += [score.min().alias("least"), score.max().alias("most")]
    sums += [nw.col("weight").sum()] if weighted else []
    keys = ("fault", "model", "bin", "outcome")
    summed = frame.with_columns(**columns).group_by(*keys).agg(*sums)
    return summed.rename({"total": "score"})  # type: ignore[no-any-return]


def _bin(bins: Bins) -> nw.Expr:
    """Return the bin of a score as an expression; ``// 1`` rounds down on every engine, where a cast may not."""
    import narwhals as nw

    score = nw.col("score")
    found = _in_piece(bins, 0)
    for number, piece in enumerate(bins.pieces[1:], 1):
        found = nw.when(score >= piece.start).then(_in_piece(bins, number)).otherwise(found)
    for cut in bins.cuts:
        found = found + nw.when(score >= cut).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    return found


def _in_piece(bins: Bins, number: int) -> nw.Expr:
    import narwhals as nw

    _, factor, offset = bins.pieces[number]
    return (nw.col("score") * factor) // 1 + float(offset)
