"""Integrals between arrays of limits, and a table of an expensive function for very many arguments."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import scipy
from numpy.polynomial import chebyshev

from stakes._check import FloatArray

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
