"""Half-case intervals of many means at once, and the deviate with which they hold together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes._arrays import FloatArray
from stakes.uncertainty._ends import root, single_deviate
from stakes.uncertainty._half_case import (
    FAR,
    GRID,
    NARROWER,
    BetaLaws,
    possible_sizes,
    tail_quantile,
    with_less,
    with_more,
)
from stakes.uncertainty._joint_law import SHIFTS, points_of

_RAISE, _LOWER = slice(0, None, 2), slice(1, None, 2)


@dataclass(frozen=True)
class HalfCases:
    """The kinds of cases that move each of many means; see `Kinds`, which has one mean.

    The means are in rows. The columns are the kinds: positives that raise the mean, positives that lower it, and
    negatives likewise.

    Attributes
    ----------
    estimate : ndarray of float64
        The means.
    sums, squares, sizes : ndarray of float64
        Sum and sum of squares of the values of each kind, and the largest value that a case may have; a size of 0 is
        that of a kind that cannot occur.
    cases : ndarray of float64
        Number of cases behind each mean.
    variance : ndarray of float64
        Variance of each mean, from all cases.
    lowest, highest : ndarray of float64
        The range of each mean.
    """

    estimate: FloatArray
    sums: FloatArray
    squares: FloatArray
    sizes: FloatArray
    cases: FloatArray
    variance: FloatArray
    lowest: FloatArray
    highest: FloatArray

    def ends(self, deviate: float) -> tuple[FloatArray, FloatArray]:
        """Return the ends of the intervals at a normal deviate; nan where the variance is undefined."""
        if not np.isfinite(self.variance).all():
            return np.full_like(self.estimate, np.nan), np.full_like(self.estimate, np.nan)
        below, above = self.estimate - self.lowest, self.highest - self.estimate
        lower = self.estimate - np.minimum(self._reach(deviate, below, up=False), below)
        upper = self.estimate + np.minimum(self._reach(deviate, above, up=True), above)
        return lower, upper

    def _reach(self, deviate: float, room: FloatArray, *, up: bool) -> FloatArray:
        """Return the distance from each mean to its upper (or lower) end."""
        turn = self._upper_turns if up else self._lower_turns
        whole = self._wholes(np.minimum(deviate, turn)[:, None], up=up)[:, 0]
        beyond = np.flatnonzero((deviate > FAR) & (turn <= FAR) & (whole > 0))
        if len(beyond):
            ends = np.broadcast_to([FAR, deviate], (len(beyond), 2))
            near, far = self._some(beyond)._squares(ends, up=up).T
            whole[beyond] *= far / near
        least = min(deviate, 1.0) * room / (2 * self.cases + 1)
        reach: FloatArray = np.maximum(np.sqrt(np.maximum(whole, 0.0)), least)
        return reach

    def _squares(self, deviates: FloatArray, *, up: bool) -> FloatArray:
        """Return the sums of the squared distances of the quantiles from what was seen, means x deviates."""
        grows, shrinks = (_RAISE, _LOWER) if up else (_LOWER, _RAISE)
        seen, tail = (self.sums / self.cases[:, None])[:, :, None], special.ndtr(-deviates)[:, None, :]
        more = _quantiles(self._more, grows, tail, upper=True) - seen[:, grows]
        less = seen[:, shrinks] - _quantiles(self._less, shrinks, tail, upper=False)
        possible = self.sizes[:, :, None] > 0
        squares: FloatArray = (np.maximum(more, 0.0) ** 2 * possible[:, grows]).sum(axis=1)
        squares += (np.maximum(less, 0.0) ** 2 * possible[:, shrinks]).sum(axis=1)
        return squares

    def _wholes(self, deviates: FloatArray, *, up: bool) -> FloatArray:
        """Return the same with what the variance of the whole has beyond that of the kinds."""
        return self._squares(deviates, up=up) + deviates**2 * self._other[:, None]

    @cached_property
    def _other(self) -> FloatArray:
        """The variance that is not that of the kinds."""
        cases = self.cases[:, None]
        other: FloatArray = self.variance - ((self.squares - self.sums**2 / cases) / cases**2).sum(axis=1)
        return other

    @cached_property
    def _lower_turns(self) -> FloatArray:
        return self._turns(up=False)

    @cached_property
    def _upper_turns(self) -> FloatArray:
        return self._turns(up=True)

    def _turns(self, *, up: bool) -> FloatArray:
        """Return the deviates at which the squared distances stop growing; infinite where they do not."""
        turns = np.full(len(self.estimate), np.inf)
        rows = np.flatnonzero(self._other < 0)
        turns[rows] = FAR
        falls = np.diff(self._some(rows)._wholes(np.broadcast_to(GRID, (len(rows), len(GRID))), up=up)) < 0
        rows, falls = rows[falls.any(axis=1)], falls[falls.any(axis=1)]
        if not len(rows):
            return turns
        some, first = self._some(rows), falls.argmax(axis=1)
        low, high = GRID[np.maximum(first - 1, 0)], GRID[first + 1]
        each = np.arange(len(rows))
        for _ in range(NARROWER):
            places = np.linspace(low, high, 9, axis=1)
            top = some._wholes(places, up=up).argmax(axis=1)
            low, high = places[each, np.maximum(top - 1, 0)], places[each, np.minimum(top + 1, 8)]
        turns[rows] = np.minimum(low, FAR)
        return turns

    def _some(self, rows: npt.NDArray[np.intp]) -> HalfCases:
        """Return some of the means."""
        return replace(self, **{name: getattr(self, name)[rows] for name in self.__dataclass_fields__})

    @cached_property
    def _laws(self) -> tuple[BetaLaws, BetaLaws]:
        """The laws with half a case more, of the largest size and of size 0."""
        cases = self.cases[:, None]
        occurring = np.where(self.sizes > 0, self.sizes, 1.0)  # distances of a kind that cannot occur are left out
        kinds = self.sums, self.squares, possible_sizes(self.sums, self.squares, occurring, cases), cases
        return with_more(*kinds), with_less(*kinds)

    @property
    def _more(self) -> BetaLaws:
        return self._laws[0]

    @property
    def _less(self) -> BetaLaws:
        return self._laws[1]


def _quantiles(laws: BetaLaws, kinds: slice, tail: FloatArray, *, upper: bool) -> FloatArray:
    a, b, sizes, points = (one[:, kinds, None] for one in (laws.a, laws.b, laws.sizes, laws.points))
    return np.where(np.isnan(points), tail_quantile(a, b, tail, upper=upper) * sizes, points)


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
