"""Correction for optimism: how much better models look on the cases they were fitted to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes._check import Seed
from stakes._errors import InputError
from stakes._facts import SampleFacts
from stakes.evaluation._decision import Decision
from stakes.evaluation._evaluate_source import make_results
from stakes.evaluation._fitting import FitData, Procedure
from stakes.evaluation._ranked import Learn, at_deployment, ignoring_undefined, measure
from stakes.evaluation._results import Results, Standing
from stakes.evaluation._sources import CaseSource
from stakes.evaluation._standings import USUAL_MEASURES
from stakes.evaluation._validation import Validation
from stakes.measures import MeasureLike
from stakes.prevalence import calibration_summary
from stakes.table import ScoreTable, score_table
from stakes.uncertainty import Comparison, Interval, StudyLike, with_progress

Rows = npt.NDArray[np.intp]

_SAMPLES = 200  # unless given


# ------------------------------------------------------------------------------------------- the bootstrap


def draw_samples(samples: int, data: FitData, rng: np.random.Generator) -> list[Rows]:
    """Draw bootstrap samples of cases, or of whole clusters, that have both classes."""
    members = [np.array([row]) for row in range(len(data.positive))]
    if data.cluster is not None:
        members = [np.flatnonzero(data.cluster == one) for one in np.unique(data.cluster)]
    drawn: list[Rows] = []
    while len(drawn) < samples:
        rows = np.concatenate([members[one] for one in rng.integers(len(members), size=len(members))])
        classes = data.positive[rows[data.counts[rows]]]
        if len(classes) and not classes.all() and classes.any():
            drawn.append(rows)
    return drawn


def corrected(
    procedures: Mapping[str, Procedure],
    data: FitData,
    samples: Sequence[Rows],
    numbers: Callable[[ScoreTable], FloatArray],
    rng: np.random.Generator,
) -> tuple[dict[str, FloatArray], dict[str, FloatArray], dict[str, FloatArray]]:
    """Return the predictions of each model fitted to all cases, its numbers there, and these corrected.

    A model fitted to a bootstrap sample is better on it than on all cases by about as much as the model fitted to all
    cases is better on these than on others.
    """
    everyone = np.arange(len(data.positive))
    predicted: dict[str, FloatArray] = {}
    found: dict[str, FloatArray] = {}
    better: dict[str, list[FloatArray]] = {name: [] for name in procedures}
    tasks = [(rows, name) for rows in (everyone, *samples) for name in procedures]
    for rows, name in with_progress(enumerate(tasks, 1), len(tasks), "fitting"):
        score = procedures[name].predict(procedures[name].fit(data, rows, rng), data, everyone)
        if name not in predicted:
            predicted[name], found[name] = score, numbers(_table(data, score, rows))
        else:
            better[name].append(numbers(_table(data, score, rows)) - numbers(_table(data, score, everyone)))
    return predicted, found, {name: found[name] - _mean_defined(np.stack(better[name])) for name in procedures}


def _mean_defined(rows: FloatArray) -> FloatArray:
    """Return the mean of the defined values of each column; nan where there are none."""
    defined = np.count_nonzero(~np.isnan(rows), axis=0)
    mean: FloatArray = np.full(rows.shape[1], math.nan)
    return np.asarray(np.divide(np.nansum(rows, axis=0), defined, out=mean, where=defined > 0))


def _table(data: FitData, score: FloatArray, rows: Rows) -> ScoreTable:
    weight = None if data.weight is None else data.weight[rows]
    return score_table(data.positive[rows], score[rows], weight)


_REGRET, _SLOPE, _INTERCEPT = 0, -2, -1


def numbers_of(decision: Decision) -> Callable[[ScoreTable], FloatArray]:
    """Return the numbers to correct: the expected cost, the usual measures, slope and intercept."""
    ranked = measure(decision)

    def numbers(table: ScoreTable) -> FloatArray:
        there, summary = at_deployment(table, decision), calibration_summary(table)
        usual = [one(there) for one in USUAL_MEASURES.values()]
        return np.array([ranked(table), *usual, summary.slope, summary.intercept], dtype=np.float64)

    return numbers


# ------------------------------------------------------------------------------------------- the evaluation


@dataclass(frozen=True, eq=False)
class ShiftedStudy:
    """A study whose answers are moved by a number for each model."""

    study: StudyLike
    shift: Mapping[str, float]

    @property
    def estimates(self) -> Mapping[str, float]:
        """The measure of each model."""
        return {name: value + self.shift.get(name, 0.0) for name, value in self.study.estimates.items()}

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the interval of each model, moved as a whole, and not below 0."""
        found = self.study.intervals(level=level, rng=rng)
        return {name: _move(one, self.shift[name]) if name in self.shift else one for name, one in found.items()}

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> Comparison | None:
        """Return the difference between two models, moved as a whole."""
        found, by = self.study.compare(a, b, level=level, rng=rng), self.shift.get(a, 0.0) - self.shift.get(b, 0.0)
        if found is None:
            return None
        moved = replace(found, difference=found.difference + by, lower=found.lower + by, upper=found.upper + by)
        return replace(moved, probability_better=math.nan)

    def rank(self, *, rng: Seed = None) -> None:
        """Return None: how uncertain the optimism itself is, is not known."""


def _move(interval: Interval, by: float) -> Interval:
    numbers = {name: max(getattr(interval, name) + by, 0.0) for name in ("estimate", "lower", "upper")}
    return replace(interval, **numbers)


@dataclass(frozen=True, eq=False)
class CorrectedSource:
    """Cases whose models were fitted to them, and by how much each costs more on others."""

    source: CaseSource
    shift: Mapping[str, float]

    @property
    def facts(self) -> SampleFacts:
        """Numbers of cases and of positives."""
        return self.source.facts

    @property
    def tables(self) -> dict[str, ScoreTable]:
        """The table of each model on the cases it was fitted to."""
        return self.source.tables

    def groups(self) -> dict[str, CaseSource]:
        """Return no groups: the optimism in each is not known."""
        return {}

    def with_constants(self, scores: Mapping[str, float]) -> CorrectedSource:
        """Add models that give every case one score."""
        return replace(self, source=self.source.with_constants(scores))

    def study(self, measures: Mapping[str, MeasureLike]) -> ShiftedStudy:
        """Study a measure of each model, corrected for its optimism."""
        return ShiftedStudy(self.source.study(measures), self.shift)

    def cross_fitted(
        self, learn: Learn, folds: int, rng: np.random.Generator, prevalence: float | None = None
    ) -> CorrectedSource:
        """Raise, since the models were fitted to all cases."""
        raise InputError("folds", "be left out where models are corrected for optimism", str(folds))


def correct_optimism(
    procedures: Mapping[str, Procedure],
    data: FitData,
    decision: Decision,
    level: float,
    samples: Sequence[Rows],
    rng: np.random.Generator,
) -> Results:
    """Evaluate models on the cases they were fitted to, and correct every number for optimism."""
    with ignoring_undefined():
        predicted, before, after = corrected(procedures, data, samples, numbers_of(decision), rng)
        shift = {name: float(after[name][_REGRET] - before[name][_REGRET]) for name in procedures}
        source = CorrectedSource(data.with_predictions(predicted), shift)
        results = make_results(source, decision, level, None, rng)
    ranking = tuple(one if one.reference else _corrected(one, after[one.model]) for one in results.ranking)
    validation = Validation(
        method="optimism",
        folds=0,
        repeats=len(samples),
        apparent={name: float(numbers[_REGRET]) for name, numbers in before.items()},
        validated={one.model: one.regret.estimate for one in ranking if not one.reference},
        slope={name: float(numbers[_SLOPE]) for name, numbers in after.items()},
        intercept={name: float(numbers[_INTERCEPT]) for name, numbers in after.items()},
    )
    return replace(results, ranking=ranking, validation=validation)


def _corrected(standing: Standing, numbers: FloatArray) -> Standing:
    """Return a standing with corrected measures, and without parts, which nothing corrects."""
    usual: dict[str, Any] = dict(zip(USUAL_MEASURES, numbers[1:_SLOPE].tolist(), strict=True))
    return replace(standing, parts=None, **usual)


def samples_of(folds: Any, repeats: int | None, data: FitData, rng: np.random.Generator) -> list[Rows]:
    """Return as many bootstrap samples as are asked for."""
    if not (isinstance(folds, int) and folds == 10):
        raise InputError("folds", "be left out for `method='optimism'`", _check.show(folds))
    if data.columns.group is not None:
        raise InputError("group", "be left out for `method='optimism'`, which corrects all cases together")
    for which, here in (("positive", data.positive), ("negative", ~data.positive)):
        if not (here & data.counts).any():  # no sample would ever have both classes
            raise InputError("y", f"have at least 1 {which} case", "0")
    return draw_samples(_SAMPLES if repeats is None else _check.whole_number("repeats", repeats, 1), data, rng)
