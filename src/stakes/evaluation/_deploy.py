"""The policy of a model to deploy, for scores as the model gives them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stakes import _check
from stakes._errors import InputError
from stakes.beliefs import Actions, only_cost
from stakes.evaluation._decision import MoneyDecision
from stakes.evaluation._ranked import as_given, at_deployment
from stakes.evaluation._results import Results
from stakes.policy import CasePolicy, Policy, at_threshold
from stakes.prevalence import shifted


def policy_in_use(results: Results, model: str | None) -> Policy:
    """Return the policy of a model, by default the best one, with thresholds on its scores as given."""
    if isinstance(results.decision.costs, Actions):  # a policy says where to act, not which action to take
        wanted = "be between acting and not acting, to choose thresholds for a policy"
        raise InputError("costs", wanted, "several actions", hint="use `Actions.decide(scores)`")
    if results.horizons:
        times = ", ".join(f"{time:g}" for time in results.horizons)
        hint = "evaluate the horizon that is decided by, with `outcome.at(horizon)`"
        raise InputError("horizon", "be one, to choose thresholds for a policy", times, hint=hint)
    if results.decision.budget is not None:
        _refuse_budget(results.decision.budget)
    if not results.policies:
        raise InputError("costs", "be a belief with a finite mass and a density, to choose thresholds")
    chosen = next(one.model for one in results.ranking if not one.reference) if model is None else model
    policy = results.policies[_check.nearest_choice("model", chosen, results.policies)]
    stated = results.decision.prevalence
    share = policy.prevalence if stated is None else float(stated.mean)  # without the rounding of sums of weights
    known = replace(policy, threshold=_as_given(results, chosen, policy), model=chosen, prevalence=share)
    return case_policy(results, chosen, known) if isinstance(results.decision, MoneyDecision) else known


def _refuse_budget(budget: float) -> None:
    hint = "act on new cases by the price of effort, with `CaseCosts.act(p, price=standing.price)`"
    raise InputError("budget", "be left out to choose thresholds for a policy", f"{budget:g}", hint=hint)


def case_policy(results: Results, model: str, policy: Policy) -> CasePolicy:
    """Return the policy of cases with costs of their own; one cost without limits is the threshold."""
    decision, table = results.decision, results.tables[model]
    fields, cost = {**vars(policy), "case_costs": dict(results.sample.case_costs)}, only_cost(decision.costs)
    if cost is not None and decision.limits is None:
        fields |= at_threshold(at_deployment(table, decision), cost, decision.costs)
        fields["threshold"] = np.array([as_given(cost, decision, table.prevalence_of_cases)])
    return CasePolicy(**fields)


def _as_given(results: Results, model: str, policy: Policy) -> np.ndarray:
    """Return the thresholds of a policy as scores of the model, where they were corrected for prevalence.

    Each is a score of the sample, found by its place and not computed back, so that ties act as they did.
    """
    stated = results.decision.prevalence
    if stated is None:
        return policy.threshold.copy()
    table = results.tables[model]
    moved = shifted(table.score, float(stated.mean), table.prevalence_of_cases)
    return np.append(table.score, np.inf)[np.searchsorted(moved, policy.threshold)]
