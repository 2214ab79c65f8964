"""Bootstrap replicates of tables, drawn where the data are, for weighted or clustered cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import Argument, InputError
from stakes._roles import Roles, droppable
from stakes.beliefs import as_share
from stakes.frames._faults import warn_of_dropped
from stakes.frames._frame import model_columns
from stakes.frames._frame_tables import FrameTables, make_tables
from stakes.frames._poisson import Resampling, coarsen_for_workers
from stakes.frames._prepare import PreparedFrame, prepare
from stakes.frames._workers import ByGroup, add_up
from stakes.measures import Better, MeasureLike, recognise
from stakes.table import ScoreTable, frozen_table
from stakes.uncertainty import Comparison, Interval, direction


@dataclass(frozen=True, eq=False, repr=False)
class FrameReplicates:
    """Tables of a frame, and what their rows weigh in each of many replicates of its cases.

    All models are resampled together, so that their differences have intervals too. Tables with many rows are coarsened
    for the replicates (not for the estimate), and the replicates moved by what that changes.

    Attributes
    ----------
    tables : FrameTables
        The exact table of each model.
    coarse : dict of str to ScoreTable
        The table of each model that was resampled.
    weights : dict of str to ndarray
        For each model, a row for every replicate: what the positives of its coarse table weigh, then the negatives.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes import auc
    >>> from stakes import frames
    >>> frame = pd.DataFrame({"died": [0, 1, 0, 1, 0, 1], "risk": [0.1, 0.4, 0.3, 0.9, 0.5, 0.6]})
    >>> frame["ward"] = ["a", "a", "b", "b", "c", "c"]
    >>> replicates = frames.replicates(frame, "died", ["risk"], cluster="ward", n_resamples=200)
    >>> replicates
    FrameReplicates(200 replicates of models risk)
    >>> round(replicates.interval(auc)["risk"].estimate, 3)
    0.889
    """

    tables: FrameTables
    coarse: dict[str, ScoreTable]
    weights: dict[str, FloatArray]

    def __repr__(self) -> str:
        first = next(iter(self.weights.values()))
        return f"FrameReplicates({len(first):,} replicates of models {', '.join(self.coarse)})"

    def values(self, measure: MeasureLike) -> dict[str, FloatArray]:
        """Return a measure of each model on each replicate; nan where a replicate has no such number."""
        return {model: self.values_of(model, measure) for model in self.coarse}

    def values_of(self, model: str, measure: MeasureLike) -> FloatArray:
        """Return a measure of one model on each replicate."""
        coarse = self.coarse[model]
        off = measure(coarse) - measure(self.tables[model])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a replicate of one class only: left out of the quantiles
            return np.array([_on(measure, coarse.score, weights) for weights in self.weights[model]]) - off

    def interval(self, measure: MeasureLike, *, level: float | str = 0.95) -> dict[str, Interval]:
        """Return the interval of a measure for every model: replicates mirrored at the estimate (basic)."""
        confidence = as_share("level", level, open_ends=True)
        estimates = {model: float(measure(self.tables[model])) for model in self.coarse}
        values = self.values(measure)
        return {
            model: Interval(estimate, *basic(values[model], estimate, confidence), "basic")
            for model, estimate in estimates.items()
        }

    def compare(
        self, a: str, b: str, measure: MeasureLike, *, better: Better | None = None, level: float | str = 0.95
    ) -> Comparison:
        """Return the difference of a measure between two models on the same cases."""
        asked = recognise(measure, better)
        for argument, model in (("a", a), ("b", b)):
            _check.choice(argument, model, self.coarse)
        confidence = as_share("level", level, open_ends=True)
        gap = self.values_of(a, asked) - self.values_of(b, asked)
        difference = float(asked(self.tables[a]) - asked(self.tables[b]))
        return paired_comparison(a, b, difference, gap, better=direction([asked]), level=confidence)

    def with_constants(self, constants: Mapping[str, ScoreTable]) -> FrameReplicates:
        """Add models that give every case one score: of the replicates only the two classes count."""
        rows = next(iter(self.coarse.values()))
        positive, negative = np.split(self.weights[next(iter(self.weights))], [len(rows)], axis=1)
        both = np.column_stack([positive.sum(axis=1), negative.sum(axis=1)])
        tables = replace(self.tables, tables={**self.tables.tables, **constants})
        weights = {**self.weights, **dict.fromkeys(constants, both)}
        return FrameReplicates(tables, {**self.coarse, **constants}, weights)


def _on(measure: MeasureLike, score: FloatArray, weights: FloatArray) -> float:
    """Return a measure of a replicate, nan where it has no case at all."""
    positive, negative = np.split(weights, 2)
    here = positive + negative > 0
    if not here.any():
        return math.nan
    return float(measure(frozen_table(score[here], positive[here], negative[here])))


def paired_comparison(
    a: str, b: str, difference: float, gap: FloatArray, *, better: Better, level: float
) -> Comparison:
    """Return the comparison of two models, from their difference on each replicate."""
    gains = -gap if better == "smaller" else gap
    chance = float(np.mean(gains > 0) + np.mean(gains == 0) / 2)
    return Comparison(a, b, difference, *basic(gap, difference, level), chance, "basic")


def basic(values: FloatArray, estimate: float, level: float) -> tuple[float, float]:
    """Return the ends of an interval: the quantiles of replicates, mirrored at the estimate."""
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(2 * estimate - high), float(2 * estimate - low)


# ------------------------------------------------------------------------------------------- drawing them


def replicates(
    frame: object,
    outcome: str,
    predictions: Iterable[str] | Mapping[str, str],
    *,
    weight: str | None = None,
    cluster: str | None = None,
    key: str | None = None,
    n_resamples: int = 400,
    rows: int = 512,
    seed: int = 0,
    on_missing: str = "error",
    pos_label: object = None,
) -> FrameReplicates:
    """Draw bootstrap replicates of the cases of a data frame, where the data are.

    For intervals when cases weigh differently or come in clusters, and there are too many for `frames.cases`. Each
    case, or cluster, stands in a replicate as often as a Poisson number with mean 1 says that comes from a hash of its
    own key: whichever worker does it, and however often, it is the same replicate. The data are read twice: once for
    the tables, once for the replicates. Spark and Dask do this on their workers (where stakes must be installed too),
    DuckDB and files batch by batch, others in memory.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    predictions : list of str, or mapping
        Column of scores of each model, finite numbers; a mapping gives the models names of their own.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    cluster : str, keyword-only, optional
        Column of cluster labels; cases with the same label are resampled together.
    key : str, keyword-only, optional
        Column that identifies the cases, such as a row number; needed without `cluster`.
    n_resamples : int, keyword-only
        Number of replicates, at least 100.
    rows : int, keyword-only
        Largest number of rows of the tables of the replicates.
    seed : int, keyword-only
        Seed of the replicates.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.

    Returns
    -------
    FrameReplicates
        The tables and their replicates, with `interval` and `compare`.

    Examples
    --------
    >>> import polars as pl
    >>> from stakes import brier_score
    >>> from stakes import frames
    >>> frame = pl.LazyFrame({"died": [0, 1, 0, 1] * 50, "risk": [0.1, 0.8, 0.3, 0.6] * 50, "id": range(200)})
    >>> found = frames.replicates(frame, "died", ["risk"], key="id").interval(brier_score)["risk"]
    >>> f"{found.estimate:.4f} [{found.lower:.4f}, {found.upper:.4f}]"
    '0.0750 [0.0686, 0.0829]'
    """
    drop = droppable(on_missing)
    _check.whole_number("n_resamples", n_resamples, 100)
    _check.whole_number("rows", rows, 2)
    _check.whole_number("seed", seed, 0)
    if cluster is None and key is None:
        wanted = ("name the column that identifies the cases, where no ", Argument("cluster"), " is given")
        raise InputError("key", wanted, "none")
    models = model_columns("predictions", predictions)
    roles = Roles(outcome=outcome, predictions=models, weight=weight, cluster=cluster, key=key, pos_label=pos_label)
    prepared = prepare(frame, roles, drop=drop)
    tables = make_tables(prepared, drop)
    warn_of_dropped(tables.dropped)
    return draw(prepared, tables, n_resamples, rows, seed)


def draw(prepared: PreparedFrame, tables: FrameTables, n_resamples: int, rows: int, seed: int) -> FrameReplicates:
    """Resample the cases of tables that were made already, on the workers."""
    drawing = _Drawing.of(tables, n_resamples, rows, seed)
    with prepared.reading():
        sums = add_up(prepared.usable("unit"), drawing.resampling)
    return drawing.filled(sums)


def draw_by_group(
    prepared: PreparedFrame, tables: FrameTables, n_resamples: int, rows: int, seed: int
) -> dict[str, FrameReplicates]:
    """Resample the cases of each group, all groups in one pass."""
    drawings = {
        name: _Drawing.of(FrameTables(dict(group)), n_resamples, rows, seed) for name, group in tables.groups.items()
    }
    with prepared.reading():
        of_rows = ByGroup({name: drawing.resampling for name, drawing in drawings.items()})
        sums = add_up(prepared.usable("unit", "group"), of_rows)
    parts = np.split(sums, np.cumsum([drawing.resampling.size for drawing in drawings.values()])[:-1])
    return {name: drawing.filled(part) for (name, drawing), part in zip(drawings.items(), parts, strict=True)}


@dataclass(frozen=True)
class _Drawing:
    """Tables to resample, with the task of the workers."""

    tables: FrameTables
    coarse: dict[str, ScoreTable]
    resampling: Resampling

    @classmethod
    def of(cls, tables: FrameTables, n_resamples: int, rows: int, seed: int) -> _Drawing:
        small = {model: coarsen_for_workers(tables[model], rows) for model in tables}
        edges = tuple(edge for _, edge in small.values())
        return cls(tables, {model: table for model, (table, _) in small.items()}, Resampling(edges, n_resamples, seed))

    def filled(self, sums: FloatArray) -> FrameReplicates:
        """Return the replicates from the sums of the workers."""
        cells = np.cumsum([2 * len(edges) for edges in self.resampling.edges])
        parts = np.split(sums.reshape(-1, self.resampling.n_resamples), cells[:-1])
        weights = {model: np.ascontiguousarray(part.T) for model, part in zip(self.coarse, parts, strict=True)}
        return FrameReplicates(self.tables, self.coarse, weights)
