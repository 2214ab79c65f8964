"""Findings about other costs: where in the stated range another model is better, and other ranges."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import special

from stakes import _wording
from stakes._arrays import FloatArray
from stakes.beliefs import At, CostBelief, IndependentCosts, LogOddsUniform, Uniform, restrict
from stakes.curves import crossings, regret_curve
from stakes.evaluation._ranked import at_deployment, ranked_measures
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._table_source import constant_tables
from stakes.evaluation._unit import ROUNDING
from stakes.evaluation.findings._paired import paired_difference
from stakes.evaluation.findings._sentences import display_name, finding, models
from stakes.table import ScoreTable

_AT_MOST = 2  # sentences: the largest gains


class Takeover(NamedTuple):
    """One end of the range of costs where another model is better than the best on average."""

    kind: str
    cost: float
    gain: float
    other: Standing

    def part(self, costs: CostBelief) -> CostBelief | None:
        """Return the belief about the costs, restricted to that part."""
        below = self.kind == "crossing-below"
        return restrict(costs, -math.inf, self.cost) if below else restrict(costs, self.cost, math.inf)


def crossing(results: Results) -> Iterator[Finding]:
    """State below or above which cost another model is better than the best, with the interval there."""
    costs, (low, high) = results.decision.costs, results.decision.cost_range
    first, *others = models(results)
    if results.cases is None or results.decision.limits is not None or not 0 <= low < high <= 1:
        return
    if not others or restrict(costs, -math.inf, math.inf) is None:
        return
    tables = {one.model: at_deployment(results.tables[one.model], results.decision) for one in (first, *others)}
    takeovers = [
        Takeover(*found, other)
        for other in others
        for found in _overtakes(tables[first.model], tables[other.model], costs, (low, high))
    ]
    for one in sorted(takeovers, key=lambda takeover: -takeover.gain)[:_AT_MOST]:
        yield from _crossing(results, first, one)


def _crossing(results: Results, first: Standing, takeover: Takeover) -> Iterator[Finding]:
    part, other = takeover.part(results.decision.costs), takeover.other
    difference = None if part is None else paired_difference(results, first, other, part)
    if difference is None or not difference.is_worth_telling:
        return
    yield finding(
        takeover.kind if difference.is_detectable else f"{takeover.kind}-close",
        "cost",
        {"cost": takeover.cost, "gain": difference.estimate, **difference.ends},
        other=display_name(other),
        best=display_name(first),
        odds=_wording.odds_of(takeover.cost),
        cost=_wording.percent(takeover.cost),
        gain=results.unit.cost(difference.estimate),
        **difference.values,
    )


def _overtakes(
    best: ScoreTable, other: ScoreTable, costs: CostBelief, ends: tuple[float, float]
) -> Iterator[tuple[str, float, float]]:
    """Find the ends of the range where the other is better, with the mean gain there.

    Curves of samples cross many times by chance. What counts is where the whole difference from the end of the range,
    weighted by the belief, is largest.
    """
    low, high = ends
    curves = (regret_curve(table).between(low, high) for table in (best, other))
    at = np.concatenate([crossings(*curves), [high]])
    lost = _regret_up_to(best, costs, at) - _regret_up_to(other, costs, at)
    above: FloatArray = np.asarray(costs.share_above(at))  # type: ignore[attr-defined]
    most, least = int(np.argmax(lost)), int(np.argmin(lost))
    if lost[most] > 0 and low < at[most] < high and above[most] < 1:
        yield "crossing-below", float(at[most]), float(lost[most] / (1 - above[most]))
    if lost[-1] > lost[least] and low < at[least] < high and above[least] > 0:
        yield "crossing-above", float(at[least]), float((lost[-1] - lost[least]) / above[least])


def _regret_up_to(table: ScoreTable, costs: CostBelief, at: FloatArray) -> FloatArray:
    """Integrate the regret over the costs up to each place, under the belief about them."""
    missed, alarmed = costs.loss_if_positive(table.score), costs.loss_if_negative(table.score)
    below = np.searchsorted(table.score, at)  # scores below each place

    def cumulated(values: FloatArray) -> FloatArray:
        sums: FloatArray = np.concatenate([[0.0], np.cumsum(values)])[below]
        return sums

    misses = cumulated(table.positive * missed) - cumulated(table.positive) * costs.loss_if_positive(at)
    rest = table.negative_total - cumulated(table.negative)
    area: FloatArray = (misses + cumulated(table.negative * alarmed) + rest * costs.loss_if_negative(at)) / table.total
    return area


def other_ranges(results: Results) -> Iterator[Finding]:
    """State whether the best changes with a range half or twice as wide, or a miss half or twice as bad."""
    changes = dict(_changes(results.decision.costs))
    cross_fitted = results.folds is not None and results.decision.limits is not None  # for the stated costs alone
    if len(results.tables) < 2 or not changes or cross_fitted:
        return
    what = _subject(results.decision.costs)
    first, steady = results.ranking[0], []
    for change, costs in changes.items():
        regret = _regret_at(results, costs)
        other = min(results.ranking, key=lambda one: regret[one.model])
        gain = regret[first.model] - regret[other.model]
        if gain <= ROUNDING * regret[first.model]:
            steady.append(change)
        else:
            yield from _unsteady(results, other, costs, f"{what} {change}")
    if len(steady) == len(changes):
        yield finding("steady", "world", {}, best=display_name(first), change=f"{what} {' or '.join(steady)}")


def _regret_at(results: Results, costs: CostBelief) -> dict[str, float]:
    """Return what every model and reference would cost at other costs."""
    references = {one.model: one.acts.mean for one in results.ranking if one.reference}
    decision = dataclasses.replace(results.decision, costs=costs)
    measures = ranked_measures(decision, results.tables, references, None)
    tables = {**results.tables, **constant_tables(references, results.tables)}
    return {name: float(measures[name](table)) for name, table in tables.items()}


def _unsteady(
    results: Results, other: Standing, costs: At | Uniform | LogOddsUniform | IndependentCosts, change: str
) -> Iterator[Finding]:
    first = results.ranking[0]
    difference = paired_difference(results, first, other, costs)
    if difference is None or not difference.is_worth_telling:
        return
    low, high = costs.support
    yield finding(
        "unsteady" if difference.is_detectable else "unsteady-close",
        "world",
        {"gain": difference.estimate, "low": low, "high": high, **difference.ends},
        change=change,
        other=display_name(other),
        best=display_name(first),
        gain=results.unit.cost(difference.estimate),
        **difference.values,
    )


def _subject(costs: CostBelief) -> str:
    """Write the beginning of a description of other costs."""
    if isinstance(costs, IndependentCosts):
        return "a miss cost"
    return "a miss were" if isinstance(costs, At) else "your range were"


def _changes(costs: CostBelief) -> Iterator[tuple[str, At | Uniform | LogOddsUniform | IndependentCosts]]:
    """Return other costs, by their description."""
    if isinstance(costs, IndependentCosts):
        for word, factor in (("half", 0.5), ("twice", 2.0)):
            low, high = (factor * cost for cost in costs.false_negative)
            other = IndependentCosts(false_negative=(low, high), false_positive=costs.false_positive)
            yield f"{word} as much ({_wording.amounts((low, high))})", other
    if isinstance(costs, At):
        middle = special.logit(costs.value)
        for word, step in (("half", 1.0), ("twice", -1.0)):
            moved = float(special.expit(middle + step * math.log(2)))
            yield f"{word} as bad ({_wording.odds_of(moved)})", At(moved)
    if not isinstance(costs, Uniform | LogOddsUniform) or not 0 < costs.low < costs.high < 1:
        return
    first, last = special.logit([costs.low, costs.high])
    for word, factor in (("half", 0.5), ("twice", 2.0)):
        middle, reach = (first + last) / 2, factor * (last - first) / 2
        low, high = map(float, special.expit([middle - reach, middle + reach]))
        if 0 < low < high < 1:
            yield (
                f"{word} as wide in log-odds ({_wording.percent(low)} to {_wording.percent(high)})",
                type(costs)(low, high),
            )
