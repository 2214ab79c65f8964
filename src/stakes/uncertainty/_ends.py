"""The two ends of an interval: how many standard errors they are away, and where a function passes 0."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from stakes._arrays import FloatArray

Ends = tuple[float, float]

UNDEFINED: Ends = (math.nan, math.nan)


def single_deviate(level: float, freedom: float | None = None) -> float:
    """Return the deviate of the ends of an interval: normal, or Student's with some degrees of freedom."""
    tail = (1 + level) / 2
    return float(special.ndtri(tail) if freedom is None else special.stdtrit(freedom, tail))


def error_of_sum(moves: FloatArray) -> float:
    """Return the standard error of a number that is moved by each of its cases as `moves` says."""
    return math.sqrt(float(moves @ moves) * len(moves) / max(len(moves) - 1, 1))


_EPSILON = float(np.finfo(float).eps)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a continuous function passes 0, given two places where its signs differ.

    This is the method of Chandrupatla (1997): inverse quadratic interpolation where that is safe, and halving
    elsewhere. An optimiser would be a slow import for so little.
    """
    a, b, at_a, at_b, step = low, high, function(low), function(high), 0.5
    for _ in range(200):
        x = a + step * (b - a)
        at_x = function(x)
        if math.copysign(1.0, at_x) == math.copysign(1.0, at_a):
            c, at_c, a, at_a = a, at_a, x, at_x
        else:
            c, at_c, b, at_b, a, at_a = b, at_b, a, at_a, x, at_x
        best, at_best = (a, at_a) if abs(at_a) < abs(at_b) else (b, at_b)
        near = 2 * _EPSILON * max(abs(best), _EPSILON) / abs(b - c)
        if near > 0.5 or at_best == 0:
            return best
        step = min(max(_interpolate((a, b, c), (at_a, at_b, at_c)), near), 1 - near)
    return best


def _interpolate(places: tuple[float, float, float], values: tuple[float, float, float]) -> float:
    """Return the next step as a share of the way from the first place to the second."""
    (a, b, c), (at_a, at_b, at_c) = places, values
    along, up = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    if not (up**2 < along and (1 - up) ** 2 < 1 - along):
        return 0.5
    first = at_a / (at_b - at_a) * at_c / (at_b - at_c)
    return first + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
