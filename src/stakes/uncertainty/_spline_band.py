"""Smooth calibration curve: a restricted cubic spline of log-odds of the score, with Scheffé's band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.cases import Cases
from stakes.uncertainty._interval import units_of
from stakes.uncertainty._resample import cells

_KNOTS = (0.05, 0.35, 0.65, 0.95)  # quantiles of the log-odds of the scores
_STEPS, _CLOSE = 100, 1e-10  # of Newton's method: most of them, and the size of the last
_LARGEST = 500.0  # linear predictor beyond which the classes are separated
_FARTHEST = 750.0  # log-odds: those of the smallest score above 0 are -744, those of 0 and 1 have no end


@dataclass(frozen=True)
class SplineFit:
    """A fitted spline: its knots in log-odds, its coefficients, and their covariance."""

    knots: FloatArray
    coefficient: FloatArray
    covariance: FloatArray

    def at(self, score: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the fitted share of positives at some scores, and the ends of its simultaneous band."""
        odds = np.clip(special.logit(score), -_FARTHEST, _FARTHEST)
        design = basis(odds, self.knots)[:, : len(self.coefficient)]
        middle = design @ self.coefficient
        error = np.sqrt(np.maximum(((design @ self.covariance) * design).sum(axis=1), 0.0))
        reach = np.sqrt(special.chdtri(len(self.coefficient), 1 - level)) * error
        return special.expit(middle), special.expit(middle - reach), special.expit(middle + reach)


def basis(odds: FloatArray, knots: FloatArray) -> FloatArray:
    """Return the columns of a restricted cubic spline, linear beyond the outer knots."""
    columns = [np.ones_like(odds), odds]
    if len(knots) > 2:
        *inner, before, last = knots.tolist()
        cubes = {knot: np.maximum(odds - knot, 0.0) ** 3 for knot in knots.tolist()}
        for knot in inner:
            bent = cubes[knot] - (cubes[before] * (last - knot) - cubes[last] * (before - knot)) / (last - before)
            columns.append(bent / (last - knots[0]) ** 2)
    return np.stack(columns, axis=1)


def fit_spline(cases: Cases, model: str) -> SplineFit | None:
    """Return the fit of one model; None on one class, or where the scores separate the two."""
    table = cases.table(model)
    for end in (table.lowest, table.highest):
        if end in (0.0, 1.0):
            wanted = "lie strictly between 0 and 1 for a spline of log-odds"
            raise InputError("score", wanted, f"{end:g}", hint='use `method="honest"`')
    if not 0 < table.prevalence < 1:
        return None
    odds = special.logit(table.score)
    knots = np.unique(np.quantile(odds[cases.rows(model)], _KNOTS))
    columns = min(max(len(knots), 2), len(table))
    design = basis(odds, knots)[:, :columns]
    fitted = _newton(design, table.positive, table.negative)
    if fitted is None:
        return None
    coefficient, information = fitted
    return SplineFit(knots, coefficient, _covariance(cases, model, design, coefficient, information))


def _newton(design: FloatArray, positive: FloatArray, negative: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return the coefficients of largest likelihood and their information; None if there are none."""
    total = positive + negative
    fitted = np.zeros(design.shape[1])
    fitted[0] = special.logit(positive.sum() / total.sum())
    for _ in range(_STEPS):
        share = special.expit(design @ fitted)
        information = (design.T * (total * share * (1 - share))) @ design
        if not np.linalg.cond(information) < 1e14:
            return None
        step = np.linalg.solve(information, design.T @ (positive - total * share))
        moved = np.abs(design @ step).max()
        fitted = fitted + step / max(1.0, moved / 2)
        if np.abs(design @ fitted).max() > _LARGEST:
            return None
        if moved < _CLOSE:
            return fitted, information
    return None


def _covariance(
    cases: Cases, model: str, design: FloatArray, coefficient: FloatArray, information: FloatArray
) -> FloatArray:
    """Return the inverse information, or for weights and clusters the sandwich that does not rely on it."""
    inverse = np.linalg.inv(information)
    if cases.weight is None and cases.cluster is None:
        return np.asarray(inverse)
    share = special.expit(design @ coefficient)
    residual = np.concatenate([1 - share, -share])[cells(cases, model)]
    weighted = residual if cases.weight is None else residual * cases.weight
    moved = design[cases.rows(model)] * weighted[:, np.newaxis]
    if cases.cluster is not None:
        moved = np.stack([np.bincount(cases.cluster, column) for column in moved.T], axis=1)
    units = units_of(cases)
    return np.asarray(inverse @ (moved.T @ moved) @ inverse * units / max(units - 1, 1))
