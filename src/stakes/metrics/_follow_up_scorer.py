"""Scorers of outcomes by a horizon, for structured arrays of events and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.outcome import EventBy


@dataclass(frozen=True)
class FollowUpScorer:
    """A scorer ``(estimator, X, y) -> float`` of outcomes by a horizon.

    Each entry of `y` has an event and a time, as scikit-survival's have. Censoring is estimated from the cases that are
    scored, so in each fold anew.
    """

    metric: Callable[..., float]
    horizon: float
    sign: int
    order: bool  # whether any increasing score will do
    parameters: Mapping[str, Any]

    def __call__(self, estimator: Any, x: Any, y: Any, sample_weight: Any = None) -> float:
        outcome = EventBy.from_structured(y, self.horizon)
        risk = _risk(estimator, x, self.horizon, order=self.order)
        return self.sign * float(self.metric(outcome, risk, sample_weight=sample_weight, **self.parameters))

    def __repr__(self) -> str:
        return f"FollowUpScorer({getattr(self.metric, '__name__', self.metric)}, horizon {self.horizon:g})"


def follow_up_scorer(
    metric: Callable[..., float], horizon: object, *, larger: bool, order: bool, parameters: Mapping[str, Any]
) -> FollowUpScorer:
    """Return the scorer of a metric at a horizon."""
    at = _check.number_above("horizon", horizon)
    return FollowUpScorer(metric, at, 1 if larger else -1, order, dict(parameters))


def _risk(estimator: Any, x: Any, horizon: float, *, order: bool) -> FloatArray:
    """Return the risk that an estimator predicts by the horizon, or any score that orders cases by it."""
    if hasattr(estimator, "predict_survival_function"):
        curves = estimator.predict_survival_function(x)
        return 1 - np.array([float(curve(horizon)) for curve in curves])
    if hasattr(estimator, "predict_proba"):
        return _last_column(estimator.predict_proba(x))
    if order and hasattr(estimator, "predict"):
        return np.asarray(estimator.predict(x), dtype=np.float64)
    wanted = "have `predict_survival_function` or `predict_proba`, for a risk by the horizon"
    raise InputTypeError("estimator", wanted, type(estimator).__name__)


def _last_column(found: npt.ArrayLike) -> FloatArray:
    array = np.asarray(found, dtype=np.float64)
    return array if array.ndim == 1 else array[:, -1]
