"""Features and factors of the models in a page, from which every interval follows its controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stakes._arrays import FloatArray
from stakes.beliefs import At, LogOddsUniform, Uniform, in_money
from stakes.cases import stakes_of_cases
from stakes.evaluation import Decision, Evaluation, as_given
from stakes.report._chart_axis import expit, logit
from stakes.report._factors import OF_CLUSTERS, RANKS, Features, Weights, factor, roots
from stakes.report._payload import domain, stated
from stakes.report._rows_to_use import rows_to_use
from stakes.table import ScoreTable

_LEARNT = 64  # decisions that say which directions matter
FEWEST_ERRORS = 10  # of each kind, below which cases that were not seen decide an interval


@dataclass(frozen=True, eq=False)
class Embedded:
    """Features and factors as the page reads them: covariances of any decision follow."""

    features: Features
    columns: Sequence[FloatArray]
    clusters: tuple[FloatArray, FloatArray] | None

    def cut(self, rank: int) -> Embedded:
        """Return the same, with fewer columns of how models vary together."""
        return Embedded(self.features, [one[:, :rank] for one in self.columns], self.clusters)

    def covariance(self, decision: Decision) -> FloatArray:
        """Return the covariance of the models' numbers, then of acting on everyone and on no one."""
        features, names = self.features, [*self.features.names, *REFERENCES]
        size, bins = len(names), features.bins
        totals = [float((features.weight[here] ** 2).sum()) for here in (features.positive, ~features.positive)]
        own, means = np.zeros(size), np.zeros((2, size))
        placed = np.zeros((2, size, len(features.names) * bins))
        for k, name in enumerate(names):
            influence, squares = self._of(name, decision, totals)
            own[k] = sum(float(square @ one**2) for square, one in zip(squares, influence, strict=True))
            means[:, k] = [_mean(one, square) for one, square in zip(influence, squares, strict=True)]
            here = slice(bins * k, bins * (k + 1)) if k < len(features.names) else slice(0, bins)
            placed[:, k, here] = features.means(name, influence) if name in features.rows else means[:, k, None]
        found = sum(
            total * np.outer(mean, mean) + _products(one[: len(features.names)] @ side, size)
            for total, mean, one, side in zip(totals, means, placed, self.columns, strict=True)
        )
        found += np.diag(np.maximum(own - np.diag(found), 0.0))
        if self.clusters is not None:
            loads = np.hstack(list(placed)) @ self.clusters[0]
            found += (loads * self.clusters[1]) @ loads.T
        return np.asarray(found / features.total**2)

    def _of(self, name: str, decision: Decision, totals: Sequence[float]) -> tuple[Any, Any]:
        """Return the influence of each row and class, and the squared weight there."""
        if name in self.features.rows:
            return self.features.influence(name, decision), self.features.squares[name]
        table = next(iter(self.features.tables.values()))
        constant = ScoreTable.from_counts([REFERENCES[name]], [table.positive_total], [table.negative_total])
        alone = Features({name: constant}, self.features.cuts, {}, {}, *_NO_CASES)
        free = Decision(decision.costs, prevalence=decision.prevalence)
        return alone.influence(name, free), [np.array([total]) for total in totals]


REFERENCES = {"everyone": 1.0, "no one": 0.0}
_NO_CASES: Any = (np.zeros((0, 1), dtype=np.intp), np.ones(2), np.zeros(0, dtype=bool), None, 0.0)


def _products(loads: FloatArray, size: int) -> FloatArray:
    """Return the products of loads, 0 for the references, which have none about their mean."""
    found = np.zeros((size, size))
    found[: len(loads), : len(loads)] = loads @ loads.T
    return found


def _mean(values: FloatArray, weight: FloatArray) -> float:
    total = float(weight.sum())
    return float(values @ weight) / total if total else 0.0


# ----------------------------------------------------------------------------------------- decisions to reach


def reachable_decisions(evaluation: Evaluation, count: int, seed: int) -> list[Decision]:
    """Return decisions that the controls can reach, always the same ones."""
    rng, controls, sample = np.random.default_rng(seed), stated(evaluation.decision), evaluation.sample
    low, high = (logit(end) for end in domain([controls["cost"]["low"], controls["cost"]["high"]]))
    common = [controls["prevalence"]["low"], controls["prevalence"]["high"]] if controls["prevalence"] else []
    rarest, commonest = (logit(end) for end in domain([sample.prevalence, *common]))
    found = []
    for k in range(count):
        first, last = np.sort(rng.uniform(low, high, 2)).tolist()
        ends = expit(first), expit(max(last, first + 0.05))
        costs = (Uniform(*ends), LogOddsUniform(*ends), Uniform(*ends), At(ends[0]))[k % 4]
        moved = At(expit(float(rng.uniform(rarest, commonest)))) if k % 3 == 2 else None
        found.append(Decision(costs, prevalence=moved, unit=evaluation.decision.unit))
    return found


def errs_enough(table: ScoreTable, decision: Decision, heaviness: Sequence[float] = (1.0, 1.0)) -> bool:
    """Return whether a model makes enough mistakes of both kinds, in cases that weigh so much."""
    low, high = (as_given(end, decision, table.prevalence) for end in decision.cost_range)
    missed, needless = table.positive[table.score < high].sum(), table.negative[table.score >= low].sum()
    return min(float(missed) / heaviness[0], float(needless) / heaviness[1]) >= FEWEST_ERRORS


# ---------------------------------------------------------------------------------------------- what is embedded


def can_follow(evaluation: Evaluation) -> bool:
    """Return whether the page can say how sure a number is that has moved."""
    cases, sample = evaluation.results.cases, evaluation.sample
    if cases is None or stakes_of_cases(cases) is not None or not 0 < sample.prevalence < 1:
        return False
    if evaluation.validation is not None or in_money(evaluation.decision.costs):
        return False
    return rows_to_use(cases, len(evaluation.tables)) is not None


def without_factors(evaluation: Evaluation, tables: dict[str, ScoreTable]) -> Embedded:
    """Return features without factors."""
    cases, controls = evaluation.results.cases, stated(evaluation.decision)["cost"]
    assert cases is not None
    features = Features.of(cases, tables, domain([controls["low"], controls["high"]]))
    return Embedded(features, [np.zeros((features.bins * len(tables), 0))] * 2, None)


def with_factors(evaluation: Evaluation, tables: dict[str, ScoreTable]) -> Embedded:
    """Return features and factors of the cases, or of a fixed sample of very many."""
    alone, cases = without_factors(evaluation, tables), evaluation.results.cases
    assert cases is not None
    features = alone.features
    if len(tables) < 2 and not features.is_joint:
        return alone
    leaders = [one.model for one in evaluation.ranking if not one.reference][:4]
    matter = roots(features, reachable_decisions(evaluation, _LEARNT, 1), leaders)
    most = min(RANKS[-1], features.bins * len(tables) // 4)
    columns = [factor(features.products(side), matter[side], most)[0] for side in (0, 1)]
    clusters = None
    if features.is_joint:
        both = np.concatenate([matter[0].root, matter[1].root]), np.concatenate([matter[0].inverse, matter[1].inverse])
        clusters = factor(features.between_cases(), Weights(*both), OF_CLUSTERS, signed=True)
    return Embedded(features, columns, clusters)
