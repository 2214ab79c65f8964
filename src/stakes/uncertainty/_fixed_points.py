"""Values of several numbers at points that are always the same, in place of draws."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.uncertainty._shrinkage import JointLaw

SHIFTS = 8  # of the points; the spread of their answers is the error
POINTS = 1 << 13  # of each shift

# The generating vector of Cools, Kuo and Nuyens (2006), SIAM J. Sci. Comput. 28(6), for lattices of 2^k points.
_LATTICE = [
    1, 182667, 469891, 498753, 110745, 446247, 250185, 118627, 245333, 283199,
    408519, 391023, 246327, 126539, 399185, 461527, 300343, 69681, 516695, 436179,
]  # fmt: skip


def values_at_points(law: JointLaw, shift: int, count: int = POINTS) -> FloatArray:
    """Return the numbers at the points of one shift, points x numbers.

    The numbers vary most along the first directions of the lattice, which are its best.
    """
    size = law.loads.shape[1]
    points = _points(count, size, shift)
    z = np.empty((count, size))
    z[:, np.argsort(-(law.loads**2).sum(axis=0), kind="stable")] = points[:, 1:]
    if law.shrinkage is not None:
        moved, factor = law.shrinkage.moved(law.shrinkage.quantiles(points[:, 0]))
        shrunk = moved.shape[1]
        z[:, :shrunk] = moved + factor * z[:, :shrunk]
    values: FloatArray = law.mean + z @ law.loads.T
    return values


@lru_cache(maxsize=3 * SHIFTS)  # those of one ranking: many and few points of its law, few of the flat law
def _points(count: int, dimensions: int, shift: int) -> FloatArray:
    points = points_of(count, dimensions, shift)
    points.flags.writeable = False
    return points


def points_of(count: int, dimensions: int, shift: int) -> FloatArray:
    """Return the points of a shifted lattice: a share in (0, 1), then standard normal deviates.

    Folding makes an integrand periodic, which a lattice integrates best. Directions beyond those of its vector, along
    which the numbers vary least, are random, but fixed.
    """
    fixed = np.random.Generator(np.random.PCG64(shift))
    vector = np.array(_LATTICE[: dimensions + 1], dtype=np.float64)
    steps = np.arange(count)[:, None] * vector / count + fixed.random(len(vector))
    rest = fixed.random((count, dimensions + 1 - len(vector)))
    points: FloatArray = np.clip(np.column_stack([np.abs(2 * (steps % 1) - 1), rest]), 1e-15, 1 - 1e-15)
    points[:, 1:] = special.ndtri(points[:, 1:])
    return points
