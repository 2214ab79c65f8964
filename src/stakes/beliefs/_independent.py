"""Two independent costs, of a miss and of a false alarm, in the user's own units."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.beliefs._belief import as_scores, times

Range = tuple[float, float]


# Narrower than this share of its upper end, a range is treated as the one cost in its middle:
# below it rounding of the score itself exceeds the difference.
_SLIVER = 1e-9


@dataclass(frozen=True, slots=True, init=False)
class IndependentCosts:
    r"""The cost of a miss and the cost of a false alarm, each uniform on its own range.

    The losses are in the user's own cost units (money, days), so regret is too. With :math:`F` the cost of a miss,
    :math:`G` that of a false alarm and :math:`r = s/(1 - s)`, a positive pays :math:`E[F\,1\{G > rF\}]`
    and a negative :math:`E[G\,1\{G \le rF\}]`. On the unit square this is the inverse score [1]_.

    It is a belief about the cost proportion :math:`c = G/(F + G)` like any other, except that a cost weighs as much as
    the two mistakes cost there together: :math:`dH(c) = E[F + G;\ G/(F + G) \in dc]`. Two fixed costs are
    :math:`F + G` times `At`. What is a share or a probability is not weighted.

    Parameters
    ----------
    false_negative : pair of float, keyword-only
        Lowest and highest cost of a miss; equal for a fixed cost.
    false_positive : pair of float, keyword-only
        Lowest and highest cost of a false alarm.

    References
    ----------
    .. [1] D. Grygorian (2019), "Classifier evaluation with proper scoring rules", master's thesis, University of
       Tartu, theorem 3 (what it calls a false negative is our false alarm).

    Examples
    --------
    A miss costs 20 to 40, a false alarm 1 to 3:

    >>> from stakes.beliefs import IndependentCosts
    >>> costs = IndependentCosts(false_negative=(20, 40), false_positive=(1, 3))
    >>> float(costs.loss_if_positive(0.0))  # always missed: the mean cost of a miss
    30.0
    >>> [round(bound, 4) for bound in costs.support]
    [0.0244, 0.1304]
    >>> round(costs.break_even, 4)  # 2 / (30 + 2)
    0.0625
    """

    false_negative: Range
    false_positive: Range

    def __init__(self, *, false_negative: Range, false_positive: Range) -> None:
        for name, costs in {"false_negative": false_negative, "false_positive": false_positive}.items():
            object.__setattr__(self, name, _fixed_if_narrow(_check.cost_range(name, costs)))

    @property
    def mean(self) -> float:
        """Mean cost proportion, ``E[G / (F + G)]``."""
        g0, g1 = self.false_positive
        if g0 == g1:
            return _mean_proportion(g0, *self.false_negative)
        total, _ = scipy.integrate.quad(
            _mean_proportion, g0, g1, self.false_negative, epsabs=0, epsrel=1e-13, limit=200
        )
        return float(total / (g1 - g0))

    @property
    def break_even(self) -> float:
        """The one threshold to use, where the mean costs break even: ``E[G] / (E[F] + E[G])``."""
        miss, alarm = (low / 2 + high / 2 for low, high in (self.false_negative, self.false_positive))
        return alarm / (miss + alarm)

    @property
    def is_fixed(self) -> bool:
        """Whether both costs are known exactly."""
        return self.false_negative[0] == self.false_negative[1] and self.false_positive[0] == self.false_positive[1]

    @property
    def support(self) -> tuple[float, float]:
        """The smallest and the largest cost proportion that can occur."""
        (f0, f1), (g0, g1) = self.false_negative, self.false_positive
        return g0 / (g0 + f1), g1 / (g1 + f0)

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a miss over the costs at which this score is not acted on."""
        s = np.clip(as_scores(score), 0, 1)
        if self.is_fixed:
            miss, _ = self.false_negative
            return times(miss, s < self.mean)
        return _mean_cost_beyond(s, 1 - s, self.false_negative, self.false_positive)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a false alarm over the costs at which this score is acted on."""
        s = np.clip(as_scores(score), 0, 1)
        if self.is_fixed:  # the only case with ties: a score equal to the cost proportion is acted on
            alarm, _ = self.false_positive
            return times(alarm, s >= self.mean)
        return _mean_cost_beyond(1 - s, s, self.false_positive, self.false_negative)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost proportion exceeds the score."""
        s = np.clip(as_scores(score), 0, 1)
        return times(1.0, s < self.mean) if self.is_fixed else share_beyond(s, self.false_negative, self.false_positive)

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """Density of the cost proportion: the integral of ``M = F + G`` over what it can be there."""
        (f0, f1), (g0, g1) = self.false_negative, self.false_positive
        if self.is_fixed:
            raise InputTypeError(
                ("false_negative", "false_positive"),
                "not both be fixed where a density is needed",
                f"{f0:g} and {g0:g}",
                hint=f"use `At({g0 / (f0 + g0):g})`",
            )
        c = as_scores(x)
        within = (c >= self.support[0]) & (c <= self.support[1])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            if f0 == f1:  # the ray ends on the line F = f: M = f / (1 - c)
                return np.where(within, f0 / (1 - c) ** 2 / (g1 - g0), 0.0)
            if g0 == g1:
                return np.where(within, g0 / c**2 / (f1 - f0), 0.0)
            high = np.minimum(f1 / (1 - c), g1 / c)
            low = np.fmax(f0 / (1 - c), g0 / c)  # fmax ignores the nan of 0 / 0
            return np.where(high > low, (high - low) / (f1 - f0) * (low + high) / (2 * (g1 - g0)), 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` cost proportions."""
        generator = _check.generator(rng)
        miss, alarm = (
            generator.uniform(*costs, _check.whole_number("n", n, 0))
            for costs in (self.false_negative, self.false_positive)
        )
        return np.clip(alarm / (miss + alarm), *self.support)


class Multipliers(IndependentCosts):
    """Multipliers of the costs of each case, as words state them: they mean nothing without case costs."""

    __slots__ = ()

    @property
    def plain(self) -> IndependentCosts:
        """The same costs, for cases whose own costs are known."""
        return IndependentCosts(false_negative=self.false_negative, false_positive=self.false_positive)

    def __repr__(self) -> str:
        return repr(self.plain)


def _mean_proportion(g: float, f0: float, f1: float) -> float:
    """Mean of ``g / (F + g)`` for F uniform between `f0` and `f1`."""
    if g == 0 or f0 == f1:
        return g / (f0 + g) if g else 0.0
    return g / (f1 - f0) * math.log1p((f1 - f0) / (f0 + g))


def _fixed_if_narrow(costs: Range) -> Range:
    low, high = costs
    if low == high or high - low > _SLIVER * high:
        return costs
    middle = low / 2 + high / 2  # the sum of both may be too large for a float
    return middle, middle


def _mean_cost_beyond(p: FloatArray, q: FloatArray, paid: Range, other: Range) -> FloatArray:
    """Mean of ``F 1{q G > p F}`` for F uniform on `paid` and G on `other`, by non-negative terms."""
    (f0, f1), (g0, g1) = paid, other
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        r = p / q
        if f0 == f1:
            return f0 * ((g1 - np.clip(r * f0, g0, g1)) / (g1 - g0))
        if g0 == g1:
            edge = np.clip(q / p * g0, f0, f1)
            return (edge - f0) / (f1 - f0) * ((edge + f0) / 2)
        return _mean_cost_on_rectangle(r, q / p, f0, f1, g0, g1)


def _mean_cost_on_rectangle(r: FloatArray, s: FloatArray, f0: float, f1: float, g0: float, g1: float) -> FloatArray:
    # The region G > r F of the rectangle is split into the part above the line's right end, where every F pays,
    # and the part beside the line, between heights u and v; x and e are where the line is, from 0 and from f0.
    left, right = r * f0, r * f1  # 0 times infinity is nan, and v > u false: nothing lies beside the line then
    u, v = np.clip(left, g0, g1), np.clip(right, g0, g1)
    at_left, at_right = u == left, v == right
    x_u, e_u = np.where(at_left, f0, s * u), np.where(at_left, 0.0, s * u - f0)
    x_v, e_v = np.where(at_right, f1, s * v), np.where(at_right, f1 - f0, s * v - f0)
    # Every quotient is a share of a side of the rectangle, so that no unit of cost overflows or underflows.
    height = np.where(at_left & at_right, r * (f1 - f0), v - u) / (g1 - g0)
    beside = height * (e_v / (f1 - f0) * (x_v + x_u + f0) + e_u / (f1 - f0) * (x_u + 2 * f0)) / 6
    return (f1 + f0) / 2 * ((g1 - v) / (g1 - g0)) + np.where(v > u, beside, 0.0)


def share_beyond(s: FloatArray, miss: Range, alarm: Range) -> FloatArray:
    """Probability of ``(1 - s) G > s F`` for F uniform on `miss` and G on `alarm`."""
    (f0, f1), (g0, g1) = miss, alarm
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        r, inverse = s / (1 - s), (1 - s) / s
        if f0 == f1:
            return (g1 - np.clip(r * f0, g0, g1)) / (g1 - g0)
        if g0 == g1:
            return (np.clip(inverse * g0, f0, f1) - f0) / (f1 - f0)
        left, right = np.fmin(r * f0, g1), r * f1  # fmin: 0 times infinity leaves nothing above the line
        u, v = np.clip(left, g0, g1), np.clip(right, g0, g1)
        # Above v every F lies left of the line; between u and v, those up to where the line is.
        wide = (np.where(u == left, 0.0, inverse * u - f0) + np.where(v == right, f1 - f0, inverse * v - f0)) / 2
        beside = (v - u) / (g1 - g0) * (wide / (f1 - f0))
        return (g1 - v) / (g1 - g0) + np.where(v > u, beside, 0.0)
