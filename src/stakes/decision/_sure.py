"""How sure the ranking is: from the cases where there are any, and as far as tables alone can tell where not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stakes.cases import Cases
from stakes.decision._decision import Decision
from stakes.decision._measure import Measure, measure, unlimited
from stakes.table import ScoreTable
from stakes.uncertainty import Comparison, Interval, compare, interval, rank, resampled_together, table_interval

_REPLICATES = 1000  # of each model, where there is no formula


@dataclass(frozen=True)
class Sure:
    """The ranked number of each model with its interval, the differences to the best, and who may be best."""

    regret: Mapping[str, Interval]
    difference: Mapping[str, Comparison]
    probability_best: Mapping[str, float]

    @property
    def order(self) -> list[str]:
        """The names, least costly first; what is undefined comes last."""
        return sorted(
            self.regret, key=lambda name: (math.isnan(self.regret[name].estimate), self.regret[name].estimate)
        )


def sure_of_cases(
    cases: Cases, references: Cases | None, decision: Decision, level: float, rng: np.random.Generator
) -> Sure:
    """Judge models on the same cases; `references` are apart where they cannot be compared by the same number."""
    ranked = measure(decision)
    if references is not None:
        joint = resampled_together(cases, ranked, level=level, n_resamples=_REPLICATES, rng=rng)
        plain = interval(references, unlimited(decision), level=level, rng=rng)
        return Sure({**joint.intervals, **plain}, joint.differences, joint.probability_best)
    found = interval(cases, ranked, level=level, rng=rng)
    best = Sure(found, {}, {}).order[0]
    differences = {
        name: compare(cases, name, best, ranked, level=level, rng=rng) for name in cases.models if name != best
    }
    return Sure(found, differences, rank(cases, ranked, rng=rng).probability_best)


def sure_of_tables(tables: Mapping[str, ScoreTable], decision: Decision, level: float) -> Sure:
    """Judge each model by itself: which cases it shares with the others is not known."""
    ranked = measure(decision)
    return Sure({name: table_interval(table, ranked, level=level) for name, table in tables.items()}, {}, {})


def of_references(tables: Mapping[str, ScoreTable], decision: Decision, level: float) -> dict[str, Interval]:
    """Return what acting on everyone and on no one costs, each by itself."""
    plain: Measure = unlimited(decision)
    return {name: table_interval(table, plain, level=level) for name, table in tables.items()}
