"""The command `watch`: batches of a file against a promised cost, and scores without outcomes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from stakes import _check
from stakes._errors import Argument, InputError
from stakes._wording import name
from stakes.beliefs import as_share
from stakes.cli._margin import read_margin
from stakes.cli._options import make_decision
from stakes.cli._outputs import explain_failure, output_path
from stakes.cli._reading import plain_facts, read_cases
from stakes.cli._show import console, say
from stakes.cli._watch_lines import ActingLimits, WatchReport, watch_lines
from stakes.cli._watch_page import watch_cards
from stakes.cli._watched_file import OpenBatch, WatchedFile, read_batches
from stakes.evaluation import Decision, make_unit
from stakes.measures import expected_regret
from stakes.monitoring import Drift, drift, most_loss, watch
from stakes.table import ScoreTable
from stakes.uncertainty import Interval

_FEW = 20  # printed cost below which costs have a digit after the point


# Arguments of Python, and of reading, under the names of this command.
_CALLED = {"site": "batch", "false_alarm_every": "every"}


def watch_file(*, file: str | None, promised: str | None, **options: Any) -> int:
    """Watch the batches of a file, in the order in which they appear; 3 if an alarm stands."""
    decision = make_decision(options.pop("costs"), unit=options.pop("unit"))
    as_json = options.pop("json")
    _check_given(file, options)
    page = output_path("--html", options.pop("html"), file)
    limit = None if promised is None else _read_promise(promised, decision)
    limits = _acting_limits(options.pop("capacity"), options.pop("threshold"))
    with _as_typed():
        shown = _watch_report(str(file), decision, limit, limits, options, quiet=as_json)
    if page is not None:
        _write_page(page, shown)
    if as_json:
        click.echo(json.dumps(_plain(shown)))
        return shown.code
    for line in watch_lines(shown):
        text = line.lstrip()
        say(console(), text, indent=line[: -len(text)])
    if page is not None:
        say(console(), f"Report: {page} (open it in a browser)")
    return shown.code


def _write_page(page: Path, shown: WatchReport) -> None:
    from stakes.report import write_cards

    with explain_failure("--html", page):
        write_cards(page.resolve(), f"{name(shown.model)} in use", watch_cards(shown))


def _check_given(file: str | None, options: dict[str, Any]) -> None:
    """Raise unless there is a file with batches of one model."""
    if file is None:
        raise InputError("file", "be the file with the predictions", "none")
    if options["batch"] is None:
        raise InputError("batch", "be given", "none")
    if len(options["predictions"]) != 1:
        raise InputError("predictions", "name the one model in use", f"{len(options['predictions'])}")


def _acting_limits(capacity: str | None, threshold: str | None) -> ActingLimits:
    """Read the share of cases that can be acted on, and the score from which one acts."""
    if capacity is not None and threshold is None:
        raise InputError("threshold", ("be given with ", Argument("capacity")), "none")
    most = None if capacity is None else as_share("capacity", capacity)
    return ActingLimits(None if threshold is None else as_share("threshold", threshold), most)


def _watch_report(
    file: str,
    decision: Decision,
    limit: float | None,
    limits: ActingLimits,
    options: dict[str, Any],
    *,
    quiet: bool,
) -> WatchReport:
    """Watch the complete batches, and compare the scores of the others with labelled cases."""
    every, baseline, batch, reference = (options.pop(one) for one in ("every", "baseline", "batch", "reference"))
    largest = options.pop("largest_cluster")
    (model,) = options["predictions"]
    if baseline == model:
        raise InputError("baseline", "be a different model from the one in use", _check.show(baseline))
    columns = {**options, "predictions": (model,), "site": batch}
    found = read_batches(file, columns, baseline=baseline, referred=bool(reference), quiet=quiet)
    table = _reference(found, reference, options, model, quiet=quiet)
    seen = None
    if found.source is not None:
        if limit is None:
            raise InputError("promised", "be given", "none")
        asked = {"promised": limit, "false_alarm_every": every, "baseline": baseline, "largest_cluster": largest}
        seen = watch(found.batches(), decision.costs, **asked, **vars(limits))
    drifts = [] if table is None else [(one, drift(table, one.scores, costs=decision.costs)) for one in found.open]
    known = table if found.source is None else found.source.cases.table(model)
    assert known is not None  # a file has batches with outcomes, or a reference
    unit = make_unit(decision, known.prevalence)
    if unit.value(expected_regret(known, decision.costs)) < _FEW:
        unit = replace(unit, digits=1)
    if limit is not None:
        unit = replace(unit, digits=max(unit.digits, _digits(unit.value(limit))))
    return WatchReport(model, seen, found, tuple(drifts), unit, limits)


def _reference(
    found: WatchedFile, reference: str | None, options: dict[str, Any], model: str, *, quiet: bool
) -> ScoreTable | None:
    """Return the labelled cases to compare new scores with, those of the file unless others are given."""
    if not found.open:
        return None
    if reference is not None:
        columns = {role: value for role, value in options.items() if role != "cluster"}
        return read_cases(reference, columns, quiet=quiet).cases.table(model)
    if found.source is None:
        wanted = ("be given where no batch of ", Argument("file"), " has outcomes")
        raise InputError("reference", wanted, "none")
    return found.source.cases.table(model)


def _digits(promised: float) -> int:
    """Return with how many digits after the point a promise reads as it was typed: two at most, or none."""
    return next((digits for digits in range(3) if math.isclose(promised, round(promised, digits))), 0)


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


# ------------------------------------------------------------------------------------------- numbers


def _plain(shown: WatchReport) -> dict[str, Any]:
    """Return the watch as plain values, in the scales of `expected_regret` and of log10."""
    seen, unit, source = shown.seen, shown.unit, shown.file.source
    return {
        "unit": {"name": unit.name, "factor": unit.factor, "per": unit.per},
        "batches": list(shown.file.labels),
        "cases": [] if seen is None else seen.cases.tolist(),
        "regret": [] if seen is None else seen.regret.tolist(),
        "baseline": None if seen is None else seen.baseline,
        "promised": None if seen is None else seen.promised,
        "log10_evidence": [] if seen is None else seen.evidence.tolist(),
        "log10_since_start": [] if seen is None else seen.since_start.tolist(),
        "log10_alarm": None if seen is None else math.log10(seen.false_alarm_every),
        "alarm": None if seen is None else seen.alarm,
        **_plain_alarms(shown),
        "without_outcomes": [_plain_drift(batch, found, shown.limits) for batch, found in shown.drifts],
        **plain_facts(None if source is None else source.facts, shown.file.notes),
    }


def _plain_alarms(shown: WatchReport) -> dict[str, Any]:
    """Return the shares of cases acted on, and where they are too many; null where not known."""
    seen, limits = shown.seen, shown.limits
    known = seen is not None and limits.threshold is not None
    chance = math.nan if seen is None else seen.breach_probability(int(seen.cases[-1]))
    return {
        "threshold": limits.threshold,
        "capacity": limits.capacity,
        "acted_on": seen.alarms.tolist() if seen is not None and known else None,
        "breaches": None if seen is None or limits.capacity is None else seen.breaches,
        "breach_probability": chance if math.isfinite(chance) else None,
    }


def _plain_drift(batch: OpenBatch, found: Drift, limits: ActingLimits) -> dict[str, Any]:
    intervals = {
        "prevalence": found.prevalence,
        "prevalence_if_calibrated": found.if_calibrated,
        "cost": found.cost,
        "cost_if_calibrated": found.cost_if_calibrated,
    }
    return {
        "batch": batch.label,
        "cases": batch.cases,
        "unknown_outcomes": batch.unknown,
        "without_score": batch.without_score,
        "acted_on": None if limits.threshold is None else limits.share(batch.scores),
        "reference_prevalence": found.reference,
        "reference_cost": found.reference_cost,
        **{key: _plain_interval(one) for key, one in intervals.items() if one is not None},
        "explained": found.explained if math.isfinite(found.explained) else None,
        "outside": found.outside,
    }


def _plain_interval(one: Interval) -> dict[str, float | None]:
    ends = {"estimate": one.estimate, "lower": one.lower, "upper": one.upper}
    return {key: value if math.isfinite(value) else None for key, value in ends.items()}
