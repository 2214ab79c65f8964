"""Whether another range of costs, or a usual measure, would choose another model."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from scipy import special

from stakes.beliefs import At, CostBelief, LogOddsUniform, Uniform
from stakes.decision import _words
from stakes.decision._evaluation import Evaluation, Finding, Standing
from stakes.decision._findings._sentence import finding, models, said, visible
from stakes.decision._measure import measure

_WHY = {
    "AUC": "it lets each model choose its own costs",
    "Brier score": "it averages over all costs, most of them outside your range",
    "log loss": "it weighs costs near 0 and near 100 % most",
}


def other_ranges(evaluation: Evaluation) -> Iterator[Finding]:
    """Say whether the best is another where the range is half or twice as wide (a miss half or twice as bad)."""
    changes = dict(_changes(evaluation.decision.costs))
    standing = {one.model: one for one in evaluation.ranking if not one.reference}
    if len(standing) < 2 or not changes:
        return
    first = models(evaluation)[0]
    what = "a miss were" if isinstance(evaluation.decision.costs, At) else "your range were"
    steady = []
    for change, costs in changes.items():
        ranked = measure(dataclasses.replace(evaluation.decision, costs=costs))
        regret = {name: ranked(evaluation.tables[name]) for name in standing}
        other = min(regret, key=lambda name: regret[name])
        gain = regret[first.model] - regret[other]
        if other == first.model or not visible(gain):
            steady.append(change)
            continue
        numbers = {"gain": gain, "low": costs.support[0], "high": costs.support[1]}
        values = {"other": said(standing[other]), "best": said(first), "gain": _words.per_thousand(gain)}
        yield finding("unsteady", "world", numbers, change=f"{what} {change}", **values)
    if len(steady) == len(changes):
        yield finding("steady", "world", {}, best=said(first), change=f"{what} {' or '.join(steady)}")


def _changes(costs: CostBelief) -> Iterator[tuple[str, At | Uniform | LogOddsUniform]]:
    """Return other costs, by what they would mean."""
    if isinstance(costs, At):
        middle = special.logit(costs.value)
        for word, step in (("half", 1.0), ("twice", -1.0)):
            other = float(special.expit(middle + step * math.log(2)))
            yield f"{word} as bad ({_words.odds_of(other)})", At(other)
    if not isinstance(costs, Uniform | LogOddsUniform) or not 0 < costs.low < costs.high < 1:
        return
    first, last = special.logit([costs.low, costs.high])
    for word, factor in (("half", 0.5), ("twice", 2.0)):
        middle, reach = (first + last) / 2, factor * (last - first) / 2
        low, high = map(float, special.expit([middle - reach, middle + reach]))
        if 0 < low < high < 1:
            yield (
                f"{word} as wide in log-odds ({_words.percent(low)} to {_words.percent(high)})",
                type(costs)(low, high),
            )


def other_measures(evaluation: Evaluation) -> Iterator[Finding]:
    """Say which usual measures would choose another model, and why."""
    first, *others = models(evaluation)
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
            yield finding("other-measure", "ranking", numbers, measure=name, other=said(chosen), why=why, **values)
