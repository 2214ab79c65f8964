"""Integrals of a belief between odds in closed form, for a point and the two uniform ranges.

Bayes' rule multiplies odds: a case is acted on where (odds of the prevalence) x (likelihood ratio of its
score) >= (odds of the cost). So every average over costs or prevalences is an integral over a belief, up to or
from some value, of one of four functions of the odds o:

    mass  1        odds  o        share  o / (o + k)        rest  k / (o + k)

With ``k = 1`` the last two are the probability and its complement. The limits are given in a variable that
suits the belief: odds for the two ranges, the probability itself for a point (which needs an exact
comparison) and for every other belief (whose own methods are called).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stakes._arrays import FloatArray, log_excess_ratio
from stakes.beliefs._quadrature import panels
from stakes.beliefs._ranges import LogOddsUniform, Uniform

Values = FloatArray | float


# Stands for infinite odds where an expression would become inf / inf.
LARGEST_ODDS = 1e300


# Beyond this many log-odds from its last sizeable value a bounded density has mass below float64 rounding.
TAIL_LENGTH = 41.0


class Integrals(Protocol):
    """Integrals of one part of a belief, each between two limits of integration.

    From `bottom` to `top` is the whole belief. The density is per unit of log-odds, and smooth between the `edges`,
    which are log-odds.
    """

    @property
    def bottom(self) -> float: ...
    @property
    def top(self) -> float: ...
    @property
    def needs_quadrature(self) -> bool: ...
    @property
    def edges(self) -> FloatArray: ...
    def from_odds(self, odds: FloatArray) -> FloatArray: ...
    def reach(self, score: FloatArray, shift: PrevalenceShift) -> FloatArray: ...
    def density(self, odds: FloatArray) -> FloatArray: ...
    def mass(self, low: Values, high: Values) -> FloatArray: ...
    def odds(self, low: Values, high: Values) -> FloatArray: ...
    def share(self, low: Values, high: Values, k: Values | None = None) -> FloatArray: ...
    def rest(self, low: Values, high: Values, k: Values | None = None) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class PrevalenceShift:
    """A change from the prevalence of a table to another one, by Bayes' rule."""

    origin: float
    origin_odds: float
    target: float

    @property
    def odds(self) -> float:
        """Odds of the target prevalence."""
        return self.target / (1 - self.target)

    def scores(self, score: FloatArray) -> FloatArray:
        """Scores at the target prevalence, unchanged if it is the table's own."""
        if self.target == self.origin:
            return score
        up, down = score * (self.target * (1 - self.origin)), (1 - score) * (self.origin * (1 - self.target))
        return up / (up + down)

    def score_odds(self, score: FloatArray) -> FloatArray:
        """Odds of the scores at the target prevalence."""
        return score / (1 - score) * (self.odds / self.origin_odds)


def odds_of(probability: float) -> float:
    """Odds of a probability, infinite at 1."""
    return probability / (1 - probability) if probability < 1 else math.inf


def probability_of(odds: FloatArray) -> FloatArray:
    """Probability of odds that may be infinite."""
    finite = np.minimum(odds, LARGEST_ODDS)
    return np.asarray(finite / (1 + finite))


@dataclass(frozen=True)
class PointIntegrals:
    """Integrals of `At`, over limits that exclude the lower one; the variable is the probability."""

    value: float
    bottom, top = -math.inf, math.inf
    needs_quadrature = False

    @property
    def odds_here(self) -> float:
        """Odds of the value."""
        return self.value / (1 - self.value)

    @property
    def edges(self) -> FloatArray:
        """Its log-odds."""
        return np.array([math.log(self.odds_here)])

    def from_odds(self, odds: FloatArray) -> FloatArray:
        """Odds in the variable of the limits."""
        return probability_of(odds)

    def reach(self, score: FloatArray, shift: PrevalenceShift) -> FloatArray:
        """Highest cost at which a case with each score is acted on, in the variable of the limits."""
        return shift.scores(score)

    def density(self, odds: FloatArray) -> FloatArray:
        """Raise, since a point has no density."""
        raise AssertionError("a point is never integrated over")

    def mass(self, low: Values, high: Values) -> FloatArray:
        """1 if the value lies within the limits, else 0."""
        return np.where((np.asarray(low) < self.value) & (self.value <= np.asarray(high)), 1.0, 0.0)

    def odds(self, low: Values, high: Values) -> FloatArray:
        """Its odds, if it lies within the limits."""
        return self.odds_here * self.mass(low, high)

    def share(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """``o / (o + k)``, if it lies within the limits."""
        k = 1.0 if k is None else k
        return self.odds_here / (self.odds_here + k) * self.mass(low, high)

    def rest(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """``k / (o + k)``, if it lies within the limits."""
        k = 1.0 if k is None else k
        return k / (self.odds_here + k) * self.mass(low, high)


class _RangeIntegrals:
    """Common part of the two ranges, whose variable is the odds, clipped to the range."""

    bottom, top = -math.inf, math.inf
    needs_quadrature = False
    low: float
    high: float

    def from_odds(self, odds: FloatArray) -> FloatArray:
        """Odds in the variable of the limits."""
        return odds

    def reach(self, score: FloatArray, shift: PrevalenceShift) -> FloatArray:
        """Highest cost at which a case with each score is acted on, in the variable of the limits."""
        return shift.score_odds(score)

    def _clip(self, low: Values, high: Values) -> tuple[FloatArray, FloatArray]:
        return np.clip(low, self.low, self.high), np.clip(high, self.low, self.high)


class LogOddsUniformIntegrals(_RangeIntegrals):
    """Integrals of `LogOddsUniform`, each the logarithm of a ratio, written as ``log1p`` of a distance."""

    def __init__(self, belief: LogOddsUniform) -> None:
        self.low, self.high = odds_of(belief.low), odds_of(belief.high)
        self.length = math.log1p((self.high - self.low) / self.low)

    @property
    def edges(self) -> FloatArray:
        """The bounds in log-odds, and panels between them."""
        low = math.log(self.low)
        return panels(low, low + self.length)

    def density(self, odds: FloatArray) -> FloatArray:
        """Density per unit of log-odds."""
        return np.full(np.shape(odds), 1 / self.length)

    def mass(self, low: Values, high: Values) -> FloatArray:
        """Probability between the limits."""
        low, high = self._clip(low, high)
        return np.log1p((high - low) / low) / self.length

    def odds(self, low: Values, high: Values) -> FloatArray:
        """Mean of the odds between the limits."""
        low, high = self._clip(low, high)
        return (high - low) / self.length

    def share(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """Mean of ``o / (o + k)`` between the limits."""
        low, high = self._clip(low, high)
        return np.log1p((high - low) / (low + (1.0 if k is None else k))) / self.length

    def rest(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """Mean of ``k / (o + k)`` between the limits."""
        low, high = self._clip(low, high)
        k = 1.0 if k is None else k
        return np.log1p((high - low) / low * (k / (high + k))) / self.length


class UniformIntegrals(_RangeIntegrals):
    """Integrals of `Uniform`, each a sum of non-negative terms in x = o / (1 + o)."""

    def __init__(self, belief: Uniform) -> None:
        self.low, self.high = odds_of(belief.low), min(odds_of(belief.high), LARGEST_ODDS)
        self.width = belief.high - belief.low

    @property
    def edges(self) -> FloatArray:
        """The bounds in log-odds, infinite ones replaced by where the rest is negligible, and panels between."""
        tail = TAIL_LENGTH - math.log(self.width)
        return panels(max(math.log(max(self.low, 1 / LARGEST_ODDS)), -tail), min(math.log(self.high), tail))

    def density(self, odds: FloatArray) -> FloatArray:
        """Density per unit of log-odds."""
        return odds / np.square(1 + odds) / self.width

    def mass(self, low: Values, high: Values) -> FloatArray:
        """Probability between the limits."""
        return self._mass(*self._clip(low, high))

    def _mass(self, low: FloatArray, high: FloatArray) -> FloatArray:
        return (high - low) / (1 + high) / ((1 + low) * self.width)

    def odds(self, low: Values, high: Values) -> FloatArray:
        """Mean of the odds between the limits; infinite up to 1."""
        low, high = self._clip(low, high)
        step = (high - low) / (1 + low)
        # = log1p(step) less the distance in probability, without cancellation.
        with np.errstate(invalid="ignore", over="ignore"):
            total = step * (high / (1 + high)) - np.square(step) * log_excess_ratio(step, np.log1p(step))
        return np.where((high == LARGEST_ODDS) & (low < high), np.inf, total / self.width)

    def share(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """Mean of ``o / (o + k)`` between the limits."""
        low, high = self._clip(low, high)
        mass = self._mass(low, high)
        if k is None:
            return mass * (high / (1 + high) + low / (1 + low)) / 2
        reach = (high - low) / (1 + high) / (low + k)
        return k * self._curved(reach, (1 - k) * reach, low, high, k) + mass * (low / (low + k))

    def rest(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """Mean of ``k / (o + k)`` between the limits."""
        low, high = self._clip(low, high)
        mass = self._mass(low, high)
        if k is None:
            return mass * (1 / (1 + high) + 1 / (1 + low)) / 2
        reach = (high - low) / (high + k) / (1 + low)
        return k * self._curved(reach, (k - 1) * reach, low, high, k) + mass * (k / (high + k))

    def _curved(self, reach: FloatArray, step: FloatArray, low: FloatArray, high: FloatArray, k: Values) -> FloatArray:
        """``reach**2 (step - log(1 + step)) / step**2`` over the width of the range, without cancellation."""
        up, down = (high + k) / (1 + high), (low + k) / (1 + low)
        logarithm = np.sign(step) * np.abs(np.log(up / down))
        return np.square(reach) * log_excess_ratio(step, logarithm) / self.width
