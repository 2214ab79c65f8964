"""Quadrature: panels, tabulated functions, and nodes near poles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy
from numpy.polynomial import chebyshev
from scipy import special

from stakes._arrays import FloatArray

Function = Callable[[FloatArray], FloatArray]


# The integrands are analytic within a distance of pi from the real log-odds: on panels of at most this
# length the rule is exact to the last digit.
_PANEL = 6.0


# Panels that a density may ask for: enough for several kinks, and an end to the splitting where it is only noise.
_MOST = 1000


_NODE, _WEIGHT = np.polynomial.legendre.leggauss(32)


_NODE, _WEIGHT = (_NODE + 1) / 2, _WEIGHT / 2


def integrate(function: Function, edges: FloatArray) -> FloatArray:
    """Integrate from the first to the last of `edges` (along the last axis) by 32-point Gauss-Legendre rules.

    One panel lies between each edge and the next; a panel without length adds nothing. `function` gets
    an array with the arguments along the last axis, in place of the edges.
    """
    start, length = edges[..., :-1, None], np.diff(edges)[..., None]
    shape = (*edges.shape[:-1], -1)
    values, weight = function((start + length * _NODE).reshape(shape)), (length * _WEIGHT).reshape(shape)
    return np.asarray(np.sum(np.multiply(values, weight, out=np.zeros(values.shape), where=weight > 0), axis=-1))


def panels(low: float, high: float, longest: float = _PANEL) -> FloatArray:
    """Edges of as few equal panels as can be, none longer than the rule allows."""
    return np.linspace(low, high, int(np.ceil((high - low) / longest)) + 1)


def fitted_panels(function: Function, low: float, high: float) -> FloatArray:
    """Edges of panels that are halved wherever the rule still changes when they are."""
    edges = panels(low, high)
    while len(edges) <= _MOST:
        pairs = np.column_stack([edges[:-1], edges[1:]])
        middle = pairs.mean(axis=1)
        halves = integrate(function, np.column_stack([pairs[:, 0], middle, pairs[:, 1]]))
        rough = ~np.isclose(integrate(function, pairs), halves, rtol=1e-13, atol=1e-15)
        if not rough.any():
            break
        edges = np.sort(np.concatenate([edges, middle[rough]]))
    return edges


# Degree of the pieces of a tabulated function, and their length to begin with.
_DEGREE = 11


_PIECE = 0.5


_FINEST = 1e-5


_POINT = chebyshev.chebpts1(_DEGREE + 1)


_TO_CHEBYSHEV = np.linalg.inv(chebyshev.chebvander(_POINT, _DEGREE))


def _to_powers() -> FloatArray:
    """Matrix from Chebyshev coefficients on [0, 1] to the coefficients of powers, highest first."""
    columns = [
        chebyshev.Chebyshev.basis(k, domain=[0, 1]).convert(kind=np.polynomial.Polynomial).coef
        for k in range(_DEGREE + 1)
    ]
    padded = [np.pad(column, (0, _DEGREE + 1 - len(column))) for column in columns]
    return np.stack(padded, axis=1).astype(np.float64)[::-1]


_TO_POWERS = _to_powers()


def tabulate(function: Function, edges: FloatArray) -> scipy.interpolate.PPoly:
    """Return polynomials of degree 11 between `edges`, halved until their last coefficients have died away.

    The edges must include every argument at which the function is not smooth. The error relative to the
    largest value in the neighbourhood is about 1e-14.
    """
    edges = _refined(edges)
    start, end = edges[:-1], edges[1:]
    done: list[tuple[FloatArray, FloatArray]] = []
    largest = 0.0
    while len(start):
        length = end - start
        argument = start[:, None] + length[:, None] * (1 + _POINT) / 2
        values = function(argument.ravel()).reshape(argument.shape)
        coefficient = values @ _TO_CHEBYSHEV.T
        size = np.abs(values).max(axis=1)
        largest = max(largest, float(size.max()))
        rough = np.abs(coefficient[:, -2:]).max(axis=1) > 1e-14 * size + 1e-15 * largest
        rough &= length > _FINEST
        smooth = ~rough
        powers = (coefficient[smooth] @ _TO_POWERS.T) / length[smooth, None] ** np.arange(_DEGREE, -1, -1)
        done.append((start[smooth], powers))
        middle = (start[rough] + end[rough]) / 2
        start, end = np.concatenate([start[rough], middle]), np.concatenate([middle, end[rough]])
    first, powers = (np.concatenate(column) for column in zip(*done, strict=True))
    order = np.argsort(first)
    return scipy.interpolate.PPoly(powers[order].T, np.append(first[order], edges.max()))


def _refined(edges: FloatArray) -> FloatArray:
    """Distinct edges, no two further apart than the length of a piece."""
    distinct = edges[np.append(True, np.diff(edges) > 1e-12)]
    return np.unique(np.concatenate([panels(*pair, _PIECE) for pair in pairwise(distinct)]))


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
