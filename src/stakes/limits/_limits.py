"""Limits on the number and the precision of alarms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument, InputError, InputTypeError
from stakes.beliefs import as_share


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Limits:
    r"""Limits on alarms: a capacity, a smallest precision, or both; or a budget of effort.

    A threshold is feasible iff :math:`(TP + FP)/n \le` `capacity` and :math:`TP/(TP + FP) \ge` `min_precision`. Both
    quotients are rounded once and compared as they are, so a threshold that meets a limit exactly is feasible: three
    true among ten alarms meet a precision of 0.3. Never alarming is always feasible.

    A budget is for cases with costs of their own, in `evaluate`: these compete by what acting on them is expected to
    gain for its effort (`CaseCosts.effort`), and no threshold on a score chooses them.

    Parameters
    ----------
    capacity : float or words, such as "10%" or "30/200", keyword-only, optional
        The largest share of all cases that may raise an alarm, between 0 and 1; by default no limit.
    min_precision : float or words, such as "50%", keyword-only, optional
        The smallest share of true alarms among the alarms, between 0 and 1; by default no limit.
    budget : float or words, such as "200/20000", keyword-only, optional
        Effort that can be spent for each case on average, acted on or not, in the unit of `CaseCosts.effort`: 200 hours
        a day for 20,000 cases a day are 0.01. By default no limit; stated alone.

    References
    ----------
    .. [1] C. Ratigan, K. Heuton, C. Wang, L. Cowen and M. C. Hughes, "Partial VOROS: a cost-aware performance metric
       for binary classifiers with precision and capacity constraints", Definitions 7, 9 and 12.

    Examples
    --------
    >>> from stakes import Limits
    >>> Limits(capacity="10%", min_precision=0.5)
    Limits(capacity=0.1, min_precision=0.5)
    >>> Limits(budget="200/20000")
    Limits(budget=0.01)
    """

    capacity: float | None
    min_precision: float | None
    budget: float | None

    def __init__(
        self,
        *,
        capacity: float | str | None = None,
        min_precision: float | str | None = None,
        budget: float | str | None = None,
    ) -> None:
        shares = {"capacity": capacity, "min_precision": min_precision}
        for name, given in shares.items():
            object.__setattr__(self, name, None if given is None else as_share(name, given))
        object.__setattr__(self, "budget", None if budget is None else read_budget("budget", budget))
        also = next((name for name, given in shares.items() if given is not None), None)
        if budget is not None and also is not None:
            raise InputError("budget", ("be stated without ", Argument(also)), _check.show(budget))

    def __repr__(self) -> str:
        if self.budget is not None:
            return f"Limits(budget={self.budget!r})"
        return f"Limits(capacity={self.capacity!r}, min_precision={self.min_precision!r})"

    @classmethod
    def from_count(cls, alarms: float, population: float, *, min_precision: float | str | None = None) -> Limits:
        """Return limits from the number of alarms that can be answered in a population.

        Parameters
        ----------
        alarms : float
            Number of alarms that can be answered, not negative.
        population : float
            Number of cases in the population, greater than 0. As many alarms as cases, or more, are no limit.
        min_precision : float or words, such as "50%", keyword-only, optional
            The smallest share of true alarms among the alarms, between 0 and 1; by default no limit.

        Returns
        -------
        Limits
            The same limit for a sample of any size.

        Examples
        --------
        Thirty visits a day on a ward of two hundred:

        >>> from stakes import Limits
        >>> Limits.from_count(30, 200, min_precision=0.25)
        Limits(capacity=0.15, min_precision=0.25)
        """
        answered, cases = _check.non_negative_number("alarms", alarms), _check.number_above("population", population)
        return cls(capacity=min(answered / cases, 1.0), min_precision=min_precision)

    @property
    def capacity_binds(self) -> bool:
        """Whether the capacity is less than 1, so that it can exclude thresholds."""
        return self.capacity is not None and self.capacity < 1

    @property
    def precision_binds(self) -> bool:
        """Whether the smallest precision is greater than 0, so that it can exclude thresholds."""
        return self.min_precision is not None and self.min_precision > 0


NO_LIMITS = Limits()

LimitsLike: TypeAlias = Limits | None


def as_limits(given: LimitsLike, *, budget: bool = False) -> Limits:
    """Return limits; None means no limits. A budget is refused unless `budget` allows it."""
    if given is None:
        return NO_LIMITS
    if not isinstance(given, Limits):
        raise InputTypeError("limits", "be Limits(capacity=, min_precision=)", type(given).__name__)
    if given.budget is not None and not budget:
        hint = "no threshold keeps to a budget; `evaluate` does, with `case_costs`"
        raise InputError("limits", "have a capacity or a smallest precision here", repr(given), hint=hint)
    return given


def read_budget(name: str, given: float | str) -> float:
    """Return the effort for each case; words are a number or a quotient, such as ``200/20000``."""
    if not isinstance(given, str):
        return _check.non_negative_number(name, given)
    above, _, below = given.partition("/")
    try:
        found = float(above) / (float(below) if "/" in given else 1.0)
    except (ValueError, ZeroDivisionError):
        found = math.nan
    if not 0 <= found < math.inf:
        raise InputError(name, "look like 0.01 or 200/20000, effort per case", _check.show(given))
    return found


def precise_enough(limits: Limits, false_alarms: FloatArray, true_alarms: FloatArray) -> BoolArray:
    """Return which thresholds meet the smallest precision; one without alarms always does."""
    if limits.min_precision is None:
        return np.ones(np.shape(true_alarms), bool)
    alarms = false_alarms + true_alarms
    with np.errstate(invalid="ignore"):
        # Rounded once: (1 - a) TP >= a FP would reject exact ties, such as 3 TP and 7 FP at 0.3.
        return np.asarray((true_alarms / alarms >= limits.min_precision) | (alarms == 0))


def few_enough(
    limits: Limits, false_alarms: FloatArray, true_alarms: FloatArray, total: float | FloatArray
) -> BoolArray:
    """Return which thresholds have alarms that are few enough to be answered."""
    if limits.capacity is None or limits.capacity == 1:
        return np.ones(np.shape(true_alarms), bool)
    return np.asarray((false_alarms + true_alarms) / total <= limits.capacity)


def feasible(limits: Limits, false_alarms: FloatArray, true_alarms: FloatArray, total: float | FloatArray) -> BoolArray:
    """Return which thresholds meet both limits, ties included."""
    return precise_enough(limits, false_alarms, true_alarms) & few_enough(limits, false_alarms, true_alarms, total)
