"""A number that is known up to bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stakes import _check
from stakes._errors import InputTypeError
from stakes.large import QuantisedTable

# Every bound is moved outwards by this share of the number, and by what the engine may have lost in adding up real
# weights: more than rounding can do to the losses and their sums.
_SLACK = 2.0**-40


@dataclass(frozen=True, slots=True, repr=False)
class Bounded:
    """A number between two bounds.

    Attributes
    ----------
    lower, upper : float
        The bounds: the number of the sample itself is not below the one and not above the other.
    estimate : float
        What it most likely is.

    Examples
    --------
    >>> from stakes.bounds import Bounded
    >>> found = Bounded(0.25, 0.3, 0.375)
    >>> found, found.width, 0.26 in found
    (Bounded(lower=0.25, estimate=0.3, upper=0.375), 0.125, True)
    """

    lower: float
    estimate: float
    upper: float

    @property
    def width(self) -> float:
        """How far the bounds are apart; 0 where both are the same infinity."""
        return 0.0 if self.lower == self.upper else self.upper - self.lower

    def __contains__(self, number: float) -> bool:
        return self.lower <= number <= self.upper

    def __repr__(self) -> str:
        # Ten digits: what the bounds were moved outwards for rounding is beyond them.
        return f"Bounded(lower={self.lower:.10}, estimate={self.estimate:.10}, upper={self.upper:.10})"


NAN = Bounded(math.nan, math.nan, math.nan)


def check_table(table: QuantisedTable) -> QuantisedTable:
    """Return the table; raise unless it is a quantised one."""
    if not isinstance(table, QuantisedTable):
        raise InputTypeError("table", "be a QuantisedTable (see `quantise`)", type(table).__name__)
    return table


def both_classes(name: str, table: QuantisedTable) -> bool:
    """Whether the table has both classes; warn that `name` is undefined if it does not."""
    return _check.is_defined(name, table.positive_total, table.negative_total)


def around(table: QuantisedTable, lower: float, upper: float) -> Bounded:
    """Bound a sum of non-negative parts, rounding included, with the midpoint as the estimate."""
    slack = _SLACK + 4 * table.rounding
    middle = lower if lower == upper else (lower + upper) / 2
    return Bounded(lower * (1 - slack), middle, upper * (1 + slack))


def between_zero_and_one(found: Bounded) -> Bounded:
    """Move bounds that rounding has put outside [0, 1] back to its ends."""
    return Bounded(max(found.lower, 0.0), min(max(found.estimate, 0.0), 1.0), min(found.upper, 1.0))


def one_minus(loss: Bounded, unit: float = 1.0) -> Bounded:
    """Return ``1 - loss / unit``."""
    return Bounded(1 - loss.upper / unit, 1 - loss.estimate / unit, 1 - loss.lower / unit)
