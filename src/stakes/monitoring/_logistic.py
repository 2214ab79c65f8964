"""Logistic recalibration of scores on a labelled reference."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.prevalence import calibration_summary
from stakes.table import ScoreTable

_INSIDE = 1e-12  # scores of 0 and 1 are taken as this far inside, to have log-odds


@dataclass(frozen=True)
class LogisticRecalibration:
    """Logistic recalibration of scores on a reference, with the covariance of its two numbers."""

    intercept: float
    slope: float
    covariance: FloatArray
    tells: bool  # whether the scores differ, so that they tell the classes apart

    def __call__(self, score: FloatArray) -> FloatArray:
        """Return recalibrated scores."""
        return np.asarray(special.expit(self.columns(score) @ [self.intercept, self.slope]))

    def columns(self, score: FloatArray) -> FloatArray:
        """Return a constant and the log-odds of each score."""
        inside = np.clip(score, _INSIDE, 1 - _INSIDE)
        return np.column_stack([np.ones_like(inside), special.logit(inside)])


def recalibration_on(table: ScoreTable) -> LogisticRecalibration:
    """Return the logistic recalibration; scores as they are where it cannot be fitted."""
    if len(table) < 2:
        flat, share = float(special.logit(table.prevalence)), table.prevalence
        of_intercept = np.diag([1 / (table.total * share * (1 - share)), 0.0])  # the slope was not fitted
        return LogisticRecalibration(flat, 0.0, of_intercept, tells=False)
    fit = _quiet_summary(table)
    known = math.isfinite(fit[0]) and math.isfinite(fit[1])
    made = LogisticRecalibration(*(fit if known else (0.0, 1.0)), np.zeros((2, 2)), tells=True)
    p, columns = made(table.score), made.columns(table.score)
    information = (columns * ((table.positive + table.negative) * p * (1 - p))[:, None]).T @ columns
    return LogisticRecalibration(
        made.intercept, made.slope, np.asarray(np.linalg.pinv(information), dtype=np.float64), made.slope != 0
    )


def _quiet_summary(table: ScoreTable) -> tuple[float, float]:
    """Return intercept and slope; undefined ones need no warning here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        summary = calibration_summary(table)
    return summary.intercept, summary.slope
