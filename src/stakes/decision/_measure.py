"""The one number that models are ranked by under a decision: the mean regret of using them as stated."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from stakes._voros import best_cuts
from stakes.beliefs import At, CostBelief
from stakes.decision._decision import Decision
from stakes.limits import Limits
from stakes.scores import Decomposition, expected_regret
from stakes.shift import shifted_regret
from stakes.table import ScoreTable, at_prevalence, flatten, recalibrate, shifted

if TYPE_CHECKING:
    from stakes.decision._evaluation import Standing

Measure = Callable[[ScoreTable], float]


def limited_regret(table: ScoreTable, costs: CostBelief, prevalence: float | None, limits: Limits) -> float:
    """Mean regret of the best cut at each cost among those that the limits allow, chosen on the same cases."""
    there = table if prevalence is None else at_prevalence(table, prevalence)
    return best_cuts(there, costs, limits).mean_regret


def measure(decision: Decision) -> Measure:
    """Return the number to rank by, as a function of a table: smaller is better."""
    if decision.limits is not None:
        common = decision.prevalence.value if isinstance(decision.prevalence, At) else None
        return partial(limited_regret, costs=decision.costs, prevalence=common, limits=decision.limits)
    return unlimited(decision)


def unlimited(decision: Decision) -> Measure:
    """Return the number to rank by if alarms were not limited."""
    if decision.prevalence is None:
        return partial(expected_regret, costs=decision.costs)
    return partial(shifted_regret, costs=decision.costs, prevalence=decision.prevalence)


def there(table: ScoreTable, decision: Decision) -> ScoreTable:
    """Return a table where it will be used: at the (mean) prevalence that is believed, scores corrected for it."""
    if decision.prevalence is None:
        return table
    return at_prevalence(table, float(decision.prevalence.mean))  # type: ignore[attr-defined]


def as_given(cut: float, decision: Decision, sampled: float) -> float:
    """Return the cut of scores as they were given for one of scores corrected from the sample's prevalence."""
    if decision.prevalence is None or math.isinf(cut):
        return cut
    stated = float(decision.prevalence.mean)  # type: ignore[attr-defined]
    return float(shifted(np.array(cut), sampled, from_prevalence=stated))


def parts(table: ScoreTable, ranked: Measure) -> Decomposition:
    """Split the ranked number: recalibration alone would take off the miscalibration, judged on the same cases."""
    total, calibrated, constant = ranked(table), ranked(recalibrate(table)), ranked(flatten(table))
    return Decomposition(total - calibrated, constant - calibrated, constant, total)


def after_recalibration(standing: Standing) -> float:
    """Return the regret after recalibration: on other cases where that was asked for, on the same ones if not."""
    if standing.recalibrated is not None:
        return standing.recalibrated
    return standing.regret.estimate - (standing.parts.miscalibration if standing.parts else 0.0)
