"""Findings about the ranking: the best model, where another overtakes it, other ranges and measures."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np
from scipy import special

from stakes import _wording
from stakes._arrays import FloatArray
from stakes.beliefs import At, CostBelief, LogOddsUniform, Uniform
from stakes.curves import Curve, crossings, regret_curve
from stakes.evaluation._ranked import at_deployment, measure
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation.findings._sentences import display_name, finding, models, visible, where


def best(results: Results) -> Iterator[Finding]:
    """Name the best, its closest rival, and whether they differ detectably."""
    first, *others = results.ranking
    if first.reference:
        second = models(results)[0]
        kind = "best-reference"
    else:
        second, kind = others[0], _how_sure(first, others[0])
    numbers = {"regret": first.regret.estimate, "second_regret": second.regret.estimate}
    values = {
        "best": display_name(first),
        "second": display_name(second),
        "where": where(results),
        "regret": _wording.per_thousand(first.regret.estimate),
        "second_regret": _wording.per_thousand(second.regret.estimate),
    }
    if second.difference is not None:
        ends = {"lower": second.difference.lower, "upper": second.difference.upper}
        numbers |= {**ends, "probability_best": first.probability_best}
        values |= {"level": _wording.percent(results.level)}
        values |= {name: _wording.per_thousand(end) for name, end in ends.items()}
    yield finding(kind, "ranking", numbers, **values)
    if not results.sample.has_cases and len(results.tables) > 1:
        yield finding("unpaired", "ranking", {})


def _how_sure(first: Standing, second: Standing) -> str:
    if math.isclose(first.regret.estimate, second.regret.estimate, rel_tol=1e-11):
        return "best-tied"
    if second.difference is None:
        return "best-unsure"
    return "best" if second.difference.lower > 0 else "best-close"


def worthless(results: Results) -> Iterator[Finding]:
    """Name models that cost more than acting on everyone or on no one."""
    free = [standing for standing in results.ranking if standing.reference]
    if not free or results.best.reference:
        return
    for standing in models(results):
        if visible(extra := standing.regret.estimate - free[0].regret.estimate) and extra > 0:
            numbers = {"regret": standing.regret.estimate, "reference_regret": free[0].regret.estimate}
            yield finding(
                "worthless",
                "ranking",
                numbers,
                model=display_name(standing),
                reference=display_name(free[0]),
                where=where(results),
                **{name: _wording.per_thousand(number) for name, number in numbers.items()},
            )


_AT_MOST = 2  # sentences: the largest gains


def crossing(results: Results) -> Iterator[Finding]:
    """State below or above which cost another model is better than the best."""
    low, high = results.decision.cost_range
    first, *others = models(results)
    if not others or results.decision.limits is not None or not 0 <= low < high <= 1:
        return
    curves = {
        standing.model: regret_curve(at_deployment(results.tables[standing.model], results.decision)).between(low, high)
        for standing in (first, *others)
    }
    takeovers = [
        (gain, kind, cost, other)
        for other in others
        for kind, cost, gain in _overtakes(curves[first.model], curves[other.model])
        if visible(gain)
    ]
    for gain, kind, cost, other in sorted(takeovers, key=lambda one: -one[0])[:_AT_MOST]:
        yield finding(
            kind,
            "cost",
            {"cost": cost, "gain": gain},
            other=display_name(other),
            best=display_name(first),
            odds=_wording.odds_of(cost),
            cost=_wording.percent(cost),
            gain=_wording.per_thousand(gain),
        )


def _overtakes(best: Curve, other: Curve) -> Iterator[tuple[str, float, float]]:
    """Find the ends of the range where the other is better, with the mean gain there.

    Curves of samples cross many times by chance. What counts is where the whole difference from the end of the range is
    largest.
    """
    low, high = float(best.x[0]), float(best.x[-1])
    at = np.concatenate([[low], crossings(best, other), [high]])
    lost = _cumulated(best, at) - _cumulated(other, at)
    below, above = int(np.argmax(lost)), int(np.argmin(lost))
    if lost[below] > 0 and low < at[below] < high:
        yield "crossing-below", float(at[below]), float(lost[below] / (at[below] - low))
    if lost[-1] > lost[above] and low < at[above] < high:
        yield "crossing-above", float(at[above]), float((lost[-1] - lost[above]) / (high - at[above]))


def _cumulated(curve: Curve, at: FloatArray) -> FloatArray:
    """Area under a curve of straight lines and jumps, from its start to each place."""
    width = np.diff(curve.x)
    whole = np.concatenate([[0.0], np.cumsum(width * (curve.y[1:] + curve.y[:-1]) / 2)])
    row = np.clip(np.searchsorted(curve.x, at, side="right") - 1, 0, len(width) - 1)
    step = at - curve.x[row]
    part = np.divide(step, width[row], out=np.zeros_like(step), where=width[row] > 0)
    height = curve.y[row] + part * (curve.y[row + 1] - curve.y[row])
    area: FloatArray = whole[row] + step * (curve.y[row] + height) / 2
    return area


_WHY = {
    "AUC": "it lets each model choose its own costs",
    "Brier score": "it averages over all costs, not only over those you state",
    "log loss": "it weights costs near 0% and 100% most",
}


def other_ranges(results: Results) -> Iterator[Finding]:
    """State whether the best changes with a range half or twice as wide, or a miss half or twice as bad."""
    changes = dict(_changes(results.decision.costs))
    standing = {one.model: one for one in results.ranking if not one.reference}
    if len(standing) < 2 or not changes:
        return
    first = models(results)[0]
    what = "a miss were" if isinstance(results.decision.costs, At) else "your range were"
    steady = []
    for change, costs in changes.items():
        ranked = measure(dataclasses.replace(results.decision, costs=costs))
        regret = {name: ranked(results.tables[name]) for name in standing}
        other = min(regret, key=lambda name: regret[name])
        gain = regret[first.model] - regret[other]
        if other == first.model or not visible(gain):
            steady.append(change)
            continue
        numbers = {"gain": gain, "low": costs.support[0], "high": costs.support[1]}
        values = {
            "other": display_name(standing[other]),
            "best": display_name(first),
            "gain": _wording.per_thousand(gain),
        }
        yield finding("unsteady", "world", numbers, change=f"{what} {change}", **values)
    if len(steady) == len(changes):
        yield finding("steady", "world", {}, best=display_name(first), change=f"{what} {' or '.join(steady)}")


def _changes(costs: CostBelief) -> Iterator[tuple[str, At | Uniform | LogOddsUniform]]:
    """Return other costs, by their description."""
    if isinstance(costs, At):
        middle = special.logit(costs.value)
        for word, step in (("half", 1.0), ("twice", -1.0)):
            other = float(special.expit(middle + step * math.log(2)))
            yield f"{word} as bad ({_wording.odds_of(other)})", At(other)
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


def other_measures(results: Results) -> Iterator[Finding]:
    """Name usual measures that would choose another model, and why."""
    first, *others = models(results)
    for name, why in _WHY.items():
        attribute, larger = name.lower().replace(" ", "_"), name == "AUC"
        sign = -1 if larger else 1

        def value(standing: Standing, attribute: str = attribute, sign: int = sign) -> float:
            return sign * float(getattr(standing, attribute))

        chosen = min((first, *others), key=value)
        if not value(chosen) < value(first):
            continue
        theirs, ours = getattr(chosen, attribute), getattr(first, attribute)
        numbers = {"other_value": theirs, "best_value": ours}
        values = {"other_value": f"{theirs:.3f}", "best_value": f"{ours:.3f}"}
        if values["other_value"] != values["best_value"]:
            yield finding(
                "other-measure", "ranking", numbers, measure=name, other=display_name(chosen), why=why, **values
            )
