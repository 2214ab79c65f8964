"""The command `watch`: labelled batches of a file against a promised cost."""

from __future__ import annotations

import json
from typing import Any

import click
import numpy as np

from stakes import _check
from stakes._errors import InputError
from stakes._wording import name
from stakes.cli._margin import read_margin
from stakes.cli._options import make_decision
from stakes.cli._reading import RunOptions, open_source
from stakes.cli._show import console, say
from stakes.evaluation import CaseSource, Unit, make_unit
from stakes.frames import text_options
from stakes.monitoring import Watch, watch

ALARM = 3  # exit code


def watch_file(*, file: str | None, batch: str | None, promised: str | None, **options: Any) -> int:
    """Watch the batches of a file, in the order in which they appear; 3 if an alarm stands."""
    decision = make_decision(options.pop("costs"), unit=options.pop("unit"))
    every, as_json = options.pop("every"), options.pop("json")
    for role, given in (("batch", batch), ("promised", promised)):
        if given is None:
            raise InputError(role, "be given", "none")
    if len(options["predictions"]) != 1:
        raise InputError("predictions", "name the one model in use", f"{len(options['predictions'])}")
    limit = read_margin("promised", str(promised), decision)
    text = text_options(*(options.pop(role) for role in ("encoding", "missing", "sheet")))
    run = RunOptions(in_memory=None, seed=0, text=text, quiet=as_json)
    asked = {"weight": None, "cluster": None, "key": None, "repeat": None, "group": batch} | options
    with open_source(file, asked, run) as (source, _):
        labels, batches = _batches(source, str(file))
    seen = watch(batches, decision.costs, promised=limit, false_alarm_every=every)
    unit = make_unit(decision, float(np.mean(np.concatenate([y for y, _ in batches]))))
    if as_json:
        click.echo(json.dumps(_plain(seen, labels)))
    else:
        for line in watch_lines(seen, labels, unit, name(options["predictions"][0])):
            say(console(), line)
    return ALARM if seen.alarm is not None else 0


def _batches(source: object, file: str) -> tuple[list[str], list[tuple[Any, Any]]]:
    """Return the labels of the batches in the order in which they appear, and outcomes and scores of each."""
    if not isinstance(source, CaseSource) or source.coded is None:
        raise InputError("file", "be small enough to be read into memory", _check.show(file))
    names, codes = source.coded
    (score,) = source.columns.predictions.values()
    positive = np.asarray(source.columns.outcome)
    positive = positive == (1 if source.columns.pos_label is None else source.columns.pos_label)
    _, first = np.unique(codes, return_index=True)
    order = codes[np.sort(first)]
    return [str(names[code]) for code in order], [
        (positive[codes == code], np.asarray(score)[codes == code]) for code in order
    ]


def watch_lines(seen: Watch, labels: list[str], unit: Unit, model: str) -> list[str]:
    """Return a line for each batch, and the verdict."""
    lines = [
        f"{label}: {cases:,} cases, {unit.cost(float(regret))}, evidence {_evidence(float(power))}"
        for label, cases, regret, power in zip(labels, seen.cases, seen.regret, seen.evidence, strict=True)
    ]
    if seen.alarm is None:
        return [
            *lines,
            f"No alarm: evidence that {model} costs more than promised stayed below {seen.false_alarm_every:g}.",
        ]
    alarm = f"Alarm in {labels[seen.alarm]}: {model} costs more than promised"
    rare = f"such evidence comes by chance at most once in {seen.false_alarm_every:g} batches on average"
    return [*lines, f"{alarm}; {rare}."]


def _evidence(power: float) -> str:
    """Write evidence, given its log10, in two digits; none beyond a million."""
    if power > 6:
        return "over 1,000,000"
    value = float(f"{10**power:.2g}")
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def _plain(seen: Watch, labels: list[str]) -> dict[str, Any]:
    """Return the watch as plain values; evidence is on the scale of log10."""
    columns = {one: getattr(seen, one).tolist() for one in ("cases", "regret", "evidence", "since_start")}
    return {"batches": labels, **columns, "promised": seen.promised, "alarm": seen.alarm}
