"""Measures of money per case that models with case costs are ranked by."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from stakes.beliefs import At, Belief, CostBelief
from stakes.evaluation._decision import MoneyDecision
from stakes.limits import Limits
from stakes.measures import Measure, MeasureLike, PerCase, PerCaseThere, cost_per_case
from stakes.policy import best_thresholds
from stakes.prevalence import at_prevalence, shifted_regret
from stakes.table import ScoreTable


def reach_of(limits: Limits) -> float:
    """Return the share of the cases that a threshold may act on in a replicate, twice the capacity."""
    return 1.0 if limits.capacity is None else min(2 * limits.capacity, 1.0)


@dataclass(frozen=True)
class LimitedCost:
    """Money per case at the best feasible threshold at each multiplier, chosen in-sample.

    A replicate that lost a class cannot be moved to another prevalence, and is undefined.
    """

    costs: CostBelief
    prevalence: float | None
    limits: Limits

    @property
    def reach(self) -> float:
        """Share of the cases that a threshold may act on in a replicate."""
        return reach_of(self.limits)

    def __call__(self, table: ScoreTable) -> float:
        """Return the cost per case on a sample."""
        if self.prevalence is not None and not 0 < table.prevalence_of_cases < 1:
            return math.nan
        moved = table if self.prevalence is None else at_prevalence(table, self.prevalence)
        return best_thresholds(moved, self.costs, self.limits).mean_regret * (moved.total / moved.cases)


@dataclass(frozen=True)
class MovedCost:
    """Money per case at another prevalence, known or not; undefined for a replicate that lost a class."""

    costs: CostBelief
    prevalence: Belief

    def __call__(self, table: ScoreTable) -> float:
        """Return the cost per case on a sample."""
        if not 0 < table.prevalence_of_cases < 1:
            return math.nan
        return shifted_regret(table, self.costs, self.prevalence)


def limited_money(decision: MoneyDecision, limits: Limits) -> Measure:
    """Return the measure to rank by under limits."""
    common = decision.prevalence.value if isinstance(decision.prevalence, At) else None
    money = LimitedCost(decision.costs, common, limits)
    return Measure("limited_cost_per_case", money, "smaller", resampled="basic", bounds=_per_case(decision))


def unlimited_money(decision: MoneyDecision) -> MeasureLike:
    """Return the measure to rank by without limits."""
    if decision.prevalence is None:
        return partial(cost_per_case, costs=decision.costs)
    moved = MovedCost(decision.costs, decision.prevalence)
    return Measure("moved_cost_per_case", moved, "smaller", resampled="basic", bounds=_per_case(decision))


def _per_case(decision: MoneyDecision) -> PerCase:
    """Return the form of the cost per case, at the mean of the prevalence if one is stated."""
    if decision.prevalence is None:
        return PerCase(decision.costs)
    return PerCaseThere(decision.costs, float(decision.prevalence.mean))
