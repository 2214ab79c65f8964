"""Numbers of several sites as draws around an average: how far apart sites are, averaged over."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray

_ANGLES = 60  # points of the Gauss-Legendre rule for the standard deviation between sites

_SCALE = 4.0  # median of that standard deviation beforehand, in standard errors of a typical site

_STEPS = 200  # halvings, of which about 60 reach the last digit


def between_sites(typical: float) -> tuple[FloatArray, FloatArray]:
    """Return standard deviations between sites, half-Cauchy around a typical one, and weights."""
    angles, weights = np.polynomial.legendre.leggauss(_ANGLES)
    return _SCALE * math.sqrt(typical) * np.tan((angles + 1) * math.pi / 4), weights


@dataclass(frozen=True, eq=False)
class SiteMixture:
    r"""The average site and another one, as the numbers of some sites tell.

    Site *j* has :math:`d_j = \delta + u_j + e_j` with :math:`u \sim N(0, \tau^2)` and :math:`e \sim N(0, v_j)`. Given
    :math:`\tau` both answers are normal; they are averaged over :math:`\tau`, which is half-Cauchy beforehand.
    """

    weight: FloatArray  # of each standard deviation between sites
    mean: FloatArray
    variance: FloatArray
    tau: FloatArray

    @classmethod
    def of(cls, estimates: FloatArray, variances: FloatArray) -> SiteMixture:
        """Average over how far apart sites are, for at least two of them."""
        tau, weights = between_sites(len(variances) / np.sum(1 / variances))
        precision = 1 / (variances + tau[:, None] ** 2)
        total = precision.sum(axis=1)
        mean = precision @ estimates / total
        misfit = np.sum(precision * (estimates - mean[:, None]) ** 2, axis=1)
        log = np.log(precision).sum(axis=1) / 2 - np.log(total) / 2 - misfit / 2
        likely = weights * np.exp(log - log.max())
        return cls(likely / likely.sum(), mean, 1 / total, tau)

    @property
    def average(self) -> float:
        """The number of the average site, as expected."""
        return float(self.weight @ self.mean)

    def below(self, value: float, *, new_site: bool) -> float:
        """Return the probability that the number of the average site, or of a new one, is below a value."""
        return float(self.weight @ special.ndtr((value - self.mean) / self._deviation(new_site)))

    def ends(self, level: float, *, new_site: bool) -> tuple[float, float]:
        """Return the central interval of the average site, or of a new one."""
        outside = (1 - level) / 2
        return self._quantile(outside, new_site), self._quantile(1 - outside, new_site)

    def _deviation(self, new_site: bool) -> FloatArray:
        return np.sqrt(self.variance + self.tau**2 * new_site)

    def _quantile(self, probability: float, new_site: bool) -> float:
        """Search between the quantiles of the normal distributions that are mixed."""
        each = self.mean + special.ndtri(probability) * self._deviation(new_site)
        low, high = float(each.min()), float(each.max())
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            low, high = (middle, high) if self.below(middle, new_site=new_site) < probability else (low, middle)
        return (low + high) / 2


@dataclass(frozen=True)
class Heterogeneity:
    """How far apart sites are, for description: Paule and Mandel's estimate, and Cochran's test."""

    tau: float
    error: float  # of the average, given tau
    q: float
    p_value: float
    i_squared: float

    @classmethod
    def of(cls, estimates: FloatArray, variances: FloatArray) -> Heterogeneity:
        """Describe at least two sites."""
        freedom = len(estimates) - 1
        q, _ = _misfit(estimates, variances, 0.0)
        squared = _paule_mandel(estimates, variances)
        share = max(0.0, 1 - freedom / q) if q > 0 else 0.0
        error = 1 / math.sqrt(np.sum(1 / (variances + squared)))
        return cls(math.sqrt(squared), error, q, float(special.chdtrc(freedom, q)), share)


def _misfit(estimates: FloatArray, variances: FloatArray, squared: float) -> tuple[float, float]:
    """Return the weighted sum of squares around the average, and its slope in the variance between sites."""
    weight = 1 / (variances + squared)
    off = estimates - weight @ estimates / weight.sum()
    return float(weight @ off**2), -float(weight**2 @ off**2)


def _paule_mandel(estimates: FloatArray, variances: FloatArray) -> float:
    """Return the variance between sites at which they lie as far apart as they should.

    The sum of squares is convex in it, so that Newton's steps from 0 never overshoot.
    """
    squared, freedom = 0.0, len(estimates) - 1
    for _ in range(_STEPS):
        misfit, slope = _misfit(estimates, variances, squared)
        step = (misfit - freedom) / -slope if slope < 0 else 0.0
        if step <= 1e-15 * squared or misfit <= freedom:
            break
        squared += step
    return squared
