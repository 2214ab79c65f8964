"""The deviate of a band that holds at several places together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.uncertainty._ends import single_deviate
from stakes.uncertainty._fixed_points import SHIFTS, points_of
from stakes.uncertainty._root import root

_POINTS = 1 << 10  # of each shift
_KNOWN = 1e-12  # relative variance below which a place or a direction does not vary
_FARTHEST = 60.0


class Deviate(NamedTuple):
    """A deviate and its standard error, that of the points it was found with."""

    value: float
    error: float


def simultaneous_deviate(covariance: FloatArray, level: float, freedom: float | None = None) -> Deviate:
    r"""Return the quantile of the largest of several standardised errors.

    With the eigenvectors of their correlation, the errors are :math:`L z` with *z* standard normal. Its length and its
    direction are independent, so that :math:`P(\max|Lz| \le q)` is the mean over directions of the chance that a length
    is below :math:`q |z| / \max|Lz|`: a chi distribution, or by Student's law an F distribution. The directions are
    fixed points, so nothing is drawn.
    """
    least = single_deviate(level, freedom)
    reach = _reach(covariance)
    if reach is None:
        return Deviate(least, 0.0)
    dimensions, farthest = reach

    def covered(deviate: float) -> FloatArray:
        square = (deviate / farthest) ** 2
        inside = special.gammainc(dimensions / 2, square / 2)
        if freedom is not None:
            inside = special.fdtr(dimensions, freedom, square / dimensions)
        shares: FloatArray = inside.mean(axis=1)
        return shares

    far = _FARTHEST if freedom is None else _FARTHEST * least
    found = max(root(lambda q: float(covered(q).mean()) - level, least / 2, far), least)
    step = 1e-3 * found
    slope = float((covered(found + step) - covered(found - step)).mean()) / (2 * step)
    error = float(covered(found).std(ddof=1)) / SHIFTS**0.5 / slope
    return Deviate(found, error if found > least else 0.0)


def _reach(covariance: FloatArray) -> tuple[int, FloatArray] | None:
    """Return the number of directions, and the largest error at points of length 1, shifts x points."""
    variance = np.diag(covariance)
    if not len(variance) or not np.isfinite(covariance).all() or not variance.max() > 0:
        return None
    varies = variance > _KNOWN * variance.max()
    error = np.sqrt(variance[varies])
    values, vectors = np.linalg.eigh(covariance[np.ix_(varies, varies)] / np.outer(error, error))
    keep = values > _KNOWN * values[-1]
    loads = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, keep][:, ::-1]  # the first directions are the best
    farthest = np.empty((SHIFTS, _POINTS))
    for shift in range(SHIFTS):
        z = points_of(_POINTS, loads.shape[1], shift)[:, 1:]
        farthest[shift] = np.abs(z @ loads.T).max(axis=1) / np.sqrt(np.einsum("ij,ij->i", z, z))
    return loads.shape[1], farthest
