"""Learn on some of the cases, judge on the others: what is chosen on the cases it is judged on looks too good."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._check import BoolArray, FloatArray
from stakes._voros import Policy, best_cuts
from stakes.beliefs import At
from stakes.decision._decision import Decision
from stakes.table import Recalibration, ScoreTable, reweight_classes, score_table

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
    number = _check.whole("folds", folds, 2)
    unit = (
        np.arange(len(positive)) if cluster is None else np.unique(np.asarray(cluster), return_inverse=True)[1].ravel()
    )
    has_positive = np.bincount(unit, positive) > 0
    if number > len(has_positive):
        raise ValueError(f"`folds` must not exceed the {len(has_positive):,} cases or clusters, got {number:,}.")
    shuffled = rng.permutation(len(has_positive))
    order = shuffled[np.argsort(~has_positive[shuffled], kind="stable")]
    part = np.empty(len(order), dtype=np.intp)
    part[order] = np.arange(len(order)) % number
    return Folds(number, part[unit])


def cross_fitted(
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
    """Learn the best feasible cuts, and write a score as the highest cost at which one still acts on it.

    Cuts rise with the cost, so that acting where the score reaches the cut of a cost is acting where this new score
    reaches the cost itself: a policy is a way to write scores.
    """

    def learn(table: ScoreTable) -> Callable[[FloatArray], FloatArray]:
        there = reweight_classes(table, decision.prevalence.value) if isinstance(decision.prevalence, At) else table
        policy = best_cuts(there, decision.costs, decision.limits)
        return lambda score: highest_cost(policy, score)

    return learn


def highest_cost(policy: Policy, score: FloatArray) -> FloatArray:
    """Return the highest cost at which a policy acts on each score: 1 where it always does, 0 where it never does."""
    step = np.searchsorted(policy.cut, score, side="right")
    reach = np.concatenate([[0.0], policy.high[:-1], [1.0]])
    cost: FloatArray = reach[step]
    return cost
