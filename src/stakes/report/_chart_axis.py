"""Axes of charts: scales, ticks and how they are written; log-odds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stakes._language import number, percent_sign, signs

LETTER = 7.4  # width of a letter, in a wide font
ROW = 16.0  # height of a line of text

# Shares that an axis of log-odds may name, those that matter most first; their odds are whole numbers.
_SHARES = (
    *(0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.0001, 0.9999, 0.05, 0.95, 0.2, 0.8, 0.02, 0.98, 0.005, 0.995),
    *(0.25, 0.75, 0.04, 0.96, 0.025, 0.975, 0.125, 0.875, 0.0625, 0.9375),
)


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """Ends, scale and title of an axis."""

    low: float
    high: float
    title: str = ""
    scale: Literal["linear", "log_odds"] = "linear"
    labels: Literal["number", "percent", "cost", "power_of_ten"] = "number"
    names: tuple[str, ...] = ()  # of the steps from 0 to 1, 1 to 2, ... instead of numbers

    def place(self, value: float, start: float, end: float) -> float:
        """Return the pixel of a value, the axis going from pixel `start` to `end`."""
        return self.places([value], start, end)[0]

    def places(self, values: Sequence[float], start: float, end: float) -> list[float]:
        """Return the pixels of several values."""
        given = (self.low, self.high, *values)
        low, high, *moved = map(logit, given) if self.scale == "log_odds" else given
        return [start + (end - start) * (at - low) / (high - low) for at in moved]

    def ticks(self, length: float, apart: float, *, upright: bool = False) -> list[float]:
        """Return the ticks of an axis of `length` pixels, at least `apart` pixels from each other.

        Names need as much room as they are long, or one line each where the axis is upright.
        """
        if self.names:
            each = ROW if upright else LETTER * (max(map(len, self.names)) + 1)
            return [k + 0.5 for k in range(0, len(self.names), math.ceil(each * len(self.names) / length))]
        return self._even(length, apart) if self.scale == "linear" else self._named(length, apart)

    def _even(self, length: float, apart: float) -> list[float]:
        least = (self.high - self.low) * apart / length
        unit = 10.0 ** math.floor(math.log10(least))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= least * (1 - 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]

    def _named(self, length: float, apart: float) -> list[float]:
        chosen: list[float] = []
        for share in _SHARES:
            at = self.place(share, 0.0, length)
            if 0 <= at <= length and all(abs(at - self.place(other, 0.0, length)) >= apart for other in chosen):
                chosen.append(share)
        return sorted(chosen)


def logit(share: float) -> float:
    """Return the log-odds of a share; those of 0 and of 1 are infinite."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return math.log(share) - math.log1p(-share)


def expit(log_odds: float) -> float:
    """Return the share that has these log-odds."""
    return 1 / (1 + math.exp(-log_odds))


def even_in_log_odds(low: float, high: float, places: int) -> list[float]:
    """Return `places` shares from the lowest to the highest, evenly spaced in log-odds."""
    first, last = logit(low), logit(high)
    return [expit(first + (last - first) * k / (places - 1)) for k in range(places)]


def plain(value: float) -> str:
    """Write a number on an axis without digits that say nothing."""
    text = f"{value:,.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else signs(text.replace("-", "\u2212"))


def tick_text(axis: ChartAxis, value: float) -> str:
    """Write a value on an axis."""
    if axis.names:
        return axis.names[int(value)]
    if axis.labels == "power_of_ten":
        return number(10**value, ",g")
    return plain(value) if axis.labels == "number" else plain(100 * value) + percent_sign()


def whole_odds(share: float) -> str:
    """Write a share that an axis names as odds, false alarm to miss."""
    return f"1:{round((1 - share) / share)}" if share <= 0.5 else f"{round(share / (1 - share))}:1"
