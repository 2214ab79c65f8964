"""Findings about several actions: which are not needed, which are not used, and what each saves."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes import _wording
from stakes.evaluation._results import Finding, Results
from stakes.evaluation.findings._sentences import filled_in, models
from stakes.uncertainty import Interval

ACTION_TEMPLATES = {
    "action-dropped": "{action} is the cheapest action at no probability, so no case gets it.",
    "action-unused": "{model} gives {action} to no case of this sample.",
    "action-alone": "In this sample, giving {action} to every case would cost {alone}, {less} less than {model}.",
    "action-saves": "With {model}, being able to choose {action} saves {gain} ({level} interval {lower} to {upper}).",
    "action-saves-close": "With {model}, being able to choose {action} does not detectably save anything: {gain} in "
    "this sample ({level} interval {lower} to {upper}).",
    "action-saves-unsure": "In this sample, with {model}, being able to choose {action} saves {gain}.",
    "action-harms": "In this sample, {model} would cost {loss} less if {action} were not among the actions, so its "
    "probabilities mislead there.",
}


def several_actions(results: Results) -> Iterator[Finding]:
    """Report actions that are not needed or not used, and what each of the others saves."""
    use = results.actions
    if use is None:
        return
    for name in use.dropped:
        yield _finding("action-dropped", {}, action=_quote(name))
    yield from _alone(results)
    for one in models(results):
        for name, share in use.shares[one.model].items():
            if share == 0:
                yield _finding("action-unused", {}, model=_wording.name(one.model), action=_quote(name))
    for name, value in use.values.items():
        if use.shares[use.model][name] > 0 and results.unit.is_visible(value.estimate):
            yield _saves(results, name, value)


def _alone(results: Results) -> Iterator[Finding]:
    """Report one action for all that costs less than the best model, where no reference says so."""
    use = results.actions
    if use is None or results.best.reference:
        return
    regret = next(one.regret.estimate for one in models(results) if one.model == use.model)
    name = use.best_alone
    if results.unit.is_visible(regret - use.alone[name]) and use.alone[name] < regret:
        yield _finding(
            "action-alone",
            {"alone": use.alone[name], "regret": regret},
            action=_quote(name),
            alone=results.unit.cost(use.alone[name]),
            less=results.unit.number(regret - use.alone[name]),
            model=_wording.name(use.model),
        )


def _saves(results: Results, name: str, value: Interval) -> Finding:
    unit, use = results.unit, results.actions
    assert use is not None
    who = {"model": _wording.name(use.model), "action": _quote(name)}
    numbers = {"value": value.estimate, "lower": value.lower, "upper": value.upper}
    if math.isnan(value.lower):
        kind = "action-harms" if value.estimate < 0 else "action-saves-unsure"
        return _finding(kind, numbers, **who, **_amount(kind, unit.cost(abs(value.estimate))))
    if value.upper < 0:
        return _finding("action-harms", numbers, **who, loss=unit.cost(-value.estimate))
    lower, upper = unit.ends(value.estimate, value.lower, value.upper)
    kind = "action-saves" if value.lower > 0 else "action-saves-close"
    said = {"gain": unit.cost(value.estimate), "level": _wording.percent(results.level), "lower": lower, "upper": upper}
    return _finding(kind, numbers, **who, **said)


def _amount(kind: str, cost: str) -> dict[str, str]:
    return {"loss" if kind == "action-harms" else "gain": cost}


def _quote(name: str) -> str:
    return f"\u2018{_wording.name(name)}\u2019"


def _finding(kind: str, numbers: dict[str, float], **values: str) -> Finding:
    template = ACTION_TEMPLATES[kind]
    return filled_in(kind, template, "ranking", numbers, values)
