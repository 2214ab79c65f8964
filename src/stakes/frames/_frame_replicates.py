"""Bootstrap replicates of tables, drawn where the data are, for weighted or clustered cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import as_share
from stakes.frames._frame_tables import FrameTables
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
            return np.array([_on(measure, self._table_of(model, i)) for i in range(len(self.weights[model]))]) - off

    def _table_of(self, model: str, replicate: int) -> ScoreTable | None:
        """Return the table of a model in a replicate; None where that has no case at all."""
        positive, negative = np.split(self.weights[model][replicate], 2)
        here = positive + negative > 0
        return frozen_table(self.coarse[model].score[here], positive[here], negative[here]) if here.any() else None

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


def _on(measure: MeasureLike, table: ScoreTable | None) -> float:
    """Return a measure of a replicate, nan where it has no case at all."""
    return math.nan if table is None else float(measure(table))


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
