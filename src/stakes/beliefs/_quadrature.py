"""Quadrature by Gauss-Legendre rules on panels, piecewise polynomials, and graded nodes near poles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy
from numpy.polynomial import chebyshev
from scipy import special

from stakes._arrays import FloatArray

Function = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class QuadratureRule:
    """Nodes and weights of a Gauss-Legendre rule on the unit interval."""

    nodes: FloatArray
    weights: FloatArray

    @classmethod
    def from_symmetric(cls, nodes: FloatArray, weights: FloatArray) -> QuadratureRule:
        """Map a rule from [-1, 1] to [0, 1]."""
        return cls((nodes + 1) / 2, weights / 2)

    def on(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Nodes and weights on each panel between neighbouring `edges`, along a new last axis."""
        start, length = edges[..., :-1, None], np.diff(edges)[..., None]
        return start + length * self.nodes, length * self.weights


def integrate_between(
    function: Function, start: FloatArray | float, end: FloatArray, rule: QuadratureRule
) -> FloatArray:
    """Integrate from each `start` to the corresponding `end`, by one rule without panels."""
    length = end - start
    total = np.zeros_like(length)
    for node, weight in zip(rule.nodes, rule.weights, strict=True):
        total += weight * function(start + length * node)
    return length * total


@cache
def _log_odds_rule() -> QuadratureRule:
    """Return the rule for integrands in log-odds, exact to rounding on panels of `_PANEL`."""
    return QuadratureRule.from_symmetric(*np.polynomial.legendre.leggauss(32))


@cache
def legendre_rule(count: int) -> QuadratureRule:
    """Return the Gauss-Legendre rule with this number of nodes.

    SciPy loads its linear algebra to find them, so this waits until they are used.
    """
    return QuadratureRule.from_symmetric(*special.roots_legendre(count))


# For integrands with poles: on panels on which no denominator more than doubles, 20 nodes are exact to rounding.
_POLE_NODES = 20


# The integrands are analytic within a distance of pi from the real log-odds: on panels of at most this
# length the rule is exact to rounding.
_PANEL = 6.0


# Maximum number of panels of a density: enough for several kinks, and a stop where only noise remains.
_MOST = 1000


def integrate(function: Function, edges: FloatArray) -> FloatArray:
    """Integrate from the first to the last of `edges` by 32-point Gauss-Legendre rules.

    Edges lie along the last axis, with one panel between each and the next; a panel without length adds nothing.
    `function` gets an array with the arguments along the last axis, in place of the edges.
    """
    argument, weight = (array.reshape(*edges.shape[:-1], -1) for array in _log_odds_rule().on(edges))
    values = function(argument)
    return np.asarray(np.sum(np.multiply(values, weight, out=np.zeros(values.shape), where=weight > 0), axis=-1))


def panels(low: float, high: float, longest: float = _PANEL) -> FloatArray:
    """Edges of the fewest equal panels, none longer than `longest`."""
    return np.linspace(low, high, int(np.ceil((high - low) / longest)) + 1)


def fitted_panels(function: Function, low: float, high: float) -> FloatArray:
    """Edges of panels, halved until further halving no longer changes the integral."""
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


# Degree of the pieces of a tabulated function, and their initial length.
_DEGREE = 11

_PIECE = 0.5

_FINEST = 1e-5

_POINT = chebyshev.chebpts1(_DEGREE + 1)


@cache
def _to_chebyshev() -> FloatArray:
    """Return the matrix from values at the points of a piece to Chebyshev coefficients."""
    inverse: FloatArray = np.linalg.inv(chebyshev.chebvander(_POINT, _DEGREE)).astype(np.float64, copy=False)
    return inverse


@cache
def _to_powers() -> FloatArray:
    """Return the matrix from Chebyshev coefficients on [0, 1] to those of powers, highest first."""
    columns = [
        chebyshev.Chebyshev.basis(k, domain=[0, 1]).convert(kind=np.polynomial.Polynomial).coef
        for k in range(_DEGREE + 1)
    ]
    padded = [np.pad(column, (0, _DEGREE + 1 - len(column))) for column in columns]
    return np.stack(padded, axis=1).astype(np.float64)[::-1]


def tabulate(function: Function, edges: FloatArray) -> scipy.interpolate.PPoly:
    """Tabulate a function as polynomials of degree 11 on pieces between `edges`.

    Pieces are halved until the last coefficients are negligible. The edges must include every argument at which the
    function is not smooth. The error relative to the largest value nearby is about 1e-14.
    """
    edges = _refine(edges)
    start, end = edges[:-1], edges[1:]
    done: list[tuple[FloatArray, FloatArray]] = []
    largest = 0.0
    while len(start):
        length = end - start
        argument = start[:, None] + length[:, None] * (1 + _POINT) / 2
        values = function(argument.ravel()).reshape(argument.shape)
        coefficient = values @ _to_chebyshev().T
        size = np.abs(values).max(axis=1)
        largest = max(largest, float(size.max()))
        rough = np.abs(coefficient[:, -2:]).max(axis=1) > 1e-14 * size + 1e-15 * largest
        rough &= length > _FINEST
        smooth = ~rough
        powers = (coefficient[smooth] @ _to_powers().T) / length[smooth, None] ** np.arange(_DEGREE, -1, -1)
        done.append((start[smooth], powers))
        middle = (start[rough] + end[rough]) / 2
        start, end = np.concatenate([start[rough], middle]), np.concatenate([middle, end[rough]])
    first, powers = (np.concatenate(column) for column in zip(*done, strict=True))
    order = np.argsort(first)
    return scipy.interpolate.PPoly(powers[order].T, np.append(first[order], edges.max()))


def _refine(edges: FloatArray) -> FloatArray:
    """Distinct edges, no two neighbours further apart than the length of a piece."""
    distinct = edges[np.append(True, np.diff(edges) > 1e-12)]
    return np.unique(np.concatenate([panels(*pair, _PIECE) for pair in pairwise(distinct)]))


# Distances from a pole: one end of a panel is at most twice as far from it as the other.
_HALVINGS = 0.5 ** np.arange(53)[:, None]


class HasDensity(Protocol):
    """A belief with a density and the range it covers."""

    @property
    def support(self) -> tuple[float, float]: ...
    def density(self, x: npt.ArrayLike) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class UniformRange:
    """A uniform distribution between two bounds, over which averages have closed forms."""

    low: float
    high: float

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class PointMasses:
    """A distribution on a few values, each with its probability."""

    values: tuple[float, ...]
    weights: tuple[float, ...]

    @property
    def support(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        return min(self.values), max(self.values)

    def nodes(self, breaks: FloatArray, poles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the values and their probabilities; breaks and poles of the integrand do not matter."""
        return np.array(self.values), np.array(self.weights)


@dataclass(frozen=True, slots=True)
class SmoothDensity:
    r"""A density within [0, 1], smooth between its breaks except for a factor :math:`x^p (1 - x)^q`."""

    belief: HasDensity
    breaks: tuple[float, ...] = ()
    power_at_zero: float = 0.0
    power_at_one: float = 0.0

    @property
    def support(self) -> tuple[float, float]:
        """The range that the density covers."""
        return self.belief.support

    def nodes(self, breaks: FloatArray, poles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return nodes and weights for integrands that are smooth between `breaks` and large near `poles`."""
        edges = self._edges(breaks, poles)
        x, length = legendre_rule(_POLE_NODES).on(edges)
        weight = length * self.belief.density(x)
        if self._power_at_low:
            x[0], weight[0] = self._first_panel(edges[1])
        if self._power_at_high:
            x[-1], weight[-1] = self._last_panel(1 - edges[-2])
        return x.ravel(), weight.ravel()

    @property
    def _power_at_low(self) -> bool:
        return self.support[0] == 0 and _needs_jacobi(self.power_at_zero)

    @property
    def _power_at_high(self) -> bool:
        return self.support[1] == 1 and _needs_jacobi(self.power_at_one)

    def _edges(self, breaks: FloatArray, poles: FloatArray) -> FloatArray:
        """Return the edges of the panels: the breaks, and points at halving distances from each pole."""
        low, high = self.support
        given = np.concatenate([breaks, self.breaks, [self._middle]])
        given = given[(given > low) & (given < high)]
        pole = np.concatenate([poles[np.isfinite(poles)], [0.0, 1.0]])
        closing = np.concatenate([pole - _HALVINGS, pole + _HALVINGS], axis=None)
        # Next to an end where the density is a power, Gauss-Jacobi nodes need no grading.
        first = given.min() if self._power_at_low else low
        last = given.max() if self._power_at_high else high
        return np.unique(np.concatenate([[low], given, np.clip(closing, first, last), [high]]))

    def _first_panel(self, width: float) -> tuple[FloatArray, FloatArray]:
        """Gauss-Jacobi nodes from 0 to `width`."""
        node, weight = special.roots_jacobi(_POLE_NODES, 0.0, self.power_at_zero)
        x = width * (node + 1) / 2
        return x, weight * (width / 2) ** (1 + self.power_at_zero) * self._factor * (1 - x) ** self.power_at_one

    def _last_panel(self, width: float) -> tuple[FloatArray, FloatArray]:
        """Gauss-Jacobi nodes from ``1 - width`` to 1."""
        node, weight = special.roots_jacobi(_POLE_NODES, self.power_at_one, 0.0)
        x = 1 - width * (1 - node) / 2
        return x, weight * (width / 2) ** (1 + self.power_at_one) * self._factor * x**self.power_at_zero

    @property
    def _middle(self) -> float:
        """A point between the ends of the range."""
        return sum(self.support) / 2

    @property
    def _factor(self) -> float:
        """The factor of the two powers, which is constant."""
        powers = self._middle**self.power_at_zero * (1 - self._middle) ** self.power_at_one
        return float(self.belief.density(self._middle) / powers)


Distribution = UniformRange | PointMasses | SmoothDensity


def _needs_jacobi(power: float) -> bool:
    """Return whether a power needs Gauss-Jacobi nodes, being fractional and too low to be flat at its end."""
    return power < 10 and not power.is_integer()
