"""How sure the ranking is: from the cases where there are any, and as far as tables alone can tell where not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from stakes._check import FloatArray
from stakes.beliefs import At
from stakes.cases import Cases
from stakes.decision._columns import Columns
from stakes.decision._crossfit import Folds, best_feasible, cross_fitted, deal, recalibration
from stakes.decision._decision import Decision
from stakes.decision._measure import Measure, measure, unlimited
from stakes.scores import expected_regret
from stakes.table import ScoreTable, score_table
from stakes.uncertainty import Comparison, Interval, compare, interval, rank, resampled_together, table_interval

_REPLICATES = 1000  # of each model, where there is no formula


@dataclass(frozen=True)
class Sure:
    """The ranked number of each model with its interval, the differences to the best, and who may be best."""

    regret: Mapping[str, Interval]
    difference: Mapping[str, Comparison]
    probability_best: Mapping[str, float]
    recalibrated: Mapping[str, float] = field(default_factory=dict)

    @property
    def order(self) -> list[str]:
        """The names, least costly first; equals stay as they came, and what is undefined comes last."""

        def place(name: str) -> tuple[bool, float]:
            estimate = self.regret[name].estimate
            return math.isnan(estimate), float(f"{estimate:.11e}")  # the digits that rounding leaves alone

        return sorted(self.regret, key=place)


def sure_of_cases(
    cases: Cases,
    columns: Columns,
    references: Mapping[str, FloatArray],
    decision: Decision,
    level: float,
    folds: int | None,
    rng: np.random.Generator,
) -> Sure:
    """Judge models on the same cases; `references` are the constant scores that the limits allow."""
    dealt = None if folds is None else deal(folds, columns.positive, columns.cluster, rng)
    if decision.limits is None:
        fair = {} if dealt is None else _recalibrated(columns, decision, dealt)
        return replace(_by_formula(cases, measure(decision), level, rng), recalibrated=fair)
    if dealt is not None:
        return _cross_fitted(columns, references, decision, level, dealt, rng)
    # Who acts on everyone, or on no one, chooses no cut: limits change nothing there.
    plain = dict.fromkeys(references, unlimited(decision))
    ranked = dict.fromkeys(columns.scores, measure(decision)) | plain
    joint = resampled_together(cases, ranked, level=level, n_resamples=_REPLICATES, rng=rng)
    return Sure(joint.intervals, joint.differences, joint.probability_best)


def _by_formula(cases: Cases, ranked: Measure, level: float, rng: np.random.Generator) -> Sure:
    found = interval(cases, ranked, level=level, rng=rng)
    best = Sure(found, {}, {}).order[0]
    differences = {
        name: compare(cases, name, best, ranked, level=level, rng=rng) for name in cases.models if name != best
    }
    return Sure(found, differences, rank(cases, ranked, rng=rng).probability_best)


def _recalibrated(columns: Columns, decision: Decision, dealt: Folds) -> dict[str, float]:
    """Return what each model would cost, recalibrated on other cases than those it is judged on."""
    fair = cross_fitted(columns.positive, columns.scores, columns.weights, dealt, recalibration)
    ranked = measure(decision)
    return {name: ranked(score_table(columns.positive, score, columns.weights)) for name, score in fair.items()}


def _cross_fitted(
    columns: Columns,
    references: Mapping[str, FloatArray],
    decision: Decision,
    level: float,
    dealt: Folds,
    rng: np.random.Generator,
) -> Sure:
    """Judge cuts on other cases than they were chosen on: as scores that say up to which cost one acts."""
    fair = cross_fitted(columns.positive, columns.scores, columns.weights, dealt, best_feasible(decision))
    cases = columns.cases({**fair, **references}, weight=_weights_there(columns, decision))
    return _by_formula(cases, partial(expected_regret, costs=decision.costs), level, rng)


def _weights_there(columns: Columns, decision: Decision) -> FloatArray | None:
    """Return weights that give the classes their shares where the model will be used."""
    if not isinstance(decision.prevalence, At):
        return columns.weights
    positive = columns.positive
    weight = np.ones(len(positive)) if columns.weights is None else columns.weights
    share = weight[positive].sum() / weight.sum()
    common = decision.prevalence.value
    moved: FloatArray = weight * np.where(positive, common / share, (1 - common) / (1 - share))
    return moved


def sure_of_tables(tables: Mapping[str, ScoreTable], decision: Decision, level: float) -> Sure:
    """Judge each model by itself: which cases it shares with the others is not known."""
    ranked = measure(decision)
    return Sure({name: table_interval(table, ranked, level=level) for name, table in tables.items()}, {}, {})


def of_references(tables: Mapping[str, ScoreTable], decision: Decision, level: float) -> dict[str, Interval]:
    """Return what acting on everyone and on no one costs, each by itself."""
    plain: Measure = unlimited(decision)
    return {name: table_interval(table, plain, level=level) for name, table in tables.items()}
