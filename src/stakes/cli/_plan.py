"""The command `plan`: what more cases would be worth, from a file or from a guess."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from stakes import _check
from stakes._errors import Argument, InputError
from stakes._predictions import reference_name
from stakes._wording import chance
from stakes.cases import Cases
from stakes.cli._options import make_decision
from stakes.cli._progress import progress
from stakes.cli._reading import plain_facts, read_cases
from stakes.cli._show import console, say
from stakes.evaluation import EVERYONE, NO_ONE, Decision, Unit, describe_dropped, make_unit, unlimited
from stakes.planning import StudyPlan, imagine, value_of_cases

_MORE = (100, 1000, 10000)
_GUESS = 100.0  # cases that an imagined AUC is worth
_OF_A_FILE = ("outcome", "predictions", "pos_label", "weight", "cluster", "encoding", "missing", "sheet", "on_missing")


def plan_cases(*, file: str | None, auc: Sequence[str], prevalence: Any, costs: Any, unit: Any, **options: Any) -> None:
    """Say what more cases would be worth."""
    shown = _take_own(options)
    _check_together(file, auc, shown, options)
    facts = None
    if file is None:
        decision = make_decision(costs, unit=unit)
        if prevalence is None:
            raise InputError("prevalence", ("be given with ", Argument("auc")))
        if len(set(prevalence.belief.support)) > 1:
            raise InputError("prevalence", ("be one value with ", Argument("auc")), prevalence.text)
        cases = imagine(float(prevalence.belief.mean), _areas(auc))
    else:
        decision = make_decision(costs, prevalence, unit=unit)
        with progress("planning"):
            source = read_cases(file, options)
        cases, facts = source.cases, source.facts
    references = ((EVERYONE, 1.0), (NO_ONE, 0.0))
    options_too = cases.with_constants({reference_name(one, cases.models): at for one, at in references})
    unit_used = replace(make_unit(decision, cases.table(cases.models[0]).prevalence), digits=1)
    plan = _plan(options_too, decision, unit_used, shown, imagined=file is None)
    if shown["json"]:
        click.echo(json.dumps(_plain(plan, unit_used) | plain_facts(facts)))
        return
    read = [] if facts is None else [*facts.reading_notes, *describe_dropped(facts)]
    for line in [*read, *plan_sentences(plan, unit_used, decision, **_prices(shown))]:
        say(console(), line)


def _check_together(file: str | None, auc: Sequence[str], shown: dict[str, Any], options: dict[str, Any]) -> None:
    """Raise if options are given that the others leave without effect."""
    if (file is None) == (not auc):
        raise InputError(("file", "auc"), "be given one at a time", "neither" if file is None else "both")
    if file is not None and shown["worth"] is not None:
        raise InputError("worth", ("be left out with ", Argument("file")), _check.show(shown["worth"]))
    for role in _OF_A_FILE if file is None else ():
        if options[role] not in (None, ()):
            raise InputError(role, ("be left out with ", Argument("auc")))
    if shown["value"] is not None and shown["decisions"] is None and shown["price"] is None:
        raise InputError(("decisions", "price"), ("be given with ", Argument("value")), "neither")


def _take_own(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of the plan itself from those of reading."""
    shown = {name: options.pop(name) for name in ("json", "more", "decisions", "price", "value", "worth")}
    decisions, period = _decisions(shown["decisions"])
    return shown | {"decisions": decisions, "period": period}


def _prices(shown: dict[str, Any]) -> dict[str, Any]:
    return {"priced": shown["price"] is not None, "period": shown["period"]}


def _decisions(text: str | None) -> tuple[float | None, str]:
    """Return a number of decisions, and the time in which they are made if one is given."""
    if text is None:
        return None, ""
    number, slash, period = text.partition("/")
    try:
        count = float(number.replace(",", ""))
    except ValueError:
        count = -1.0
    if not 0 < count < math.inf or bool(slash) != period.strip().isalpha():
        raise InputError("decisions", "look like 20000 or 20000/year", _check.show(text))
    return count, period.strip()


def _areas(auc: Sequence[str]) -> dict[str, float]:
    """Return the AUC of each model by its name; raise if two have the same."""
    areas: dict[str, float] = {}
    for text in auc:
        name, equals, area = text.rpartition("=")
        called = name if equals else "model"
        if called in areas:
            raise InputError("auc", "name each model once", f"{_check.show(called)} twice", hint="write new=0.8")
        try:
            areas[called] = float(area)
        except ValueError:
            raise InputError("auc", "look like 0.8 or new=0.8", _check.show(text)) from None
    return areas


def _plan(cases: Cases, decision: Decision, unit: Unit, shown: dict[str, Any], *, imagined: bool) -> StudyPlan:
    """Return the plan, with money per decision from the value of one printed mistake."""
    worth = _GUESS if imagined and shown["worth"] is None else shown["worth"]
    value = 1.0 if shown["value"] is None else _check.number_above("value", shown["value"])
    money = {name: shown[name] for name in ("decisions", "price")}
    more = shown["more"] or _MORE
    return value_of_cases(cases, unlimited(decision), more=more, worth=worth, unit_value=value * unit.factor, **money)


def plan_sentences(plan: StudyPlan, unit: Unit, decision: Decision, *, priced: bool, period: str) -> list[str]:
    """Return the plan in sentences."""
    said = [f"Choosing now is expected to lose {unit.cost(plan.perfect)}; {plan.best} looks best."]
    for n, value, right in zip(plan.more, plan.value, plan.probability_right, strict=True):
        said.append(
            f"{n:,} more cases are worth {unit.number(float(value))}, and make the choice right with probability "
            f"{chance(float(right))}."
        )
    if priced and plan.best_more == 0:
        said.append("At that price no number of cases pays.")
    elif priced and plan.best_more is not None and plan.net is not None:
        when = f"in the first {period}" if period else "in all"
        said.append(f"About {plan.best_more:,} more cases pay best, and gain {plan.net:,.0f} {when}.")
    said += _settling(plan, unit, decision)
    if plan.caution:
        said.append(f"Take these with care: {plan.caution}.")
    return said


def _settling(plan: StudyPlan, unit: Unit, decision: Decision) -> list[str]:
    """Say what it would be worth to settle what was stated as a range."""
    stated = {
        "costs": (decision.costs, plan.value_of_costs),
        "prevalence": (decision.prevalence, plan.value_of_prevalence),
    }
    worth = [
        f"settling the {what} instead would be worth {unit.number(value)}"
        for what, (belief, value) in stated.items()
        if value is not None and len(set(getattr(belief, "support", ()))) > 1
    ]
    text = "; ".join(worth)
    return [f"{text[0].upper()}{text[1:]}."] if worth else []


def _plain(plan: StudyPlan, unit: Unit) -> dict[str, Any]:
    """Return the plan as plain values, in the scale of `expected_regret`."""
    return {
        "unit": {"name": unit.name, "factor": unit.factor, "per": unit.per},
        "cases": plan.cases,
        "best": plan.best,
        "perfect": plan.perfect,
        "more": list(plan.more),
        "value": plan.value.tolist(),
        "probability_right": plan.probability_right.tolist(),
        "loss_left": plan.loss_left.tolist(),
        "best_more": plan.best_more,
        "net": plan.net,
        "value_of_costs": plan.value_of_costs,
        "value_of_prevalence": plan.value_of_prevalence,
        "error": plan.error,
        "prior": plan.prior,
        "caution": plan.caution,
    }
