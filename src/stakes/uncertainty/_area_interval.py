"""Score intervals of the area under the ROC curve, for few cases of a class."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stakes.uncertainty._ends import UNDEFINED, Ends, root
from stakes.uncertainty._half_case import Kinds

FEW = 30  # of the rarer class: from here on DeLong's interval in log-odds covers
_PRIOR = 10.0  # degrees of freedom that the model's variance counts for, against DeLong's
_NO_CORRELATION, _CORRELATION = 0.5, 2.0  # standard errors: chance up to the first, trusted from the second on
_HALVINGS = 60
_FARTHEST = 37.0


@dataclass(frozen=True)
class SampledArea:
    r"""An area under the ROC curve, its effective numbers of cases and DeLong's variance.

    The variance of an area *t* is that of Newcombe's method 5,
    :math:`V(t) = \frac{t (1 - t)}{mk} \left[1 + N \left(\frac{1 - t}{2 - t} + \frac{t}{1 + t}\right)\right]` with
    :math:`N = (m + k)/2 - 1`, times a factor of at least 1 by which DeLong's exceeds it. DeLong's alone comes from as
    many placements as there are cases of the rarer class, and is 0 where the classes are separated.
    """

    area: float
    positives: float
    negatives: float
    delong: float

    @property
    def factor(self) -> float:
        """How much larger than the model's the variance is: DeLong's ratio, pulled to 1 where cases are few."""
        freedom, model = min(self.positives, self.negatives) - 1, self._variance(self.area)
        ratio = self.delong / model if model > 0 else 1.0
        return max(1.0, (freedom * ratio + _PRIOR) / (freedom + _PRIOR))

    def ends(self, deviate: float) -> Ends:
        """Return the areas that are a normal deviate away from the estimate, by their own variance."""
        if not math.isfinite(self.area + self.delong):
            return UNDEFINED
        scale = deviate**2 * self.factor

        def is_far(area: float) -> bool:
            return (self.area - area) ** 2 > scale * self._variance(area)

        return _last(is_far, 0.0, self.area), _last(is_far, 1.0, self.area)

    def _variance(self, area: float) -> float:
        pairs, others = self.positives * self.negatives, (self.positives + self.negatives) / 2 - 1
        return area * (1 - area) / pairs * (1 + others * ((1 - area) / (2 - area) + area / (1 + area)))


def _last(is_far: Callable[[float], bool], end: float, near: float) -> float:
    """Return the last area towards `end` that is not far, by halving; `end` itself if none is."""
    far = end
    for _ in range(_HALVINGS):
        middle = (far + near) / 2
        far, near = (middle, near) if is_far(middle) else (far, middle)
    return near if far != end else end


@dataclass(frozen=True)
class TwoValuedArea(SampledArea):
    """The area of a test, which finds something or nothing: 1/2 and half of what its two rates differ by.

    Shares have half-case intervals. The score interval, which is made for areas of any value, is too short above where
    a test is nearly perfect, since with few positives only a few areas are possible.

    Attributes
    ----------
    found, false : float
        The share of the positives that the test finds, and of the negatives.
    """

    found: float
    false: float

    def ends(self, deviate: float) -> Ends:
        """Return the ends of the half-case interval, at a normal deviate."""
        if not math.isfinite(self.area + self.delong):
            return UNDEFINED
        cases, half = np.array([self.positives, self.negatives]), np.full(2, 0.5)
        sums, up = half * cases * [self.found, self.false], np.array([True, False])
        room = self.area, 1 - self.area
        return Kinds(sums, half * sums, half, up, cases, self.delong, room).ends(self.area, deviate)


@dataclass(frozen=True)
class AreaDifference:
    r"""The difference of two areas on the same cases, and DeLong's correlation of them.

    With few placements, a correlation of areas that have none is often large by chance, and where it is positive the
    interval would be too short. The standard error of no correlation is about :math:`1/\sqrt\nu`, :math:`\nu` the cases
    of the rarer class less one. A correlation of at least two of these counts as it is, a positive one below half of
    one not at all, and in between it grows in a straight line (firm shrinkage, Gao and Bruce 1997).
    """

    first: SampledArea
    second: SampledArea
    correlation: float

    @property
    def difference(self) -> float:
        """The first area minus the second."""
        return self.first.area - self.second.area

    @property
    def trusted_correlation(self) -> float:
        """The correlation as far as so few placements tell it."""
        areas = self.first, self.second
        freedom = min(min(one.positives, one.negatives) for one in areas) - 1
        if freedom <= 0 or self.correlation <= 0:
            return min(self.correlation, 0.0)
        least, enough = _NO_CORRELATION / math.sqrt(freedom), _CORRELATION / math.sqrt(freedom)
        return max(min(self.correlation, (self.correlation - least) * enough / (enough - least)), 0.0)

    def reach(self, deviate: float, *, up: bool) -> float:
        """Return the distance to the upper (or lower) end: the distances of both areas, combined by squares."""
        one, two = self.first.ends(deviate), self.second.ends(deviate)
        a = one[1] - self.first.area if up else self.first.area - one[0]
        b = self.second.area - two[0] if up else two[1] - self.second.area
        return math.sqrt(max(a**2 + b**2 - 2 * self.trusted_correlation * a * b, 0.0))

    def ends(self, deviate: float) -> Ends:
        """Return the ends of the difference, at a normal deviate."""
        lower, upper = (self.reach(deviate, up=up) for up in (False, True))
        return max(self.difference - lower, -1.0), min(self.difference + upper, 1.0)

    def deviate_of_zero(self) -> float:
        """Return the smallest normal deviate at which the interval holds 0, with the sign of the difference."""
        up, distance = self.difference < 0, abs(self.difference)
        if distance == 0:
            return 0.0
        if self.reach(_FARTHEST, up=up) <= distance:
            return math.copysign(_FARTHEST, self.difference)
        deviate = root(lambda z: self.reach(z, up=up) - distance, 0.0, _FARTHEST)
        return math.copysign(deviate, self.difference)
