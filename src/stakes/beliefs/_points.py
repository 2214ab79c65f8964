"""Discrete beliefs: one value known exactly, or a few values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes.beliefs._belief import as_scores, elements, shares, times


@dataclass(frozen=True, slots=True)
class At:
    r"""A number in (0, 1) that is known exactly.

    As costs: a positive pays :math:`(1 - c)\,1\{s < c\}` and a negative :math:`c\,1\{s \ge c\}`.
    A score equal to the cost is acted on.

    Parameters
    ----------
    value : float
        The number, strictly between 0 and 1.

    Examples
    --------
    A false alarm that costs one ninth of a miss:

    >>> from stakes import At, from_odds
    >>> belief = At(from_odds(1, 9))
    >>> belief
    At(value=0.1)
    >>> float(belief.loss_if_positive(0.05)), float(belief.loss_if_negative(0.1))
    (0.9, 0.1)
    """

    value: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _check.open_share("value", self.value))

    @property
    def mean(self) -> float:
        """The value itself."""
        return self.value

    @property
    def support(self) -> tuple[float, float]:
        """The value, twice."""
        return self.value, self.value

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """``(1 - c)`` where the score is below the cost."""
        return times(1 - self.value, as_scores(score) < self.value)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """``c`` where the score reaches the cost."""
        return times(self.value, as_scores(score) >= self.value)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score: 0 or 1."""
        return times(1.0, as_scores(score) < self.value)

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Odds of the cost where the score reaches it."""
        return times(self.value / (1 - self.value), as_scores(score) >= self.value)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Return the value `n` times; nothing is drawn."""
        return np.full(_check.whole_number("n", n, 0), self.value)


@dataclass(frozen=True, slots=True, init=False)
class Atoms:
    r"""A number in (0, 1) with a few possible values.

    As costs: a positive pays :math:`\sum_{c_k > s} p_k (1 - c_k)` and a negative
    :math:`\sum_{c_k \le s} p_k c_k`. A score equal to a value is acted on at that cost.

    Parameters
    ----------
    values : sequence of float
        The values :math:`c_k`, each strictly between 0 and 1, in any order.
    weights : sequence of float
        Probability of each, not negative, up to a common factor. A value of weight 0 is left out.

    Examples
    --------
    >>> from stakes.beliefs import Atoms
    >>> belief = Atoms([0.1, 0.5], [3, 1])
    >>> belief.mean
    0.2
    >>> float(belief.loss_if_positive(0.1))  # missed at 0.5 only
    0.125
    """

    values: tuple[float, ...]
    weights: tuple[float, ...]

    def __init__(self, values: Sequence[float] | FloatArray, weights: Sequence[float] | FloatArray) -> None:
        places = np.array(
            [_check.open_share(f"values[{k}]", value) for k, value in enumerate(elements("values", "numbers", values))]
        )
        masses = shares("weights", weights)
        _columns.check_same_length(values=places, weights=masses)
        order = np.argsort(places, kind="stable")
        order = order[masses[order] > 0]
        object.__setattr__(self, "values", tuple(places[order].tolist()))
        object.__setattr__(self, "weights", tuple(masses[order].tolist()))

    @property
    def mean(self) -> float:
        """Mean of the values, by weight."""
        return float(np.dot(self.values, self.weights))

    @property
    def support(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        return self.values[0], self.values[-1]

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Sum of ``p (1 - c)`` over the values above the score."""
        return self._sum_above(score, 1 - np.array(self.values))

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Sum of ``p c`` over the values up to the score."""
        return self._sum_up_to(score, np.array(self.values))

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        return self._sum_above(score, np.ones(len(self.values)))

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Sum of ``p c / (1 - c)`` over the values up to the score."""
        return self._sum_up_to(score, np.array(self.values) / (1 - np.array(self.values)))

    def _sum_up_to(self, score: npt.ArrayLike, charge: FloatArray) -> FloatArray:
        sums = np.concatenate([[0.0], np.cumsum(self.weights * charge)])
        return np.asarray(sums[np.searchsorted(self.values, as_scores(score), side="right")])

    def _sum_above(self, score: npt.ArrayLike, charge: FloatArray) -> FloatArray:
        # Summed from the top, so that the sum above the last value is exactly 0.
        sums = np.concatenate([np.cumsum((self.weights * charge)[::-1])[::-1], [0.0]])
        return np.asarray(sums[np.searchsorted(self.values, as_scores(score), side="right")])

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values."""
        generator = _check.generator(rng)
        return generator.choice(np.array(self.values), size=_check.whole_number("n", n, 0), p=self.weights)
