"""Bootstrap of all models together: intervals, differences, probability of being best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from stakes._arrays import FloatArray
from stakes.cases import Cases
from stakes.measures import Evaluate, Measure
from stakes.uncertainty._answers import Comparison, Interval, caution
from stakes.uncertainty._bootstrap import bootstrap_ends, coarsening_changes, coarsening_error
from stakes.uncertainty._measured import MeasuredModels
from stakes.uncertainty._plans import Plans
from stakes.uncertainty._possible_ends import ClassCounts, Possible
from stakes.uncertainty._rank import Options, models_among, ranking
from stakes.uncertainty._replicates import evaluator, replicates
from stakes.uncertainty._resample import ResampledModel


@dataclass(frozen=True)
class ResampledTogether:
    """Intervals and differences of several models, from the same replicates."""

    intervals: dict[str, Interval]
    probability_best: dict[str, float]
    level: float
    doubt: str
    replicated: Mapping[str, _ReplicatedMeasure]

    def compare(self, a: str, b: str) -> Comparison:
        """Return the difference between two models."""
        return (self.replicated[a] - self.replicated[b]).comparison(a, b, self.level, self.doubt)


@dataclass(frozen=True)
class _ReplicatedMeasure:
    """The measure of a model, or the difference of two: estimates, replicates, and changes by coarsening."""

    estimate: float
    coarse_estimate: float
    values: FloatArray  # of replicates, shifted so that the sample itself has the exact estimate
    changes: FloatArray
    possible: Possible

    def __sub__(self, other: _ReplicatedMeasure) -> _ReplicatedMeasure:
        return _ReplicatedMeasure(
            self.estimate - other.estimate,
            self.coarse_estimate - other.coarse_estimate,
            self.values - other.values,
            self.changes - other.changes,
            self.possible - other.possible,
        )

    def interval(self, level: float, doubt: str) -> Interval:
        ends = bootstrap_ends("basic", self.values, self.estimate, level, 0.0)
        coarsening = self.coarse_estimate - self.estimate
        error = coarsening_error(self.changes, level)
        return self.possible.keep(Interval(self.estimate, *ends, "basic", coarsening, error, doubt), level)

    def comparison(self, a: str, b: str, level: float, doubt: str) -> Comparison:
        """Return the comparison of two models, of whose measures this is the difference."""
        own = self.interval(level, doubt)
        better = float(np.mean(self.values < 0) + np.mean(self.values == 0) / 2)
        coarsening = own.coarsening, own.coarsening_error
        return Comparison(a, b, self.estimate, own.lower, own.upper, better, "basic", *coarsening, doubt)


def resample_together(
    cases: Cases, measures: Mapping[str, Measure], *, level: float, n_resamples: int, rng: np.random.Generator
) -> ResampledTogether:
    """Resample models on the same cases, each with a measure of its own; smaller is better.

    The intervals are `basic`: where a measure chooses on the sample that it is computed on, as the best threshold does,
    every replicate adds the bias that the sample has already, and `basic` removes it. Their ends stay in the range
    of the measure; and where a model lost nothing in the sample, so that no replicate loses anything either, the upper
    end is that of half a case of each class more than was seen.
    """
    doubt, replicated = caution(cases), _replicate_measures(cases, measures, n_resamples, rng)
    values = np.column_stack([one.values for one in replicated.values()])
    estimates = {model: one.estimate for model, one in replicated.items()}
    options = Options(estimates, "smaller", models_among(cases.table(name) for name in replicated), "near")
    return ResampledTogether(
        {model: one.interval(level, doubt) for model, one in replicated.items()},
        ranking(options, values, "basic").probability_best,
        level,
        doubt,
        replicated,
    )


def _replicate_measures(
    cases: Cases, measures: Mapping[str, Measure], n_resamples: int, rng: np.random.Generator
) -> dict[str, _ReplicatedMeasure]:
    """Draw the replicates and, if tables are coarsened, estimate the changes by it."""
    estimate = np.array(list(MeasuredModels(cases, measures).estimates.values()))
    reach = min((getattr(measure.value, "reach", 1.0) for measure in measures.values()), default=1.0)
    plans = Plans.of(cases, tuple(measures), reach=reach)
    units = plans.main
    evaluate = _evaluators(measures, units.models)
    on_coarse = np.array([one(units.sample[None])[0] for one in evaluate])
    values = replicates(units, evaluate, n_resamples, rng) - on_coarse + estimate
    changes = np.zeros((1, len(measures)))
    if plans.is_coarse:
        changes = coarsening_changes(plans, partial(_joint_evaluator, measures), rng)
    counts = ClassCounts.of(cases)
    return {
        model: _ReplicatedMeasure(
            float(estimate[m]),
            float(on_coarse[m]),
            values[:, m],
            changes[:, m],
            Possible.of(measure, cases.table(model), float(estimate[m]), counts),
        )
        for m, (model, measure) in enumerate(measures.items())
    }


def _evaluators(measures: Mapping[str, Measure], models: Sequence[ResampledModel]) -> list[Evaluate]:
    return [evaluator(measure, model) for measure, model in zip(measures.values(), models, strict=True)]


def _joint_evaluator(
    measures: Mapping[str, Measure], models: Sequence[ResampledModel]
) -> Callable[[FloatArray], FloatArray]:
    """Return an evaluator of all measures, one in each column."""
    evaluate = _evaluators(measures, models)
    return lambda counts: np.column_stack([one(counts) for one in evaluate])
