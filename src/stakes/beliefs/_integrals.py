"""Integrals of a belief between odds, part by part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs._action_belief import ActionBelief
from stakes.beliefs._closed_integrals import (
    TAIL_LENGTH,
    Integrals,
    LogOddsUniformIntegrals,
    PointIntegrals,
    PrevalenceShift,
    UniformIntegrals,
    Values,
    odds_of,
    probability_of,
)
from stakes.beliefs._combined import parts
from stakes.beliefs._independent import IndependentCosts
from stakes.beliefs._money import only_cost
from stakes.beliefs._points import At, Atoms
from stakes.beliefs._quadrature import fitted_panels, integrate, panels
from stakes.beliefs._ranges import LogOddsUniform, Uniform
from stakes.beliefs._shapes import Beta

# Thresholds of several actions that are integrated over one by one.
_MOST_POINTS = 2_000


def integrals_by_part(name: str, belief: Any) -> Iterator[tuple[float, Integrals]]:
    """Integrals of each part of the belief given as argument `name`, with the part's probability.

    Two fixed costs in money are a point, and several actions a point or more, times what both mistakes cost together.
    """
    for weight, part in parts(belief, split_atoms=True):
        if isinstance(part, ActionBelief):
            _check_few_thresholds(name, part)
            yield from ((weight * part.mass * share, one) for share, one in integrals_by_part(name, part.law))
            continue
        cost = only_cost(part)
        if isinstance(part, IndependentCosts) and cost is not None and 0 < cost < 1:
            miss, alarm = part.false_negative[0], part.false_positive[0]
            yield weight * (miss + alarm), PointIntegrals(cost)
        else:
            yield weight, integrals(name, part)


def _check_few_thresholds(name: str, actions: ActionBelief) -> None:
    """Raise where a sample of costs has too many thresholds to integrate over one by one."""
    points = len(actions.law.values) if isinstance(actions.law, Atoms) else 0
    if points > _MOST_POINTS:
        wanted = f"have at most {_MOST_POINTS:,} thresholds where there is a prevalence"
        raise InputError(name, wanted, f"{points:,}", hint="draw fewer costs in `Actions.ranges`, such as `n=500`")


def integrals(name: str, part: Any) -> Integrals:
    """Integrals of one part, in closed form for points and ranges and by quadrature for any other."""
    if isinstance(part, At):
        return PointIntegrals(part.value)
    if isinstance(part, LogOddsUniform):
        return LogOddsUniformIntegrals(part)
    if isinstance(part, Uniform):
        return UniformIntegrals(part)
    if isinstance(part, IndependentCosts):
        return MoneyIntegrals(name, part)
    _check.check_methods(name, part)
    return DensityIntegrals(name, part)


Weight = Callable[[FloatArray], FloatArray]


class DensityIntegrals:
    """Integrals of any other belief, by its own methods or by quadrature of its density."""

    bottom = 0.0
    top = 1.0
    needs_quadrature = True

    def __init__(self, name: str, belief: Any) -> None:
        self.name, self.belief = name, belief

    @cached_property
    def log_range(self) -> tuple[float, float]:
        """The support in log-odds, without tails of negligible mass."""
        _check.check_methods(self.name, self.belief, "support")
        low, high = self.belief.support
        first = math.log(odds_of(low)) if low > 0 else -700.0
        last = math.log(odds_of(high)) if high < 1 else 700.0
        if not hasattr(self.belief, "share_above"):
            return max(first, -2.5 * TAIL_LENGTH), min(last, TAIL_LENGTH)
        if isinstance(self.belief, Beta):  # close to 1 the mirror image is more precise
            mirrored = Beta(self.belief.beta, self.belief.alpha, low=1 - high, high=1 - low)
            return _lower_edge(self.belief, first, last), -_lower_edge(mirrored, -last, -first)
        return _lower_edge(self.belief, first, last), _upper_edge(self.belief, first, last)

    @cached_property
    def edges(self) -> FloatArray:
        """Edges, in log-odds, of panels on which quadrature of the density is exact to rounding."""
        if not hasattr(self.belief, "density"):
            return panels(*self.log_range)
        return fitted_panels(self._density, *self.log_range)

    def check_proper(self) -> None:
        """Raise unless the density of the belief integrates to 1."""
        _check.check_methods(self.name, self.belief, "density", "support")
        if not abs(self._total_mass - 1) <= 1e-6:
            raise InputError(self.name, "be a belief whose density integrates to 1", f"{self.belief!r}")

    @cached_property
    def _total_mass(self) -> float:
        return float(integrate(self._density, self.edges))

    def _density(self, log_odds: FloatArray) -> FloatArray:
        return self.density(np.exp(log_odds))

    def from_odds(self, odds: FloatArray) -> FloatArray:
        """Odds in the variable of the limits."""
        return probability_of(odds)

    def reach(self, score: FloatArray, shift: PrevalenceShift) -> FloatArray:
        """Highest cost at which a case with each score is acted on, in the variable of the limits."""
        return shift.scores(score)

    def density(self, odds: FloatArray) -> FloatArray:
        """Density per unit of log-odds."""
        belief = self.belief
        if isinstance(belief, Beta):
            return self._beta_density(odds)
        inside = np.minimum(probability_of(odds), np.nextafter(1, 0))
        height: FloatArray = np.asarray(belief.density(inside))
        return height * (odds / np.square(1 + odds))

    def _beta_density(self, odds: FloatArray) -> FloatArray:
        """Density of a Beta from its height at the mean, since close to 1 the probability itself rounds to 1."""
        height, mean = self._beta_at_mean
        half = mean / 2
        rise = np.log1p((np.maximum(odds, half) - mean) / mean) + np.log(np.minimum(odds, half) / half)
        fall = np.log1p((odds - mean) / (1 + mean))
        alpha, beta = float(self.belief.alpha), float(self.belief.beta)
        return height * np.exp(alpha * rise - (alpha + beta) * fall)

    @cached_property
    def _beta_at_mean(self) -> tuple[float, float]:
        mean = self.belief.mean
        return float(self.belief.density(mean)) * mean * (1 - mean), odds_of(mean)

    def mass(self, low: Values, high: Values) -> FloatArray:
        """Probability between the limits."""
        return self._falling("share_above", lambda odds: np.ones_like(odds), low, high)

    def odds(self, low: Values, high: Values) -> FloatArray:
        """Mean of the odds between the limits."""
        return self._rising("odds_up_to", lambda odds: odds, low, high)

    def share(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """Mean of ``o / (o + k)`` between the limits."""
        if k is None:
            return self._rising("loss_if_negative", probability_of, low, high)
        return self._integral(lambda odds: odds / (odds + np.asarray(k)[..., None]), low, high)

    def rest(self, low: Values, high: Values, k: Values | None = None) -> FloatArray:
        """Mean of ``k / (o + k)`` between the limits."""
        if k is None:
            return self._falling("loss_if_positive", lambda odds: 1 / (1 + odds), low, high)
        return self._integral(lambda odds: np.asarray(k)[..., None] / (odds + np.asarray(k)[..., None]), low, high)

    def _rising(self, method: str, weight: Weight, low: Values, high: Values) -> FloatArray:
        if not hasattr(self.belief, method):
            return self._integral(weight, low, high)
        cumulated = getattr(self.belief, method)
        return _difference(cumulated(high), cumulated(low))

    def _falling(self, method: str, weight: Weight, low: Values, high: Values) -> FloatArray:
        if not hasattr(self.belief, method):
            return self._integral(weight, low, high)
        remaining = getattr(self.belief, method)
        return _difference(remaining(low), remaining(high))

    def _integral(self, weight: Weight, low: Values, high: Values) -> FloatArray:
        self.check_proper()
        first, last = self.log_range
        with np.errstate(divide="ignore"):
            ends = [np.clip(np.log(end) - np.log1p(-np.asarray(end)), first, last)[..., None] for end in (low, high)]

        def integrand(log_odds: FloatArray) -> FloatArray:
            odds = np.exp(log_odds)
            return weight(odds) * self.density(odds)

        return integrate(integrand, np.clip(self.edges, *ends))


class MoneyIntegrals(DensityIntegrals):
    """Integrals of two costs, by their losses: `share` and `rest` are in money."""

    @cached_property
    def log_range(self) -> tuple[float, float]:
        """The support in log-odds, without tails of negligible mass."""
        first, last = (_log_odds(end) for end in self.belief.support)
        return max(first, -2.5 * TAIL_LENGTH), min(last, TAIL_LENGTH)

    @cached_property
    def edges(self) -> FloatArray:
        """Edges of panels, in log-odds; one edge where the proportion rounds to 0 or 1."""
        if self.belief.is_fixed:
            return np.clip(self.log_range[:1], -TAIL_LENGTH, TAIL_LENGTH)
        return fitted_panels(self._density, *self.log_range)


def _log_odds(share: float) -> float:
    """Log-odds of a share, infinite at 0 and at 1."""
    if 0 < share < 1:
        return math.log(odds_of(share))
    return math.inf if share else -math.inf


def _lower_edge(belief: Any, low: float, high: float) -> float:
    """Log-odds below which the mass is within rounding of 0, by bisection."""
    return _edge(lambda middle: float(belief.share_above(middle)) < 1 - 3e-16, low, high)


def _upper_edge(belief: Any, low: float, high: float) -> float:
    """Log-odds above which the mass is within rounding of 0, by bisection."""
    return _edge(lambda middle: float(belief.share_above(middle)) <= 1e-17, low, high)


def _edge(beyond: Callable[[FloatArray], bool], low: float, high: float) -> float:
    """Log-odds from which a condition on the probability holds."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(probability_of(np.exp(np.array(middle)))) else (middle, high)
    return low


def _difference(larger: FloatArray, smaller: FloatArray) -> FloatArray:
    """Difference of two cumulative weights, 0 where both are infinite."""
    larger, smaller = np.asarray(larger), np.asarray(smaller)
    return np.subtract(larger, smaller, out=np.zeros(np.broadcast(larger, smaller).shape), where=larger != smaller)
