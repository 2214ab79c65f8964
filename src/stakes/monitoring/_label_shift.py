"""The prevalence behind unlabelled scores if the classes have the scores they had."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.table import ScoreTable

_BINS = 10
_STEPS = 200  # iterations at most


@dataclass(frozen=True)
class MeanError:
    """Mean of a number, and the variance of that mean."""

    mean: float
    error: float  # variance of the mean

    @classmethod
    def of(cls, value: FloatArray, weight: FloatArray, cases: float) -> MeanError:
        """Return the moments of weighted values, from a number of cases."""
        share = weight / weight.sum()
        mean = float(share @ value)
        spread = float(share @ (value - mean) ** 2)
        return cls(mean, spread / (cases - 1) if cases > 1 else math.nan)


def likelihood_score(p: FloatArray, reference: float, at: float) -> FloatArray:
    """Return the derivative of the log likelihood of the prevalence, for each calibrated probability.

    `reference` is the prevalence where they are calibrated; `at` is that at which the derivative is taken.
    """
    a, b = p / reference, (1 - p) / (1 - reference)
    return np.asarray((a - b) / (at * a + (1 - at) * b))


def most_likely_prevalence(p: FloatArray, weight: FloatArray, reference: float, cases: float) -> float:
    """Return the prevalence that makes the scores most likely, at least 1/cases from 0 and 1."""
    low, high = 1 / cases, 1 - 1 / cases
    if low >= high:
        return 0.5
    for _ in range(60):  # the likelihood is concave
        middle = (low + high) / 2
        rising = float(weight @ likelihood_score(p, reference, middle)) > 0
        low, high = (middle, high) if rising else (low, middle)
    return (low + high) / 2


def fieller_ends(sides: Sequence[MeanError], deviate: float) -> tuple[float, float]:
    """Return all prevalences that the means of new, positive and negative cases allow, within [0, 1]."""
    new, positive, negative = sides
    gap, ahead, z = positive.mean - negative.mean, new.mean - negative.mean, deviate**2
    square = gap**2 - z * (positive.error + negative.error)
    linear = ahead * gap - z * negative.error
    constant = ahead**2 - z * (new.error + negative.error)
    root = linear**2 - square * constant
    if not square > 0 or not root >= 0:
        return 0.0, 1.0
    ends = ((linear + sign * math.sqrt(root)) / square for sign in (-1, 1))
    low, high = (min(max(end, 0.0), 1.0) for end in ends)
    return low, high


def label_shift_fit(positive: FloatArray, negative: FloatArray, new: FloatArray) -> tuple[float, float]:
    """Return how far counts by bin are from any mixture of the two classes, and the best mixture.

    The distance is chi-squared with bins - 2 degrees of freedom if only the prevalence has changed.
    """
    f1, f0, q = (one / one.sum() for one in (positive, negative, new))
    a, b, share = (f1 - f0)[:-1], (q - f0)[:-1], 0.5
    for _ in range(_STEPS):
        spread = (
            _multinomial(q, new) + share**2 * _multinomial(f1, positive) + (1 - share) ** 2 * _multinomial(f0, negative)
        )
        solved = np.linalg.solve(spread, np.column_stack([a, b]))
        apart = float(a @ solved[:, 0])
        if not apart > 0:  # the classes have the same scores
            return math.nan, math.nan
        before, share = share, min(max(float(a @ solved[:, 1]) / apart, 0.0), 1.0)
        if abs(share - before) < 1e-15:
            break
    rest = b - share * a
    return float(rest @ np.linalg.solve(spread, rest)), share


def _multinomial(share: FloatArray, counts: FloatArray) -> FloatArray:
    return np.asarray(((np.diag(share) - np.outer(share, share)) / counts.sum())[:-1, :-1])


def shift_probability(table: ScoreTable, scores: FloatArray, weight: FloatArray) -> float:
    """Return the p value of the hypothesis that only the prevalence has changed; nan with too few scores."""
    every = np.concatenate([table.score, scores])
    mass = np.concatenate([(table.positive + table.negative) / table.total, weight / weight.sum()])
    order = np.argsort(every, kind="stable")
    below = np.cumsum(mass[order]) / mass.sum()
    cuts = np.unique(every[order][np.searchsorted(below, np.arange(1, _BINS) / _BINS)])
    count = len(cuts) + 1
    if count < 3:
        return math.nan
    where = np.searchsorted(cuts, table.score, side="right"), np.searchsorted(cuts, scores, side="right")
    counted = weight * (weight.sum() / (weight @ weight))
    sides = (where[0], table.positive), (where[0], table.negative), (where[1], counted)
    positive, negative, new = (np.bincount(bins, one, count).astype(np.float64) + 0.5 for bins, one in sides)
    distance, _ = label_shift_fit(positive, negative, new)
    return float(special.chdtrc(count - 2, distance))
