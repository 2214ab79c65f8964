"""The number that models are ranked by under a decision, and its cross-fitted twin."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.beliefs import At, CostBelief, EveryLogOdds, IndependentCosts
from stakes.evaluation._decision import Decision
from stakes.limits import Limits
from stakes.measures import Decomposition, MeasureLike, expected_regret
from stakes.policy import Policy, best_thresholds
from stakes.prevalence import at_prevalence, reweight_classes, shifted, shifted_regret
from stakes.table import Recalibration, ScoreTable, flatten, recalibrate, score_table

if TYPE_CHECKING:
    from stakes.evaluation._results import Standing


def limited_regret(table: ScoreTable, costs: CostBelief, prevalence: float | None, limits: Limits) -> float:
    """Mean regret of the best threshold at each cost among those that the limits allow, chosen on the same cases."""
    moved = table if prevalence is None else at_prevalence(table, prevalence)
    return best_thresholds(moved, costs, limits).mean_regret


def measure(decision: Decision) -> MeasureLike:
    """Return the number to rank by, as a function of a table: smaller is better."""
    if decision.limits is not None:
        common = decision.prevalence.value if isinstance(decision.prevalence, At) else None
        return partial(limited_regret, costs=decision.costs, prevalence=common, limits=decision.limits)
    return unlimited(decision)


def unlimited(decision: Decision) -> MeasureLike:
    """Return the number to rank by if alarms were not limited."""
    if decision.prevalence is None:
        return partial(expected_regret, costs=decision.costs)
    return partial(shifted_regret, costs=decision.costs, prevalence=decision.prevalence)


def at_deployment(table: ScoreTable, decision: Decision) -> ScoreTable:
    """Return a table where it will be used: at the (mean) prevalence that is believed, scores corrected for it."""
    if decision.prevalence is None:
        return table
    return at_prevalence(table, float(decision.prevalence.mean))


def best_policy(table: ScoreTable, decision: Decision) -> Policy | None:
    """Choose the best thresholds of a model, unless the costs are no proportion that a threshold could be chosen at."""
    costs = decision.costs
    if isinstance(costs, IndependentCosts | EveryLogOdds) or not hasattr(costs, "support"):
        return None
    return best_thresholds(at_deployment(table, decision), costs, decision.limits)


@contextmanager
def ignoring_undefined() -> Iterator[None]:
    """Keep back warnings that a single number is undefined: it is nan in the ranking, and a finding says why."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is undefined.*", category=RuntimeWarning)
        yield


def as_given(threshold: float, decision: Decision, sampled: float) -> float:
    """Return the threshold of scores as they were given for one of scores corrected from the sample's prevalence."""
    if decision.prevalence is None or math.isinf(threshold):
        return threshold
    stated = float(decision.prevalence.mean)
    return float(shifted(np.array(threshold), sampled, from_prevalence=stated))


def parts(table: ScoreTable, ranked: MeasureLike) -> Decomposition:
    """Split the ranked number: recalibration alone would take off the miscalibration, judged on the same cases."""
    total, calibrated, constant = ranked(table), ranked(recalibrate(table)), ranked(flatten(table))
    return Decomposition(total - calibrated, constant - calibrated, constant, total)


def after_recalibration(standing: Standing) -> float:
    """Return the regret after recalibration: on other cases where that was asked for, on the same ones if not."""
    if standing.recalibrated is not None:
        return standing.recalibrated
    return standing.regret.estimate - (standing.parts.miscalibration if standing.parts else 0.0)


Learn = Callable[[ScoreTable], Callable[[FloatArray], FloatArray]]


@dataclass(frozen=True)
class Folds:
    """Which of `number` parts each case is in: clusters stay together, and each part has its share of both classes."""

    number: int
    of: npt.NDArray[np.intp]

    def held_out(self) -> Iterator[BoolArray]:
        """Yield, for each part, the cases in it."""
        for part in range(self.number):
            yield self.of == part


def deal(folds: int, positive: BoolArray, cluster: npt.ArrayLike | None, rng: np.random.Generator) -> Folds:
    """Deal cases, or whole clusters, at random and evenly: first those with a positive, then the others."""
    number = _check.whole_number("folds", folds, 2)
    unit = (
        np.arange(len(positive)) if cluster is None else np.unique(np.asarray(cluster), return_inverse=True)[1].ravel()
    )
    has_positive = np.bincount(unit, positive) > 0
    if number > len(has_positive):
        raise InputError("folds", f"not exceed the {len(has_positive):,} cases or clusters", f"{number:,}")
    shuffled = rng.permutation(len(has_positive))
    order = shuffled[np.argsort(~has_positive[shuffled], kind="stable")]
    part = np.empty(len(order), dtype=np.intp)
    part[order] = np.arange(len(order)) % number
    return Folds(number, part[unit])


def cross_fitted_scores(
    positive: BoolArray, scores: Mapping[str, npt.ArrayLike], weight: FloatArray | None, folds: Folds, learn: Learn
) -> dict[str, FloatArray]:
    """Return the scores of each model as what was learnt on all other parts makes of them."""
    return {
        name: _one(positive, np.asarray(score, dtype=np.float64), weight, folds, learn)
        for name, score in scores.items()
    }


def _one(positive: BoolArray, score: FloatArray, weight: FloatArray | None, folds: Folds, learn: Learn) -> FloatArray:
    made = np.empty_like(score)
    for out in folds.held_out():
        learnt = learn(score_table(positive[~out], score[~out], None if weight is None else weight[~out]))
        made[out] = learnt(score[out])
    return made


def recalibration(table: ScoreTable) -> Callable[[FloatArray], FloatArray]:
    """Learn to recalibrate."""
    return Recalibration.of(table)


def best_feasible(decision: Decision) -> Learn:
    """Learn the best feasible thresholds, and write a score as the highest cost at which one still acts on it.

    Thresholds rise with the cost, so that acting where the score reaches the threshold of a cost is acting where this
    new score reaches the cost itself: a policy is a way to write scores.
    """

    def learn(table: ScoreTable) -> Callable[[FloatArray], FloatArray]:
        moved = reweight_classes(table, decision.prevalence.value) if isinstance(decision.prevalence, At) else table
        policy = best_thresholds(moved, decision.costs, decision.limits)
        return lambda score: highest_cost(policy, score)

    return learn


def highest_cost(policy: Policy, score: FloatArray) -> FloatArray:
    """Return the highest cost at which a policy acts on each score: 1 where it always does, 0 where it never does."""
    step = np.searchsorted(policy.threshold, score, side="right")
    reach = np.concatenate([[0.0], policy.to_cost[:-1], [1.0]])
    cost: FloatArray = reach[step]
    return cost
