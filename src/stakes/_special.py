"""Functions of numbers that several rooms need and SciPy does not have, in forms that keep their digits."""

from __future__ import annotations

import numpy as np

from stakes._check import FloatArray

# Coefficients of (x - log(1 + x)) / x**2 = 1/2 - x/3 + x**2/4 - ..., enough for |x| < 0.1.
_SERIES = np.array([(-1.0) ** k / (k + 2) for k in range(17)])[::-1]


def log_excess_ratio(x: FloatArray, log1p_x: FloatArray) -> FloatArray:
    """Return ``(x - log(1 + x)) / x**2`` without cancellation; `log1p_x` is the logarithm, as exact as it is known."""
    near = np.abs(x) < 0.1
    if near.all():  # the rule in a block of neighbouring scores
        return np.polyval(_SERIES, x)
    ratio: FloatArray = ((x - log1p_x) / np.where(near, 1.0, np.square(x)))[...]  # an array, of a single number too
    if near.any():
        ratio[near] = np.polyval(_SERIES, x[near])
    return ratio
