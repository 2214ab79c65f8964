"""An interval from replicates, whatever is resampled: one table, two and their difference, or several."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._check import FloatArray
from stakes.cases import Cases
from stakes.uncertainty import _bootstrap
from stakes.uncertainty._replicates import Evaluate, replicates
from stakes.uncertainty._resample import Level, Model, Plan, coarse_levels, fine_levels, plan_of
from stakes.uncertainty._spread import Ends

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
    made: Callable[[Sequence[Model]], Evaluate]
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
    ends = _bootstrap.ends(how.method, values, asked.estimate, how.level, skewness)
    reach = float(special.ndtri((1 + how.level) / 2))
    return Drawn(values, ends, off, reach * _coarsening_error(asked, fine, how.by_class, rng) if is_coarse else 0.0)


def _skewed(
    method: str, units: Plan, evaluate: Evaluate, moved: Callable[[], FloatArray] | None, rng: np.random.Generator
) -> float:
    """Acceleration for BCa: from the influence of every case where it is known, else from a jackknife of groups."""
    if method != "bca":
        return 0.0
    return _bootstrap.acceleration(_bootstrap.jackknifed(units, evaluate, rng) if moved is None else moved())


def _coarsening_error(asked: Question, fine: list[Level], by_class: bool, rng: np.random.Generator) -> float:
    """How far coarsening may move the standard error: by no more than the deviation of what it does to a replicate.

    (A standard deviation obeys the triangle inequality.) That is seen on replicates of a table four times as fine and
    doubled for what is finer still: enough where four times the rows halve the deviation, and they do better.
    """
    units = plan_of(asked.cases, [*fine, *coarse_levels(fine)], by_class=by_class)
    both = [asked.made(part) for part in (units.models[: len(fine)], units.models[len(fine) :])]

    def done(counts: FloatArray) -> FloatArray:
        return both[1](counts) - both[0](counts)

    at_sample = done(units.sample[None])[0]
    moved = np.concatenate([done(counts) - at_sample for _, counts in units.blocks(_PAIRS, rng)])
    moved = moved[np.isfinite(moved)]
    return 2 * float(np.sqrt(np.mean(moved**2))) if len(moved) else math.nan
