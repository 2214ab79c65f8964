"""The chance of still being followed, estimated by one curve, and its share in every influence."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray
from stakes._sort import in_order

IntArray = npt.NDArray[np.intp]


class Staying(Protocol):
    """How the chance of still being followed is estimated from the cases, whatever they weigh."""

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return the censoring weight of each case, 0 where unknown; nan if the risk is not identified."""

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Add to the influence of each case what it moves by its part in the censoring weights of others."""

    def gap(self) -> tuple[str, float] | None:
        """Return where follow-up ends too early, in words, and when; None where the risk is identified."""


class OneCurve:
    """Kaplan-Meier estimate of staying, with events before censorings at one time.

    Cases that end before the horizon are kept in the order of their ends, so that everything is a running sum over
    times. The curve just before an end is the product over the earlier times at which cases left. A case censored at a
    time is still at risk of it, one with an event there is not.
    """

    def __init__(self, time: FloatArray, unknown: BoolArray, horizon: float) -> None:
        self.until = time >= horizon  # followed to the horizon, whatever came then
        before = np.flatnonzero(~self.until)
        order, ordered = in_order(time[before])
        self.order: IntArray = before.take(order)
        self.last = float(ordered[-1]) if len(ordered) else horizon
        starts = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
        # Where no two cases end at one time, each is a time of its own.
        self.starts: IntArray | None = None if starts.all() else np.flatnonzero(starts)
        self.place: IntArray | None = None if self.starts is None else np.cumsum(starts) - 1
        self.leaves: FloatArray = unknown[self.order].astype(np.float64)
        self._kept: tuple[FloatArray, FloatArray, FloatArray, FloatArray] | None = None

    def _sums(self, values: FloatArray) -> FloatArray:
        """Sum values of cases in order at each time."""
        return values if self.starts is None else np.add.reduceat(values, self.starts)

    def _of_cases(self, values: FloatArray) -> FloatArray:
        """Return the values at the time of each case in order."""
        return values if self.place is None else values.take(self.place)

    def _later(self, values: FloatArray) -> FloatArray:
        """Sum values of all cases that end later than each time."""
        sums = self._sums(values.take(self.order))
        from_last = np.empty_like(sums)
        from_last[0], from_last[1:] = values.compress(self.until).sum(), sums[:0:-1]
        return np.cumsum(from_last, out=from_last)[::-1]

    def _sizes(self, weight: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return, at each time, the weight of those who leave and who stay longer, and the share that leaves.

        Infinitely many stay where nobody does, so that what they are worth is 0. Kept for the next call.
        """
        kept = self._kept
        if kept is None or kept[0] is not weight:
            leave, stay = self._sums(weight.take(self.order) * self.leaves), self._later(weight)
            risk = leave + stay
            self._kept = kept = weight, leave, np.where(stay > 0, stay, np.inf), leave / np.where(risk > 0, risk, 1.0)
        return kept[1:]

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return one over the chance of staying until just before each case's end."""
        if not self.leaves.any():
            return np.ones(len(weight))
        leave, stay, _ = self._sizes(weight)
        if np.any((leave > 0) & np.isinf(stay)):
            return np.full(len(weight), np.nan)
        risk = np.cumprod(1 + leave / stay)
        found = np.full(len(weight), risk[-1])
        found[self.order] = self._of_cases(np.concatenate([[1.0], risk[:-1]])) * (1 - self.leaves)
        return found

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Add what a case moves by being at risk of leaving, and by leaving."""
        if not self.leaves.any():
            return moves
        _, stay, hazard = self._sizes(weight)
        worth = self._later(moves) / stay  # mean of those who stayed
        lost = worth * hazard
        paid = np.cumsum(lost)
        added = np.full(len(weight), -paid[-1])
        # Those who leave are credited with what those who stayed were worth, and were still at risk when they left.
        added[self.order] = self.leaves * self._of_cases(worth - lost) - self._of_cases(paid - lost)
        added *= weight
        added += moves
        return added

    def gap(self) -> tuple[str, float] | None:
        """Return when the last case left, if that was before the horizon."""
        if self.until.any() or not len(self.order):
            return None
        last = slice(-1, None) if self.starts is None else slice(int(self.starts[-1]), None)
        return ("the last case", self.last) if self.leaves[last].any() else None


class Strata:
    """A curve of staying in each stratum."""

    def __init__(self, time: FloatArray, unknown: BoolArray, horizon: float, stratum: IntArray, names: list[str]):
        order = np.argsort(stratum, kind="stable")
        ends = np.cumsum(np.bincount(stratum, minlength=len(names)))[:-1]
        self.rows = np.split(order, ends)
        self.names = names
        self.curves = [OneCurve(time[rows], unknown[rows], horizon) for rows in self.rows]

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return the weights that each stratum's own curve gives."""
        found = np.empty(len(weight))
        for rows, curve in zip(self.rows, self.curves, strict=True):
            found[rows] = curve.weights(weight[rows])
        return np.full(len(weight), np.nan) if np.isnan(found).any() else found

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Add what each case moves within its stratum."""
        found = np.empty(len(weight))
        for rows, curve in zip(self.rows, self.curves, strict=True):
            found[rows] = curve.through(moves[rows], weight[rows])
        return found

    def gap(self) -> tuple[str, float] | None:
        """Return the first stratum that is not followed until the horizon."""
        for name, curve in zip(self.names, self.curves, strict=True):
            if found := curve.gap():
                return f"the last case of stratum {name}", found[1]
        return None


class Given:
    """Chances of staying that are given; influences take them as known."""

    def __init__(self, probability: FloatArray, unknown: BoolArray) -> None:
        self.found = np.where(unknown, 0.0, 1 / probability)

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return one over the given chances."""
        return self.found

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Return the influences unchanged."""
        return moves

    def gap(self) -> tuple[str, float] | None:
        """Return None: whoever gives the chances vouches for them."""
        return None


def sums_at(place: IntArray, values: FloatArray, many: int) -> FloatArray:
    """Sum the values at each of `many` places."""
    return np.bincount(place, values, many).astype(np.float64, copy=False)
