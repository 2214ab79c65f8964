"""Beliefs made of others: mixtures and their parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes.beliefs._belief import elements, shares
from stakes.beliefs._coerce import BeliefLike, as_costs
from stakes.beliefs._points import At, Atoms


@dataclass(frozen=True, slots=True, init=False)
class Mixture:
    """A mixture of beliefs, each with its own probability.

    Every loss, density and mean is the weighted mean of those of its parts.

    Parameters
    ----------
    parts : sequence of beliefs, numbers or words, such as "5%..20%"
        The beliefs.
    weights : sequence of float
        Probability of each, not negative, up to a common factor. A part of weight 0 is left out.

    Examples
    --------
    Two clinicians, the first trusted twice as much:

    >>> from stakes import Uniform
    >>> from stakes.beliefs import Mixture
    >>> both = Mixture([Uniform(0.0, 0.2), Uniform(0.2, 0.6)], [2, 1])
    >>> round(both.mean, 12)
    0.2
    """

    parts: tuple[Any, ...]
    weights: tuple[float, ...]

    def __init__(self, parts: Sequence[BeliefLike], weights: Sequence[float] | FloatArray) -> None:
        beliefs = [as_costs(f"parts[{k}]", part) for k, part in enumerate(elements("parts", "beliefs", parts))]
        masses = shares("weights", weights)
        _columns.check_same_length(parts=np.arange(len(beliefs)), weights=masses)
        # A part of weight 0 is left out, as its loss may be infinite or its mean undefined.
        object.__setattr__(self, "parts", tuple(belief for belief, mass in zip(beliefs, masses, strict=True) if mass))
        object.__setattr__(self, "weights", tuple(masses[masses > 0].tolist()))

    @property
    def mean(self) -> float:
        """Mean of the parts' means, by weight."""
        self._check_parts("mean")
        return float(sum(weight * part.mean for part, weight in zip(self.parts, self.weights, strict=True)))

    @property
    def support(self) -> tuple[float, float]:
        """The smallest range that contains every part."""
        self._check_parts("support")
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
        """Draw `n` values, the part first, then the value."""
        self._check_parts("sample")
        generator = _check.generator(rng)
        chosen = generator.choice(len(self.parts), size=_check.whole_number("n", n, 0), p=self.weights)
        values = np.empty(len(chosen))
        for number, part in enumerate(self.parts):
            values[chosen == number] = part.sample(int(np.count_nonzero(chosen == number)), generator)
        return values

    def _check_parts(self, method: str) -> None:
        for k, part in enumerate(self.parts):
            _check.check_methods(f"parts[{k}]", part, method)

    def _mix(self, method: str, score: npt.ArrayLike) -> FloatArray:
        self._check_parts(method)
        total: FloatArray = np.zeros(np.shape(score))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total = total + weight * getattr(part, method)(score)
        return total


def parts(belief: Any, *, split_atoms: bool = False) -> Iterator[tuple[float, Any]]:
    """Yield the parts of a mixture, each with its probability.

    A belief that is not a mixture is its only part. `Atoms` are one part, or with `split_atoms` one per value.
    """
    if isinstance(belief, Mixture):
        for part, weight in zip(belief.parts, belief.weights, strict=True):
            yield from ((weight * share, piece) for share, piece in parts(part, split_atoms=split_atoms))
    elif split_atoms and isinstance(belief, Atoms):
        yield from ((weight, At(value)) for value, weight in zip(belief.values, belief.weights, strict=True))
    else:
        yield 1.0, belief
