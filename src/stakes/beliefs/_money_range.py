"""Distributions of the cost proportion that follow from costs in money."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.beliefs._independent import IndependentCosts
from stakes.beliefs._quadrature import Distribution, SmoothDensity, UniformRange
from stakes.beliefs._ranges import Uniform

_PANELS = 65  # edges of even panels over the range, as for any other density


@dataclass(frozen=True, slots=True)
class MoneyRange:
    """A distribution of the proportion of two costs, with what both cost together at each."""

    costs: IndependentCosts

    @property
    def support(self) -> tuple[float, float]:
        """The smallest and the largest cost proportion."""
        return self.costs.support

    def nodes(self, breaks: FloatArray, poles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return nodes and their probabilities, for integrands that are smooth between `breaks`."""
        if self.costs.is_fixed:
            return np.array([self.costs.mean]), np.array([1.0])
        even = np.linspace(*self.support, _PANELS)
        return SmoothDensity(self.costs, (*even, *self._corners())).nodes(breaks, poles)

    def magnitude(self, proportion: FloatArray) -> FloatArray:
        """Mean of ``F + G``, the cost of both mistakes, where this is the cost proportion.

        Along the ray of a proportion the density of the sum is proportional to the sum itself, so that its mean between
        a and b is two thirds of ``(a^2 + a b + b^2) / (a + b)``; on a line or a point there is one sum only.
        """
        (f0, f1), (g0, g1) = self.costs.false_negative, self.costs.false_positive
        c = np.asarray(proportion, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            if f0 == f1:
                return np.full(c.shape, f0 + g0) if g0 == g1 else f0 / (1 - c)
            if g0 == g1:
                return g0 / c
            high = np.fmin(f1 / (1 - c), g1 / c)
            low = np.fmin(np.fmax(f0 / (1 - c), g0 / c), high)
            ratio = low / high
            return high * (2 / 3) * (1 + ratio * (ratio / (1 + ratio)))

    def _corners(self) -> Iterator[float]:
        """Return the proportions at which the density bends: corners of the rectangle of costs."""
        for miss in self.costs.false_negative:
            yield from (alarm / (miss + alarm) for alarm in self.costs.false_positive if miss + alarm > 0)


@dataclass(frozen=True, slots=True)
class PricedThresholds:
    """A distribution of the thresholds between several actions, with what both mistakes cost together."""

    thresholds: Distribution
    mass: float

    @property
    def support(self) -> tuple[float, float]:
        """The lowest and the highest threshold."""
        return self.thresholds.support

    def nodes(self, breaks: FloatArray, poles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return nodes and their probabilities, for integrands that are smooth between `breaks`."""
        law = self.thresholds
        smooth = SmoothDensity(Uniform(*law.support)) if isinstance(law, UniformRange) else law
        return smooth.nodes(breaks, poles)

    def magnitude(self, proportion: FloatArray) -> FloatArray:
        """Cost of both mistakes together, which the distribution is already weighted by."""
        return np.full(np.shape(proportion), self.mass)
