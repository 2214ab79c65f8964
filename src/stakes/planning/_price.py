"""How many more cases pay best, given what they cost and how many decisions follow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._errors import Argument, InputError

_GRID = 600  # numbers of cases in equal ratios; the value may have several peaks, and none is near 0


@dataclass(frozen=True)
class Price:
    """Prices of cases: the net value is decisions x unit x gain - fixed - price x cases."""

    decisions: float
    price: float
    fixed: float = 0.0
    unit: float = 1.0

    @classmethod
    def of(cls, decisions: object, price: object, fixed: object, unit: object) -> Price | None:
        """Return the price; None unless both decisions and a price are given."""
        spent, worth = _check.non_negative_number("fixed", fixed), _check.number_above("unit_value", unit)
        if (decisions is None) != (price is None):
            missing, given = ("price", "decisions") if price is None else ("decisions", "price")
            raise InputError(missing, ("be given with ", Argument(given)), "None")
        if decisions is None:
            return None
        found = cls(_check.number_above("decisions", decisions), _check.number_above("price", price), spent, worth)
        if not math.isfinite(found.decisions * found.unit):
            raise InputError(("decisions", "unit_value"), "have a finite product", "infinity")
        return found

    def net(self, gain: float, more: int) -> float:
        """Return the net value of some more cases, 0 for none."""
        return self.decisions * self.unit * gain - self.fixed - self.price * more if more else 0.0

    def best(self, gain: Callable[[int], float], perfect: float, steps: int = _GRID) -> tuple[int, float]:
        """Return the number of cases with the largest net value, and that value; (0, 0) if none pays.

        Every peak of a grid in equal ratios is looked at: the gain is not concave, and starts out flat.
        """
        most = (self.decisions * self.unit * perfect - self.fixed) / self.price
        if not most >= 1:
            return 0, 0.0
        if most > 1e15:
            raise InputError(
                "price", "be large enough for a finite number of cases to be best", _check.show(self.price)
            )
        grid = sorted({round(one) for one in np.geomspace(1, math.floor(most), steps)})
        nets = [self.net(gain(one), one) for one in grid]
        first = max(range(len(grid)), key=nets.__getitem__)
        low, high = grid[max(first - 1, 0)], grid[min(first + 1, len(grid) - 1)]
        while high - low > 2:  # one peak between neighbours of the grid
            third = (high - low) // 3
            a, b = low + third, high - third
            low, high = (low, b) if self.net(gain(a), a) >= self.net(gain(b), b) else (a, high)
        best = max(range(low, high + 1), key=lambda one: self.net(gain(one), one))
        found = self.net(gain(best), best)
        return (best, found) if found > 0 else (0, 0.0)
