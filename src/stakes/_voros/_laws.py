"""Laws of one number: spread evenly, at points, or with a density; and the nodes that average over the last two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes._check import FloatArray

# With pieces on which no denominator more than doubles, 20 nodes reach the last digits.
_NODES, _WEIGHTS = special.roots_legendre(20)
# Distances from a pole: within [0, 1] it is at most twice as far from one end of a piece as from the other.
_HALVINGS = 0.5 ** np.arange(53)[:, None]


class HasDensity(Protocol):
    """A belief with a density and the range it covers."""

    @property
    def support(self) -> tuple[float, float]: ...
    def density(self, x: npt.ArrayLike) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Even:
    """Every value between two bounds alike: averages have closed forms."""

    low: float
    high: float

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class Points:
    """A few values, each with a probability."""

    values: tuple[float, ...]
    weights: tuple[float, ...]

    @property
    def support(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        return min(self.values), max(self.values)

    def nodes(self, breaks: FloatArray, poles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the values and their probabilities, wherever the integrand breaks."""
        return np.array(self.values), np.array(self.weights)


@dataclass(frozen=True, slots=True)
class Dense:
    r"""A density within [0, 1] that is smooth between its breaks, apart from a factor :math:`x^p (1 - x)^q`."""

    belief: HasDensity
    breaks: tuple[float, ...] = ()
    power_at_zero: float = 0.0
    power_at_one: float = 0.0

    @property
    def support(self) -> tuple[float, float]:
        """The range that the density covers."""
        return self.belief.support

    def nodes(self, breaks: FloatArray, poles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return nodes and weights for what is smooth between `breaks`, with denominators that vanish at `poles`."""
        edges = self._edges(breaks, poles)
        left, width = edges[:-1], np.diff(edges)
        x = left[:, None] + width[:, None] * (_NODES + 1) / 2
        weight = width[:, None] * (_WEIGHTS / 2) * self.belief.density(x)
        if self._power_at_low:
            x[0], weight[0] = self._first_piece(edges[1])
        if self._power_at_high:
            x[-1], weight[-1] = self._last_piece(1 - edges[-2])
        return x.ravel(), weight.ravel()

    @property
    def _power_at_low(self) -> bool:
        return self.support[0] == 0 and _is_rough(self.power_at_zero)

    @property
    def _power_at_high(self) -> bool:
        return self.support[1] == 1 and _is_rough(self.power_at_one)

    def _edges(self, breaks: FloatArray, poles: FloatArray) -> FloatArray:
        """Return the ends of the pieces: the breaks, and points that close in on each pole by halves."""
        low, high = self.support
        given = np.concatenate([breaks, self.breaks, [self._middle]])
        given = given[(given > low) & (given < high)]
        pole = np.concatenate([poles[np.isfinite(poles)], [0.0, 1.0]])
        closing = np.concatenate([pole - _HALVINGS, pole + _HALVINGS], axis=None)
        # Next to an end where the density is a power, the nodes of that power need no closing in.
        first = given.min() if self._power_at_low else low
        last = given.max() if self._power_at_high else high
        return np.unique(np.concatenate([[low], given, np.clip(closing, first, last), [high]]))

    def _first_piece(self, width: float) -> tuple[FloatArray, FloatArray]:
        """Gauss-Jacobi nodes from 0 to `width`."""
        node, weight = special.roots_jacobi(len(_NODES), 0.0, self.power_at_zero)
        x = width * (node + 1) / 2
        return x, weight * (width / 2) ** (1 + self.power_at_zero) * self._scale * (1 - x) ** self.power_at_one

    def _last_piece(self, width: float) -> tuple[FloatArray, FloatArray]:
        """Gauss-Jacobi nodes from ``1 - width`` to 1."""
        node, weight = special.roots_jacobi(len(_NODES), self.power_at_one, 0.0)
        x = 1 - width * (1 - node) / 2
        return x, weight * (width / 2) ** (1 + self.power_at_one) * self._scale * x**self.power_at_zero

    @property
    def _middle(self) -> float:
        """A point between the ends of the range."""
        return sum(self.support) / 2

    @property
    def _scale(self) -> float:
        """What multiplies the two powers: the same everywhere."""
        powers = self._middle**self.power_at_zero * (1 - self._middle) ** self.power_at_one
        return float(self.belief.density(self._middle) / powers)


Law = Even | Points | Dense


def _is_rough(power: float) -> bool:
    """Whether a power spoils polynomial quadrature at its end: not a whole number, and not so high that it is flat."""
    return power < 10 and not power.is_integer()
