"""A measure over several horizons, with its intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.cases import Cases, horizons_of
from stakes.measures import MeasureLike, recognise
from stakes.uncertainty._answers import Interval, as_level, check_cases
from stakes.uncertainty._study import Study


@dataclass(frozen=True, slots=True, eq=False)
class HorizonCurve:
    """A measure of one model at several horizons, each with its interval.

    Attributes
    ----------
    horizon : ndarray of float64
        The horizons, ascending.
    estimate, lower, upper : ndarray of float64
        The measure at each, and the ends of its interval, which has the level at each horizon by itself.
    measure : str
        Name of the measure.
    level : float
        Confidence level.

    Examples
    --------
    >>> from stakes import Cases, EventBy, brier_score
    >>> from stakes.uncertainty import horizon_curve
    >>> outcome = EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=[2, 5])
    >>> risks = {"m": [[0.6, 0.9], [0.1, 0.3], [0.2, 0.7], [0.1, 0.2], [0.1, 0.2], [0.2, 0.4]]}
    >>> horizon_curve(Cases(outcome, risks), brier_score)["m"].estimate.round(3).tolist()
    [0.045, 0.083]
    """

    horizon: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    measure: str
    level: float


def horizon_curve(cases: Cases, measure: MeasureLike, *, level: float | str = 0.95) -> dict[str, HorizonCurve]:
    """Return a measure at each of several horizons, for every model, with its intervals.

    Parameters
    ----------
    cases : Cases
        Cases whose outcome has several horizons, with a column of predictions for each.
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number.
    level : float or words, such as "90%", keyword-only
        Confidence level of each interval.

    Returns
    -------
    dict of str to HorizonCurve
        The measure of each model.

    See Also
    --------
    interval : The mean over the horizons, with its interval.

    Examples
    --------
    >>> from functools import partial
    >>> from stakes import Cases, EventBy, expected_regret
    >>> from stakes.uncertainty import horizon_curve
    >>> outcome = EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=[2, 5])
    >>> risks = {"m": [[0.6, 0.9], [0.1, 0.3], [0.2, 0.7], [0.1, 0.2], [0.1, 0.2], [0.2, 0.4]]}
    >>> found = horizon_curve(Cases(outcome, risks), partial(expected_regret, costs="20%..50%"))["m"]
    >>> found.horizon.tolist(), found.estimate.round(3).tolist()
    ([2.0, 5.0], [0.0, 0.063])
    """
    check_cases(cases)
    confidence, horizons = as_level(level, 2000), horizons_of(cases)
    if not horizons:
        raise InputError("cases", "have several horizons", "one", hint="write `EventBy(time, event, [1, 3, 5])`")
    found = {time: Study(cases.at(time), measure).intervals(level=confidence, rng=0) for time in horizons}
    name, times = recognise(measure).name, np.array(list(found))
    return {model: _curve(times, [one[model] for one in found.values()], name, confidence) for model in cases.models}


def _curve(horizon: FloatArray, intervals: list[Interval], measure: str, level: float) -> HorizonCurve:
    estimate, lower, upper = np.array([(one.estimate, one.lower, one.upper) for one in intervals]).T
    return HorizonCurve(horizon, estimate, lower, upper, measure, level)
