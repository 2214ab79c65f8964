"""Follow-up over time: the risk of each event, the chance of still being followed, and how many are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.outcome._event_by import EventBy, each_horizon
from stakes.outcome._staying import IntArray, sums_at


@dataclass(frozen=True, eq=False)
class OverTime:
    """Times at which something happens, up to the horizon, and what holds from each on."""

    time: FloatArray
    risk: FloatArray
    other: FloatArray | None  # risk of another event first; None where there is none
    staying: FloatArray
    followed: FloatArray  # number just before each time


def over_time(outcome: EventBy) -> OverTime:
    """Return the course of follow-up until the horizon, the last of several."""
    last = each_horizon(outcome)[-1]
    followed, horizon = last._followed, last.horizon
    ends = np.minimum(followed.time, horizon)
    entry = np.zeros(len(last)) if followed.entry is None else np.minimum(followed.entry, horizon)
    times = np.unique(np.concatenate([ends, entry[entry > 0]]))
    entry = np.where(entry > 0, entry, -np.inf)  # present from the start on, also just before time 0
    at, mass = np.searchsorted(times, ends), last.weight / last.weight.sum()
    begun, ended = np.searchsorted(times, entry, "right"), np.searchsorted(times, ends, "right")
    inside = np.cumsum(_counts(begun, len(times) + 1) - _counts(ended, len(times) + 1))[:-1]
    leaves = _counts(at[~last.known & (followed.time < horizon)], len(times))
    ending = _counts(at, len(times))
    risk = inside - ending + leaves  # those with an event at the same time are gone
    staying = np.cumprod(1 - np.divide(leaves, risk, out=np.zeros_like(leaves), where=risk > 0))
    by_cause = [np.cumsum(sums_at(at, mass * one, len(times))) for one in (last.positive, last.competing)]
    return OverTime(times, by_cause[0], by_cause[1] if last.competing.any() else None, staying, inside)


def _counts(place: IntArray, many: int) -> FloatArray:
    return np.bincount(place, minlength=many).astype(np.float64)
