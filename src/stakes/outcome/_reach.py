"""How far follow-up reaches, and times that rounding may move over the horizon."""

from __future__ import annotations

import numpy as np

from stakes._arrays import FloatArray
from stakes.outcome._event_by import EventBy, censoring_weights

_ROUNDING = 1e-9


def longest_horizon(outcome: EventBy, weight: FloatArray, least: float) -> float | None:
    """Return the largest horizon at which every known case was followed with a chance of `least`.

    It is a time of a case, not beyond the outcome's own. None where that cannot be said: cases entered late, or their
    chances were given for the outcome's own horizon.
    """
    followed = outcome._followed
    if followed.entry is not None or followed.probability is not None:
        return None
    times = np.unique(followed.time[(followed.time > 0) & (followed.time <= outcome.horizon)])
    # A longer horizon has smaller chances, so the last that keeps the least chance is found by halving.
    keeps, breaks = -1, len(times)
    while breaks - keeps > 1:
        middle = (keeps + breaks) // 2
        weights = censoring_weights(outcome.at(float(times[middle])), weight)
        keeps, breaks = (middle, breaks) if least * weights.max() <= 1 else (keeps, middle)
    return float(times[keeps]) if keeps >= 0 else None


def near_horizon(outcome: EventBy) -> int:
    """Count times that differ from the horizon by rounding alone."""
    apart = np.abs(outcome._followed.time - outcome.horizon)
    return int(np.count_nonzero((apart > 0) & (apart <= _ROUNDING * max(1.0, outcome.horizon))))
