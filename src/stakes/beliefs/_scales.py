"""Scales that state the costs of the two mistakes as one number, and beliefs on each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.beliefs._action_belief import ActionBelief
from stakes.beliefs._belief import CostBelief
from stakes.beliefs._coerce import BeliefLike, as_belief
from stakes.beliefs._combined import parts
from stakes.beliefs._independent import IndependentCosts
from stakes.beliefs._money import check_proportion
from stakes.beliefs._money_range import MoneyRange, PricedThresholds
from stakes.beliefs._points import At, Atoms
from stakes.beliefs._quadrature import Distribution, HasDensity, PointMasses, SmoothDensity, UniformRange
from stakes.beliefs._ranges import EveryLogOdds, Uniform
from stakes.beliefs._shapes import Beta

ScaleName = Literal["cost proportion", "fractional cost", "cost ratio", "inverse cost ratio"]


# The distributions that a belief about costs is a mixture of, each with its probability.
Distributions = list[tuple[float, Distribution | MoneyRange | PricedThresholds]]


@dataclass(frozen=True, slots=True, repr=False, init=False)
class FractionalCost:
    r"""A belief about the fractional cost, the share of false alarms in the largest possible cost.

    .. math:: t = \frac{C_{FP} N}{C_{FP} N + C_{FN} P},

    with :math:`P` positives and :math:`N` negatives. It is the scale of VOROS; the constructor makes it uniform, `of`
    takes any other belief. The same *t* means other costs in a sample with another prevalence, so state the costs
    themselves if you know them.

    Parameters
    ----------
    low, high : float
        The bounds, ``0 <= low < high <= 1``.

    References
    ----------
    .. [1] C. Ratigan and L. Cowen (2025), "The VOROS: lifting ROC curves to 3D to summarize unbalanced classifier
       performance", AAAI 39, 20148-20156, Definition 2.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.limits import voros
    >>> always_or_never = score_table(y=[0, 1], score=[0.5, 0.5])
    >>> round(voros(always_or_never, FractionalCost(0.0, 1.0)), 6)  # 3/2 - log 2
    0.806853
    """

    law: Any

    def __init__(self, low: float, high: float) -> None:
        object.__setattr__(self, "law", Uniform(low, high))

    @classmethod
    def of(cls, belief: BeliefLike | HasDensity) -> FractionalCost:
        """Make any other belief about the fractional cost.

        Parameters
        ----------
        belief : belief, number or words, such as "5%..20%"
            Belief about *t*: a number, words, `At`, `Atoms`, or a belief with `density` and `support`.

        Returns
        -------
        FractionalCost
            The belief, on the scale of fractional costs.

        Examples
        --------
        >>> from stakes import Beta
        >>> from stakes.beliefs import FractionalCost
        >>> FractionalCost.of(Beta(2, 5))
        FractionalCost.of(Beta(alpha=2.0, beta=5.0, low=0.0, high=1.0))
        """
        law = as_belief("belief", belief)  # type: ignore[arg-type]
        check_proportion("belief", law)
        distributions(law)  # raises unless it can be integrated
        stated = object.__new__(cls)
        object.__setattr__(stated, "law", law)
        return stated

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        low, high = self.law.support
        return low, high

    def __repr__(self) -> str:
        if isinstance(self.law, Uniform):
            return f"FractionalCost(low={self.law.low}, high={self.law.high})"
        return f"FractionalCost.of({self.law!r})"


@dataclass(frozen=True, slots=True)
class CostRatio:
    r"""The ratio of the cost of a false alarm to that of a miss, uniform between two bounds.

    It is :math:`C_{FP}/C_{FN}`.

    Parameters
    ----------
    low, high : float
        The bounds, ``0 <= low < high``. For a single ratio *r* use ``At(from_odds(r, 1))``.

    Examples
    --------
    A miss costs six to nine false alarms:

    >>> from stakes.beliefs import CostRatio
    >>> CostRatio(1 / 9, 1 / 6).support == (1 / 9, 1 / 6)
    True
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        _set_ratio_bounds(self, "At(from_odds({0:g}, 1))")

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class InverseCostRatio:
    r"""The ratio of the cost of a miss to that of a false alarm, uniform between two bounds.

    It is :math:`C_{FN}/C_{FP}`, and not the same belief as a `CostRatio` between the inverse bounds, which gives costly
    misses more weight.

    Parameters
    ----------
    low, high : float
        The bounds, ``0 <= low < high``. For a single ratio *r* use ``At(from_odds(1, r))``.

    Examples
    --------
    A miss costs as much as six to nine false alarms:

    >>> from stakes.beliefs import InverseCostRatio
    >>> InverseCostRatio(6, 9)
    InverseCostRatio(low=6.0, high=9.0)
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        _set_ratio_bounds(self, "At(from_odds(1, {0:g}))")

    @property
    def support(self) -> tuple[float, float]:
        """The bounds."""
        return self.low, self.high


def _set_ratio_bounds(ratio: CostRatio | InverseCostRatio, single: str) -> None:
    first, last = _check.non_negative_number("low", ratio.low), _check.non_negative_number("high", ratio.high)
    _check.ordered_bounds(first, last, instead=f"for a single ratio use `{single.format(first)}`")
    object.__setattr__(ratio, "low", first)
    object.__setattr__(ratio, "high", last)


@dataclass(frozen=True, slots=True)
class CostScale:
    """A scale of costs: the cost of each mistake is a linear function of one number.

    Only their ratio matters. `rising` tells whether a false alarm costs more, in misses, as the number grows.
    """

    name: ScaleName
    miss: tuple[float, float]  # cost of a miss: its value at 0, and its slope
    alarm: tuple[float, float]  # cost of a false alarm, likewise
    rising: bool = True

    def tie(self, false_alarms: FloatArray, true_alarms: FloatArray) -> FloatArray:
        """Return the number at which these false alarms cost as much as missing the true alarms."""
        return np.abs(self.zero_of(false_alarms, -true_alarms))  # not negative except for the sign of a zero

    def at_proportion(self, cost: FloatArray) -> FloatArray:
        """Return the number equivalent to a cost proportion, which may be infinite."""
        return self.tie(1 - cost, cost)

    def proportion(self, x: FloatArray) -> FloatArray:
        """Return the cost proportion equivalent to the number."""
        alarm, miss = self.costs(x)
        return alarm / (alarm + miss)

    def costs(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the cost of a false alarm and of a miss."""
        return self.alarm[0] + self.alarm[1] * x, self.miss[0] + self.miss[1] * x

    def zero_of(self, alarms: FloatArray, misses: FloatArray) -> FloatArray:
        """Return the root of the total cost of these false alarms and misses, either of which may be negative."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return -(self.alarm[0] * alarms + self.miss[0] * misses) / (self.alarm[1] * alarms + self.miss[1] * misses)


def cost_scale(name: ScaleName, positive: float, negative: float) -> CostScale:
    """Return a scale by its name; the scale of fractional costs depends on the weight of the classes."""
    if name == "fractional cost":
        _check.check_both_classes(positive, negative)
        return CostScale(name, miss=(negative, -negative), alarm=(0.0, positive))
    if name == "cost ratio":
        return CostScale(name, miss=(1.0, 0.0), alarm=(0.0, 1.0))
    if name == "inverse cost ratio":
        return CostScale(name, miss=(0.0, 1.0), alarm=(1.0, 0.0), rising=False)
    return CostScale(name, miss=(1.0, -1.0), alarm=(0.0, 1.0))


Costs: TypeAlias = CostBelief | HasDensity | FractionalCost | CostRatio | InverseCostRatio
CostsLike: TypeAlias = BeliefLike | HasDensity | FractionalCost | CostRatio | InverseCostRatio


def as_costs_on_any_scale(name: str, given: CostsLike, *, case_costs: bool = False) -> Costs:
    """Return a belief about costs on any scale: fractional costs, a ratio or the cost proportion."""
    if isinstance(given, FractionalCost | CostRatio | InverseCostRatio):
        return given
    return cast(Costs, as_belief(name, given, case_costs=case_costs))  # type: ignore[arg-type]


def scale_name(costs: object) -> ScaleName:
    """Return the name of the scale on which costs are stated."""
    if isinstance(costs, FractionalCost):
        return "fractional cost"
    if isinstance(costs, CostRatio):
        return "cost ratio"
    return "inverse cost ratio" if isinstance(costs, InverseCostRatio) else "cost proportion"


def distributions(costs: object) -> Distributions:
    """Return the distributions of the number that states the costs, each with its probability."""
    if isinstance(costs, FractionalCost):
        return distributions(costs.law)
    found: Distributions = []
    for weight, part in parts(costs):
        if isinstance(part, ActionBelief):
            pieces = ((share, _distribution(piece)) for share, piece in parts(part.law))
            found += [(weight * share, PricedThresholds(one, part.mass)) for share, one in pieces]
        else:
            found.append((weight, _distribution(part)))
    return found


def _distribution(part: object) -> Any:
    match part:
        case IndependentCosts():
            return MoneyRange(part)
        case CostRatio() | InverseCostRatio() | Uniform():
            return UniformRange(*part.support)
        case At():
            return PointMasses((part.value,), (1.0,))
        case Atoms():
            return PointMasses(part.values, part.weights)
        case Beta():
            total = part.alpha + part.beta
            mean, deviation = part.alpha / total, np.sqrt(part.alpha * part.beta / (total + 1)) / total
            breaks = tuple(mean + deviation * np.arange(-12, 13))
            return SmoothDensity(part, breaks, part.alpha - 1, part.beta - 1)
    belief = with_density(part)
    low, high = belief.support
    return SmoothDensity(belief, tuple(np.linspace(low, high, 65)))


def is_distribution(costs: object) -> bool:
    """Whether a belief about costs has a finite mass that can be integrated."""
    return all(
        isinstance(part, At | Atoms | ActionBelief)
        or (not isinstance(part, EveryLogOdds) and hasattr(part, "density") and hasattr(part, "support"))
        for _, part in parts(costs)
    )


def joint_support(costs: Distributions) -> tuple[float, float]:
    """Return the smallest range that contains every distribution."""
    return min(one.support[0] for _, one in costs), max(one.support[1] for _, one in costs)


def with_density(costs: object) -> HasDensity:
    """Return the belief; raise unless it has a density of finite mass."""
    if isinstance(costs, EveryLogOdds):
        raise InputTypeError("costs", "be a belief about one cost proportion with a finite mass", repr(costs))
    _check.check_methods("costs", costs, "density", "support")
    return costs  # type: ignore[return-value]
