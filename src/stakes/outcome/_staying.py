"""The chance of still being followed, estimated by one curve, and its share in every influence."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray

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

    `before` counts the censoring times before a case's own end or the horizon; the curve just before that end is the
    product of as many factors. A case censored at a time is still at risk of it, one with an event there is not.
    """

    def __init__(self, time: FloatArray, unknown: BoolArray, horizon: float) -> None:
        self.last = float(time.max())
        self.times = np.unique(time[unknown])
        self.unknown = unknown
        self.before: IntArray = np.searchsorted(self.times, np.minimum(time, horizon), "left")
        self.inside = self.before + unknown

    def _sizes(self, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weight of those who leave at each censoring time and of those who stay longer."""
        leave = sums_at(self.before[self.unknown], weight[self.unknown], len(self.times))
        return leave, _after(sums_at(self.before, weight, len(self.times) + 1))

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return one over the chance of staying until just before each case's end."""
        leave, stay = self._sizes(weight)
        if np.any((leave > 0) & (stay == 0)):
            return np.full(len(weight), np.nan)
        risk = np.where(stay > 0, 1 + leave / np.where(stay > 0, stay, 1.0), 1.0)
        return np.where(self.unknown, 0.0, np.concatenate([[1.0], np.cumprod(risk)])[self.before])

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Add what a case moves by being at risk of leaving, and by leaving."""
        if not len(self.times):
            return moves
        leave, stay = self._sizes(weight)
        worth = _after(sums_at(self.before, moves, len(self.times) + 1))
        worth = np.divide(worth, stay, out=np.zeros_like(worth), where=stay > 0)  # mean of those who stayed
        risk = leave + stay
        hazard = np.divide(leave, risk, out=np.zeros_like(leave), where=risk > 0)
        paid = np.concatenate([[0.0], np.cumsum(worth * hazard)])[self.inside]
        credit = np.where(self.unknown, np.append(worth, 0.0)[self.before], 0.0)
        added: FloatArray = moves + weight * (credit - paid)
        return added

    def gap(self) -> tuple[str, float] | None:
        """Return when the last case left, if that was before the horizon."""
        ends = len(self.times) and not np.any(self.before == len(self.times))
        return ("the last case", self.last) if ends else None


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


def _after(sums: FloatArray) -> FloatArray:
    """Return the sum of all later entries for each entry but the last."""
    return np.cumsum(sums[:0:-1])[::-1]
