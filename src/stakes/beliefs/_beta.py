"""A belief of Beta shape, whole or truncated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check
from stakes._check import FloatArray
from stakes.beliefs._protocol import as_scores


@dataclass(frozen=True, slots=True)
class Beta:
    r"""A number with a Beta distribution, cut off (not stretched) at `low` and `high`.

    As costs, with :math:`I_x(\alpha, \beta)` the regularised incomplete beta function, a positive pays
    :math:`\frac{\beta}{\alpha + \beta} I_{1-s}(\beta + 1, \alpha)` and a negative
    :math:`\frac{\alpha}{\alpha + \beta} I_s(\alpha + 1, \beta)`; truncated, the differences at the bounds
    divided by the mass between them. ``Beta(1, 1)`` is ``Uniform()``; ``Beta(2, 2)`` is Hand's choice
    for the H-measure [1]_.

    Parameters
    ----------
    alpha, beta : float
        The shape, both greater than 0. The mean of the whole distribution is ``alpha / (alpha + beta)``.
    low, high : float, keyword-only
        Where it is cut off, ``0 <= low < high <= 1``.

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
        object.__setattr__(self, "alpha", _check.above("alpha", alpha))
        object.__setattr__(self, "beta", _check.above("beta", beta))
        first, last = _check.bounds(low, high)
        object.__setattr__(self, "low", first)
        object.__setattr__(self, "high", last)
        if not self._mass > 0:
            raise ValueError(
                f"`low` and `high` must hold some of Beta({alpha:g}, {beta:g}), got none in {low:g}..{high:g}."
            )

    @property
    def _mass(self) -> float:
        return float(self._below(self.alpha, self.beta, as_scores(self.high)))

    @property
    def _share(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    @property
    def mean(self) -> float:
        """``alpha / (alpha + beta)``, or the mean of what the bounds leave."""
        whole = (self.low, self.high) == (0, 1)
        return self._share if whole else float(self.loss_if_negative(1.0))

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        return (1 - self._share) / self._mass * self._above(self.alpha, self.beta + 1, as_scores(score))

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
        z = np.clip(score, self.low, self.high)
        return (self._odds_from_zero(z) - self._odds_from_zero(as_scores(self.low))) / self._mass

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """Density of the truncated distribution, 0 outside the bounds."""
        x = as_scores(x)
        log_density = special.xlogy(self.alpha - 1, x) + special.xlog1py(self.beta - 1, -x)
        log_density = log_density - special.betaln(self.alpha, self.beta)
        return np.where((x >= self.low) & (x <= self.high), np.exp(log_density) / self._mass, 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values, by the inverse of the distribution function."""
        mass = np.random.default_rng(rng).uniform(0.0, self._mass, _check.whole("n", n, 0))
        if self.low > self._share:  # far in the upper tail the distribution function is 1 to rounding
            drawn = special.betainccinv(self.alpha, self.beta, special.betaincc(self.alpha, self.beta, self.low) - mass)
        else:
            drawn = special.betaincinv(self.alpha, self.beta, special.betainc(self.alpha, self.beta, self.low) + mass)
        return np.clip(drawn, self.low, self.high)

    def _below(self, alpha: float, beta: float, score: FloatArray) -> FloatArray:
        """Mass of Beta(alpha, beta) between `low` and the score, from the tail that keeps the digits."""
        z = np.clip(score, self.low, self.high)
        if self.low > self._share:
            return special.betaincc(alpha, beta, self.low) - special.betaincc(alpha, beta, z)
        return special.betainc(alpha, beta, z) - special.betainc(alpha, beta, self.low)

    def _above(self, alpha: float, beta: float, score: FloatArray) -> FloatArray:
        """Mass of Beta(alpha, beta) between the score and `high`, from the tail that keeps the digits."""
        z = np.clip(score, self.low, self.high)
        if self.high < self._share:
            return special.betainc(alpha, beta, self.high) - special.betainc(alpha, beta, z)
        return special.betaincc(alpha, beta, z) - special.betaincc(alpha, beta, self.high)

    def _odds_from_zero(self, z: FloatArray) -> FloatArray:
        """Integral of the odds times the density from 0, where no incomplete beta function exists (beta <= 1)."""
        series = special.hyp2f1(self.alpha + 1, 2 - self.beta, self.alpha + 2, z)
        power = np.power(z, self.alpha + 1) / (self.alpha + 1)
        return np.where(z == 1, np.inf, power * series / special.beta(self.alpha, self.beta))
