"""Bootstrap intervals of a measure, or of a difference: percentile, basic and BCa."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray, extreme_power
from stakes.cases import Cases
from stakes.measures import Evaluate
from stakes.uncertainty._ends import Ends, single_deviate
from stakes.uncertainty._plans import Plans
from stakes.uncertainty._replicates import replicates
from stakes.uncertainty._resample import Plan, ResampledModel

GROUPS = 256  # of the jackknife for BCa: enough for a skewness, and fewer evaluations than replicates


def percentile(values: FloatArray, level: float) -> Ends:
    """Return quantiles of the replicates."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def basic(values: FloatArray, estimate: float, level: float) -> Ends:
    """Return quantiles of the replicates reflected about the estimate, which removes the bootstrap's bias."""
    low, high = percentile(values, level)
    return 2 * estimate - high, 2 * estimate - low


def bca(values: FloatArray, estimate: float, level: float, acceleration: float) -> Ends:
    """Return quantiles of the replicates, corrected for bias and for skewness (Efron 1987)."""
    below = float(np.mean(values < estimate) + np.mean(values == estimate) / 2)
    bias = float(special.ndtri(min(max(below, 0.5 / len(values)), 1 - 0.5 / len(values))))
    z = bias + special.ndtri([(1 - level) / 2, (1 + level) / 2])
    probabilities = special.ndtr(bias + z / np.maximum(1 - acceleration * z, 0.1))
    low, high = np.quantile(values, probabilities)
    return float(low), float(high)


def acceleration(influence: FloatArray) -> float:
    """Return a sixth of the skewness of a sum of influences."""
    centred = np.ldexp(influence - influence.mean(), -extreme_power(influence))
    squares = float((centred**2).sum())
    return float((centred**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0


def jackknife_influence(plan: Plan, evaluate: Evaluate, rng: np.random.Generator) -> FloatArray:
    """Return the influence of each group of units, from the measure without it."""
    values = np.array([evaluate(without[None])[0] for without in plan.jackknife(GROUPS, rng)])
    values = values[np.isfinite(values)]
    return values.mean() - values if len(values) else np.zeros(1)


def bootstrap_ends(method: str, values: FloatArray, estimate: float, level: float, skewness: float) -> Ends:
    """Return the ends of an interval by one of the three methods."""
    if not (math.isfinite(estimate) and np.isfinite(values).all()):
        return math.nan, math.nan
    if method == "bca":
        return bca(values, estimate, level, skewness)
    return percentile(values, level) if method == "percentile" else basic(values, estimate, level)


_PAIRS = 32  # replicates of both a finer table and the coarse one: enough for a standard deviation to within an eighth


@dataclass(frozen=True)
class Request:
    """How to resample: method, confidence level, number of resamples, and what each of them keeps."""

    method: str
    level: float
    n_resamples: int
    by_class: bool
    exact: bool


@dataclass(frozen=True)
class Question:
    """A measure of the tables of some models to be resampled, and its value on the sample.

    `influence` returns that of each unit, where there is a formula.
    """

    cases: Cases
    models: tuple[str, ...]
    make_evaluator: Callable[[Sequence[ResampledModel]], Evaluate]
    estimate: float
    influence: Callable[[], FloatArray] | None = None


@dataclass(frozen=True)
class BootstrapResult:
    """Replicates, shifted so that the sample itself has the exact estimate, and their interval."""

    values: FloatArray
    ends: Ends
    coarsening: float
    coarsening_error: float


def resample(question: Question, request: Request, rng: np.random.Generator) -> BootstrapResult:
    """Draw replicates of a measure and return them with the ends of the interval."""
    plans = Plans.of(question.cases, question.models, by_class=request.by_class, exact=request.exact)
    is_coarse, units = plans.is_coarse, plans.main
    evaluate = question.make_evaluator(units.models)
    off = float(evaluate(units.sample[None])[0]) - question.estimate if is_coarse else 0.0
    values = replicates(units, [evaluate], request.n_resamples, rng)[:, 0] - off
    skewness = _acceleration(request.method, units, evaluate, question.influence, rng)
    ends = bootstrap_ends(request.method, values, question.estimate, request.level, skewness)
    error = 0.0
    if is_coarse:
        error = coarsening_error(coarsening_changes(plans, question.make_evaluator, rng), request.level)
    return BootstrapResult(values, ends, off, error)


def _acceleration(
    method: str, units: Plan, evaluate: Evaluate, influence: Callable[[], FloatArray] | None, rng: np.random.Generator
) -> float:
    """Return the acceleration for BCa, from the influence if it is known, else from a grouped jackknife."""
    if method != "bca":
        return 0.0
    return acceleration(jackknife_influence(units, evaluate, rng) if influence is None else influence())


def coarsening_changes(
    plans: Plans,
    make_evaluator: Callable[[Sequence[ResampledModel]], Callable[[FloatArray], FloatArray]],
    rng: np.random.Generator,
) -> FloatArray:
    """Return the change of a measure by coarsening on replicates, less that on the sample.

    It is computed on a few replicates of tables several times as fine as those that are resampled.
    """
    units, size = plans.pairs, len(plans.fine)
    whole, coarse = (make_evaluator(part) for part in (units.models[:size], units.models[size:]))

    def change(counts: FloatArray) -> FloatArray:
        return coarse(counts) - whole(counts)

    at_sample = change(units.sample[None])
    return np.concatenate([change(counts) - at_sample for _, counts in units.blocks(_PAIRS, rng)])


def coarsening_error(changes: FloatArray, level: float) -> float:
    """Return how far coarsening may move the ends of an interval.

    It is a normal quantile times how far coarsening may move the standard error. By the triangle inequality a standard
    deviation changes by no more than the deviation of the changes of the replicates. That is doubled for rows finer
    still: enough where four times the rows halve it, and they do better.
    """
    changes = changes[np.isfinite(changes)]
    deviation = math.sqrt(np.mean(changes**2)) if len(changes) else math.nan
    return 2 * deviation * single_deviate(level)
