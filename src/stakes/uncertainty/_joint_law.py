"""The joint law of several estimates: shrinkage among models, and fixed points in place of draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy import special

from stakes._arrays import BoolArray, FloatArray

_NODES = 64  # Gauss-Legendre angles for the share of chance; the integrands are analytic in the angle
_FINE = 2048  # steps of the tabulated law of that angle, from which points take their quantiles
_REACH = 4.0  # standard errors behind the leader up to which a model is in the race
_KNOWN = 1e-13  # relative variance below which a contrast counts as known


@dataclass(frozen=True)
class Shrinkage:
    r"""Uniform shrinkage of independent contrasts, seen as :math:`t_i` with variance :math:`w_i`.

    True contrasts are normal with variance :math:`\tau^2` about 0, and how much of what is seen is chance,
    :math:`\kappa = s_0^2/(s_0^2 + \tau^2)` with :math:`s_0^2` the geometric mean of the variances, may be any share
    with equal probability. The angle with :math:`\sin^2\theta = \kappa` makes every integrand analytic.
    """

    seen: FloatArray
    variance: FloatArray

    @property
    def typical(self) -> float:
        """The geometric mean of the variances, against which the prior measures true contrasts."""
        return self._typical

    def nodes(self, count: int = _NODES) -> tuple[FloatArray, FloatArray]:
        """Return angles and their probabilities given what was seen."""
        angle, weight = angle_rule(count)
        density = weight * self._density(angle)
        return angle, density / density.sum()

    def quantiles(self, share: FloatArray) -> FloatArray:
        """Return the quantiles of the angle given what was seen."""
        return np.interp(share, *self._below)

    def moved(self, angle: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the shift and the factor of the standardised error of each contrast, angles x contrasts."""
        sine, cosine, total = self._parts(angle)
        np.divide(1.0, total, out=total)
        return sine * total * (-self.seen * np.sqrt(self.variance)), np.sqrt(total * (self._typical * cosine))

    @cached_property
    def _below(self) -> tuple[FloatArray, FloatArray]:
        """The probability of an angle below each of many, and those angles."""
        angle = np.linspace(0.0, np.pi / 2, _FINE + 1)
        density = self._density(angle)
        below = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
        return below / below[-1], angle

    @cached_property
    def _typical(self) -> float:
        return float(np.exp(np.log(self.variance).mean()))

    def _parts(self, angle: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        sine, cosine = np.sin(angle)[:, None] ** 2, np.cos(angle)[:, None] ** 2
        return sine, cosine, self.variance * sine + self._typical * cosine

    def _density(self, angle: FloatArray) -> FloatArray:
        """Return the density of the angle up to a factor, prior times likelihood."""
        sine, cosine, total = self._parts(angle)
        with np.errstate(divide="ignore"):  # at the ends, where the density is 0
            logs = (np.log(sine * self._typical / total) - self.seen**2 * sine / total).sum(axis=1) / 2
            logs += np.log(sine * cosine)[:, 0] / 2
        density: FloatArray = np.exp(logs - logs.max())
        return density


@lru_cache(maxsize=4)
def angle_rule(count: int) -> tuple[FloatArray, FloatArray]:
    """Return the Gauss-Legendre rule for angles from 0 to a quarter turn: angles and weights."""
    at, weight = np.polynomial.legendre.leggauss(count)
    return (at + 1) * np.pi / 4, weight * np.pi / 4


@dataclass(frozen=True)
class JointLaw:
    """Law of the differences of several numbers, larger being better.

    It is that of ``mean + loads @ z``, z standard normal. What all numbers share is left out. With `shrinkage`, the
    first columns of `loads` belong to its contrasts, and their z are shifted and scaled by it.
    """

    mean: FloatArray
    loads: FloatArray
    shrinkage: Shrinkage | None = None

    def only(self, numbers: BoolArray) -> JointLaw:
        """Return the law of some of the numbers."""
        return JointLaw(self.mean[numbers], self.loads[numbers], self.shrinkage)

    def components(self, count: int = _NODES) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the law as a mixture of normal laws: probabilities, means and covariances."""
        if self.shrinkage is None:
            return np.ones(1), self.mean[None], (self.loads @ self.loads.T)[None]
        angle, chance = self.shrinkage.nodes(count)
        shift, factor = self.shrinkage.moved(angle)
        shrunk = shift.shape[1]
        scaled = np.repeat(self.loads[None], len(angle), axis=0)
        scaled[:, :, :shrunk] *= factor[:, None, :]
        return chance, self.mean + shift @ self.loads[:, :shrunk].T, scaled @ scaled.transpose(0, 2, 1)


def joint_law(gain: FloatArray, covariance: FloatArray, models: BoolArray, prior: str) -> JointLaw:
    """Return the law of numbers with these estimates and this covariance.

    `models` says which are models, to be shrunk towards each other as far as they are in the race if the prior is
    near; the others are references, which keep a flat prior of their own.
    """
    race = in_the_race(gain, covariance, models) if prior == "near" else np.zeros(len(gain), dtype=bool)
    shrunk, loads = _contrasts(gain, covariance, race)
    rest = _centre(covariance - loads @ loads.T)
    values, vectors = np.linalg.eigh(rest)
    keep = values > _KNOWN * max(float(np.trace(covariance)), 0.0)
    others = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, keep][:, ::-1]
    own = loads - loads.mean(axis=0)
    return JointLaw(gain - gain.max(), np.column_stack([own, others]), shrunk)


def in_the_race(gain: FloatArray, covariance: FloatArray, models: BoolArray) -> BoolArray:
    """Return which models lie within some standard errors of the one that leads; none if that is only one."""
    if not models.any():
        return models
    first = int(np.argmax(np.where(models, gain, -np.inf)))
    spread = np.diag(covariance) + covariance[first, first] - 2 * covariance[first]
    near: BoolArray = models & (gain[first] - gain <= _REACH * np.sqrt(np.maximum(spread, 0.0)))
    return near if near.sum() > 1 else np.zeros(len(gain), dtype=bool)


def _contrasts(gain: FloatArray, covariance: FloatArray, race: BoolArray) -> tuple[Shrinkage | None, FloatArray]:
    """Return the contrasts of the models in the race, and what a standard error of each moves."""
    size, count = len(gain), int(race.sum())
    nothing = None, np.zeros((size, 0))
    if count < 2:
        return nothing
    basis = np.zeros((count - 1, size))
    basis[:, race] = _helmert(count)
    values, vectors = np.linalg.eigh(basis @ covariance @ basis.T)
    keep = values > _KNOWN * max(float(np.trace(covariance)), 0.0)
    if not keep.any():
        return nothing
    variance, turned = values[keep][::-1], (vectors.T @ basis)[keep][::-1]
    return Shrinkage(turned @ gain, variance), covariance @ turned.T / np.sqrt(variance)


def _helmert(count: int) -> FloatArray:
    """Return orthonormal contrasts of some numbers, one in each row."""
    rows = np.arange(1, count)[:, None]
    below = np.arange(count) < rows
    contrasts: FloatArray = (below - rows * (np.arange(count) == rows)) / np.sqrt(rows * (rows + 1.0))
    return contrasts


def _centre(covariance: FloatArray) -> FloatArray:
    """Return the covariance of the deviations from the mean of all numbers."""
    half = covariance - covariance.mean(axis=0)
    centred: FloatArray = half - half.mean(axis=1)[:, None]
    return (centred + centred.T) / 2


def shrink_errors(errors: FloatArray, gain: FloatArray, models: BoolArray) -> FloatArray:
    """Return the errors of replicates (rows) under the near prior.

    Their own covariance says how much to shrink. The shares of chance are dealt to the replicates evenly, so nothing
    more is drawn.
    """
    if len(errors) < 2 or errors.shape[1] < 2:
        return errors
    covariance = np.cov(errors, rowvar=False)
    shrunk, loads = _contrasts(gain, covariance, in_the_race(gain, covariance, models))
    if shrunk is None:
        return errors
    angle = shrunk.quantiles((np.arange(len(errors)) + 0.5) / len(errors))
    shift, factor = shrunk.moved(angle)
    own = errors @ np.linalg.pinv(covariance) @ loads  # the standardised error of each contrast
    return errors + (shift + (factor - 1) * own) @ loads.T


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
