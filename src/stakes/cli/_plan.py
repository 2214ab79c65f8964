"""The command `plan`: what more cases would be worth, from a file or from a guess."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from stakes import _check
from stakes._errors import InputError
from stakes._wording import percent
from stakes.cases import Cases
from stakes.cli._options import make_decision
from stakes.cli._progress import progress
from stakes.cli._reading import RunOptions, open_source
from stakes.cli._show import console, say
from stakes.evaluation import EVERYONE, NO_ONE, CaseSource, Decision, Unit, make_unit, unlimited
from stakes.frames import text_options
from stakes.planning import StudyPlan, imagine, value_of_cases

_MORE = (100, 1000, 10000)


def plan_cases(*, file: str | None, auc: Sequence[str], prevalence: Any, costs: Any, unit: Any, **options: Any) -> None:
    """Say what more cases would be worth."""
    shown = {name: options.pop(name) for name in ("json", "more", "decisions", "price", "value", "worth")}
    if (file is None) == (not auc):
        raise InputError(("file", "auc"), "be given one at a time", "neither" if file is None else "both")
    if file is None:
        decision = make_decision(costs, unit=unit)
        if prevalence is None:
            raise InputError("prevalence", "be given with `--auc`")
        cases = imagine(float(prevalence.belief.mean), dict(map(_named_area, auc)))
    else:
        decision = make_decision(costs, prevalence, unit=unit)
        cases = _read(file, options)
    options_too = cases.with_constants({EVERYONE: 1.0, NO_ONE: 0.0})
    unit_used = replace(make_unit(decision, cases.table(cases.models[0]).prevalence), digits=1)
    plan = _plan(options_too, decision, unit_used, shown, imagined=file is None)
    if shown["json"]:
        click.echo(json.dumps(_plain(plan, unit_used)))
        return
    for line in plan_sentences(plan, unit_used, priced=shown["price"] is not None):
        say(console(), line)


def _named_area(text: str) -> tuple[str, float]:
    name, equals, area = text.rpartition("=")
    try:
        return (name if equals else "model"), float(area)
    except ValueError:
        raise InputError("auc", "look like 0.8 or new=0.8", _check.show(text)) from None


def _read(file: str, options: dict[str, Any]) -> Cases:
    text = text_options(*(options.pop(name) for name in ("encoding", "missing", "sheet")))
    run = RunOptions(in_memory=None, seed=0, text=text)
    with (
        open_source(file, {"group": None, "key": None, "repeat": None} | options, run) as (source, _),
        progress("planning"),
    ):
        if not isinstance(source, CaseSource):
            raise InputError("file", "be small enough to be read into memory", file)
        return source.cases


def _plan(cases: Cases, decision: Decision, unit: Unit, shown: dict[str, Any], *, imagined: bool) -> StudyPlan:
    """Return the plan, with money per decision from the value of one printed mistake."""
    worth = shown["worth"] or (100.0 if imagined else None)
    priced = shown["decisions"] is not None or shown["price"] is not None
    money = {name: shown[name] for name in ("decisions", "price")} if priced else {}
    unit_value = (shown["value"] or 1.0) * unit.factor
    more = shown["more"] or _MORE
    return value_of_cases(cases, unlimited(decision), more=more, worth=worth, unit_value=unit_value, **money)


def plan_sentences(plan: StudyPlan, unit: Unit, *, priced: bool) -> list[str]:
    """Return the plan in sentences."""
    per = unit.heading
    said = [f"Choosing now is expected to lose {unit.number(plan.perfect)} {per}; {plan.best} looks best."]
    for n, value, right in zip(plan.more, plan.value, plan.probability_right, strict=True):
        said.append(
            f"{n:,} more cases are worth {unit.number(float(value))}, and make the choice right with probability "
            f"{percent(float(right))}."
        )
    if priced and plan.best_more == 0:
        said.append("At that price no number of cases pays.")
    elif priced and plan.best_more is not None and plan.net is not None:
        said.append(f"About {plan.best_more:,} more cases pay best, and gain {plan.net:,.0f} in all.")
    if plan.caution:
        said.append(f"Take these with care: {plan.caution}.")
    return said


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
        "error": plan.error,
        "prior": plan.prior,
        "caution": plan.caution,
    }
