"""All models resampled together, once: intervals, differences to the best, and who may be best, of any statistic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes.cases import Cases
from stakes.uncertainty import _bootstrap
from stakes.uncertainty._compare import Comparison
from stakes.uncertainty._interval import Interval
from stakes.uncertainty._known import Statistic
from stakes.uncertainty._rank import rank_probabilities
from stakes.uncertainty._replicates import evaluator, replicates
from stakes.uncertainty._resample import plan
from stakes.uncertainty._study import number


@dataclass(frozen=True)
class Joint:
    """How sure the numbers of several models are, from the same replicates."""

    intervals: dict[str, Interval]
    differences: dict[str, Comparison]  # of each model to the best, which is left out
    probability_best: dict[str, float]


def resampled_together(
    cases: Cases, statistic: Statistic, *, level: float, n_resamples: int, rng: np.random.Generator
) -> Joint:
    """Resample all models on the same cases; smaller is better.

    The intervals are `basic`: where a statistic chooses on the sample it is judged on, as the best cut does, every
    replicate adds the bias that the sample has already, and `basic` takes that off.
    """
    models = cases.models
    estimate = np.array([number(statistic(cases.table(name))) for name in models])
    units = plan(cases, models)
    evaluate = [evaluator(statistic, model) for model in units.models]
    base = np.array([one(units.sample[None])[0] for one in evaluate])
    values = replicates(units, evaluate, n_resamples, rng) - base + estimate
    best = int(np.argmin(estimate))
    chances = rank_probabilities(-values)[:, 0]

    def ends(column: np.ndarray[tuple[int], np.dtype[np.float64]], at: float) -> tuple[float, float]:
        return _bootstrap.ends("basic", column, at, level, 0.0)

    def against(model: int) -> Comparison:
        difference, gap = float(estimate[model] - estimate[best]), values[:, model] - values[:, best]
        better = float(np.mean(gap < 0) + np.mean(gap == 0) / 2)
        return Comparison(models[model], models[best], difference, *ends(gap, difference), better, "basic")

    columns = range(len(models))
    return Joint(
        {
            models[m]: Interval(
                float(estimate[m]), *ends(values[:, m], float(estimate[m])), "basic", base[m] - estimate[m]
            )
            for m in columns
        },
        {models[m]: against(m) for m in columns if m != best},
        {models[m]: float(chances[m]) for m in columns},
    )
