"""Logistic recalibration of scores on a labelled reference."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.prevalence import calibration_summary
from stakes.table import ScoreTable

_INSIDE = 1e-12  # new scores of 0 and 1 are taken as this far inside, to have log-odds


@dataclass(frozen=True)
class LogisticRecalibration:
    """Logistic recalibration of scores on a reference, with the covariance of its two numbers."""

    intercept: float
    slope: float
    covariance: FloatArray
    is_informative: bool  # whether the scores differ, so that they can separate the classes
    ends: tuple[float, float] = (_INSIDE, 1 - _INSIDE)  # scores beyond count as these

    def __call__(self, score: FloatArray) -> FloatArray:
        """Return recalibrated scores."""
        return np.asarray(special.expit(self.columns(score) @ [self.intercept, self.slope]))

    def columns(self, score: FloatArray) -> FloatArray:
        """Return a constant and the log-odds of each score."""
        inside = np.clip(score, *self.ends)
        return np.column_stack([np.ones_like(inside), special.logit(inside)])


def recalibration_on(table: ScoreTable) -> LogisticRecalibration:
    """Return the logistic recalibration; scores as they are where it cannot be fitted."""
    if len(table) < 2:
        flat, share = float(special.logit(table.prevalence)), table.prevalence
        of_intercept = np.diag([1 / (table.total * share * (1 - share)), 0.0])  # the slope was not fitted
        return LogisticRecalibration(flat, 0.0, of_intercept, is_informative=False)
    ends = _ends(table)
    intercept, slope = _quiet_summary(
        ScoreTable.from_counts(np.clip(table.score, *ends), table.positive, table.negative)
    )
    found = LogisticRecalibration(intercept, slope, np.zeros((2, 2)), is_informative=slope != 0, ends=ends)
    if not (math.isfinite(intercept) and math.isfinite(slope)):
        found = LogisticRecalibration(0.0, 1.0, np.zeros((2, 2)), is_informative=True)
    p, columns = found(table.score), found.columns(table.score)
    information = (columns * ((table.positive + table.negative) * p * (1 - p))[:, None]).T @ columns
    return replace(found, covariance=np.asarray(np.linalg.pinv(information), dtype=np.float64))


def _ends(table: ScoreTable) -> tuple[float, float]:
    """Return what scores of 0 and 1 count as where the table has some: halfway to the nearest other score.

    One that was wrong would leave the log-odds without a fit, and many models round to 0.
    """
    within = table.score[(table.score > 0) & (table.score < 1)]
    least, most = (float(within[0]), float(within[-1])) if len(within) else (0.5, 0.5)
    low = least / 2 if table.lowest == 0 else 0.0
    high = (1 + most) / 2 if table.highest == 1 else 1.0
    return max(low, _INSIDE), min(high, 1 - _INSIDE)


def _quiet_summary(table: ScoreTable) -> tuple[float, float]:
    """Return intercept and slope; undefined ones need no warning here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        summary = calibration_summary(table)
    return summary.intercept, summary.slope
