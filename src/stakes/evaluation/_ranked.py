"""The measure that models are ranked by under a decision, and cross-fitting."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.beliefs import At, CostBelief, is_distribution
from stakes.evaluation._decision import Decision, MoneyDecision
from stakes.evaluation._money_ranked import limited_money, reach_of, unlimited_money
from stakes.limits import Counts, Limits, LimitsLike, feasible, few_enough
from stakes.measures import (
    Decomposition,
    Evaluate,
    Measure,
    MeasureLike,
    ResampledCells,
    cost_per_case,
    expected_regret,
    recognise,
)
from stakes.outcome import EventBy
from stakes.policy import Policy, best_regrets, best_thresholds
from stakes.prevalence import at_prevalence, reweight_classes, shifted, shifted_regret
from stakes.table import Recalibration, ScoreTable, flatten, recalibrate, score_table

if TYPE_CHECKING:
    from stakes.evaluation._results import Standing
    from stakes.evaluation._sources import Source


_SLACK = 1.2  # times the capacity that a replicate may have in alarms where the sample has it exactly


@dataclass(frozen=True)
class LimitedRegret:
    """Mean regret of the best feasible threshold at each cost, chosen in-sample.

    A replicate that lost a class cannot be moved to another prevalence, and is undefined.
    """

    costs: CostBelief
    prevalence: float | None
    limits: Limits

    def __call__(self, table: ScoreTable) -> float:
        """Return the regret on a sample."""
        if self.prevalence is not None and not 0 < table.prevalence < 1:
            return math.nan
        moved = table if self.prevalence is None else at_prevalence(table, self.prevalence)
        return best_thresholds(moved, self.costs, self.limits).mean_regret

    @property
    def reach(self) -> float:
        """Share of the cases that a threshold may act on in a replicate."""
        return reach_of(self.limits)

    def evaluator(self, cells: ResampledCells) -> Evaluate | None:
        """Return a function that computes all replicates of a block at once; None where limits count heads.

        Rows far below the capacity are pooled, since no threshold there is feasible; where one might be in a replicate,
        all rows are computed.
        """
        if cells.fine.heads is not None:
            return None
        upper = cells.weights_pooled_below(self._lowest_in_reach(cells.table))

        def evaluate(counts: FloatArray) -> FloatArray:
            moved = None if upper is None else self._moved(*upper(counts))
            if moved is None or not self._lowest_is_out(*moved):
                moved = self._moved(*cells.weights(counts))
            return best_regrets(*moved, self.costs, self.limits)

        return evaluate

    def _moved(self, positive: FloatArray, negative: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return weights, replicates x rows, at the prevalence; nan for a replicate of one class."""
        if self.prevalence is None:
            return positive, negative
        positives, negatives = (one.sum(axis=1, keepdims=True) for one in (positive, negative))
        total, has_both = positives + negatives, (positives > 0) & (negatives > 0)
        up = np.divide(self.prevalence * total, positives, out=np.full_like(total, np.nan), where=has_both)
        down = np.divide((1 - self.prevalence) * total, negatives, out=np.full_like(total, np.nan), where=has_both)
        return positive * up, negative * down

    def _lowest_in_reach(self, table: ScoreTable) -> int:
        """Return the lowest row whose threshold may be feasible in a replicate."""
        if self.limits.capacity is None:
            return 0
        positive, negative = self._moved(table.positive[None], table.negative[None])
        alarms = np.cumsum((positive + negative)[0, ::-1])
        within = alarms <= (_SLACK * self.limits.capacity + 0.01) * alarms[-1]
        return len(table) - 1 - int(np.count_nonzero(within))

    def _lowest_is_out(self, positive: FloatArray, negative: FloatArray) -> bool:
        """Whether the threshold above the lowest row is feasible in no replicate."""
        weight = positive + negative
        total = weight.sum(axis=1)
        return not few_enough(self.limits, total - weight[:, 0], np.zeros_like(total), total).any()


def measure(decision: Decision) -> MeasureLike:
    """Return the measure to rank by; smaller is better."""
    if decision.limits is not None and decision.budget is None and isinstance(decision, MoneyDecision):
        return limited_money(decision, decision.limits)
    if decision.limits is not None and decision.budget is None:
        common = decision.prevalence.value if isinstance(decision.prevalence, At) else None
        chosen = LimitedRegret(decision.costs, common, decision.limits)
        bounds = recognise(unlimited(decision)).form
        return Measure("limited_regret", chosen, "smaller", resampled="basic", bounds=bounds)
    return unlimited(decision)


def unlimited(decision: Decision) -> MeasureLike:
    """Return the measure to rank by without limits."""
    if isinstance(decision, MoneyDecision):
        return unlimited_money(decision)
    if decision.prevalence is None:
        return partial(expected_regret, costs=decision.costs)
    return partial(shifted_regret, costs=decision.costs, prevalence=decision.prevalence)


def ranked_measures(
    decision: Decision, models: Iterable[str], references: Iterable[str], folds: int | None
) -> dict[str, MeasureLike]:
    """Return the measure to rank each model by; limits bind models, not references."""
    if decision.limits is not None and folds is not None:  # cross-fitted scores keep to the limits already
        paid = cost_per_case if isinstance(decision, MoneyDecision) else expected_regret
        return dict.fromkeys([*models, *references], partial(paid, costs=decision.costs))
    free = unlimited(decision)
    ranked = free if decision.limits is None else measure(decision)
    return dict.fromkeys(models, ranked) | dict.fromkeys(references, free)


def is_allowed(reference: ScoreTable, limits: LimitsLike) -> bool:
    """Whether limits allow a reference at its prevalence; acting on no one is always allowed."""
    if limits is None or reference.score[0] == 0:
        return True
    if reference.heads is not None:
        return bool(len(Counts.of(reference).allowed(limits)) == 1 + len(reference))
    return bool(feasible(limits, reference.negative, reference.positive, reference.total).all())


def at_deployment(table: ScoreTable, decision: Decision) -> ScoreTable:
    """Return a table at the mean of the stated prevalence, scores corrected for it."""
    if decision.prevalence is None:
        return table
    return at_prevalence(table, float(decision.prevalence.mean))


def best_policy(table: ScoreTable, decision: Decision) -> Policy | None:
    """Return the best thresholds of a model; None where the costs have no finite mass, or no density."""
    if not is_distribution(decision.costs) or decision.budget is not None:
        return None
    return best_thresholds(at_deployment(table, decision), decision.costs, decision.limits)


@contextmanager
def ignoring_undefined() -> Iterator[None]:
    """Silence warnings of undefined measures; they are nan in the ranking, and a finding says why."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is undefined.*", category=RuntimeWarning)
        yield


def as_given(threshold: float, decision: Decision, sampled: float) -> float:
    """Return the threshold for uncorrected scores that equals one for scores corrected for prevalence."""
    if decision.prevalence is None or math.isinf(threshold):
        return threshold
    stated = float(decision.prevalence.mean)
    return float(shifted(np.array(threshold), sampled, from_prevalence=stated))


def parts(table: ScoreTable, ranked: MeasureLike, total: float) -> Decomposition:
    """Split the `total` regret into miscalibration, discrimination and uncertainty, all in-sample."""
    calibrated, constant = ranked(recalibrate(table)), ranked(flatten(table))
    return Decomposition(total - calibrated, constant - calibrated, constant, total)


def after_recalibration(standing: Standing) -> float:
    """Return the regret after recalibration, cross-fitted where there are folds, else in-sample."""
    if standing.recalibrated is not None:
        return standing.recalibrated
    return standing.regret.estimate - (standing.parts.miscalibration if standing.parts else 0.0)


Learn = Callable[[ScoreTable], Callable[[FloatArray], FloatArray]]
TableOf = Callable[[BoolArray, FloatArray], ScoreTable]  # of some cases, by the scores of all


@dataclass(frozen=True)
class Folds:
    """Fold of each case, with clusters kept together and both classes spread over all folds."""

    number: int
    of: npt.NDArray[np.intp]

    def held_out(self) -> Iterator[BoolArray]:
        """Yield the mask of the cases in each fold."""
        for part in range(self.number):
            yield self.of == part


def deal(folds: int, positive: BoolArray, cluster: npt.ArrayLike | None, rng: np.random.Generator) -> Folds:
    """Deal cases or whole clusters into folds at random, those with a positive first."""
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


def people_of(positive: BoolArray | EventBy, weight: FloatArray | None) -> TableOf:
    """Return a function that makes the table of some cases."""
    return lambda here, score: score_table(positive[here], score[here], None if weight is None else weight[here])


def cross_fitted_scores(
    table_of: TableOf, scores: Mapping[str, npt.ArrayLike], folds: Folds, learn: Learn
) -> dict[str, FloatArray]:
    """Return the scores of each model, transformed by what was learnt on the other folds."""
    return {
        name: _cross_fitted(table_of, np.asarray(score, dtype=np.float64), folds, learn)
        for name, score in scores.items()
    }


def _cross_fitted(table_of: TableOf, score: FloatArray, folds: Folds, learn: Learn) -> FloatArray:
    transformed = np.empty_like(score)
    for out in folds.held_out():
        transformed[out] = learn(table_of(~out, score))(score[out])
    return transformed


def recalibration(table: ScoreTable) -> Callable[[FloatArray], FloatArray]:
    """Learn a recalibration."""
    return Recalibration.of(table)


def best_feasible(decision: Decision) -> Learn:
    """Return a learner that maps a score to the highest cost at which the best policy acts on it.

    Thresholds rise with the cost, so that acting where the score reaches the threshold of a cost is acting where this
    new score reaches the cost itself: a policy is a way to write scores.
    """

    def learn(table: ScoreTable) -> Callable[[FloatArray], FloatArray]:
        moved = reweight_classes(table, decision.prevalence.value) if isinstance(decision.prevalence, At) else table
        policy = best_thresholds(moved, decision.costs, decision.limits)
        return lambda score: highest_cost(policy, score)

    return learn


def highest_cost(policy: Policy, score: FloatArray) -> FloatArray:
    """Return the highest cost at which a policy acts on each score, 1 for always and 0 for never."""
    step = np.searchsorted(policy.threshold, score, side="right")
    reach = np.concatenate([[0.0], policy.to_cost[:-1], [1.0]])
    cost: FloatArray = reach[step]
    return cost


def cross_fit(
    source: Source, decision: Decision, folds: int | None, rng: np.random.Generator
) -> tuple[Source, dict[str, float]]:
    """Return the cases to rank, and the cross-fitted regret of each model after recalibration.

    Under limits, scores are transformed by the thresholds that were chosen on the other folds.
    """
    if folds is None:
        return source, {}
    if decision.limits is not None:
        common = decision.prevalence.value if isinstance(decision.prevalence, At) else None
        return source.cross_fitted(best_feasible(decision), folds, rng, common), {}
    ranked = measure(decision)
    tables = source.cross_fitted(recalibration, folds, rng).tables
    return source, {name: ranked(table) for name, table in tables.items()}
