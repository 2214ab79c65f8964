"""Beliefs around a mode: Beta, possibly truncated, and the uniform distribution shifted in log-odds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check
from stakes._arrays import FloatArray, log_excess_ratio
from stakes._errors import InputError
from stakes.beliefs._belief import as_scores
from stakes.beliefs._quadrature import Function, integrate_between, legendre_rule

# Mass between the bounds below this is too close to the smallest float to divide by.
_LEAST_MASS = 1e-290


@dataclass(frozen=True, slots=True, init=False)
class Beta:
    r"""A number with a Beta distribution, truncated (not rescaled) to `low` and `high`.

    As costs, with :math:`I_x(\alpha, \beta)` the regularised incomplete beta function, a positive pays
    :math:`\frac{\beta}{\alpha + \beta} I_{1-s}(\beta + 1, \alpha)` and a negative
    :math:`\frac{\alpha}{\alpha + \beta} I_s(\alpha + 1, \beta)`; truncated, the differences at the bounds
    divided by the mass between them. ``Beta(1, 1)`` is ``Uniform()``; ``Beta(2, 2)`` is Hand's choice
    for the H-measure [1]_.

    Parameters
    ----------
    alpha, beta : float
        Shape parameters, both greater than 0. The mean without truncation is ``alpha / (alpha + beta)``.
    low, high : float, keyword-only
        Bounds of the truncation, ``0 <= low < high <= 1``; 0 and 1 unless given.

    References
    ----------
    .. [1] D. J. Hand (2009), "Measuring classifier performance: a coherent alternative to the area
       under the ROC curve", Machine Learning 77, 103-123.

    Examples
    --------
    >>> from stakes import Beta
    >>> Beta(2, 8).mean
    0.2
    >>> round(float(Beta(2, 8).loss_if_negative(1.0)), 12)  # alarms at every cost
    0.2
    """

    alpha: float
    beta: float
    low: float
    high: float

    def __init__(self, alpha: float, beta: float, *, low: float = 0.0, high: float = 1.0) -> None:
        object.__setattr__(self, "alpha", _check.number_above("alpha", alpha))
        object.__setattr__(self, "beta", _check.number_above("beta", beta))
        first, last = _check.bounds(low, high)
        object.__setattr__(self, "low", first)
        object.__setattr__(self, "high", last)
        if not self._mass > _LEAST_MASS:
            raise InputError(("low", "high"), f"hold some of Beta({alpha:g}, {beta:g})", f"none in {low:g}..{high:g}")

    @property
    def _mass(self) -> float:
        return float(self._below(self.alpha, self.beta, as_scores(self.high)))

    @property
    def _share(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    @property
    def mean(self) -> float:
        """``alpha / (alpha + beta)``, or the mean between the bounds if truncated."""
        return float(self.loss_if_negative(self.high))

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        rest = self.beta / (self.alpha + self.beta)
        return rest / self._mass * self._above(self.alpha, self.beta + 1, as_scores(score))

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c`` over the costs up to the score."""
        return self._share / self._mass * self._below(self.alpha + 1, self.beta, as_scores(score))

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        return self._above(self.alpha, self.beta, as_scores(score)) / self._mass

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c / (1 - c)`` over the costs up to the score; infinite at 1 unless ``beta > 1``."""
        score = as_scores(score)
        if self.beta > 1:
            odds = self._below(self.alpha + 1, self.beta - 1, score)
            return self.alpha / (self.beta - 1) / self._mass * odds
        a, z = as_scores(self.low), np.clip(score, self.low, self.high)
        return _difference(self._odds_from_zero(z), self._odds_from_zero(a), self._odds_density, a, z) / self._mass

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """Density of the truncated distribution, 0 outside the bounds."""
        x = as_scores(x)
        inside = (x >= self.low) & (x <= self.high)
        return np.where(inside, _density(self.alpha, self.beta, np.clip(x, self.low, self.high)) / self._mass, 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values, by the inverse of the distribution function."""
        mass = _check.generator(rng).uniform(0.0, self._mass, _check.whole_number("n", n, 0))
        if self.low > self._share:  # far in the upper tail the distribution function rounds to 1
            drawn = special.betainccinv(self.alpha, self.beta, special.betaincc(self.alpha, self.beta, self.low) - mass)
        else:
            drawn = special.betaincinv(self.alpha, self.beta, special.betainc(self.alpha, self.beta, self.low) + mass)
        return np.clip(drawn, self.low, self.high)

    def _below(self, alpha: float, beta: float, score: FloatArray) -> FloatArray:
        """Mass of Beta(alpha, beta) between `low` and the score."""
        z = np.clip(score, self.low, self.high)
        return _mass_between(alpha, beta, as_scores(self.low), z, by_upper_tail=self.low > self._share)

    def _above(self, alpha: float, beta: float, score: FloatArray) -> FloatArray:
        """Mass of Beta(alpha, beta) between the score and `high`."""
        z = np.clip(score, self.low, self.high)
        return _mass_between(alpha, beta, z, as_scores(self.high), by_upper_tail=self.high >= self._share)

    def _odds_density(self, c: FloatArray) -> FloatArray:
        return _density(self.alpha, self.beta, c) * c / (1 - c)

    def _odds_from_zero(self, z: FloatArray) -> FloatArray:
        """Integral of the odds times the density from 0, where no incomplete beta function exists (beta <= 1)."""
        a, b = self.alpha, self.beta
        start = np.minimum(z, 0.5)
        series = np.power(start, a + 1) / (a + 1) * special.hyp2f1(a + 1, 2 - b, a + 2, start)
        odds = np.asarray(np.where(z == 1, np.inf, series))

        # The series loses precision towards 1, where the integral diverges; in v = -log(1 - c) it is smooth.
        def integrand(v: FloatArray) -> FloatArray:
            return np.exp(a * np.log(-np.expm1(-v)) + (1 - b) * v)

        far = (z > 0.5) & (z < 1)
        odds[far] += integrate_between(integrand, math.log(2.0), -np.log1p(-z[far]), legendre_rule(64))
        return odds * math.exp(-special.betaln(a, b))


def _density(alpha: float, beta: float, c: FloatArray) -> FloatArray:
    """Density of the whole Beta distribution."""
    log_density = special.xlogy(alpha - 1, c) + special.xlog1py(beta - 1, -c) - special.betaln(alpha, beta)
    return np.asarray(np.exp(log_density))


def _mass_between(alpha: float, beta: float, a: FloatArray, b: FloatArray, *, by_upper_tail: bool) -> FloatArray:
    """Mass of Beta(alpha, beta) between `a` and `b`, the difference of the tails that are small there."""
    if by_upper_tail:
        most, rest = special.betaincc(alpha, beta, a), special.betaincc(alpha, beta, b)
    else:
        most, rest = special.betainc(alpha, beta, b), special.betainc(alpha, beta, a)
    return _difference(most, rest, lambda c: _density(alpha, beta, c), a, b)


def _difference(most: FloatArray, rest: FloatArray, integrand: Function, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return ``most - rest``, the integral from `a` to `b`; by quadrature where the two nearly cancel.

    Over a range with little of either tail the integrand, log-concave in the log-odds, hardly changes, so that
    sixteen nodes are exact to rounding.
    """
    difference = np.asarray(most - rest)
    a, b = np.broadcast_arrays(a, b)
    close = (difference < 0.1 * rest) & (b * (1 - a) < 2 * a * (1 - b))
    if close.any():
        difference[close] = integrate_between(integrand, a[close], b[close], legendre_rule(16))
    return difference


@dataclass(frozen=True, slots=True)
class ShiftedUniform:
    r"""The uniform distribution on (0, 1), shifted in log-odds to a given median.

    The cost has the distribution of :math:`x \otimes \mu` (odds multiplied) with :math:`x` uniform: logistic in
    log-odds around :math:`\operatorname{logit} \mu`, density :math:`\mu(1 - \mu)/D(u)^2` with
    :math:`D(u) = u(1 - \mu) + (1 - u)\mu`. With :math:`d = 1 - 2\mu`, a negative pays
    :math:`\frac{\mu(1 - \mu)}{d^2} \left[\ln \frac{D(s)}{\mu} + \frac{\mu}{D(s)} - 1\right]`, and a positive the
    same with :math:`1 - \mu` for the :math:`\mu` in the brackets. At ``median=0.5`` it is ``Uniform()``. What
    is shifted is the prior of the Brier score, not the scores [1]_.

    Parameters
    ----------
    median : float
        The median, strictly between 0 and 1. It is the mode on the log-odds axis, on which the belief is symmetric
        around it; as a share, the density falls from one end to the other and has no peak.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", appendix D.3, which
       shifts the scores instead.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.beliefs import ShiftedUniform
    >>> float(ShiftedUniform(0.5).loss_if_positive(0.2)) == float(Uniform().loss_if_positive(0.2))
    True
    >>> float(ShiftedUniform(0.1).share_above(0.1))
    0.5
    """

    median: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "median", _check.open_share("median", self.median))

    @property
    def mean(self) -> float:
        """Mean cost, which a negative with score 1 pays."""
        return float(self.loss_if_negative(1.0))

    @property
    def support(self) -> tuple[float, float]:
        """All of (0, 1)."""
        return 0.0, 1.0

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        s = np.clip(as_scores(score), 0, 1)
        return _shifted_loss(1 - s, s, 1 - self.median, self.median)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c`` over the costs up to the score."""
        s = np.clip(as_scores(score), 0, 1)
        return _shifted_loss(s, 1 - s, self.median, 1 - self.median)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        s = np.clip(as_scores(score), 0, 1)
        return (1 - s) * self.median / self._mix(s)

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c / (1 - c)`` over the costs up to the score; infinite at 1."""
        s = np.clip(as_scores(score), 0, 1)
        x = s * (1 - self.median) / self._mix(s)
        with np.errstate(divide="ignore"):
            log_rest = np.where(x < 0.5, np.log1p(-x), np.log(self.share_above(s)))
        return self.median / (1 - self.median) * np.square(x) * log_excess_ratio(-x, log_rest)

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """``median (1 - median) / D(x)**2`` on [0, 1], 0 elsewhere."""
        x = as_scores(x)
        inside = (x >= 0) & (x <= 1)
        return np.where(inside, self.median * (1 - self.median) / np.square(self._mix(np.clip(x, 0, 1))), 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values."""
        x = _check.generator(rng).uniform(size=_check.whole_number("n", n, 0))
        return x * self.median / (x * self.median + (1 - x) * (1 - self.median))

    def _mix(self, score: FloatArray) -> FloatArray:
        return score * (1 - self.median) + (1 - score) * self.median


def _shifted_loss(score: FloatArray, one_minus_score: FloatArray, median: float, one_minus_median: float) -> FloatArray:
    """Loss of a negative; that of a positive is its reflection. Complements are passed for precision."""
    mix = score * one_minus_median + one_minus_score * median
    step = -score * (one_minus_median - median) / mix  # 1 + step = median / mix
    return median * one_minus_median * np.square(score / mix) * log_excess_ratio(step, np.log(median / mix))
