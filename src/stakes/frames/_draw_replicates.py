"""Drawing of bootstrap replicates where the data are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import Argument, InputError
from stakes._roles import Roles, droppable
from stakes.frames._faults import warn_of_dropped
from stakes.frames._frame import model_columns
from stakes.frames._frame_replicates import FrameReplicates
from stakes.frames._frame_tables import FrameTables, make_tables
from stakes.frames._money_replicates import BESIDE, MoneyDrawing
from stakes.frames._poisson import Resampling, coarsen_for_workers
from stakes.frames._prepare import PreparedFrame, prepare
from stakes.frames._workers import ByGroup, add_up
from stakes.table import ScoreTable


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

    For intervals when cases weigh differently or come in clusters, and there are too many for `frames.cases`. How often
    a case, or cluster, stands in a replicate is a Poisson number with mean 1, computed from a hash of its own key: so
    whichever worker computes a replicate, and however often, it is the same. The data are read twice: once for the
    tables, once for the replicates. Spark and Dask do this on their workers (where stakes must be installed too),
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
    drawing = _drawing(prepared).of(tables, n_resamples, rows, seed)
    with prepared.reading():
        sums = add_up(prepared.usable("unit", *_beside(prepared)), drawing.resampling)
    return drawing.filled(sums)


def draw_by_group(
    prepared: PreparedFrame, tables: FrameTables, n_resamples: int, rows: int, seed: int
) -> dict[str, FrameReplicates]:
    """Resample the cases of each group, all groups in one pass."""
    drawings = {
        name: _drawing(prepared).of(FrameTables(dict(group)), n_resamples, rows, seed)
        for name, group in tables.groups.items()
    }
    with prepared.reading():
        of_rows = ByGroup({name: drawing.resampling for name, drawing in drawings.items()})
        sums = add_up(prepared.usable("unit", "group", *_beside(prepared)), of_rows)
    parts = np.split(sums, np.cumsum([drawing.resampling.size for drawing in drawings.values()])[:-1])
    return {name: drawing.filled(part) for (name, drawing), part in zip(drawings.items(), parts, strict=True)}


def _drawing(prepared: PreparedFrame) -> type[_Drawing] | type[MoneyDrawing]:
    return MoneyDrawing if prepared.is_staked else _Drawing


def _beside(prepared: PreparedFrame) -> tuple[str, ...]:
    return BESIDE if prepared.is_staked else ()


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
