"""Floors of numbers that recalibrate the sample, from drawn outcomes, and intervals above them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.cases import Cases
from stakes.measures import Floor
from stakes.table import ScoreTable, frozen_table
from stakes.uncertainty._answers import CONSISTENCY, Interval, caution, units_of
from stakes.uncertainty._bootstrap import Request
from stakes.uncertainty._ends import root, single_deviate
from stakes.uncertainty._replicates import with_progress
from stakes.uncertainty._resample import ResampledModel, cells, plan

_GENTLEST = 1e-3  # slope of a recalibration that keeps the order of the scores
_STEPS = 50  # of Newton's method


@dataclass(frozen=True)
class ChanceLaw:
    """The law of what recalibration gains by chance alone: values, each with its probability.

    `shown` is what it gains on the table whose outcomes were drawn, which may be a coarse one.
    """

    values: FloatArray
    share: FloatArray
    shown: float

    @classmethod
    def of_draws(cls, values: FloatArray, shown: float) -> ChanceLaw:
        """Return the law of equally likely draws."""
        return cls(values, np.full(len(values), 1 / len(values)), shown)

    @property
    def mean(self) -> float:
        """The mean of the law."""
        return float(self.values @ self.share)

    @property
    def error(self) -> float:
        """The standard error of the mean, from the number of draws."""
        return float(np.sqrt(((self.values - self.mean) ** 2 @ self.share) / len(self.values)))

    def quantile(self, probability: float) -> float:
        """Return the smallest value with at least this probability at or below it."""
        order = np.argsort(self.values)
        below = np.cumsum(self.share[order])
        return float(self.values[order][min(int(np.searchsorted(below, probability - 1e-12)), len(order) - 1)])

    @property
    def chance(self) -> float:
        """The probability of gaining as much as is shown, or more, up to rounding."""
        return float(self.share[self.values >= self.shown * (1 - 1e-12) - 1e-15].sum())


def ends_above_chance(estimate: float, law: ChanceLaw, error: float, level: float) -> tuple[float, float]:
    """Return the ends of a number less what chance adds, from the standard error of its mean."""
    corrected, floor, reach = estimate - law.mean, law.mean, single_deviate(level) * error
    most, least = law.quantile((1 + level) / 2), law.quantile((1 - level) / 2)
    lower = corrected - math.hypot(most - floor, reach)
    return max(0.0, lower), max(0.0, corrected) + math.hypot(floor - least, reach)


def standard_error(cases: Cases, model: str, floor: Floor) -> float:
    """Return the standard error of the mean of values of cases, the recalibration taken as known.

    It minimises the loss, so that to first order its own error has no effect.
    """
    table = cases.table(model)
    values = floor.values(table)
    weight = np.concatenate([table.positive, table.negative])
    moved = (values - float(weight @ values) / table.total)[cells(cases, model)] / table.total
    if cases.weight is not None:
        moved = moved * cases.weight
    if cases.cluster is not None:
        moved = np.bincount(cases.cluster, moved).astype(np.float64, copy=False)
    units = units_of(cases)
    return float(np.sqrt((moved**2).sum() * units / max(units - 1, 1)))


def interval_above_chance(
    cases: Cases, model: str, estimate: float, floor: Floor, request: Request, rng: np.random.Generator
) -> Interval:
    """Return the interval of a number of one model, which leaves out what chance adds to the estimate."""
    law = chance_law(cases, model, floor, request, rng, recalibrated=True)
    return interval_of_law(cases, model, estimate, floor, law, request.level)


def interval_of_law(cases: Cases, model: str, estimate: float, floor: Floor, law: ChanceLaw, level: float) -> Interval:
    """Return the same interval, where the law of what chance adds is known."""
    if not 0 < cases.table(model).prevalence < 1:
        return Interval(estimate, math.nan, math.nan, CONSISTENCY, caution="only one class")
    ends = ends_above_chance(estimate, law, standard_error(cases, model, floor), level)
    return Interval(estimate, *ends, CONSISTENCY, caution=floor_caution(cases, law))


def floor_caution(cases: Cases, law: ChanceLaw) -> str:
    """Return what to know about an interval that leaves out what chance adds."""
    said = f"the ends leave out what chance adds, about {law.mean:.2g} (sampled, error {law.error:.1g})"
    clustered = "cases of a cluster were drawn as if independent, so that chance may add more"
    return "; ".join([said, *([clustered] if cases.cluster is not None else []), *filter(None, [caution(cases)])])


def chance_law(
    cases: Cases, name: str, floor: Floor, request: Request, rng: np.random.Generator, *, recalibrated: bool
) -> ChanceLaw:
    """Return the law of what recalibration gains on outcomes drawn from scores, recalibrated or not."""
    (model,) = plan(cases, (name,), exact=request.exact).models
    probability = logistic(model.table) if recalibrated else model.table.score
    score, row = np.unique(probability, return_inverse=True)
    total = np.bincount(row, model.table.positive + model.table.negative, len(score))
    samples = drawn_outcomes(cases, name, model, probability, rng)
    numbered = ((done, next(samples)) for done in range(1, request.n_resamples + 1))
    values = []
    for drawn in with_progress(numbered, request.n_resamples):
        positive = np.bincount(row, drawn, len(score)).astype(np.float64, copy=False)
        values.append(floor.gain(frozen_table(score, positive, np.maximum(total - positive, 0.0))))
    return ChanceLaw.of_draws(np.array(values), floor.gain(model.table))


def logistic(table: ScoreTable) -> FloatArray:
    """Return the scores recalibrated by intercept and slope of their log-odds.

    They stay as they are if that has no fit, and scores of 0 and of 1 always do.
    """
    odds = special.logit(table.score)
    used = np.isfinite(odds) & (table.positive + table.negative > 0)
    x, positive = np.stack([np.ones(used.sum()), odds[used]]), table.positive[used]
    weight = positive + table.negative[used]
    fitted = np.array([0.0, 1.0])
    for _ in range(_STEPS):
        share = special.expit(fitted @ x)
        slope, curve = x @ (positive - weight * share), (x * (weight * share * (1 - share))) @ x.T
        if not np.linalg.cond(curve) < 1e12:
            return table.score
        step = np.linalg.solve(curve, slope)
        fitted = fitted + step / max(1.0, float(np.abs(step).max()) / 2)
        if np.abs(step).max() < 1e-10:
            line = _gentle(x, positive, weight) if fitted[1] < _GENTLEST else fitted
            return np.where(np.isfinite(odds), special.expit(line[0] + line[1] * odds), table.score)
    return table.score


def _gentle(x: FloatArray, positive: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the gentlest slope, and the intercept that fits best with it.

    The slope keeps the order of the scores. With the intercept the recalibrated scores
    expect as many positives as there are.
    """
    total, along = float(weight.sum()), _GENTLEST * x[1]
    share = float(positive.sum()) / total
    low, high = special.logit(share) - along.max(), special.logit(share) - along.min()
    if not low < high:
        return np.array([low, _GENTLEST])
    found = root(lambda start: float(weight @ special.expit(start + along)) / total - share, low, high)
    return np.array([found, _GENTLEST])


def drawn_outcomes(
    cases: Cases, name: str, model: ResampledModel, probability: FloatArray, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Draw outcomes with these probabilities, without end; yield the weight of the positives of each row."""
    if cases.weight is None:
        return _outcomes(model.table, probability, rng)
    return _weighted_outcomes(cases, name, model, probability, rng)


def _outcomes(table: ScoreTable, probability: FloatArray, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Draw the number of positives of each row, all cases having weight 1."""
    count = np.rint(table.positive + table.negative).astype(np.int64)
    while True:
        yield rng.binomial(count, probability).astype(np.float64)


def _weighted_outcomes(
    cases: Cases, name: str, model: ResampledModel, probability: FloatArray, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Draw the class of each case; yield the weight of the positives of each row."""
    row = cases.rows(name) if model.group is None else model.group[cases.rows(name)]
    weight = np.asarray(cases.weight)
    while True:
        positive = rng.random(len(row)) < probability[row]
        yield np.bincount(row, np.where(positive, weight, 0.0), minlength=len(model.table)).astype(
            np.float64, copy=False
        )
