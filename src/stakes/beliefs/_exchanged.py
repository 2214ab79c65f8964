"""Threshold between two actions, where the exchange of the two mistakes is uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs._belief import as_scores


@dataclass(frozen=True, slots=True)
class ExchangedStep:
    r"""A belief about the threshold of one step, from a belief about the exchange.

    An alarm costs :math:`a` and a miss :math:`b`. Where alarms count :math:`c` and misses :math:`1 - c`, the odds of
    the threshold are those of :math:`c` times :math:`a/b`, and both mistakes cost :math:`ac + b(1 - c)` together, by
    which the threshold is weighted. Every integral is one of the exchange, at :math:`s = pb/(pb + (1 - p)a)`.
    """

    exchange: Any
    alarm: float
    miss: float

    @property
    def mass(self) -> float:
        """Mean cost of both mistakes together."""
        mean = self.exchange.mean
        return float(self.alarm * mean + self.miss * (1 - mean))

    @property
    def mean(self) -> float:
        """Mean threshold."""
        return float(self.alarm * self.exchange.mean / self.mass)

    @property
    def support(self) -> tuple[float, float]:
        """The lowest and the highest threshold."""
        low, high = (self.alarm * c / (self.alarm * c + self.miss * (1 - c)) for c in map(float, self.exchange.support))
        return low, high

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of one minus the threshold over the thresholds above the score."""
        return np.asarray(self.exchange.loss_if_positive(self._at(score))) * (self.miss / self.mass)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of the threshold over the thresholds up to the score."""
        return np.asarray(self.exchange.loss_if_negative(self._at(score))) * (self.alarm / self.mass)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Share of the mass at thresholds above the score."""
        at = self._at(score)
        above = self.exchange.mean - self.exchange.loss_if_negative(at)
        missed = self.miss * np.asarray(self.exchange.loss_if_positive(at))
        return np.asarray((self.alarm * np.maximum(above, 0.0) + missed) / self.mass)

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of the odds of the threshold over the thresholds up to the score."""
        at = self._at(score)
        odds, share = self.exchange.odds_up_to(at), self.exchange.loss_if_negative(at)
        return np.asarray((self.alarm * (odds - share) + self.miss * share) * (self.alarm / self.miss / self.mass))

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """Density of the threshold."""
        t = as_scores(x)
        c = self._at(t)
        with np.errstate(divide="ignore", invalid="ignore"):
            stretch = c * (1 - c) / (t * (1 - t))
        height = self.exchange.density(c) * (self.alarm * c + self.miss * (1 - c)) / self.mass
        return np.where((t > 0) & (t < 1), height * stretch, 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` thresholds."""
        generator = _check.generator(rng)
        found: FloatArray = np.empty(0)
        wanted = _check.whole_number("n", n, 0)
        while len(found) < wanted:  # keep a draw as often as what both mistakes cost there
            c = np.asarray(self.exchange.sample(wanted, generator))
            cost = self.alarm * c + self.miss * (1 - c)
            kept = c[generator.uniform(0, max(self.alarm, self.miss), wanted) < cost]
            found = np.append(found, self.alarm * kept / (self.alarm * kept + self.miss * (1 - kept)))
        return found[:wanted]

    def _at(self, score: npt.ArrayLike) -> FloatArray:
        """Return the exchange at which a score is the threshold."""
        p = as_scores(score)
        return np.asarray(p * self.miss / (p * self.miss + (1 - p) * self.alarm))
