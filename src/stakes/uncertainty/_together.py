"""All models resampled together, once: intervals, differences to the best, and who may be best, of any measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from stakes._arrays import FloatArray
from stakes.cases import Cases
from stakes.measures import Evaluate, Measure
from stakes.uncertainty import _bootstrap
from stakes.uncertainty._bootstrap import changes, coarsening_error
from stakes.uncertainty._compare import Comparison
from stakes.uncertainty._interval import Interval, caution
from stakes.uncertainty._rank import rank_probabilities
from stakes.uncertainty._replicates import evaluator, number, replicates
from stakes.uncertainty._resample import ResampledModel, coarse_levels, fine_levels, plan_of


@dataclass(frozen=True)
class ResampledTogether:
    """How sure the numbers of several models are, from the same replicates."""

    intervals: dict[str, Interval]
    differences: dict[str, Comparison]  # of each model to the best, which is left out
    probability_best: dict[str, float]


def resampled_together(
    cases: Cases, measures: Mapping[str, Measure], *, level: float, n_resamples: int, rng: np.random.Generator
) -> ResampledTogether:
    """Resample models on the same cases, each with a measure of its own; smaller is better.

    The intervals are `basic`: where a measure chooses on the sample it is judged on, as the best threshold does, every
    replicate adds the bias that the sample has already, and `basic` takes that off.
    """
    models, doubt = tuple(measures), caution(cases)
    estimate = np.array([number(measure(cases.table(name))) for name, measure in measures.items()])
    fine = fine_levels(cases, models, exact=False)
    units = plan_of(cases, coarse_levels(fine), by_class=False)
    evaluate = _evaluators(measures, units.models)
    base = np.array([one(units.sample[None])[0] for one in evaluate])
    values = replicates(units, evaluate, n_resamples, rng) - base + estimate
    changed = np.zeros((1, len(models)))
    if any(one.group is not None for one in fine):
        changed = changes(cases, fine, partial(_side_by_side, measures), False, rng)
    best = int(np.argmin(estimate))
    chances = rank_probabilities(-values)[:, 0]

    def found(at: float, drawn: FloatArray, off: float, moved: FloatArray) -> Interval:
        ends = _bootstrap.bootstrap_ends("basic", drawn, at, level, 0.0)
        return Interval(at, *ends, "basic", off, coarsening_error(moved, level), doubt)

    def alone(m: int) -> Interval:
        return found(float(estimate[m]), values[:, m], float(base[m] - estimate[m]), changed[:, m])

    def against(m: int) -> Comparison:
        at, gap = float(estimate[m] - estimate[best]), values[:, m] - values[:, best]
        one = found(at, gap, float(base[m] - base[best]) - at, changed[:, m] - changed[:, best])
        better = float(np.mean(gap < 0) + np.mean(gap == 0) / 2)
        ends = (one.lower, one.upper)
        return Comparison(
            models[m], models[best], at, *ends, better, "basic", one.coarsening, one.coarsening_error, doubt
        )

    columns = range(len(models))
    return ResampledTogether(
        {models[m]: alone(m) for m in columns},
        {models[m]: against(m) for m in columns if m != best},
        {models[m]: float(chances[m]) for m in columns},
    )


def _evaluators(measures: Mapping[str, Measure], models: Sequence[ResampledModel]) -> list[Evaluate]:
    return [evaluator(measure, model) for measure, model in zip(measures.values(), models, strict=True)]


def _side_by_side(
    measures: Mapping[str, Measure], models: Sequence[ResampledModel]
) -> Callable[[FloatArray], FloatArray]:
    evaluate = _evaluators(measures, models)
    return lambda counts: np.column_stack([one(counts) for one in evaluate])
