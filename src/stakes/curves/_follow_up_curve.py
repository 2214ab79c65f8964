"""Curves of follow-up: the risk of each event over time, and how many are still followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.curves._curve import Curve, Jump
from stakes.outcome import EventBy, over_time

_TIME = "time"


@dataclass(frozen=True, slots=True)
class FollowUpCurve:
    """How an outcome comes about over time, up to its horizon.

    Attributes
    ----------
    risk : Curve
        Risk of the event by each time, as Kaplan and Meier or Aalen and Johansen estimate it.
    competing : Curve or None
        Risk of another event first; None where there is none.
    staying : Curve
        Chance of still being followed, had nobody an event: the Kaplan-Meier estimate of leaving.
    followed : Curve
        Number of cases still followed and free of any event, just before each time.

    Examples
    --------
    >>> from stakes import EventBy
    >>> from stakes.curves import follow_up_curve
    >>> found = follow_up_curve(EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=5))
    >>> round(float(found.risk.at(5)), 3), float(found.followed.at(3)), found.competing
    (0.375, 4.0, None)
    """

    risk: Curve
    competing: Curve | None
    staying: Curve
    followed: Curve


def follow_up_curve(outcome: EventBy) -> FollowUpCurve:
    """Return the risk of each event over time, the chance of still being followed, and how many are.

    By the horizon the risk is that of the outcome, whatever its model of censoring. The chance of staying is one curve
    of all cases, with events before censorings at one time.

    Parameters
    ----------
    outcome : EventBy
        The outcome; of several horizons, until the last.

    Returns
    -------
    FollowUpCurve
        The curves, which are steps.

    Examples
    --------
    >>> from stakes import EventBy
    >>> from stakes.curves import follow_up_curve
    >>> found = follow_up_curve(EventBy([1, 2, 3, 4, 6, 8], [1, 0, 2, 0, 0, 1], horizon=5))
    >>> [round(float(curve.at(3)), 3) for curve in (found.risk, found.competing, found.staying)]
    [0.167, 0.208, 0.8]
    """
    _check.check_type(EventBy, "outcome", outcome)
    found = over_time(outcome)
    return FollowUpCurve(
        risk=_steps(found.time, found.risk, 0.0, "risk of the event", outcome.horizon),
        competing=None
        if found.other is None
        else _steps(found.time, found.other, 0.0, "risk of another event first", outcome.horizon),
        staying=_steps(found.time, found.staying, 1.0, "chance of still being followed", outcome.horizon),
        followed=_before(found.time, found.followed, "number still followed", outcome.horizon),
    )


def _steps(time: FloatArray, value: FloatArray, start: float, label: str, horizon: float) -> Curve:
    """Return a curve that takes each value from its time on, until the horizon."""
    x = np.concatenate([[0.0], np.repeat(time, 2), [horizon]])
    y = np.concatenate([[start, start], np.repeat(value, 2)])
    return _curve(x, y, label, "after")


def _before(time: FloatArray, value: FloatArray, label: str, horizon: float) -> Curve:
    """Return a curve that takes each value until its own time, and the last to the horizon."""
    x = np.concatenate([[0.0], np.repeat(time, 2)])[:-1]
    x[-1] = max(x[-1], horizon)
    return _curve(x, np.repeat(value, 2), label, "before")


def _curve(x: FloatArray, y: FloatArray, label: str, at_jump: Jump) -> Curve:
    keep = np.concatenate([[True], (np.diff(x) > 0) | (np.diff(y) != 0)])
    return Curve(x[keep], y[keep], _TIME, label, at_jump=at_jump)
