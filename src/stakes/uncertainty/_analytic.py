"""Analytic intervals, from the influence of the independent units on a measure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from stakes._arrays import BoolArray, FloatArray, blocks, extreme_power
from stakes.cases import Cases, weighed_cases
from stakes.measures import Form, cell_weights
from stakes.table import ScoreTable
from stakes.uncertainty._ends import UNDEFINED, Ends, single_deviate

_MOST_SKEWED = 0.2  # beyond this acceleration the skewness comes from two or three cases, and the formula has a pole


@dataclass(frozen=True)
class Spread:
    """Standard error of a measure and the shape of its distribution.

    `acceleration` is a sixth of the skewness of its error, `freedom` the degrees of freedom of the standard error:
    from the kurtosis of the influence of the units, few where the error comes from a few cases.
    """

    error: float
    acceleration: float
    freedom: float
    units: int


def classes_of(cases: Cases, *, by_class: bool) -> BoolArray | None:
    """Return the class of each case if each class has its own variance, as in DeLong's; None otherwise."""
    is_by_class = by_class and cases.cluster is None and weighed_cases(cases) is None
    return cases.positive if is_by_class else None


@dataclass(frozen=True)
class PowerSums:
    """Sums of powers of the influence, and of its squares over the positives."""

    squares: float
    cubes: float
    fourths: float
    of_positives: float


def _power_sums(influence: FloatArray, times: FloatArray | None, positive: BoolArray | None) -> PowerSums:
    """Add up powers of the influence; `times` is the multiplicity of each value, 1 unless given."""
    sums = np.zeros(4)
    for rows in blocks(len(influence)):
        one = influence[rows]
        square = one * one
        counted = square if times is None else square * times[rows]
        sums[:3] += counted.sum(), (counted * one).sum(), (counted * square).sum()
        sums[3] += 0.0 if positive is None else counted.compress(positive[rows]).sum()
    return PowerSums(*sums.tolist())


def influence_spread(influence: FloatArray, positive: BoolArray | None = None) -> Spread:
    """Return the spread of a measure, from the influence of each unit; by class if `positive` is given."""
    if power := extreme_power(influence):  # money may have any unit
        spread = influence_spread(np.ldexp(influence, -power), positive)
        return replace(spread, error=float(np.ldexp(spread.error, power)))
    positives = 0 if positive is None else int(np.count_nonzero(positive))
    sums = _power_sums(influence, None, positive)
    return spread_of(sums, len(influence), positives, by_class=positive is not None)


def spread_of_table(form: Form, table: ScoreTable) -> Spread:
    """Return the spread of a measure of a table; every unit of weight is one independent case."""
    cases = round(table.total)
    influence = form.influence(table, cases) / table.total
    sums = _power_sums(influence, cell_weights(table), np.arange(len(influence)) < len(table))
    return spread_of(sums, cases, round(table.positive_total), by_class=form.by_class)


def spread_of(sums: PowerSums, units: int, positives: int, *, by_class: bool) -> Spread:
    """Return the spread of a measure, from the sums of powers of the influence."""
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


def skewed_ends(estimate: float, spread: Spread, level: float) -> Ends:
    r"""Return the ends of the BCa interval of a mean, without resampling.

    They are :math:`\hat\theta + \sigma\,w/(1 - aw)^2` with :math:`w = a \pm t`.
    """
    a = min(max(spread.acceleration, -_MOST_SKEWED), _MOST_SKEWED)
    reach = min(single_deviate(level, spread.units - 1), 0.9 / _MOST_SKEWED - _MOST_SKEWED)
    low, high = (estimate + spread.error * w / (1 - a * w) ** 2 for w in (a - reach, a + reach))
    return low, high


def symmetric_ends(estimate: float, spread: Spread, level: float) -> Ends:
    """Return ends at equal distance from the estimate, by Student's t."""
    reach = spread.error * single_deviate(level, spread.freedom)
    return estimate - reach, estimate + reach


def _log_odds_ends(area: float, spread: Spread, level: float) -> Ends:
    reach = spread.error / (area * (1 - area)) * single_deviate(level, spread.freedom)
    low, high = special.expit(special.logit(area) + np.array([-reach, reach]))
    return float(low), float(high)


def _ends_when_separated(cases: Cases, area: float, level: float) -> Ends:
    """Return an exact, wide interval of an AUC of 0 or 1.

    Every pair of a positive and a negative has the same outcome, so disjoint pairs have it too, and they are
    independent.
    """
    known = np.ones(len(cases), dtype=np.bool_) if cases.weight is None else cases.weight > 0
    if cases.cluster is None:
        pairs = int(min((cases.positive & known).sum(), (~cases.positive & known).sum()))
    else:
        held = [len(np.unique(cases.cluster[(cases.positive == label) & known])) for label in (True, False)]
        pairs = min(*held, len(np.unique(cases.cluster)) // 2)
    bound = ((1 - level) / 2) ** (1 / max(pairs, 1))
    return (bound, 1.0) if area > 0.5 else (0.0, 1 - bound)


def analytic_ends(form: Form, estimate: float, influence: FloatArray, cases: Cases, level: float) -> Ends:
    """Return the ends of the analytic interval of a measure, from the influence of each unit."""
    spread = influence_spread(influence, classes_of(cases, by_class=form.by_class))
    if form.scale == "log-odds" and estimate in (0.0, 1.0) and math.isfinite(spread.error):
        return _ends_when_separated(cases, estimate, level)
    return ends_of(form, estimate, spread, level)


def ends_of(form: Form, estimate: float, spread: Spread, level: float) -> Ends:
    """Return the ends of the interval on the scale of the measure's form."""
    if not is_defined(estimate, spread):
        return UNDEFINED
    ends = {"skewed": skewed_ends, "log-odds": _log_odds_ends, "symmetric": symmetric_ends}[form.scale]
    return ends(estimate, spread, level)


def is_defined(estimate: float, spread: Spread) -> bool:
    """Return whether the estimate and its standard error are finite, from at least two units."""
    return math.isfinite(estimate) and math.isfinite(spread.error) and spread.units > 1


def difference_ends(difference: float, spread: Spread, level: float) -> tuple[Ends, float]:
    """Return the ends of a difference and the probability that the true one is above 0."""
    if not is_defined(difference, spread):
        return UNDEFINED, math.nan
    if spread.error == 0:
        return (difference, difference), 0.5 + 0.5 * float(np.sign(difference))
    return symmetric_ends(difference, spread, level), float(special.stdtr(spread.freedom, difference / spread.error))
