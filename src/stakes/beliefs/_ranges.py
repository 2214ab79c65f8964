"""Beliefs over a range: uniform, or uniform in log-odds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray, log_excess_ratio
from stakes.beliefs._belief import as_scores


@dataclass(frozen=True, slots=True)
class Uniform:
    """A number uniformly distributed between two bounds.

    As costs, with :math:`z` the score clipped to :math:`[a, b]`, a positive pays
    :math:`(b - z)(2 - b - z) / (2(b - a))` and a negative :math:`(z - a)(z + a) / (2(b - a))`.
    On the full range the mean regret is half the Brier score [1]_; on part of it, half the difference of two
    clipped Brier scores divided by the width [2]_.

    Parameters
    ----------
    low, high : float
        The bounds, ``0 <= low < high <= 1``.

    References
    ----------
    .. [1] M. J. Schervish (1989), "A general method for comparing probability assessors",
       Annals of Statistics 17(4), 1856-1879.
    .. [2] G. Flores et al., "A consequentialist critique of binary classification evaluation", theorems 2.4
       and 3.3 (its scale is twice ours).

    Examples
    --------
    >>> from stakes import Uniform
    >>> Uniform(0.05, 0.2).mean
    0.125
    >>> float(Uniform().loss_if_positive(0.5))  # (1 - 0.5)**2 / 2
    0.125
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        low, high = _check.bounds(self.low, self.high)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def mean(self) -> float:
        """The middle of the range."""
        return (self.low + self.high) / 2

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        z = self._clipped(score)
        above = self.high - z
        return above * (0.5 / (self.high - self.low)) * (above if self.high == 1 else (1 - self.high) + (1 - z))

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c`` over the costs up to the score."""
        z = self._clipped(score)
        if self.low == 0:
            return z * (0.5 / self.high) * z
        return (z - self.low) * (0.5 / (self.high - self.low)) * (z + self.low)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        return (self.high - np.clip(as_scores(score), self.low, self.high)) / (self.high - self.low)

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c / (1 - c)`` over the costs up to the score; infinite at 1."""
        z = np.clip(as_scores(score), self.low, self.high)
        with np.errstate(divide="ignore"):
            t = (z - self.low) / (1 - z)
        far, near = t >= 1, np.minimum(t, 1.0)
        # log1p(t) - (z - low), at small costs in a form without cancellation.
        rare = near / (self.high - self.low) * (z - near * log_excess_ratio(near, np.log1p(near)))
        return np.where(far, (np.log1p(t) - (z - self.low)) / (self.high - self.low), rare) if far.any() else rare

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """``1 / (high - low)`` between the bounds, 0 elsewhere."""
        x = as_scores(x)
        return ((x >= self.low) & (x <= self.high)) / (self.high - self.low)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values."""
        return _check.generator(rng).uniform(self.low, self.high, _check.whole_number("n", n, 0))

    def _clipped(self, score: npt.ArrayLike) -> FloatArray:
        return _clipped(score, self.low, self.high)


def _clipped(score: npt.ArrayLike, low: float, high: float) -> FloatArray:
    """Return scores clipped to a range; all are in the whole one."""
    s = as_scores(score)
    return s if (low, high) == (0.0, 1.0) else np.clip(s, low, high)


@dataclass(frozen=True, slots=True)
class LogOddsMeasure:
    """The weight ``dc / (c (1 - c))`` between two bounds, which may be 0 and 1, not divided by its mass."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        low, high = _check.bounds(self.low, self.high)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """``log(high / z)``."""
        z = _clipped(score, self.low, self.high)
        with np.errstate(divide="ignore", over="ignore"):
            # log1p of the distance to the bound is accurate for a score close to it.
            return -np.log(z) if self.high == 1 else np.log1p((self.high - z) / z)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """``log((1 - low) / (1 - z))``."""
        z = _clipped(score, self.low, self.high)
        with np.errstate(divide="ignore"):
            return np.log1p((z - self.low) / (1 - z)) if self.low else -np.log1p(-z)


@dataclass(frozen=True, slots=True)
class LogOddsUniform:
    r"""A number between two bounds with uniformly distributed log-odds.

    The right belief for "somewhere between 1 in 1000 and 1 in 50": each doubling of the odds gets
    the same weight. As costs, with :math:`z` the score clipped to :math:`[a, b]` and
    :math:`L = \operatorname{logit} b - \operatorname{logit} a`, a positive pays :math:`\ln(b/z)/L`
    and a negative :math:`\ln((1 - a)/(1 - z))/L`: a bounded log loss [1]_.

    Parameters
    ----------
    low, high : float
        The bounds, ``0 < low < high < 1``.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", theorem 3.4.

    Examples
    --------
    >>> from stakes import LogOddsUniform, from_odds
    >>> belief = LogOddsUniform(from_odds(1, 9), from_odds(9, 1))
    >>> round(belief.mean, 12)
    0.5
    >>> round(float(belief.loss_if_positive(0.1)), 12)  # missed at every cost
    0.5
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        low, high = _check.bounds(self.low, self.high, open_ends=True)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def length(self) -> float:
        """Distance between the bounds in log-odds."""
        width = self.high - self.low
        return math.log1p(width / self.low) + math.log1p(width / (1 - self.high))

    @property
    def mean(self) -> float:
        """``log((1 - low) / (1 - high)) / length``."""
        return math.log1p((self.high - self.low) / (1 - self.high)) / self.length

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        return LogOddsMeasure(self.low, self.high).loss_if_positive(score) / self.length

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c`` over the costs up to the score."""
        return LogOddsMeasure(self.low, self.high).loss_if_negative(score) / self.length

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        z = np.clip(as_scores(score), self.low, self.high)
        return (np.log1p((self.high - z) / z) + np.log1p((self.high - z) / (1 - self.high))) / self.length

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c / (1 - c)`` over the costs up to the score."""
        z = np.clip(as_scores(score), self.low, self.high)
        return (z - self.low) / ((1 - z) * (1 - self.low)) / self.length

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """``1 / (length x (1 - x))`` between the bounds, 0 elsewhere."""
        x = as_scores(x)
        z = np.clip(x, self.low, self.high)
        return np.where(x == z, 1 / (self.length * (z * (1 - z))), 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values."""
        steps = _check.generator(rng).uniform(0.0, self.length, _check.whole_number("n", n, 0))
        odds = self.low / (1 - self.low) * np.exp(steps)
        return np.clip(odds / (1 + odds), self.low, self.high)


@dataclass(frozen=True, slots=True)
class EveryLogOdds:
    r"""The improper uniform distribution over all log-odds, the belief behind the ordinary log loss.

    Its mass is infinite, so it has neither mean nor samples, and net benefit does not exist under it. A
    positive pays :math:`-\ln s` and a negative :math:`-\ln(1 - s)`: a score of 0 or 1 for the wrong class
    has infinite cost [1]_.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", theorem 2.5.

    Examples
    --------
    >>> from stakes import expected_regret, log_loss, score_table
    >>> from stakes.beliefs import EveryLogOdds
    >>> table = score_table(y=[0, 1], score=[0.25, 0.5])
    >>> expected_regret(table, EveryLogOdds()) == log_loss(table)
    True
    """

    @property
    def mean(self) -> float:
        """Always nan, since the mean does not exist."""
        return math.nan

    @property
    def support(self) -> tuple[float, float]:
        """All of (0, 1)."""
        return 0.0, 1.0

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """``-log(score)``."""
        return LogOddsMeasure().loss_if_positive(score)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """``-log(1 - score)``."""
        return LogOddsMeasure().loss_if_negative(score)

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """``1 / (x (1 - x))``, which has no finite integral."""
        x = as_scores(x)
        return np.divide(1.0, x * (1 - x), out=np.zeros_like(x), where=(x > 0) & (x < 1))
