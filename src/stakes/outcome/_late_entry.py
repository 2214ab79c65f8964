"""Weights of censoring under delayed entry, from the risk sets of the events."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray
from stakes.outcome._staying import sums_at


class LateEntry:
    """The mass that the Aalen-Johansen estimate gives each known case, when cases enter late.

    A case is at risk at a time after its entry and until its end. Its weight is the total, times the chance of being
    free of any event just before its end, divided by the weight of those at risk there.
    """

    def __init__(self, time: FloatArray, entry: FloatArray, kind: npt.NDArray[np.int8], horizon: float) -> None:
        end = np.minimum(time, horizon)
        self.horizon, self.entry, self.time = horizon, entry, time
        self.known = ((kind != 0) | (time >= horizon)) & (entry < end)
        self.has_event = (kind != 0) & (time <= horizon) & (entry < time)
        self.times = np.unique(end[self.known])  # of every known end, events among them
        self.at = np.searchsorted(self.times, end, "left")
        # A case is at risk at the times from `first` on and before `last`.
        self.first = np.searchsorted(self.times, entry, "right")
        self.last = np.maximum(np.searchsorted(self.times, end, "right"), self.first)

    def _at_risk(self, weight: FloatArray) -> FloatArray:
        """Return the weight at risk at each time."""
        many = len(self.times) + 1
        steps = sums_at(self.first, weight, many) - sums_at(self.last, weight, many)
        return np.cumsum(steps)[:-1]

    def _events(self, weight: FloatArray) -> FloatArray:
        return sums_at(self.at[self.has_event], weight[self.has_event], len(self.times))

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return the mass of each known case, per unit of its weight."""
        risk, events = self._at_risk(weight), self._events(weight)
        total = weight.sum()
        seen = risk > 1e-12 * total  # sums and differences of weights leave rounding errors where nobody is
        left = np.where(seen, 1 - events / np.where(seen, risk, 1.0), 1.0)
        free = np.concatenate([[1.0], np.cumprod(np.where(left < 1e-12, 0.0, left))])[:-1]
        mass = total * free / np.where(seen, risk, 1.0)
        found = np.where(self.known, mass[np.minimum(self.at, len(self.times) - 1)], 0.0)
        lost = abs(float(found @ weight) - total) > 1e-9 * total
        return np.full(len(weight), np.nan) if lost else found

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Add what each case moves by the total, by its own event and by being at risk."""
        risk, events = self._at_risk(weight), self._events(weight)
        here = sums_at(self.at[self.known], moves[self.known], len(self.times))
        after = np.concatenate([np.cumsum(here[::-1])[::-1][1:], [0.0]])
        stay, safe = risk - events, np.where(risk > 0, risk, 1.0)
        worth = np.divide(after, stay, out=np.zeros_like(after), where=stay > 1e-12 * weight.sum())
        at_risk = np.concatenate([[0.0], np.cumsum(worth * events / safe - here / safe)])
        place = np.minimum(self.at, len(self.times) - 1)
        own = np.where(self.has_event, worth[place], 0.0)
        share = float(moves.sum()) / weight.sum()
        added: FloatArray = moves + weight * (share - own + at_risk[self.last] - at_risk[self.first])
        return added

    def gap(self) -> tuple[str, float] | None:
        """Return the time at which the last case at risk leaves while others enter later, or too early."""
        late = self.entry < self.horizon
        ends = np.minimum(self.time[late], self.horizon)
        order = np.argsort(ends, kind="stable")
        # Nobody is at risk just after an end that no case entered by then outlives.
        entered = np.searchsorted(np.sort(self.entry[late]), ends[order], "right")
        empty = (entered == np.arange(1, len(ends) + 1)) & (ends[order] < self.horizon)
        empty &= np.append(ends[order][1:] > ends[order][:-1], True)
        if not empty.any():
            return None
        first = float(ends[order][empty][0])
        last = not np.any(self.entry[late] >= first) and bool(np.all(self.has_event[late][ends == first]))
        return None if last else ("the risk set", first)
