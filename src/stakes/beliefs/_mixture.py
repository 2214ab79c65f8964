"""Several beliefs at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._check import FloatArray
from stakes.beliefs._protocol import elements, shares


@dataclass(frozen=True, slots=True)
class Mixture:
    """One of several beliefs holds, each with its own probability.

    Every loss, density and mean is the same mixture of the parts' own.

    Parameters
    ----------
    parts : sequence of beliefs
        The beliefs.
    weights : sequence of float
        How probable each is; not negative, and divided by their sum. A part of weight 0 is left out.

    Examples
    --------
    Two clinicians, the first trusted twice as much:

    >>> from stakes import Mixture, Uniform
    >>> both = Mixture([Uniform(0.0, 0.2), Uniform(0.2, 0.6)], [2, 1])
    >>> round(both.mean, 12)
    0.2
    """

    parts: tuple[Any, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        parts = elements("parts", "beliefs", self.parts)
        for k, part in enumerate(parts):
            _check.offers(f"parts[{k}]", part, "loss_if_positive", "loss_if_negative")
        weights = shares("weights", self.weights)
        _check.same_length(parts=np.arange(len(parts)), weights=weights)
        # What has no weight is absent, also where its loss is infinite or its mean undefined.
        object.__setattr__(self, "parts", tuple(part for part, weight in zip(parts, weights, strict=True) if weight))
        object.__setattr__(self, "weights", tuple(weights[weights > 0].tolist()))

    @property
    def mean(self) -> float:
        """Weighted mean of the parts' means."""
        self._must_offer("mean")
        return float(sum(weight * part.mean for part, weight in zip(self.parts, self.weights, strict=True)))

    @property
    def support(self) -> tuple[float, float]:
        """The smallest range that holds every part."""
        self._must_offer("support")
        lows, highs = zip(*(part.support for part in self.parts), strict=True)
        return min(lows), max(highs)

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        return self._mix("loss_if_positive", score)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c`` over the costs up to the score."""
        return self._mix("loss_if_negative", score)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        return self._mix("share_above", score)

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c / (1 - c)`` over the costs up to the score."""
        return self._mix("odds_up_to", score)

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """Mixture of the parts' densities."""
        return self._mix("density", x)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values: first the part, then the value."""
        self._must_offer("sample")
        generator = _check.generator(rng)
        chosen = generator.choice(len(self.parts), size=_check.whole("n", n, 0), p=self.weights)
        drawn = np.empty(len(chosen))
        for number, part in enumerate(self.parts):
            drawn[chosen == number] = part.sample(int(np.count_nonzero(chosen == number)), generator)
        return drawn

    def _must_offer(self, method: str) -> None:
        for k, part in enumerate(self.parts):
            _check.offers(f"parts[{k}]", part, method)

    def _mix(self, method: str, score: npt.ArrayLike) -> FloatArray:
        self._must_offer(method)
        total: FloatArray = np.zeros(np.shape(score))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total = total + weight * getattr(part, method)(score)
        return total
