"""The law of the estimates after more cases, as seen from now, and the value of choosing by them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes._arrays import FloatArray, largest_of_rows
from stakes.uncertainty import JointEstimates, JointLaw, angle_rule, best_of, bivariate, joint_law, points_of

SHIFTS, POINTS = 8, 1 << 10  # of the fixed points, which are the same for every number of cases
_NODES = 24  # angles of the share of chance
_FAR = 8.0  # standard errors beyond which the closed form of a gain has lost its digits


def gain_of_two(difference: float, spread: float) -> float:
    r"""Return what it is worth to see a normal difference before choosing: :math:`a\,G(|d|/a)`.

    :math:`G(u) = \varphi(u) - u\,\Phi(-u)`, by its series where that would lose all digits.
    """
    if spread <= 0:
        return 0.0
    u = abs(difference) / spread
    density = math.exp(-u * u / 2) / math.sqrt(2 * math.pi)
    if u > _FAR:
        return spread * density * (1 / u**2 - 3 / u**4 + 15 / u**6 - 105 / u**8)
    return spread * (density - u * float(special.ndtr(-u)))


def right_of_two(difference: float, spread: float, share: float) -> float:
    """Return the probability to choose the better of two when a share of the variance is resolved."""
    if spread <= 0 or share >= 1:
        return 1.0
    before = difference / spread
    if share <= 0:
        return float(special.ndtr(abs(before)))
    after, root = before / math.sqrt(share), np.array([math.sqrt(share)])
    both, neither = (bivariate(np.array([k * before]), np.array([k * after]), root)[0] for k in (1, -1))
    return float(both + neither)


@dataclass(frozen=True)
class Preposterior:
    """The law of the estimates after more cases, given those of now.

    With the share *r* of the variance resolved, the estimates move by ``loads @ u``: without shrinkage *u* is normal
    with variance *r*; with it, each contrast first has its true value drawn from what is believed now.
    """

    now: JointEstimates
    prior: str

    @cached_property
    def law(self) -> JointLaw:
        """The law of the true numbers, as believed now."""
        return joint_law(self.now.gain, self.now.covariance, self.now.models, self.prior)

    @property
    def is_closed(self) -> bool:
        """Whether the value has a closed form."""
        return self.law.shrinkage is None and len(self.now.gain) <= 3

    @cached_property
    def perfect(self) -> tuple[float, float]:
        """The value of knowing everything, and its error."""
        if len(self.now.gain) == 1 or not self.law.loads.shape[1]:
            return 0.0, 0.0
        if self.is_closed:
            return self.value(1.0)
        found = best_of(self.law)
        return max(found.largest - float(found.means.max()), 0.0), found.largest_error

    def value(self, share: float, shifts: int = SHIFTS) -> tuple[float, float]:
        """Return the value of resolving a share of the variance, and its standard error."""
        if share <= 0 or len(self.now.gain) == 1 or not self.law.loads.shape[1]:
            return 0.0, 0.0
        if self.is_closed:
            return self._closed(share), 0.0
        found = np.array([self._gained(share, shift) for shift in range(shifts)])
        error = float(found.std(ddof=1) / math.sqrt(shifts)) if shifts > 1 else math.nan
        return min(max(float(found.mean()), 0.0), self.perfect[0]), error

    def _closed(self, share: float) -> float:
        gain, spread = self.now.gain, self.now.covariance
        if len(gain) == 2:
            variance = spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]
            return gain_of_two(float(gain[0] - gain[1]), math.sqrt(max(share * variance, 0.0)))
        found = best_of(joint_law(gain, share * spread, self.now.models, "flat"))
        return max(found.largest - float(found.means.max()), 0.0)

    def _gained(self, share: float, shift: int) -> float:
        """Return the mean over fixed points of the best estimate, less the mean of the one that is best now."""
        estimates = self._means(self._moves(share, shift), share)
        return float(largest_of_rows(estimates).mean() - estimates.mean(axis=0).max())

    def right(self, share: float) -> float:
        """Return the probability that the option that will look best is the best."""
        gain, spread = self.now.gain, self.now.covariance
        if self.law.shrinkage is None and len(gain) == 2:
            variance = max(float(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]), 0.0)
            return right_of_two(float(gain[0] - gain[1]), math.sqrt(variance), share)
        if share >= 1 or len(gain) == 1:
            return 1.0
        hits = 0.0
        for shift in range(SHIFTS):
            truth, noise = self._drawn[shift]
            move = share * truth + math.sqrt(share * (1 - share)) * noise
            chosen = self._means(move, share).argmax(axis=1)
            true = self.law.mean + truth @ self.law.loads.T
            hits += float(np.mean(true[np.arange(len(true)), chosen] >= largest_of_rows(true)))
        return hits / SHIFTS

    @cached_property
    def _fixed(self) -> list[FloatArray]:
        """Points of each shift and their mirror images, whose mean is exactly 0."""
        size = self.law.loads.shape[1]
        order = np.argsort(-(self.law.loads**2).sum(axis=0), kind="stable")
        return [_mirrored(points_of(POINTS, size, shift), order) for shift in range(SHIFTS)]

    @cached_property
    def _shrunk(self) -> list[tuple[FloatArray, FloatArray]]:
        """Shift and factor of the contrasts at the points of each shift, where there is shrinkage."""
        own = self.law.shrinkage
        return [] if own is None else [own.moved(own.quantiles(points[:, 0])) for points in self._fixed]

    @cached_property
    def _drawn(self) -> list[tuple[FloatArray, FloatArray]]:
        """True values at the points of each shift, and the noise of what will be seen of them."""
        truth = [self._standard(shift) for shift in range(SHIFTS)]
        fixed = (np.random.Generator(np.random.PCG64(1000 + shift)) for shift in range(SHIFTS))
        return [(one, noise.standard_normal(one.shape)) for one, noise in zip(truth, fixed, strict=True)]

    def _standard(self, shift: int) -> FloatArray:
        """Return true values at fixed points, in standard errors from the estimates."""
        z = self._fixed[shift][:, 1:].copy()
        if self.law.shrinkage is not None:
            moved, factor = self._shrunk[shift]
            shrunk = moved.shape[1]
            z[:, :shrunk] = moved + factor * z[:, :shrunk]
        return z

    def _moves(self, share: float, shift: int) -> FloatArray:
        """Return how far the estimates move, in standard errors of now."""
        points = self._fixed[shift]
        z = points[:, 1:] * math.sqrt(share)
        if self.law.shrinkage is not None:
            moved, factor = self._shrunk[shift]
            shrunk = moved.shape[1]
            spread = np.sqrt(share * share * factor**2 + share * (1 - share))
            z[:, :shrunk] = share * moved + spread * points[:, 1 : 1 + shrunk]
        return z

    def _means(self, move: FloatArray, share: float) -> FloatArray:
        """Return what will be believed of every number after the estimates have moved, points x numbers."""
        if self.law.shrinkage is None:
            return self.law.mean + move @ self.law.loads.T
        own, left = self.law.shrinkage, 1 - share
        seen = own.seen + np.sqrt(own.variance) * move[:, : len(own.seen)]
        believed = move.copy()
        believed[:, : len(own.seen)] += self._shift(seen, own.variance * left) * math.sqrt(left)
        return self.law.mean + believed @ self.law.loads.T

    def _shift(self, seen: FloatArray, variance: FloatArray) -> FloatArray:
        """Return by how many standard errors shrinkage moves each contrast, averaged over the share of chance."""
        angle, weight = angle_rule(_NODES)
        chance, truth = np.sin(angle)[:, None] ** 2, np.cos(angle)[:, None] ** 2
        shrinkage = self.law.shrinkage
        assert shrinkage is not None
        part = chance / np.maximum(variance * chance + shrinkage.typical * truth, 1e-300)  # 1 / (w + tau squared)
        prior = np.log(weight * np.sin(angle) * np.cos(angle)) + np.log(part).sum(axis=1) / 2
        logs = prior - (seen**2) @ part.T / 2
        density = np.exp(logs - largest_of_rows(logs)[:, None])
        density /= density.sum(axis=1)[:, None]
        shift: FloatArray = -seen * (density @ (part * np.sqrt(variance)))
        return shift


def _mirrored(points: FloatArray, order: npt.NDArray[np.intp]) -> FloatArray:
    """Return points and their mirror images, the best directions for the largest spread."""
    made = np.empty((2 * len(points), points.shape[1]))
    made[:, 0] = np.tile(points[:, 0], 2)
    made[: len(points), 1 + order], made[len(points) :, 1 + order] = points[:, 1:], -points[:, 1:]
    return made
