"""The half-case interval of a mean of bounded values, from sums over kinds of cases."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from stakes._arrays import BoolArray, FloatArray
from stakes.uncertainty._root import root

Ends = tuple[float, float]

_FARTHEST = 37.0  # standard errors; beyond this a probability is 0 or 1
_STEPS = (0.0, 1.0, 2.0, 3.0, 4.5, 6.0, 9.0, 14.0, 22.0, _FARTHEST)
_FAR = 3.0  # deviates from which quantiles are so near to the bound that only their share of the variance counts
_NOTHING = 1e-13  # of the size of a case: what rounding leaves of a sum that is 0


@dataclass(frozen=True)
class Kinds:
    r"""Kinds of cases that move a mean: of either class, up or down.

    Every mean of bounded values is a sum over a few kinds of cases. A kind *k* moves the mean by what its values add up
    to, :math:`Y_k / n_k`. That of the population may be larger by what was not seen: half a case more, of the largest
    size :math:`m_k` that a case may have; or smaller: half a case more, of size 0. With these the values have a mean
    and a variance, as under the Bayesian bootstrap, and the ends are quantiles of the beta distribution on
    :math:`[0, m_k]` that has both. The kinds combine by squares, with what the variance of the whole has beyond theirs.

    Attributes
    ----------
    sums, squares : ndarray of float64
        Sum and sum of squares of the values of each kind, which are not negative.
    sizes : ndarray of float64
        The largest value that a case of each kind may have.
    raises : ndarray of bool
        Whether a case of each kind raises the mean.
    cases : ndarray of float64
        Number of cases among which each kind was counted: all, or those of one class.
    variance : float
        Variance of the mean, from all cases.
    room : tuple of float
        How far below the mean and how far above it the ends of its range are.
    """

    sums: FloatArray
    squares: FloatArray
    sizes: FloatArray
    raises: BoolArray
    cases: FloatArray
    variance: float
    room: Ends

    @cached_property
    def _own(self) -> float:
        """The variance of the kinds by themselves."""
        return float(((self.squares - self.sums**2 / self.cases) / self.cases**2).sum())

    @property
    def other(self) -> float:
        """The variance that is not that of the kinds: below 0 where a case of one kind is none of another."""
        return self.variance - self._own

    def reach(self, deviate: float, *, up: bool) -> float:
        """Return the distance from the mean to its upper (or lower) end, at a normal deviate.

        Where no case can move the mean, only what the variance has beyond them is left.
        """
        if not len(self.sums):
            return deviate * math.sqrt(max(self.variance, 0.0))
        grows = self.raises if up else ~self.raises
        more = self._more.quantile(deviate, grows) - (self.sums / self.cases)[grows]
        less = (self.sums / self.cases)[~grows] - self._less.quantile(-deviate, ~grows)
        farthest = np.maximum(np.concatenate([more, less]), 0.0)
        square = float(farthest @ farthest)
        whole = square + deviate**2 * self.other
        if deviate > _FAR and self._own > 0:
            whole = max(whole, square * self.variance / self._own)
        # Half a case of the most extreme value would move the mean, however alike those seen are.
        least = min(deviate, 1.0) * self.room[up] / (2 * float(self.cases.max()) + 1)
        return max(math.sqrt(max(whole, 0.0)), least)

    def ends(self, mean: float, deviate: float) -> Ends:
        """Return the ends of the interval at a normal deviate, which lie in the range of the mean."""
        lower, upper = (min(self.reach(deviate, up=up), self.room[up]) for up in (False, True))
        return mean - lower, mean + upper

    def deviate_of_zero(self, mean: float) -> float:
        """Return the smallest normal deviate at which the interval holds 0, with the sign of the mean."""
        up, distance = mean < 0, abs(mean)
        for before, after in itertools.pairwise(_STEPS):
            if self.reach(after, up=up) >= distance:
                if self.reach(before, up=up) >= distance:
                    return before
                found = root(lambda z: self.reach(z, up=up) - distance, before, after)
                return math.copysign(found, mean)
        return math.copysign(_FARTHEST, mean)

    @cached_property
    def _more(self) -> BetaLaws:
        n, m = self.cases, self._possible_sizes
        mean = (self.sums + m / 2) / (n + 0.5)
        return BetaLaws.of(mean, ((self.squares + m**2 / 2) / (n + 0.5) - mean**2) / (n + 1.5), m)

    @cached_property
    def _less(self) -> BetaLaws:
        n = self.cases
        mean = self.sums / (n + 0.5)
        return BetaLaws.of(mean, (self.squares / (n + 0.5) - mean**2) / (n + 1.5), self._possible_sizes)

    @property
    def _possible_sizes(self) -> FloatArray:
        """The sizes; those of the cases seen where unequal weights make these too large for the stated size."""
        seen = np.divide(self.squares, self.sums, out=np.zeros_like(self.sums), where=self.sums > 0)
        possible = self.sums < self.cases * self.sizes
        return np.where(possible, self.sizes, np.maximum(self.sizes, seen))


@dataclass(frozen=True)
class BetaLaws:
    """Beta distributions on intervals that begin at 0; those that do not vary are points."""

    a: FloatArray
    b: FloatArray
    sizes: FloatArray
    points: FloatArray  # nan where the distribution varies

    @classmethod
    def of(cls, mean: FloatArray, variance: FloatArray, sizes: FloatArray) -> BetaLaws:
        """Return the distributions with given means and variances."""
        share, spread = mean / sizes, variance / sizes**2
        varies = (share > _NOTHING) & (share < 1) & (spread > _NOTHING**2)
        total = share * (1 - share) / np.where(varies, spread, 1.0) - 1
        varies &= total > 0
        a, b = (np.where(varies, part * total, 1.0) for part in (share, 1 - share))
        return cls(a, b, sizes, np.where(varies, np.nan, np.minimum(mean, sizes)))

    def quantile(self, deviate: float, here: BoolArray) -> FloatArray:
        """Return the quantiles of some of the distributions at a normal deviate."""
        inverse = special.betainccinv if deviate > 0 else special.betaincinv  # the smaller tail keeps its digits
        found = inverse(self.a[here], self.b[here], special.ndtr(-abs(deviate))) * self.sizes[here]
        return np.where(np.isnan(self.points[here]), found, self.points[here])
