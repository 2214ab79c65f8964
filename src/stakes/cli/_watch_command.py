"""The command `watch`: labelled batches of a file against a promised cost."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import numpy as np

from stakes import _check, _columns
from stakes._errors import InputError
from stakes._facts import SampleFacts
from stakes._roles import FrameColumns
from stakes._wording import name
from stakes.cli._margin import read_margin
from stakes.cli._options import make_decision
from stakes.cli._reading import read_cases
from stakes.cli._show import console, say
from stakes.evaluation import CaseSource, Decision, Unit, describe_dropped, make_unit
from stakes.monitoring import Watch, most_loss, watch

ALARM = 3  # exit code


# Arguments of Python, and of reading, under the names of this command.
_CALLED = {"group": "batch", "false_alarm_every": "every"}


def watch_file(*, file: str | None, batch: str | None, promised: str | None, **options: Any) -> int:
    """Watch the batches of a file, in the order in which they appear; 3 if an alarm stands."""
    decision = make_decision(options.pop("costs"), unit=options.pop("unit"))
    every, as_json = options.pop("every"), options.pop("json")
    for role, given in (("batch", batch), ("promised", promised)):
        if given is None:
            raise InputError(role, "be given", "none")
    if len(options["predictions"]) != 1:
        raise InputError("predictions", "name the one model in use", f"{len(options['predictions'])}")
    limit = _read_promise(str(promised), decision)
    with _as_typed():
        source = read_cases(file, {"group": batch, **options}, quiet=as_json, check=_check_in_order)
        labels, batches = _batches(source)
        seen = watch(batches, decision.costs, promised=limit, false_alarm_every=every)
    unit = make_unit(decision, source.facts.prevalence)
    if as_json:
        click.echo(json.dumps(_plain(seen, labels, unit, source.facts)))
        return _code(seen)
    read = [*source.facts.reading_notes, *describe_dropped(source.facts)]
    for line in [*read, *watch_lines(seen, labels, unit, name(options["predictions"][0]))]:
        say(console(), line)
    return _code(seen)


def _code(seen: Watch) -> int:
    return ALARM if seen.alarm is not None else 0


@contextmanager
def _as_typed() -> Iterator[None]:
    """Let errors name the options of this command."""
    try:
        yield
    except InputError as error:
        if not error.arguments:
            raise
        called = tuple(one._replace(role=_CALLED.get(one.role, one.role)) for one in error.arguments)
        raise error.but(argument=called) from None


def _read_promise(text: str, decision: Decision) -> float:
    """Return the regret that was promised; raise if no case could cost more, in the words that were typed."""
    limit, most = read_margin("promised", text, decision), most_loss(decision.costs)
    if limit < most:
        return limit
    count, rest = text.strip().split(None, 1)
    largest = float(count.replace(",", "")) * most / limit
    raise InputError("promised", f"be less than {largest:g} {rest}, the most that cases can cost", _check.show(text))


def _check_in_order(columns: FrameColumns) -> None:
    """Raise if a row has no batch, or one that had ended before."""
    labels = np.asarray(columns.group)
    missing = _columns.missing_labels(labels)
    if missing is not None:
        _columns.check_no_missing("batch", missing)
    starts = np.r_[0, np.flatnonzero(labels[1:] != labels[:-1]) + 1]
    seen: set[object] = set()
    for row in starts.tolist():
        if labels[row] in seen:
            again = f"rows of {str(labels[row])!r} come again after {str(labels[row - 1])!r}"
            raise InputError("batch", f"be in the order of time: {again}", row=row)
        seen.add(labels[row])


def _batches(source: CaseSource) -> tuple[list[str], list[tuple[Any, Any]]]:
    """Return the labels of the batches in the order in which they appear, and outcomes and scores of each."""
    assert source.coded is not None
    names, codes = source.coded
    (score,) = source.columns.predictions.values()
    positive = np.asarray(source.columns.outcome) == 1  # reading made it 0 and 1
    _, first = np.unique(codes, return_index=True)
    order = codes[np.sort(first)]
    return [str(names[code]) for code in order], [
        (positive[codes == code], np.asarray(score)[codes == code]) for code in order
    ]


def watch_lines(seen: Watch, labels: list[str], unit: Unit, model: str) -> list[str]:
    """Return a line for each batch, and the verdict."""
    lines = [
        f"{label}: {_counted(cases)}, {unit.cost(float(regret))}, evidence {_evidence(float(power))}"
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


def _counted(cases: int) -> str:
    return "1 case" if cases == 1 else f"{cases:,} cases"


def _evidence(power: float) -> str:
    """Write evidence, given its log10, in two digits; none beyond a million."""
    if power > 6:
        return "over 1,000,000"
    value = float(f"{10**power:.2g}")
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def _plain(seen: Watch, labels: list[str], unit: Unit, facts: SampleFacts) -> dict[str, Any]:
    """Return the watch as plain values, in the scales of `expected_regret` and of log10."""
    return {
        "unit": {"name": unit.name, "factor": unit.factor, "per": unit.per},
        "batches": labels,
        "cases": seen.cases.tolist(),
        "regret": seen.regret.tolist(),
        "promised": seen.promised,
        "log10_evidence": seen.evidence.tolist(),
        "log10_since_start": seen.since_start.tolist(),
        "log10_alarm": math.log10(seen.false_alarm_every),
        "alarm": seen.alarm,
        "dropped": facts.without_score,
        "dropped_by_role": facts.dropped_by_role,
        "reading_notes": list(facts.reading_notes),
    }
