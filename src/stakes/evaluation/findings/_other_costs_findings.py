"""Findings about other costs than those stated."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from scipy import special

from stakes import _wording
from stakes._language import say
from stakes.beliefs import At, CostBelief, IndependentCosts, LogOddsUniform, Uniform
from stakes.evaluation._ranked import ranked_measures
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._table_source import constant_tables
from stakes.evaluation._unit import ROUNDING
from stakes.evaluation.findings._paired import paired_difference
from stakes.evaluation.findings._sentences import display_name, finding


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
            yield from _unsteady(results, other, costs, say(what, change=change))
    if len(steady) == len(changes):
        yield finding(
            "steady",
            "world",
            {},
            best=display_name(first),
            change=say(what, change=say(" or ").join(steady)),
        )


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
    """Return the template of a description of other costs."""
    if isinstance(costs, IndependentCosts):
        return "a miss cost {change}"
    return "a miss were {change}" if isinstance(costs, At) else "your range were {change}"


def _changes(costs: CostBelief) -> Iterator[tuple[str, At | Uniform | LogOddsUniform | IndependentCosts]]:
    """Return other costs, by their description."""
    if isinstance(costs, IndependentCosts):
        for word, factor in (("half", 0.5), ("twice", 2.0)):
            low, high = (factor * cost for cost in costs.false_negative)
            other = IndependentCosts(false_negative=(low, high), false_positive=costs.false_positive)
            yield say(word + " as much ({amounts})", amounts=_wording.amounts((low, high))), other
    if isinstance(costs, At):
        middle = special.logit(costs.value)
        for word, step in (("half", 1.0), ("twice", -1.0)):
            moved = float(special.expit(middle + step * math.log(2)))
            yield say(word + " as bad ({odds})", odds=_wording.odds_of(moved)), At(moved)
    if not isinstance(costs, Uniform | LogOddsUniform) or not 0 < costs.low < costs.high < 1:
        return
    first, last = special.logit([costs.low, costs.high])
    for word, factor in (("half", 0.5), ("twice", 2.0)):
        middle, reach = (first + last) / 2, factor * (last - first) / 2
        low, high = map(float, special.expit([middle - reach, middle + reach]))
        if 0 < low < high < 1:
            yield (
                say(
                    word + " as wide in log-odds ({low} to {high})",
                    low=_wording.percent(low),
                    high=_wording.percent(high),
                ),
                type(costs)(low, high),
            )
