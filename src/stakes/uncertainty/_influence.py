"""What each case moves a statistic by: the influence functions of our own numbers."""

from __future__ import annotations

import numpy as np

from stakes._arrays import FloatArray, blocks
from stakes.cases import Cases, IntArray
from stakes.table import ScoreTable
from stakes.uncertainty._known import Area, Known, Means
from stakes.uncertainty._shifted import Shifted


def cells(cases: Cases, model: str) -> IntArray:
    """Cell of each case in a model's table: its row, counted on from the last row where the case is negative."""
    rows = cases.rows(model)
    return np.where(cases.positive, rows, rows + len(cases.table(model)))


def cell_weights(table: ScoreTable) -> FloatArray:
    """Weight of each cell: of the positives of every row, then of the negatives."""
    return np.concatenate([table.positive, table.negative])


def cell_values(known: Means, table: ScoreTable) -> list[FloatArray]:
    """Pointwise values of each cell, an array for each mean; an infinite value of an empty cell counts nothing."""
    with np.errstate(divide="ignore"):
        pieces = [
            [np.broadcast_arrays(*pair) for pair in known.values(table.score[rows])] for rows in blocks(len(table))
        ]
    return [
        _of_present(np.concatenate([piece[side] for side in (0, 1) for piece in column]), table)
        for column in zip(*pieces, strict=True)
    ]


def _of_present(values: FloatArray, table: ScoreTable) -> FloatArray:
    """Put 0 where a cell is empty, if a value is not finite."""
    return values if np.isfinite(values.sum()) else np.where(cell_weights(table) > 0, values, 0.0)


def influence(known: Known, table: ScoreTable, units: int) -> FloatArray:
    """Return what a case of each cell moves the statistic by, times the whole weight; `units` are independent."""
    if isinstance(known, Means):
        return _influence_on_means(known, table)
    if not (table.positive_total > 0 and table.negative_total > 0):
        return np.full(2 * len(table), np.nan)
    if isinstance(known, Area):
        return _influence_on_area(table)
    return _influence_on_shifted(known, table, units)


def _influence_on_means(known: Means, table: ScoreTable) -> FloatArray:
    values, weight = cell_values(known, table), cell_weights(table)
    means = np.array([np.einsum("i,i->", weight, column) for column in values]) / table.total
    if not np.isfinite(means).all():
        return np.full(len(weight), np.nan)
    gradient = known.gradient(means)
    moved = np.full(len(weight), -float(gradient @ means))
    for slope, column in zip(gradient, values, strict=True):
        moved += slope * column
    return moved


def _influence_on_area(table: ScoreTable) -> FloatArray:
    """DeLong's components: the share of the other class that a case beats, less the mean of that, by class."""
    below = (np.cumsum(table.negative) - table.negative / 2) / table.negative_total
    above = 1 - (np.cumsum(table.positive) - table.positive / 2) / table.positive_total
    area = table.positive @ below / table.positive_total
    share = table.prevalence
    return np.concatenate([(below - area) / share, (above - area) / (1 - share)])


def _influence_on_shifted(known: Shifted, table: ScoreTable, units: int) -> FloatArray:
    """Each class about its own mean, and what a case does to the prevalence that the scores are corrected from."""
    positive, negative = np.split(_of_present(np.concatenate(known.values(table)), table), 2)
    first = float(np.einsum("i,i->", table.positive, positive)) / table.positive_total
    second = float(np.einsum("i,i->", table.negative, negative)) / table.negative_total
    if not np.isfinite(first + second):
        return np.full(2 * len(table), np.nan)
    share, slope = table.prevalence, known.slope(table, units)
    return np.concatenate([(positive - first + slope) / share, (negative - second - slope) / (1 - share)])


def units_of(cases: Cases) -> int:
    """How many independent units there are: clusters, or cases."""
    return len(cases) if cases.cluster is None else int(cases.cluster.max()) + 1


def moves(cases: Cases, model: str, known: Known) -> FloatArray:
    """Return what each independent unit, a case or a cluster, moves the statistic by; they add up to 0."""
    table = cases.table(model)
    moved = influence(known, table, units_of(cases))[cells(cases, model)]
    moved /= table.total
    if cases.weight is not None:
        moved *= cases.weight
    return moved if cases.cluster is None else np.bincount(cases.cluster, moved).astype(np.float64, copy=False)
