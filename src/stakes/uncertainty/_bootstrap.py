"""Intervals from replicates: percentile, basic, and BCa."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from stakes._check import FloatArray
from stakes.uncertainty._replicates import Evaluate
from stakes.uncertainty._resample import Plan
from stakes.uncertainty._spread import Ends

GROUPS = 256  # of the jackknife behind BCa: enough for a skewness, and fewer evaluations than replicates


def percentile(values: FloatArray, level: float) -> Ends:
    """Quantiles of the replicates."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def basic(values: FloatArray, estimate: float, level: float) -> Ends:
    """Quantiles of the replicates, mirrored at the estimate: what the bootstrap overshoots by is taken off."""
    low, high = percentile(values, level)
    return 2 * estimate - high, 2 * estimate - low


def bca(values: FloatArray, estimate: float, level: float, acceleration: float) -> Ends:
    """Quantiles of the replicates, moved for bias and for skewness (Efron 1987)."""
    below = float(np.mean(values < estimate) + np.mean(values == estimate) / 2)
    bias = float(special.ndtri(min(max(below, 0.5 / len(values)), 1 - 0.5 / len(values))))
    z = bias + special.ndtri([(1 - level) / 2, (1 + level) / 2])
    moved = special.ndtr(bias + z / np.maximum(1 - acceleration * z, 0.1))
    low, high = np.quantile(values, moved)
    return float(low), float(high)


def acceleration(moved: FloatArray) -> float:
    """Return a sixth of the skewness of a sum of contributions."""
    centred = moved - moved.mean()
    squares = float((centred**2).sum())
    return float((centred**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0


def jackknifed(plan: Plan, evaluate: Evaluate, rng: np.random.Generator) -> FloatArray:
    """Return what each group of units moves the statistic by: the statistic without it, turned round."""
    left = np.array([evaluate(without[None])[0] for without in plan.jackknife(GROUPS, rng)])
    left = left[np.isfinite(left)]
    return left.mean() - left if len(left) else np.zeros(1)


def ends(method: str, values: FloatArray, estimate: float, level: float, skewness: float) -> Ends:
    """Return the ends of an interval by one of the three methods."""
    if not (math.isfinite(estimate) and np.isfinite(values).all()):
        return math.nan, math.nan
    if method == "bca":
        return bca(values, estimate, level, skewness)
    return percentile(values, level) if method == "percentile" else basic(values, estimate, level)
