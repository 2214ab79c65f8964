"""The half-case interval of a mean of bounded values, from sums over kinds of cases."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from stakes._arrays import BoolArray, FloatArray
from stakes.uncertainty._ends import Ends, root

_FARTHEST = 37.0  # standard errors; beyond this a probability is 0 or 1
_STEPS = (0.0, 1.0, 2.0, 3.0, 4.5, 6.0, 9.0, 14.0, 22.0, _FARTHEST)
FAR = 3.0  # deviate from which quantiles are so near to the bound that they alone tell how the ends move
GRID = np.linspace(0.0, 3.2, 9)  # deviates that tell whether the ends stop moving apart before that
NARROWER = 12  # times by a factor of four
_NOTHING = 1e-13  # of the size of a case: what rounding leaves of a sum that is 0


class Reaches(ABC):
    """Distances of the ends of an interval from a mean, by the normal deviate, within its range."""

    room: Ends  # how far below the mean and how far above it the ends of its range are

    @abstractmethod
    def reach(self, deviate: float, *, up: bool) -> float:
        """Return the distance from the mean to its upper (or lower) end, at a normal deviate."""

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


@dataclass(frozen=True)
class Kinds(Reaches):
    r"""Kinds of cases that move a mean: of either class, up or down.

    Every mean of bounded values is a sum over a few kinds of cases. A kind *k* moves the mean by what its values add up
    to, :math:`Y_k / n_k`. That of the population may be larger by what was not seen: half a case more, of the largest
    size :math:`m_k` that a case may have; or smaller: half a case more, of size 0. With these the values have a mean
    and a variance, as under the Bayesian bootstrap, and the ends are quantiles of the beta distribution on
    :math:`[0, m_k]` that has both. The kinds combine by squares, with what the variance of the whole has beyond theirs.

    That may be less than nothing, since a case of one kind is none of another. It grows with the square of the deviate,
    while the quantiles come to the bound and stop, so that a higher level would have a shorter interval. From the first
    deviate at which it would, the ends stay where they are, and from 3 on they move in proportion to the quantiles. So
    they are continuous, and an interval of a higher level holds that of a lower one.

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
        turn = self._upper_turn if up else self._lower_turn
        whole, *_ = self._wholes(np.array([min(deviate, turn)]), up=up).tolist()
        if deviate > FAR >= turn and whole > 0:
            near, far = self._squares(np.array([FAR, deviate]), up=up).tolist()
            whole *= far / near
        # Half a case of the most extreme value would move the mean, however alike those seen are.
        least = min(deviate, 1.0) * self.room[up] / (2 * float(self.cases.max()) + 1)
        return max(math.sqrt(max(whole, 0.0)), least)

    def _squares(self, deviates: FloatArray, *, up: bool) -> FloatArray:
        """Return the sums of the squared distances of the kinds' quantiles from what was seen."""
        grows, seen = self.raises if up else ~self.raises, (self.sums / self.cases)[:, None]
        more = self._more.quantiles(deviates, grows) - seen[grows]
        less = seen[~grows] - self._less.quantiles(-deviates, ~grows)
        farthest = np.maximum(np.concatenate([more, less]), 0.0)
        squares: FloatArray = np.einsum("ij,ij->j", farthest, farthest)
        return squares

    def _wholes(self, deviates: FloatArray, *, up: bool) -> FloatArray:
        """Return the same with what the variance of the whole has beyond that of the kinds."""
        return self._squares(deviates, up=up) + deviates**2 * self.other

    @cached_property
    def _lower_turn(self) -> float:
        return self._turn(up=False)

    @cached_property
    def _upper_turn(self) -> float:
        return self._turn(up=True)

    def _turn(self, *, up: bool) -> float:
        """Return the deviate at which the squared distance stops growing.

        That is at most `FAR`; or never, if nothing is taken off.
        """
        if self.other >= 0:
            return math.inf
        falls = np.flatnonzero(np.diff(self._wholes(GRID, up=up)) < 0)
        if not len(falls):
            return FAR
        low, high = GRID[max(falls[0] - 1, 0)], GRID[falls[0] + 1]
        for _ in range(NARROWER):
            places = np.linspace(low, high, 9)
            top = int(np.argmax(self._wholes(places, up=up)))
            low, high = places[max(top - 1, 0)], places[min(top + 1, 8)]
        return min(float(low), FAR)

    @cached_property
    def _more(self) -> BetaLaws:
        return with_more(self.sums, self.squares, self._possible_sizes, self.cases)

    @cached_property
    def _less(self) -> BetaLaws:
        return with_less(self.sums, self.squares, self._possible_sizes, self.cases)

    @cached_property
    def _possible_sizes(self) -> FloatArray:
        return possible_sizes(self.sums, self.squares, self.sizes, self.cases)


@dataclass(frozen=True)
class BothWays(Reaches):
    """A share of cases, counted by those that have something and by those that have it not.

    Half a case tells best how many there may be of what is rare. So the squared distances are averaged: the way that
    counts the others has as much of the average as `others` says.
    """

    counted: Kinds
    rest: Kinds
    others: float
    room: Ends

    def reach(self, deviate: float, *, up: bool) -> float:
        """Return the distance from the mean to its upper (or lower) end, at a normal deviate."""
        one, two = (kinds.reach(deviate, up=up) for kinds in (self.counted, self.rest))
        return math.sqrt((1 - self.others) * one**2 + self.others * two**2)


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

    def quantiles(self, deviates: FloatArray, here: BoolArray) -> FloatArray:
        """Return the quantiles of some of the distributions, in rows, at normal deviates of one sign."""
        a, b, sizes, points = (one[here][:, None] for one in (self.a, self.b, self.sizes, self.points))
        found = tail_quantile(a, b, special.ndtr(-np.abs(deviates)), upper=bool(deviates[-1] > 0))
        return np.where(np.isnan(points), found * sizes, points)


def tail_quantile(a: FloatArray, b: FloatArray, tail: FloatArray, *, upper: bool) -> FloatArray:
    """Return the quantile of a beta law with a given chance beyond it.

    The smaller tail keeps its digits. Of chances around 1e-24 and below the inverse may not be found; the quantile is
    then as good as the end of the range.
    """
    found = (special.betainccinv if upper else special.betaincinv)(a, b, tail)
    return np.where(np.isnan(found), float(upper), found)


def with_more(sums: FloatArray, squares: FloatArray, sizes: FloatArray, cases: FloatArray) -> BetaLaws:
    """Return the laws of kinds with half a case more of the largest size."""
    mean = (sums + sizes / 2) / (cases + 0.5)
    return BetaLaws.of(mean, ((squares + sizes**2 / 2) / (cases + 0.5) - mean**2) / (cases + 1.5), sizes)


def with_less(sums: FloatArray, squares: FloatArray, sizes: FloatArray, cases: FloatArray) -> BetaLaws:
    """Return the laws of kinds with half a case more of size 0."""
    mean = sums / (cases + 0.5)
    return BetaLaws.of(mean, (squares / (cases + 0.5) - mean**2) / (cases + 1.5), sizes)


def possible_sizes(sums: FloatArray, squares: FloatArray, sizes: FloatArray, cases: FloatArray) -> FloatArray:
    """Return the sizes; those of the cases seen where their unequal weights are too large for these."""
    seen = np.divide(squares, sums, out=np.zeros_like(sums), where=sums > 0)
    return np.where(sums < cases * sizes, sizes, np.maximum(sizes, seen))
