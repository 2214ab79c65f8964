"""Repeats of a cross-validation: the same cases with other predictions, and means over the repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from stakes._check import Seed
from stakes._facts import SampleFacts
from stakes.evaluation._decision import Decision
from stakes.evaluation._ranked import Learn, at_deployment
from stakes.evaluation._sources import CaseSource, Source
from stakes.measures import MeasureLike, auc
from stakes.table import ScoreTable, frozen_table, merge, scale_heads
from stakes.uncertainty import Comparison, Interval, StudyLike

_NUMBERS = ("estimate", "difference", "lower", "upper", "probability_better", "coarsening", "coarsening_error")


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def _mean_record(records: Sequence[Any]) -> Any:
    """Return the mean of intervals, or of comparisons, number by number."""
    first = records[0]
    names = [name for name in _NUMBERS if hasattr(first, name)]
    return replace(first, **{name: _mean(getattr(one, name) for one in records) for name in names})


class MeanChances(NamedTuple):
    """The probability of each model to be the best, averaged over repeats."""

    probability_best: dict[str, float]


@dataclass(frozen=True, eq=False)
class RepeatedStudy:
    """A study of each repeat, whose answers are averaged.

    The ends of an interval are means too. Averaging what each case loses before the interval is computed would leave
    out that the predictions of one repeat share their folds, and make it too short.
    """

    studies: Sequence[StudyLike]

    @property
    def estimates(self) -> Mapping[str, float]:
        """The measure of each model."""
        return {name: _mean(one.estimates[name] for one in self.studies) for name in self.studies[0].estimates}

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the interval of each model."""
        found = [one.intervals(level=level, rng=rng) for one in self.studies]
        return {name: _mean_record([one[name] for one in found]) for name in found[0]}

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> Comparison | None:
        """Return the difference between two models, which are paired within each repeat."""
        found = [one.compare(a, b, level=level, rng=rng) for one in self.studies]
        known: Comparison | None = None if None in found else _mean_record(found)
        return known

    def rank(self, *, rng: Seed = None) -> MeanChances | None:
        """Return the probability of each model to be the best."""
        found = [ranked.probability_best for one in self.studies if (ranked := one.rank(rng=rng)) is not None]
        if not found:
            return None
        return MeanChances({name: _mean(one[name] for one in found) for name in found[0]})


@dataclass(frozen=True, eq=False)
class RepeatedSource:
    """The same cases with the predictions of several repeats; every number is the mean over the repeats."""

    repeats: tuple[CaseSource, ...]

    @cached_property
    def tables(self) -> dict[str, ScoreTable]:
        """The table of each model: those of all repeats together, each weighing as much as the others."""
        names = self.repeats[0].cases.models
        return {name: mean_table([one.cases.table(name) for one in self.repeats]) for name in names}

    @property
    def facts(self) -> SampleFacts:
        """Numbers of cases, of positives and of dropped cases, each counted once."""
        return replace(self.repeats[0].facts, repeats=len(self.repeats))

    def groups(self) -> dict[str, RepeatedSource]:
        """Return the cases of each group."""
        found = [one.groups() for one in self.repeats]
        return {name: RepeatedSource(tuple(one[name] for one in found)) for name in found[0]}

    def with_constants(self, scores: Mapping[str, float]) -> RepeatedSource:
        """Add models that give every case one score."""
        return RepeatedSource(tuple(one.with_constants(scores) for one in self.repeats))

    def study(self, measures: Mapping[str, MeasureLike]) -> RepeatedStudy:
        """Study a measure of each model in each repeat."""
        return RepeatedStudy([one.study(measures) for one in self.repeats])

    def cross_fitted(
        self, learn: Learn, folds: int, rng: np.random.Generator, prevalence: float | None = None
    ) -> RepeatedSource:
        """Transform the scores of each repeat by what was learnt on the other folds."""
        return RepeatedSource(tuple(one.cross_fitted(learn, folds, rng, prevalence) for one in self.repeats))


def mean_table(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Merge tables of the same cases, each weighing 1/n: its means and curves are means over the tables."""
    if len(tables) == 1:
        return tables[0]
    merged, share = merge(*tables), 1 / len(tables)
    heads = scale_heads(merged.heads, share, share)
    if heads is not None:
        heads = replace(heads, swapped=heads.swapped * share)  # which no class tells apart
    return frozen_table(merged.score, merged.positive / len(tables), merged.negative / len(tables), heads=heads)


def mean_areas(samples: Iterable[Mapping[str, ScoreTable]], decision: Decision) -> dict[str, float]:
    """Return the mean AUC of each model over several samples, without those that have one class only.

    Scores of different samples come from different fits, and are not compared.
    """
    whole = [one for one in samples if 0 < next(iter(one.values())).prevalence < 1]
    if not whole:
        return {}
    return {name: _mean(auc(at_deployment(one[name], decision)) for one in whole) for name in whole[0]}


def repeated(sources: tuple[CaseSource, ...]) -> Source:
    """Return several repeats as one source; one alone is the cases themselves."""
    return sources[0] if len(sources) == 1 else RepeatedSource(sources)
