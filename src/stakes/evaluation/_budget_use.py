"""Use of a budget of effort by each model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stakes._arrays import FloatArray
from stakes._cases_alike import of_given, with_adjusted_scores
from stakes._errors import Argument, InputError
from stakes.beliefs import IndependentCosts, only_cost
from stakes.case_costs import CaseCosts, Spending, efforts, spend
from stakes.evaluation._decision import Decision, MoneyDecision
from stakes.evaluation._results import Standing
from stakes.evaluation._sources import CaseSource, Source
from stakes.evaluation._standings import rates_at_the_cost
from stakes.evaluation._unit import mean_costs
from stakes.table import ScoreTable


@dataclass(frozen=True)
class BudgetUse:
    """The cases of a source as a budget lets every model decide them, and what each spends of it."""

    source: CaseSource
    budget: float  # effort that can be spent for each case
    price: Mapping[str, float]  # of a unit of effort, in money
    effort: Mapping[str, tuple[float, float, float]]  # for each case, at the mean, the highest and the lowest cost
    everyone: float  # effort for each case, were all acted on


def _check_budget(source: Source, decision: Decision, folds: int | None, budget: float) -> CaseSource:
    """Return the cases, one by one; raise where a budget cannot be kept to."""
    if not isinstance(decision, MoneyDecision):
        hint = "a capacity limits how many cases are acted on"
        raise InputError("budget", ("come with ", Argument("case_costs")), f"{budget:g}", hint=hint)
    if _varying(decision) is None:
        why = "only then is the price of effort the same amount of money at all costs"
        wanted = "leave a miss or a false alarm at one multiple of its cost where there is a budget"
        raise InputError("costs", wanted, repr(decision.costs), hint=why)
    if folds is not None:
        nothing = "the price of effort is found from scores and costs, without outcomes"
        raise InputError("folds", "be left out where there is a budget", f"{folds}", hint=nothing)
    if not isinstance(source, CaseSource):
        in_memory = ("be left out with repeats, or with more cases than ", Argument("in_memory"), " allows")
        raise InputError("budget", in_memory, f"{budget:g}")
    return source


def use_budget(given: Source, decision: Decision, folds: int | None, budget: float) -> BudgetUse:
    """Let every model spend the budget where it gains most, amounts alone too.

    The price of effort is found at the mean cost, from scores, costs and efforts alone.
    """
    source = _check_budget(given, decision, folds, budget)
    cases, (miss, alarm), known = source.cases, mean_costs(decision.costs), only_cost(decision.costs)
    costs, weight = _costs(source), np.ones(len(cases)) if cases.weight is None else cases.weight
    cost, available = alarm / (miss + alarm) if known is None else known, budget * float(weight.sum())
    prevalence = cases.table(cases.models[0]).prevalence_of_cases
    scores = {
        name: of_given(cases, np.asarray(one, dtype=np.float64)) for name, one in source.columns.predictions.items()
    }
    (alone,) = source.amounts_alone
    scores[alone] = np.full(len(cases), prevalence)
    misses_vary = _varying(decision) == "misses"
    spent = {name: spend(costs, p, weight, available, cost, misses_vary=misses_vary) for name, p in scores.items()}
    adjusted = {name: one.scores for name, one in spent.items()}
    amounts = adjusted.pop(alone)
    return BudgetUse(
        replace(source, cases=with_adjusted_scores(cases, adjusted), amounts=amounts),
        budget,
        {name: one.price * (miss + alarm) / 2 for name, one in spent.items()},
        {name: _per_case(one, (cost, *decision.cost_range[::-1]), weight) for name, one in spent.items()},
        float((weight * efforts(costs, weight)).sum() / weight.sum()),
    )


def _varying(decision: Decision) -> str | None:
    """Return which mistake has no one cost, an empty text where both have; None where neither has."""
    if not isinstance(decision.costs, IndependentCosts):
        return None
    miss, alarm = (low < high for low, high in (decision.costs.false_negative, decision.costs.false_positive))
    return None if miss and alarm else "misses" if miss else "false alarms" if alarm else ""


def _per_case(spent: Spending, costs: tuple[float, float, float], weight: FloatArray) -> tuple[float, float, float]:
    mean, fewest, most = (spent.at(cost) / float(weight.sum()) for cost in costs)
    return mean, fewest, most


def _costs(source: CaseSource) -> CaseCosts:
    """Return the costs of the cases that have a weight."""
    costs = source.columns.case_costs
    assert isinstance(costs, CaseCosts)
    return costs[of_given(source.cases, np.arange(len(source.columns)))]


def affordable(references: Mapping[str, ScoreTable], use: BudgetUse) -> dict[str, ScoreTable]:
    """Return the references that keep to the budget; acting on no one always does."""
    if use.everyone <= use.budget * (1 + 1e-12):
        return dict(references)
    return {name: table for name, table in references.items() if table.score[0] == 0}


def with_spending(ranking: tuple[Standing, ...], decision: Decision, use: BudgetUse) -> tuple[Standing, ...]:
    """Add what every model spends, and correct what depends on whom it acts on."""
    tables = {**use.source.tables, **use.source.amounts_alone}
    constants = [one for one in ranking if one.model not in tables]
    if len(constants) == 1:  # all cannot be acted on, so that the best that needs no model is to act on no one
        ranking = tuple(replace(one, skill=_savings(one, constants[0])) for one in ranking)
    return tuple(_spending(one, tables.get(one.model), decision, use) for one in ranking)


def _savings(standing: Standing, constant: Standing) -> float:
    cost = constant.regret.estimate
    return 1 - standing.regret.estimate / cost if cost > 0 else math.nan


def _spending(standing: Standing, table: ScoreTable | None, decision: Decision, use: BudgetUse) -> Standing:
    name = standing.model
    if table is None:
        spent = use.everyone * standing.acts.mean
        return replace(standing, effort=spent, effort_range=(spent, spent))
    acts, (effort, *ends) = rates_at_the_cost(table, decision), use.effort[name]
    return replace(standing, acts=acts, price=use.price[name], effort=effort, effort_range=(ends[0], ends[1]))
