"""Resampling of cases at several horizons: people are drawn, and a number is the mean over horizons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.cases import Cases, horizons_of, weighed_cases
from stakes.measures import Evaluate
from stakes.outcome import WeightedOutcome
from stakes.uncertainty._resample import Level, ResampledModel
from stakes.uncertainty._special_plans import FollowedPlan, followed_model


@dataclass(frozen=True)
class HorizonModel(ResampledModel):
    """A model at several horizons, each with its share of the whole and a table of its own."""

    shares: tuple[float, ...] = ()
    parts: tuple[ResampledModel, ...] = ()


def parts_of(model: ResampledModel, counts: FloatArray) -> Iterator[tuple[float, ResampledModel, FloatArray]]:
    """Yield the share of each horizon, the model and the counts of cases there."""
    if not isinstance(model, HorizonModel):
        yield 1.0, model, counts
        return
    yield from zip(model.shares, model.parts, np.split(counts, len(model.parts), axis=1), strict=True)


def mean_over_horizons(
    models: Sequence[ResampledModel], make: Callable[[Sequence[ResampledModel]], Evaluate]
) -> Evaluate:
    """Return the evaluator of a number of one or several models; with several horizons, that of its mean."""
    first = models[0]
    if not isinstance(first, HorizonModel):
        return make(models)
    at_each = [one.parts for one in models if isinstance(one, HorizonModel)]
    evaluate = [make(parts) for parts in zip(*at_each, strict=True)]

    def mean(counts: FloatArray) -> FloatArray:
        pieces = zip(parts_of(first, counts), evaluate, strict=True)
        return np.asarray(sum(share * one(here) for (share, _, here), one in pieces))

    return mean


@dataclass(frozen=True)
class HorizonPlan(FollowedPlan):
    """A plan that draws people or clusters, with the counts of their cases at one horizon after the other."""

    others: tuple[WeightedOutcome, ...] = ()  # at the later horizons

    @property
    def _drawn_units(self) -> int:
        return len(self.weighed.cases) if self.cluster is None else int(self.cluster.max()) + 1

    def _both(self, drawn: FloatArray) -> FloatArray | None:
        found = []
        for weighed in (self.weighed, *self.others):
            counted = weighed.ratios(drawn)
            if counted is None:
                return None
            found += [counted, drawn]
        return np.concatenate(found)


def horizon_plan(cases: Cases, levels: list[Level]) -> HorizonPlan:
    """Plan the resampling of people whose outcome has several horizons."""
    at_each = [cases.at(time) for time in horizons_of(cases)]
    weighed = [_weighted_outcome(one) for one in at_each]
    models = tuple(_model(cases, level, at_each, weighed) for level in levels)
    units = 2 * len(at_each[0]) * len(at_each)
    return HorizonPlan(models, (), units, weighed[0], at_each[0].cluster, tuple(weighed[1:]))


def _weighted_outcome(cases: Cases) -> WeightedOutcome:
    """Return how far cases were followed until a horizon; by an early one nobody may have left."""
    found = weighed_cases(cases)
    if found is not None:
        return found
    assert cases.outcome is not None
    weight = np.ones(len(cases)) if cases.weight is None else np.asarray(cases.weight)
    return WeightedOutcome(cases.outcome, weight, weight)


def _model(cases: Cases, level: Level, at_each: Sequence[Cases], weighed: Sequence[WeightedOutcome]) -> HorizonModel:
    whole, parts = cases.table(level.name), []
    for one, how in zip(at_each, weighed, strict=True):
        own = Level(level.name, one.table(level.name), None)
        own = own if level.group is None else own.coarsen(len(level.table))
        parts.append(followed_model(one, how, own))
    shares = tuple(horizons_of(cases).values())
    return HorizonModel(whole, level.table, level.group, parts[0].adds, None, shares, tuple(parts))
