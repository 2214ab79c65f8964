"""Tables that a page embeds: where their rows begin, and how far they are from the sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import CostBelief, in_money
from stakes.cases import scores_of_cases, weighed_cases
from stakes.evaluation import EMBEDDINGS, Evaluation, as_given, at_deployment, measure
from stakes.limits import Limits
from stakes.policy import best_mean_regrets
from stakes.prevalence import at_prevalence
from stakes.report._limit_rows import rows_under_limits
from stakes.report._pooling import MOST_ROWS, Bound, Cuts, change, cuts_at, pool_rows
from stakes.table import ScoreTable

_ENOUGH = 2_000  # cases, from which on factors hardly add to what tables give away

_ROUND = 99  # false alarms for a miss, at whose costs a row may begin
_ROWS_IN_ALL = 16_000  # of many models; each has some hundreds nevertheless
_FEWEST_ROWS = 400
_COMPARED, _PLACES = 3, 20  # of the first models at so many capacities and precisions


def chosen_embedding(evaluation: Evaluation, embed: str | None) -> str:
    """Return what the page holds: as asked for, or by the number of cases."""
    if embed is None:
        return "live" if evaluation.sample.cases >= _ENOUGH else "strict"
    return _check.choice("embed", embed, EMBEDDINGS)


def page_tables(evaluation: Evaluation, *, pooled: bool) -> tuple[dict[str, ScoreTable], Bound]:
    """Return the tables to embed, and how far they are from those of the evaluation."""
    if not pooled:
        return dict(evaluation.tables), Bound()
    sample, count = evaluation.sample, len(evaluation.tables)
    case = sample.weight / sample.cases if sample.weighted else 1.0
    most = min(MOST_ROWS, max(_FEWEST_ROWS, _ROWS_IN_ALL // count))
    tables = {
        name: pool_rows(
            table,
            case=case,
            people=_people(evaluation, name),
            wanted=_stated_cuts(evaluation, name),
            also=_other_cuts(table),
            most=most,
        )
        for name, table in evaluation.tables.items()
    }
    return tables, _largest(evaluation, tables)


def _people(evaluation: Evaluation, model: str) -> FloatArray | None:
    """Return the cases of each row where late entry weighs them otherwise; None elsewhere."""
    cases, table = evaluation.results.cases, evaluation.tables[model]
    weighed = None if cases is None or table.heads is not None else weighed_cases(cases)
    if cases is None or weighed is None:
        return None
    row = np.maximum(np.searchsorted(table.score, scores_of_cases(cases, model), side="right") - 1, 0)
    return np.bincount(row, weighed.cases, len(table)).astype(np.float64)


def _stated_cuts(evaluation: Evaluation, model: str) -> Iterator[Cuts]:
    """Return thresholds of the stated decision: of its policy, of its costs, and the one."""
    table, decision = evaluation.tables[model], evaluation.decision
    policy, moved = evaluation.policies.get(model), at_deployment(table, decision)
    if policy is not None and len(moved) == len(table):
        cuts = cuts_at(moved, policy.threshold[np.isfinite(policy.threshold)])
        yield cuts[np.argsort(-policy.share[np.isfinite(policy.threshold)], kind="stable")]
    one, costs = evaluation.recommended_threshold, [*decision.cost_range, mean_of(decision.costs)]
    thresholds = [as_given(cost, decision, table.prevalence) for cost in costs if 0 < cost < 1]
    yield cuts_at(table, [*([one.threshold] if one is not None and one.model == model else []), *thresholds])


def _other_cuts(table: ScoreTable) -> Iterator[Cuts]:
    """Return where the recalibrated score changes, and round costs."""
    yield table.isotonic_blocks[0]
    yield cuts_at(table, 1 / (1 + np.arange(1, _ROUND + 1)))


def mean_of(costs: CostBelief) -> float:
    """Return the mean cost proportion; nan where it is not known."""
    return float(getattr(costs, "break_even", getattr(costs, "mean", np.nan)))


def _largest(evaluation: Evaluation, tables: Mapping[str, ScoreTable]) -> Bound:
    """Return the largest changes of any model."""
    ranked, regret = measure(evaluation.decision), evaluation.intervals
    changes = [change(table, tables[name]) for name, table in evaluation.tables.items()]
    stated = [abs(ranked(table) - regret[name].estimate) for name, table in tables.items()]
    capacity, precision = _under_limits(evaluation, tables)
    return Bound(
        regret=max(one.regret for one in changes),
        false_alarms=max(one.false_alarms for one in changes),
        misses=max(one.misses for one in changes),
        stated=max(stated),
        capacity=capacity,
        precision=precision,
    )


def _under_limits(evaluation: Evaluation, tables: Mapping[str, ScoreTable]) -> tuple[float, float]:
    """Return the largest change of the first models, at many capacities and precisions."""
    decision, sample = evaluation.decision, evaluation.sample
    if in_money(decision.costs) or evaluation.actions is not None or not 0 < sample.prevalence < 1:
        return 0.0, 0.0
    common = None if decision.prevalence is None else float(decision.prevalence.mean)
    first = [one.model for one in evaluation.ranking if not one.reference][:_COMPARED]
    capacities, precisions = np.geomspace(0.01, 0.9, _PLACES).tolist(), np.linspace(0.05, 0.9, _PLACES).tolist()
    limits = [*(Limits(capacity=share) for share in capacities), *(Limits(min_precision=share) for share in precisions)]
    regrets = [
        best_mean_regrets(table, decision.costs, limits)
        for name in first
        for table in (
            rows_under_limits(_moved(evaluation.tables[name], common), capacities, precisions),
            _moved(tables[name], common),
        )
    ]
    fine, coarse = np.array(regrets).reshape(-1, 2, 2, _PLACES).swapaxes(0, 1)
    capacity, precision = np.abs(fine - coarse).max(axis=(0, 2), initial=0.0).tolist()
    return capacity, precision


def _moved(table: ScoreTable, prevalence: float | None) -> ScoreTable:
    return table if prevalence is None else at_prevalence(table, prevalence)
