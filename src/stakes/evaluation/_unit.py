"""The unit in which costs are printed: misses, false alarms, money or one's own, per 1,000 cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from stakes import _check, _wording
from stakes._errors import InputError
from stakes._language import say, say_count
from stakes.beliefs import CostBelief, in_money, of_actions

if TYPE_CHECKING:
    from stakes.evaluation._decision import Decision
    from stakes.evaluation._results import Standing

MISSES, FALSE_ALARMS, MONEY, REGRET = "misses", "false alarms", "money", "regret"
YOURS = "your cost units"  # of several actions, whose costs may be hours or beds as well as money
UNITS = (MISSES, FALSE_ALARMS)  # to choose from

_SAID = {  # of one and of many
    MISSES: ("{number} miss", "{number} misses"),
    FALSE_ALARMS: ("{number} false alarm", "{number} false alarms"),
    MONEY: ("{number} in money",) * 2,
    YOURS: ("{number} in your cost units",) * 2,
    REGRET: ("{number}",) * 2,
}

_FEWEST, _MOST_CASES = 5, 1_000_000  # of the rarer class among as many cases as a cost is printed for

ROUNDING = 1e-11  # relative difference below which two costs are the same

_USUAL, _FINEST = 3, 8  # digits after the point: of a column, and of a number that would otherwise read as another


@dataclass(frozen=True, slots=True)
class Unit:
    """How costs are printed: as a number of misses, of false alarms or of money, per 1,000 cases or more.

    A printed cost is the regret times one factor, the same for every number of a decision, so that no order depends
    on the unit. In misses, acting on no one costs exactly the prevalence. Numbers in Python and JSON stay in the scale
    of `expected_regret`, in which one false alarm plus one miss cost 1, or in the unit of the costs.

    Attributes
    ----------
    name : str
        ``misses``, ``false alarms`` or ``money``; ``your cost units`` for several actions, whose costs may be money or
        hours; ``regret`` where neither mistake has a mean cost.
    factor : float
        Printed cost of a case divided by its regret: 1 / (1 - c) in misses and 1 / c in false alarms, c the mean of the
        costs; 1 in money and in your cost units.
    per : int
        Number of cases a cost is printed for: the smallest of 1,000, 10,000, ... 1,000,000 that holds 5 of the rarer
        class on average.
    digits : int
        Digits after the decimal point, as many as the interval of the difference between the first two can bear.
    false_alarms_per_miss : float
        Number of false alarms that cost as much as a miss, on average.
    cost_of_both : float
        Mean cost of one false alarm plus one miss, in the scale of the regret: 1 for cost proportions.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> evaluation = evaluate(cohort["cancer"], {"marker": cohort["cancerpredmarker"]}, "5%..20%")
    >>> evaluation.unit.name, round(evaluation.unit.false_alarms_per_miss, 9), evaluation.unit.per
    ('misses', 7.0, 1000)
    >>> evaluation.unit.cost(evaluation.best.regret.estimate)
    '56 misses per 1,000 cases'
    """

    name: str
    factor: float
    per: int
    digits: int = 0
    false_alarms_per_miss: float = math.nan
    cost_of_both: float = 1.0

    def value(self, regret: float) -> float:
        """Return a regret in this unit, rounded so that no order of summation shows."""
        return round(self.per * self.factor * regret, _FINEST)

    @property
    def curve_scale(self) -> float:
        """Factor for a regret at one cost proportion, whose mean over the costs is then the printed cost."""
        return self.per * self.factor * self.cost_of_both

    def at_cost(self, cost: float) -> Unit:
        """Return the unit at one cost proportion, in which the mistakes of a model add up to its cost."""
        if self.name not in UNITS:
            return replace(self, factor=self.cost_of_both)
        return replace(self, factor=1 / (1 - cost if self.name == MISSES else cost))

    def number(self, regret: float, *, unlike: float = 0.0) -> str:
        """Write a regret in this unit, with more digits where it would read as 0 or as `unlike`."""
        if math.isnan(regret):
            return _wording.NOT_KNOWN
        if math.isinf(regret):
            return _wording.signed_infinity(regret)
        value, other = self.value(regret), self.value(unlike)
        digits = self.digits
        while digits < _FINEST and (_is_alike(value, 0.0, digits) or _is_alike(value, other, digits)):
            digits += 1
        return _wording.signed(value, digits)

    def signed(self, difference: float) -> str:
        """Write a difference of regrets in this unit, with its sign."""
        return f"+{self.number(difference)}" if self.value(difference) > 0 else self.number(difference)

    def cost(self, regret: float) -> str:
        """Write a regret with its unit, such as ``56 misses per 1,000 cases``."""
        return f"{self.mistakes(self.name, self.number(regret))} {self.cases}"

    @property
    def named(self) -> str:
        """Words for the unit after a number, such as ``misses per 1,000 cases``."""
        return f"{self.mistakes(self.name)} {self.cases}".strip()

    def mistakes(self, name: str, number: str = "") -> str:
        """Write a number of mistakes, or their name alone."""
        return say_count(number, *_SAID[name], number=number).strip()

    @property
    def verb(self) -> str:
        """The verb before a cost: mistakes are no price, but cost as much as some number of them."""
        return say("costs as much as" if self.name in UNITS else "costs")

    def apart(self, regret: float, *others: float) -> Unit:
        """Return the unit with digits enough that no other regret reads as the first, unless equal."""
        value, different = self.value(regret), [self.value(other) for other in others]
        digits = self.digits
        while digits < _FINEST and any(_is_alike(value, other, digits) for other in different):
            digits += 1
        return replace(self, digits=digits)

    def adding_up(self, regret: float, other: float) -> Unit:
        """Return the unit with digits enough that two regrets and their difference add up."""
        values = self.value(regret), self.value(other), self.value(regret - other)
        digits = self.digits
        while digits < _FINEST:
            first, second, difference = (Decimal(f"{value:.{digits}f}") for value in values)
            if first - second == difference:
                break
            digits += 1
        return replace(self, digits=digits)

    def ends(self, estimate: float, lower: float, upper: float) -> tuple[str, str]:
        """Write the ends of an interval; one that would read as the estimate gets more digits."""
        return self.number(lower, unlike=estimate), self.number(upper, unlike=estimate)

    def interval(self, estimate: float, lower: float, upper: float) -> str:
        """Write an interval, or a dash where it is not known."""
        return _wording.NOT_KNOWN if math.isnan(lower) else say(" to ").join(self.ends(estimate, lower, upper))

    def is_visible(self, difference: float) -> bool:
        """Whether a difference of regrets is not 0 in the digits of this unit."""
        return math.isfinite(difference) and not _reads_as(self.value(difference), 0.0, self.digits)

    @property
    def cases(self) -> str:
        """Words for the number of cases, such as ``per 1,000 cases``."""
        return say("per {per:,} cases", per=self.per)

    @property
    def counted(self) -> str:
        """Words for the name, such as ``in misses``."""
        return "" if self.name == REGRET else say(f"in {self.name}")

    @property
    def heading(self) -> str:
        """Words for a heading, such as ``in misses per 1,000 cases``."""
        return f"{self.counted} {self.cases}".strip()


def _reads_as(value: float, other: float, digits: int) -> bool:
    return float(f"{value:.{digits}f}") == float(f"{other:.{digits}f}")


def _is_alike(value: float, other: float, digits: int) -> bool:
    """Whether two numbers read alike, but differ."""
    return value != other and _reads_as(value, other, digits)


# ------------------------------------------------------------------------------------------- of a decision


def mean_costs(costs: CostBelief) -> tuple[float, float]:
    """Return the mean cost of a miss and of a false alarm, paid by the scores 0 and 1."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        miss, alarm = costs.loss_if_positive(np.zeros(1)), costs.loss_if_negative(np.ones(1))
    return float(np.ravel(miss)[0]), float(np.ravel(alarm)[0])


def unit_name(costs: CostBelief, given: str | None) -> str:
    """Return the name of the unit that is given, or else of the first that the costs have."""
    if in_money(costs):
        only, costs_are = (YOURS, "those of actions") if of_actions(costs) else (MONEY, MONEY)
        if given not in (None, only):
            raise InputError("unit", f"be left out where costs are {costs_are}", _check.show(given))
        return only
    defined = [name for name, cost in zip(UNITS, mean_costs(costs), strict=True) if _has_unit(cost)]
    if given is None:
        return (*defined, REGRET)[0]
    return _check.choice("unit", given, defined or [REGRET])


def _has_unit(cost: float) -> bool:
    return math.isfinite(cost) and cost > 0


def make_unit(decision: Decision, prevalence: float, ranking: Sequence[Standing] = ()) -> Unit:
    """Return the unit of a decision on a sample of this prevalence, with the digits of a ranking."""
    miss, alarm = mean_costs(decision.costs)
    factor = {MISSES: 1 / miss if miss else 1.0, FALSE_ALARMS: 1 / alarm if alarm else 1.0}.get(decision.unit, 1.0)
    share = prevalence if decision.prevalence is None else float(decision.prevalence.mean)
    exchange, both = miss / alarm if alarm else math.inf, miss + alarm
    unit = Unit(decision.unit, factor, cases_per(share), 0, exchange, both if math.isfinite(both) else 1.0)
    return with_digits(unit, ranking)


def cases_per(prevalence: float) -> int:
    """Return the smallest of 1,000, 10,000, ... 1,000,000 cases that hold 5 of the rarer class on average."""
    rarer, per = min(prevalence, 1 - prevalence), 1000
    while rarer > 0 and per * rarer < _FEWEST * (1 - 1e-12) and per < _MOST_CASES:
        per *= 10
    return per


def with_digits(unit: Unit, ranking: Sequence[Standing]) -> Unit:
    """Return the unit with as many digits as a ranking can bear, and as its differences need.

    A column has digits down to a quarter of the width of the interval of the difference between the first two, at most
    three; more where a model that detectably costs more than the first would read as the same.
    """
    if not ranking:
        return unit
    first, *others = ranking
    different = [one.regret.estimate for one in others if _differs(first, one, others[0])]
    digits = _digits_of(unit.per * unit.factor * _uncertainty(ranking))
    return replace(unit, digits=digits).apart(first.regret.estimate, *different)


def _uncertainty(ranking: Sequence[Standing]) -> float:
    """Half the width of the interval of the difference between the first two, or else of the first."""
    first, second = ranking[0], ranking[min(1, len(ranking) - 1)]
    widths = [first.regret.upper - first.regret.lower, 2 * (second.regret.estimate - first.regret.estimate)]
    if second.difference is not None:
        widths.insert(0, second.difference.upper - second.difference.lower)
    return next((width / 2 for width in widths if math.isfinite(width) and width > 0), math.nan)


def _differs(first: Standing, other: Standing, second: Standing) -> bool:
    """Whether a model must not read as the first: it costs more, detectably or as far as is known."""
    if other.difference is not None and not math.isnan(other.difference.lower):
        return other.difference.lower > 0
    here, there = first.regret.estimate, other.regret.estimate
    return other is second and math.isfinite(there) and not math.isclose(here, there, rel_tol=ROUNDING)


def _digits_of(half_width: float) -> int:
    if math.isnan(half_width):
        return 1
    return min(max(math.ceil(-math.log10(half_width / 2)), 0), _USUAL)
