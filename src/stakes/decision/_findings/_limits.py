"""What the limits cost, and limits that no cut can meet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stakes._voros import best_cuts
from stakes.decision import _words
from stakes.decision._evaluation import Evaluation, Finding
from stakes.decision._findings._sentence import finding, models, said, visible
from stakes.decision._measure import there
from stakes.limits import Limits, few_enough
from stakes.table import ScoreTable, counts_from_top


def limited(evaluation: Evaluation) -> Iterator[Finding]:
    """Say which models no cut keeps to the limits with, and what the limits cost the best."""
    decision = evaluation.decision
    if decision.limits is None:
        return
    for standing in models(evaluation):
        if standing.acts.low == 0 == standing.acts.high:
            yield _unmet(said(standing), there(evaluation.tables[standing.model], decision), decision.limits)
    yield from _cost(evaluation, decision.limits)


def _cost(evaluation: Evaluation, limits: Limits) -> Iterator[Finding]:
    """Say what the limits cost the best model: like is compared with like, cuts judged where they were chosen."""
    first, costs = models(evaluation)[0], evaluation.decision.costs
    table = there(evaluation.tables[first.model], evaluation.decision)
    free, limited = best_cuts(table, costs).mean_regret, best_cuts(table, costs, limits).mean_regret
    if not visible(limited - free):
        return
    numbers = {"extra": limited - free, "regret": free}
    kind = "limits-cost"
    if evaluation.folds is not None:  # then the ranking has another number, from cases that cuts were not chosen on
        kind, numbers = "limits-cost-chosen", numbers | {"limited": limited}
    written = {name: _words.per_thousand(number) for name, number in numbers.items()}
    yield finding(kind, "policy", numbers, model=said(first), **written)


def _unmet(model: str, table: ScoreTable, limits: Limits) -> Finding:
    """Say how near the most precise cut within the capacity comes."""
    false_alarms, true_alarms = counts_from_top(table)
    alarms = true_alarms + false_alarms
    here = few_enough(limits, false_alarms, true_alarms, table.total) & (alarms > 0)
    if not here.any():
        share = float(alarms[alarms > 0].min() / table.total)
        closest = f"the highest score alone is that of {_words.percent(share)} of the cases"
        numbers = {"share": share}
    else:
        precision = float(np.max(true_alarms[here] / alarms[here]))
        within = " of those with few enough alarms" if limits.capacity_binds else ""
        closest = f"the most precise{within} has {_words.percent(precision)} true alarms"
        numbers = {"precision": precision}
    return finding("limits-unmet", "policy", numbers, model=model, limits=_words.limits(limits), closest=closest)
