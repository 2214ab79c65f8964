"""Analytic intervals: what each case moves a statistic by, and how far all of them together may have moved it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._check import BoolArray, FloatArray
from stakes.cases import Cases, IntArray
from stakes.table import ScoreTable
from stakes.uncertainty._known import Area, Means

Ends = tuple[float, float]
UNDEFINED: Ends = (math.nan, math.nan)
_MOST_SKEWED = 0.2  # beyond this acceleration the skewness is that of two or three cases, and the formula has a pole


def cells(cases: Cases, model: str) -> IntArray:
    """Cell of each case in a model's table: its row, counted on from the last row where the case is negative."""
    rows = cases.rows(model)
    return np.where(cases.positive, rows, rows + len(cases.table(model)))


def cell_weights(table: ScoreTable) -> FloatArray:
    """Weight of each cell: of the positives of every row, then of the negatives."""
    return np.concatenate([table.positive, table.negative])


def cell_values(known: Means, table: ScoreTable) -> FloatArray:
    """Pointwise values of each cell, one column for each mean; 0 where the cell is empty, whatever the value there."""
    with np.errstate(divide="ignore"):
        columns = [np.concatenate(np.broadcast_arrays(*pair)) for pair in known.values(table.score)]
    return np.where(cell_weights(table)[:, None] > 0, np.stack(columns, axis=1), 0.0)


def influence(known: Means | Area, table: ScoreTable) -> FloatArray:
    """Return what a case of each cell moves the statistic by, times the whole weight."""
    if isinstance(known, Area):
        return _influence_on_area(table)
    values = cell_values(known, table)
    if not np.isfinite(values).all():
        return np.full(len(values), np.nan)
    means = cell_weights(table) @ values / table.total
    moved: FloatArray = (values - means) @ known.gradient(means)
    return moved


def _influence_on_area(table: ScoreTable) -> FloatArray:
    """DeLong's components: the share of the other class that a case beats, less the mean of that, by class."""
    if not (table.positive_total > 0 and table.negative_total > 0):
        return np.full(2 * len(table), np.nan)
    below = (np.cumsum(table.negative) - table.negative / 2) / table.negative_total
    above = 1 - (np.cumsum(table.positive) - table.positive / 2) / table.positive_total
    area = table.positive @ below / table.positive_total
    share = table.prevalence
    return np.concatenate([(below - area) / share, (above - area) / (1 - share)])


def moves(cases: Cases, model: str, known: Means | Area) -> FloatArray:
    """Return what each independent unit, a case or a cluster, moves the statistic by; they add up to 0."""
    table = cases.table(model)
    moved = (influence(known, table) / table.total)[cells(cases, model)]
    if cases.weight is not None:
        moved = moved * cases.weight
    return moved if cases.cluster is None else np.bincount(cases.cluster, moved).astype(np.float64, copy=False)


@dataclass(frozen=True)
class Spread:
    """How far a statistic may be from the truth.

    `acceleration` is a sixth of the skewness of its error, `freedom` the degrees of freedom of the standard error:
    from the kurtosis of what the units contribute, few where the error comes from a few cases.
    """

    error: float
    acceleration: float
    freedom: float
    units: int


def classes_of(cases: Cases, known: Means | Area) -> BoolArray | None:
    """Return the classes where a mean is taken in each, as DeLong's variance does; none otherwise."""
    return cases.positive if isinstance(known, Area) and cases.cluster is None else None


def spread(moved: FloatArray, classes: BoolArray | None = None) -> Spread:
    """Return the standard error and the shape of a sum of independent contributions."""
    units = len(moved)
    squares, cubes, fourths = (float((moved**power).sum()) for power in (2, 3, 4))
    if not squares > 0:
        return Spread(squares, 0.0, max(units - 1, 1), units)
    groups = [moved] if classes is None else [moved[classes], moved[~classes]]
    if min(map(len, groups)) < 2:
        return Spread(math.nan, 0.0, 1, units)
    variance = sum(len(group) / (len(group) - 1) * float((group**2).sum()) for group in groups)
    freedom = 2 / max(fourths / squares**2 - 1 / units, 2 / units)
    return Spread(math.sqrt(variance), cubes / (6 * squares**1.5), min(max(freedom, 1.0), units - 1.0), units)


def quantile(probability: float, freedom: float) -> float:
    """Quantile of Student's t."""
    return float(special.stdtrit(freedom, probability))


def accelerated(estimate: float, found: Spread, level: float) -> Ends:
    r"""Return :math:`\hat\theta + \sigma\,w/(1 - aw)^2`, :math:`w = a \pm t`: BCa of a mean, without the resampling."""
    a = min(max(found.acceleration, -_MOST_SKEWED), _MOST_SKEWED)
    reach = min(quantile((1 + level) / 2, found.units - 1), 0.9 / _MOST_SKEWED - _MOST_SKEWED)
    low, high = (estimate + found.error * w / (1 - a * w) ** 2 for w in (a - reach, a + reach))
    return low, high


def symmetric(estimate: float, found: Spread, level: float) -> Ends:
    """Return ends at equal distance, with Student's t where the standard error itself is uncertain."""
    reach = found.error * quantile((1 + level) / 2, found.freedom)
    return estimate - reach, estimate + reach


def _on_log_odds(area: float, found: Spread, level: float) -> Ends:
    reach = found.error / (area * (1 - area)) * quantile((1 + level) / 2, found.freedom)
    low, high = special.expit(special.logit(area) + np.array([-reach, reach]))
    return float(low), float(high)


def _separated(cases: Cases, area: float, level: float) -> Ends:
    """Every pair is won, or lost: so were the disjoint pairs, and they are independent (an exact, wide bound)."""
    if cases.cluster is None:
        pairs = int(min(cases.positive.sum(), (~cases.positive).sum()))
    else:
        held = [len(np.unique(cases.cluster[cases.positive == label])) for label in (True, False)]
        pairs = min(*held, len(np.unique(cases.cluster)) // 2)
    bound = ((1 - level) / 2) ** (1 / max(pairs, 1))
    return (bound, 1.0) if area > 0.5 else (0.0, 1 - bound)


def analytic_ends(cases: Cases, model: str, known: Means | Area, estimate: float, level: float) -> Ends:
    """Return the ends of the analytic interval of one model's statistic."""
    found = spread(moves(cases, model, known), classes_of(cases, known))
    if not (math.isfinite(estimate) and math.isfinite(found.error)) or found.units < 2:
        return UNDEFINED
    if not isinstance(known, Area):
        return accelerated(estimate, found, level)
    if estimate in (0.0, 1.0):
        return _separated(cases, estimate, level)
    return _on_log_odds(estimate, found, level)
