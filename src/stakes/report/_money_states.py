"""Every model at other costs of a false alarm and under other capacities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.beliefs import IndependentCosts, Uniform
from stakes.evaluation import Evaluation
from stakes.limits import Limits
from stakes.policy import best_thresholds
from stakes.table import ScoreTable

_TIMES = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5)
_FEWEST = 5  # cases that a capacity allows
_MOST_MODELS = 6  # and references beside them


@dataclass(frozen=True)
class ModelState:
    """A model at one decision: what it pays per case, the score it acts from, and its alarms."""

    model: str
    paid: float
    cut: float
    alarms: float
    precision: float
    recall: float


@dataclass(frozen=True)
class MoneyStates:
    """Every model at each multiple of the cost of a false alarm and under each capacity."""

    tables: Mapping[str, ScoreTable]  # of models and references
    times: Sequence[float]
    shares: Sequence[float | None]  # None where any number of cases can be acted on
    start: tuple[int, int]  # the share and the multiple that are stated
    shown: Sequence[Sequence[Sequence[ModelState]]]  # by share, by multiple, least costly first


def money_states(evaluation: Evaluation) -> MoneyStates | None:
    """Return what a page in money can move to; None where other decisions are not known from tables."""
    decision, results = evaluation.decision, evaluation.results
    costs, limits = decision.costs, decision.limits
    if not isinstance(costs, IndependentCosts) or costs.false_negative[0] != costs.false_negative[1]:
        return None
    if decision.prevalence is not None or decision.budget is not None or results.repeats or results.horizons:
        return None
    if evaluation.validation is not None or (limits is not None and evaluation.folds is not None):
        return None
    models = [one.model for one in evaluation.ranking if not one.reference][:_MOST_MODELS]
    tables = {model: evaluation.tables[model] for model in models}
    if results.cases is not None:
        tables |= {
            one.model: results.cases.table(one.model)
            for one in evaluation.ranking
            if one.reference and one.acts.mean < 1
        }
    if not all(table.heads is not None and table.has_stakes for table in tables.values()):
        return None
    (miss, _), (low, high) = costs.false_negative, costs.false_positive
    first = min(max(1.0, low), high)
    times = sorted({*_TIMES, low, high, first})
    shares = _shares(limits, next(iter(tables.values())).cases)
    start = shares.index(None if limits is None else limits.capacity), times.index(first)
    shown = [_states(tables, miss, times, _with_capacity(limits, share)) for share in shares]
    return MoneyStates(tables, times, shares, start, shown)


def _shares(limits: Limits | None, cases: float) -> list[float | None]:
    """Return the capacities that can be chosen, and None for no limit."""
    stated = None if limits is None else limits.capacity
    offered = {share for share in _SHARES if share * cases >= _FEWEST} | ({stated} if stated is not None else set())
    return [*sorted(offered), None]


def _with_capacity(limits: Limits | None, share: float | None) -> Limits | None:
    """Return the limits as stated, with another capacity."""
    precision = None if limits is None else limits.min_precision
    return None if share is None and precision is None else Limits(capacity=share, min_precision=precision)


def _states(
    tables: Mapping[str, ScoreTable], miss: float, times: Sequence[float], limits: Limits | None
) -> list[list[ModelState]]:
    """Return all models at every multiple under these limits, least costly first."""
    by_model = [_of_model(model, table, miss, times, limits) for model, table in tables.items()]
    return [sorted(shown, key=lambda one: one.paid) for shown in zip(*by_model, strict=True)]


def _of_model(
    model: str, table: ScoreTable, miss: float, times: Sequence[float], limits: Limits | None
) -> list[ModelState]:
    """Return one model at every multiple; under limits at the best thresholds of this sample."""
    costs = np.array([IndependentCosts(false_negative=(miss, miss), false_positive=(one, one)).mean for one in times])
    if limits is None:
        cuts = costs
    else:
        policy = best_thresholds(table, Uniform(costs[0], costs[-1]), limits)
        cuts = np.array([policy(float(cost)) for cost in costs])
    missed = _below(table.score, table.positive, cuts)
    alarmed = table.negative_total - _below(table.score, table.negative, cuts)
    heads = table.heads
    assert heads is not None
    found, wrong, acted = (
        column.sum() - _below(heads.score, column, cuts) for column in (heads.positive, heads.negative, heads.everyone)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        rows = zip(
            (miss * missed + np.array(times) * alarmed) / table.cases,
            cuts,
            acted / heads.total,
            found / (found + wrong),
            found / heads.positive_total,
            strict=True,
        )
    return [ModelState(model, *map(float, row)) for row in rows]


def _below(score: FloatArray, column: FloatArray, cuts: FloatArray) -> FloatArray:
    """Return the sum of a column below each cut."""
    added = np.concatenate([[0.0], np.cumsum(column)])
    return np.asarray(added[np.searchsorted(score, cuts, side="left")])
