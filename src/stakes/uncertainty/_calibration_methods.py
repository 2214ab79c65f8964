"""Calibration bands: exact binomial bounds of every run of scores, and a smooth spline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy
from scipy import special

from stakes._arrays import BoolArray, FloatArray
from stakes._case_columns import IntArray
from stakes._errors import InputError
from stakes.cases import Cases, weighed_cases
from stakes.uncertainty._answers import units_of
from stakes.uncertainty._resample import cells

MANY_SCORES, STEPS = (
    200,
    100,
)  # distinct scores beyond which they are rounded, and the steps of [0, 1] they are rounded to
_BLOCK = 1 << 13  # runs looked at together


@dataclass(frozen=True)
class ScoreRows:
    """Cases by score, or by rounded score, ascending; `member` has the weight of each unit in each row.

    Units are cases or clusters. None stands for cases that all weigh 1.
    """

    score: FloatArray
    positive: FloatArray
    negative: FloatArray
    member: scipy.sparse.csr_array | None

    def __len__(self) -> int:
        return len(self.score)

    def mirrored(self) -> ScoreRows:
        """Return the rows from the highest score down, with the classes exchanged."""
        member = None if self.member is None else scipy.sparse.csr_array(self.member[::-1])
        return ScoreRows(1 - self.score[::-1], self.negative[::-1], self.positive[::-1], member)

    def runs(self) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        """Yield blocks of first rows, with the effective positives and negatives of their runs by last row.

        Nothing is subtracted, so that weights of any size keep their digits. Entries whose last row is before the
        first have none of either.
        """
        last, size = np.arange(len(self)), max(1, _BLOCK // len(self))
        tail = np.zeros(len(self))
        for stop in range(len(self), 0, -size):
            first = np.arange(max(0, stop - size), stop)
            inside = last >= first[:, np.newaxis]
            positive, negative = (np.cumsum(inside * column, axis=1) for column in (self.positive, self.negative))
            if self.member is None:
                yield first, positive, negative
                continue
            total = positive + negative
            together, tail = self._shared(first, tail)
            squares = np.cumsum(inside * together, axis=1)
            # Kish's effective number of units, total**2 / squares, over the total.
            worth = np.divide(total, squares, out=np.zeros_like(total), where=squares > 0)
            yield first, positive * worth, negative * worth

    def _shared(self, first: IntArray, tail: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what each row adds to the squared weights of units in a run from each of `first`.

        `tail` is what the rows after these share with each later row; what these and those share is returned too.
        """
        assert self.member is not None
        product = (self.member[first] @ self.member.T).toarray()
        own = np.asarray(self.member.multiply(self.member).sum(axis=1)).ravel()
        later = np.arange(len(self)) > first[:, np.newaxis]
        shared = np.cumsum((product * later)[::-1], axis=0)[::-1] + tail
        return own + 2 * shared, shared[0]


def rows_of(cases: Cases, model: str, *, rounded: int = 0) -> ScoreRows:
    """Return the cases of a model by score; rounded up for 1, down for -1, not at all for 0."""
    table = cases.table(model)
    score, group = table.score, np.arange(len(table))
    if rounded:
        score, group = np.unique(_round(table.score, up=rounded > 0), return_inverse=True)
    positive, negative = (
        np.bincount(group, column, len(score)).astype(np.float64, copy=False)
        for column in (table.positive, table.negative)
    )
    if cases.weight is None and cases.cluster is None:
        return ScoreRows(score, positive, negative, None)
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    unit = np.arange(len(cases)) if cases.cluster is None else cases.cluster
    at = (group[cases.rows(model)], unit)
    return ScoreRows(score, positive, negative, scipy.sparse.csr_array(scipy.sparse.coo_array((weight, at))))


def _round(score: FloatArray, *, up: bool) -> FloatArray:
    """Return the nearest step at or above each score, or at or below it; a score that is a step stays."""
    step = np.rint(score * STEPS)
    step = step + (step / STEPS < score) if up else step - (step / STEPS > score)
    return np.asarray(step / STEPS)


def lower_bound(rows: ScoreRows, error: float) -> FloatArray:
    """Return the lower bound of the share of positives at each score, from all runs up to it.

    Each run errs with probability `error` over the number of runs.
    """
    each = error / (len(rows) * (len(rows) + 1) / 2)
    best = np.zeros(len(rows))
    # Without weights a run that starts or ends with negatives only is better without them.
    useful = rows.positive > 0 if rows.member is None else np.ones(len(rows), dtype=np.bool_)
    for block, positive, negative in rows.runs():
        first, last = np.nonzero((positive > 0) & useful[block][:, np.newaxis] & useful)
        alpha, beta = positive[first, last], negative[first, last] + 1
        # Most quantiles are below the bound that is already there, which is quicker to see than their value.
        raises = special.betainc(alpha, beta, best[last]) < each
        np.maximum.at(best, last[raises], special.betaincinv(alpha[raises], beta[raises], each))
        best = np.maximum.accumulate(best)
    return best


@dataclass(frozen=True)
class HonestBounds:
    """Both bounds as step functions: `lower` holds from its score up, `upper` from its score down."""

    lower_score: FloatArray
    lower: FloatArray
    upper_score: FloatArray
    upper: FloatArray

    @classmethod
    def of(cls, cases: Cases, model: str, level: float, *, exact: bool) -> HonestBounds:
        """Return the bounds of one model."""
        rounded = not exact and len(cases.table(model)) > MANY_SCORES
        above, below = (rows_of(cases, model, rounded=way if rounded else 0) for way in (1, -1))
        error = (1 - level) / 2
        lower, upper = lower_bound(above, error), 1 - lower_bound(below.mirrored(), error)[::-1]
        return cls(above.score, lower, below.score, upper)

    def places(self, lowest: float, highest: float) -> FloatArray:
        """Return the scores at which a bound changes, and both ends."""
        inner = np.concatenate([self.lower_score, self.upper_score])
        return np.unique(np.clip(inner, lowest, highest))

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the lower and the upper bound at any scores: 0 below the first, 1 above the last."""
        lower = np.append(0.0, self.lower)[np.searchsorted(self.lower_score, x, side="right")]
        upper = np.append(self.upper, 1.0)[np.searchsorted(self.upper_score, x, side="left")]
        return lower, upper

    def too_low(self, lowest: float, highest: float) -> list[tuple[float, float]]:
        """Return the ranges in which the lower bound is above the score."""
        start = np.maximum(self.lower_score, lowest)
        stop = np.minimum(np.minimum(self.lower, np.append(self.lower_score[1:], np.inf)), highest)
        return _join_ranges(start, stop, (self.lower > start) & (start <= highest))

    def too_high(self, lowest: float, highest: float) -> list[tuple[float, float]]:
        """Return the ranges in which the upper bound is below the score."""
        stop = np.minimum(self.upper_score, highest)
        start = np.maximum(np.maximum(self.upper, np.append(-np.inf, self.upper_score[:-1])), lowest)
        return _join_ranges(start, stop, (self.upper < stop) & (stop >= lowest))


def _join_ranges(start: FloatArray, stop: FloatArray, kept: BoolArray) -> list[tuple[float, float]]:
    """Return the ranges that are kept, those that touch as one."""
    ranges: list[tuple[float, float]] = []
    for low, high in zip(start[kept].tolist(), stop[kept].tolist(), strict=True):
        if ranges and low <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(high, ranges[-1][1]))
        else:
            ranges.append((low, high))
    return ranges


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
    """Return the inverse information, or for weights and clusters the sandwich that does not rely on it.

    Of censored outcomes it includes what each case moves through the weights of others.
    """
    inverse = np.linalg.inv(information)
    if cases.weight is None and cases.cluster is None:
        return np.asarray(inverse)
    share = special.expit(design @ coefficient)
    residual = np.concatenate([1 - share, -share])[cells(cases, model)]
    weighted = residual if cases.weight is None else residual * cases.weight
    moved, weighed = design[cases.rows(model)] * weighted[:, np.newaxis], weighed_cases(cases)
    if weighed is not None:
        moved = np.stack([weighed.through(column) for column in moved.T], axis=1)
    if cases.cluster is not None:
        moved = np.stack([np.bincount(cases.cluster, column) for column in moved.T], axis=1)
    units = units_of(cases)
    return np.asarray(inverse @ (moved.T @ moved) @ inverse * units / max(units - 1, 1))
