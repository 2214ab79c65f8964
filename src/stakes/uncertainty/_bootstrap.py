"""Bootstrap intervals (percentile, basic, BCa) of one model, of a difference, or of several models together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.cases import Cases
from stakes.measures import Evaluate
from stakes.uncertainty._analytic import Ends
from stakes.uncertainty._replicates import replicates
from stakes.uncertainty._resample import Level, Plan, ResampledModel, coarse_levels, fine_levels, plan_of

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
    """Return what each group of units moves the measure by: the measure without it, turned round."""
    left = np.array([evaluate(without[None])[0] for without in plan.jackknife(GROUPS, rng)])
    left = left[np.isfinite(left)]
    return left.mean() - left if len(left) else np.zeros(1)


def bootstrap_ends(method: str, values: FloatArray, estimate: float, level: float, skewness: float) -> Ends:
    """Return the ends of an interval by one of the three methods."""
    if not (math.isfinite(estimate) and np.isfinite(values).all()):
        return math.nan, math.nan
    if method == "bca":
        return bca(values, estimate, level, skewness)
    return percentile(values, level) if method == "percentile" else basic(values, estimate, level)


_PAIRS = 32  # replicates of a finer table beside the coarse one: enough for a standard deviation to within an eighth


@dataclass(frozen=True)
class Request:
    """How to resample: the method, the level, how many replicates, and what is kept in each of them."""

    method: str
    level: float
    n_resamples: int
    by_class: bool
    exact: bool


@dataclass(frozen=True)
class Question:
    """What to resample: a number of the tables of some models, and its value on the whole sample.

    `moved` gives what each unit moves it by, where there is a formula.
    """

    cases: Cases
    models: tuple[str, ...]
    made: Callable[[Sequence[ResampledModel]], Evaluate]
    estimate: float
    moved: Callable[[], FloatArray] | None = None


@dataclass(frozen=True)
class Drawn:
    """Replicates, moved so that their sample has the exact estimate, and the interval they give."""

    values: FloatArray
    ends: Ends
    coarsening: float
    coarsening_error: float


def drawn(asked: Question, how: Request, rng: np.random.Generator) -> Drawn:
    """Resample, and find the ends."""
    fine = fine_levels(asked.cases, asked.models, exact=how.exact)
    is_coarse = any(level.group is not None for level in fine)
    units = plan_of(asked.cases, coarse_levels(fine), by_class=how.by_class)
    evaluate = asked.made(units.models)
    off = float(evaluate(units.sample[None])[0]) - asked.estimate if is_coarse else 0.0
    values = replicates(units, [evaluate], how.n_resamples, rng)[:, 0] - off
    skewness = _skewed(how.method, units, evaluate, asked.moved, rng)
    ends = bootstrap_ends(how.method, values, asked.estimate, how.level, skewness)
    error = 0.0
    if is_coarse:
        error = coarsening_error(changes(asked.cases, fine, asked.made, how.by_class, rng), how.level)
    return Drawn(values, ends, off, error)


def _skewed(
    method: str, units: Plan, evaluate: Evaluate, moved: Callable[[], FloatArray] | None, rng: np.random.Generator
) -> float:
    """Acceleration for BCa: from the influence of every case where it is known, else from a jackknife of groups."""
    if method != "bca":
        return 0.0
    return acceleration(jackknifed(units, evaluate, rng) if moved is None else moved())


def changes(
    cases: Cases,
    fine: list[Level],
    made: Callable[[Sequence[ResampledModel]], Callable[[FloatArray], FloatArray]],
    by_class: bool,
    rng: np.random.Generator,
) -> FloatArray:
    """Return what coarsening does to the number of a replicate (or to several), less what it does to the sample's.

    It is seen on a few replicates of tables several times as fine as those that are resampled.
    """
    units = plan_of(cases, [*fine, *coarse_levels(fine)], by_class=by_class)
    whole, coarse = (made(part) for part in (units.models[: len(fine)], units.models[len(fine) :]))

    def done(counts: FloatArray) -> FloatArray:
        return coarse(counts) - whole(counts)

    at_sample = done(units.sample[None])
    return np.concatenate([done(counts) - at_sample for _, counts in units.blocks(_PAIRS, rng)])


def coarsening_error(changed: FloatArray, level: float) -> float:
    """How far coarsening may move the ends of an interval: a quantile times how far it may move the standard error.

    A standard deviation obeys the triangle inequality, so it changes by no more than the deviation of what changes a
    replicate. That is doubled for rows finer still: enough where four times the rows halve it, and they do better.
    """
    changed = changed[np.isfinite(changed)]
    deviation = math.sqrt(np.mean(changed**2)) if len(changed) else math.nan
    return 2 * deviation * float(special.ndtri((1 + level) / 2))
