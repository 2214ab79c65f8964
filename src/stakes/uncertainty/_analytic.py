"""Analytic intervals: how far the independent units together may have moved a measure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import BoolArray, FloatArray, blocks
from stakes.cases import Cases
from stakes.measures import Form, cell_weights
from stakes.table import ScoreTable

Ends = tuple[float, float]


UNDEFINED: Ends = (math.nan, math.nan)


_MOST_SKEWED = 0.2  # beyond this acceleration the skewness is that of two or three cases, and the formula has a pole


@dataclass(frozen=True)
class Spread:
    """How far a measure may be from the truth.

    `acceleration` is a sixth of the skewness of its error, `freedom` the degrees of freedom of the standard error:
    from the kurtosis of what the units contribute, few where the error comes from a few cases.
    """

    error: float
    acceleration: float
    freedom: float
    units: int


def classes_of(cases: Cases, *, by_class: bool) -> BoolArray | None:
    """Return the classes where a mean is taken in each, as DeLong's variance does; none otherwise."""
    return cases.positive if by_class and cases.cluster is None else None


@dataclass(frozen=True)
class PowerSums:
    """Sums of the powers of contributions, and of the squares of those of the positives."""

    squares: float
    cubes: float
    fourths: float
    of_positives: float


def _sums(moved: FloatArray, times: FloatArray | None, positive: BoolArray | None) -> PowerSums:
    """Add up powers; `times` says how often each contribution stands, once where it is not given."""
    sums = np.zeros(4)
    for rows in blocks(len(moved)):
        one = moved[rows]
        square = one * one
        held = square if times is None else square * times[rows]
        sums[:3] += held.sum(), (held * one).sum(), (held * square).sum()
        sums[3] += 0.0 if positive is None else held.compress(positive[rows]).sum()
    return PowerSums(*sums.tolist())


def spread(moved: FloatArray, positive: BoolArray | None = None) -> Spread:
    """Return the standard error and the shape of a sum of independent contributions, where given by class."""
    held = len(moved), 0 if positive is None else int(np.count_nonzero(positive))
    return spread_of(_sums(moved, None, positive), *held, by_class=positive is not None)


def spread_of_table(form: Form, table: ScoreTable) -> Spread:
    """Return the same where every unit of weight is one independent case."""
    cases = round(table.total)
    moved = form.influence(table, cases) / table.total
    sums = _sums(moved, cell_weights(table), np.arange(len(moved)) < len(table))
    return spread_of(sums, cases, round(table.positive_total), by_class=form.by_class)


def spread_of(sums: PowerSums, units: int, positives: int, *, by_class: bool) -> Spread:
    if not sums.squares > 0:
        return Spread(sums.squares, 0.0, max(units - 1, 1), units)
    groups = [(units, sums.squares)]
    if by_class:
        groups = [(positives, sums.of_positives), (units - positives, sums.squares - sums.of_positives)]
    if min(size for size, _ in groups) < 2:
        return Spread(math.nan, 0.0, 1, units)
    variance = sum(size / (size - 1) * part for size, part in groups)
    freedom = 2 / max(sums.fourths / sums.squares**2 - 1 / units, 2 / units)
    acceleration = sums.cubes / (6 * sums.squares**1.5)
    return Spread(math.sqrt(variance), acceleration, min(max(freedom, 1.0), units - 1.0), units)


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


def analytic_ends(form: Form, estimate: float, moved: FloatArray, cases: Cases, level: float) -> Ends:
    """Return the ends of the analytic interval of a measure; `moved` is the influence of each unit."""
    found = spread(moved, classes_of(cases, by_class=form.by_class))
    if form.scale == "log-odds" and estimate in (0.0, 1.0) and math.isfinite(found.error):
        return _separated(cases, estimate, level)
    return ends_of(form, estimate, found, level)


def ends_of(form: Form, estimate: float, found: Spread, level: float) -> Ends:
    """Return the ends on the scale that suits the measure."""
    if not is_defined(estimate, found):
        return UNDEFINED
    ends = {"skewed": accelerated, "log-odds": _on_log_odds, "symmetric": symmetric}[form.scale]
    return ends(estimate, found, level)


def is_defined(estimate: float, found: Spread) -> bool:
    """Whether an estimate and its standard error are numbers, from two units at least."""
    return math.isfinite(estimate) and math.isfinite(found.error) and found.units > 1


def difference_ends(difference: float, found: Spread, level: float) -> tuple[Ends, float]:
    """Return the ends of a difference, and the probability that the true one is above 0."""
    if not is_defined(difference, found):
        return UNDEFINED, math.nan
    if found.error == 0:
        return (difference, difference), 0.5 + 0.5 * float(np.sign(difference))
    return symmetric(difference, found, level), float(special.stdtr(found.freedom, difference / found.error))
