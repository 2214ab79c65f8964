"""The watch over a file in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes._wording import chance, name, p_value, percent, percent_above
from stakes.cli._sites import span
from stakes.cli._watched_file import OpenBatch, WatchedFile
from stakes.evaluation import Decision, Unit, costs, describe_dropped
from stakes.monitoring import DOUBT, Drift, Watch
from stakes.uncertainty import Interval

ALARM = 3  # exit code


@dataclass(frozen=True)
class ActingLimits:
    """The score from which one acts, and the largest share of cases that can be acted on."""

    threshold: float | None = None
    capacity: float | None = None

    def text(self, acted: float) -> str:
        """Return what share is acted on, to go on a line; nothing without a threshold."""
        return "" if self.threshold is None else f", acts on {self.written(acted)}"

    def written(self, acted: float) -> str:
        """Write a share, and whether it is too many."""
        if self.capacity is None or acted <= self.capacity:
            return percent(acted)
        return f"{percent_above(acted, self.capacity)} (too many)"

    def share(self, scores: FloatArray) -> float:
        """Return the share of scores that are acted on."""
        return math.nan if self.threshold is None else float(np.mean(scores >= self.threshold))


@dataclass(frozen=True)
class WatchReport:
    """The watch over the complete batches of a file, if it has any, and the drift of the others."""

    model: str
    seen: Watch | None
    file: WatchedFile
    drifts: tuple[tuple[OpenBatch, Drift], ...]
    unit: Unit
    limits: ActingLimits

    @property
    def code(self) -> int:
        """The exit code."""
        return ALARM if self.seen is not None and self.seen.alarm is not None else 0


def watch_lines(shown: WatchReport) -> list[str]:
    """Return notes on reading, a line for each batch, the verdict, and what other scores say."""
    source = shown.file.source
    read = list(shown.file.notes) + ([] if source is None else list(describe_dropped(source.facts)))
    return [
        *read,
        *_seen_lines(shown),
        *(line for one, found in shown.drifts for line in drift_lines(shown, one, found)),
    ]


def _seen_lines(shown: WatchReport) -> list[str]:
    seen, labels, unit = shown.seen, shown.file.labels, shown.unit
    if seen is None:
        return []
    columns = zip(labels, seen.cases, seen.regret, seen.evidence, seen.alarms, strict=True)
    lines = [
        f"{name(label)}: {_count(cases)}, {_cost(unit, float(regret), seen.baseline)}, "
        f"evidence {evidence_text(float(log))}{shown.limits.text(float(acted))}"
        for label, cases, regret, log, acted in columns
    ]
    return [promise_text(shown, seen), *lines, *verdict_lines(shown, seen)]


def promise_text(shown: WatchReport, seen: Watch) -> str:
    """Say what was promised, and under which costs."""
    unit, least = shown.unit, seen.promised + seen.tolerance
    most = f"at most {_cost(unit, least, seen.baseline)}"
    return f"Promised: {name(shown.model)} costs {most}, if {costs(Decision(seen.costs))}."


def verdict_lines(shown: WatchReport, seen: Watch) -> list[str]:
    """Say whether the alarm stands, whether the capacity holds, and which outcomes are doubtful."""
    return [verdict_text(shown, seen), *_average_lines(shown, seen), *_breach_lines(shown, seen), *_doubts(shown)]


def _average_lines(shown: WatchReport, seen: Watch) -> Iterator[str]:
    """Say what all batches together cost, where there are several and an interval is known."""
    found, unit = seen.average(), shown.unit
    if len(seen) > 1 and math.isfinite(found.lower) and not found.caution:
        alone = unit.interval(found.estimate, found.lower, found.upper)
        ends = alone if seen.baseline is None else span(unit, found)
        cost = _cost(unit, found.estimate, seen.baseline)
        yield f"On average so far: {cost} (95% interval {ends}, which holds whenever one looks)."


def _breach_lines(shown: WatchReport, seen: Watch) -> Iterator[str]:
    """Say how many batches were beyond the capacity, and how probably the next one is."""
    if seen.capacity is None:
        return
    few, size = f"{len(seen.breaches):,} of {len(seen):,}", int(seen.cases[-1])
    yield f"{name(shown.model)} acts on more than your capacity of {percent(seen.capacity)} in {few} batches."
    if math.isfinite(too_many := seen.breach_probability(size)):
        probable = f"with probability {chance(too_many)}, if scores stay alike"
        yield f"Another batch of {_count(size)} has too many {probable}."


_EXPECTED = 10  # positives by the scores: without any, outcomes are hardly known (5 in 100,000 for calibrated scores)


def _doubts(shown: WatchReport) -> Iterator[str]:
    """Name the batches without a positive whose scores expect several."""
    for label, batch in zip(shown.file.labels, shown.file.batches(), strict=True):
        expected = float(batch["score"].sum())
        if not batch["y"].any() and expected >= _EXPECTED:
            scores = f"the scores of {name(shown.model)} expect about {expected:,.0f}"
            yield f"{name(label)} has no positives, where {scores}: check that its outcomes are known."


def verdict_text(shown: WatchReport, seen: Watch) -> str:
    """Say whether the alarm stands, and how often it would by chance."""
    model, every = name(shown.model), f"{seen.false_alarm_every:g}"
    beside = "" if seen.baseline is None else f" beside {name(seen.baseline)}"
    if seen.alarm is None:
        return f"No alarm: evidence that {model} costs more than promised{beside} stayed below {every}."
    alarm = f"Alarm in {name(shown.file.labels[seen.alarm])}: {model} costs more than promised{beside}"
    return f"{alarm}; such evidence comes by chance at most once in {every} batches on average."


def _cost(unit: Unit, regret: float, baseline: str | None) -> str:
    if baseline is None:
        return unit.cost(regret)
    more = "less" if regret < 0 else "more"
    number = unit.number(abs(regret))
    return f"{unit.mistakes(unit.name, number)} {more} than {name(baseline)} {unit.cases}"


def drift_lines(shown: WatchReport, batch: OpenBatch, found: Drift) -> Iterator[str]:
    """Say what the scores of a batch without all outcomes tell."""
    some = f"{batch.unknown:,} {'outcome is' if batch.unknown == 1 else 'outcomes are'} not known yet"
    known = "no outcome is known yet" if batch.unknown == batch.cases else some
    lost = f", {batch.without_score:,} without a score" if batch.without_score else ""
    acts = shown.limits.text(shown.limits.share(batch.scores))
    yield f"{name(batch.label)}: {_count(batch.cases)}{lost}{acts}; {known}, so it is not watched."
    assert found.cost is not None
    assert found.cost_if_calibrated is not None
    unit, before = shown.unit, f"{shown.unit.cost(float(found.reference_cost or 0.0))} in the reference"
    positives, cost = f"Positives, {percent(found.reference)} in the reference", f"Expected cost of {name(shown.model)}"
    calibrated, cost_calibrated = _share(found.if_calibrated), _ends(unit, found.cost_if_calibrated)
    if found.explained < DOUBT:
        p = p_value(found.explained, unlike=DOUBT)
        yield f"  More than the share of positives has changed ({p}): label some of these cases."
        yield f"  {positives}: now {calibrated} if scores mean what they meant, which labels would show."
        yield f"  {cost}, {before}: now {cost_calibrated} if they do."
        return
    by_class = f"now {_share(found.prevalence)} if each class has the scores it had"
    yield f"  {positives}: {by_class}, {calibrated} if scores mean what they meant."
    yield f"  {cost}, {before}: now {_ends(unit, found.cost)} or {cost_calibrated}."


def _share(found: Interval) -> str:
    if math.isnan(found.estimate):
        return "not known"
    return f"{percent(found.estimate)} ({percent(found.lower)} to {percent(found.upper)})"


def _ends(unit: Unit, found: Interval) -> str:
    if math.isnan(found.estimate):
        return "not known"
    return f"{unit.number(found.estimate)} ({unit.interval(found.estimate, found.lower, found.upper)})"


def _count(cases: int) -> str:
    return "1 case" if cases == 1 else f"{cases:,} cases"


def evidence_text(power: float) -> str:
    """Write evidence, given its log10, in two digits; none beyond a million, or below a hundredth."""
    if power > 6:
        return "over 1,000,000"
    if power < -2:
        return "below 0.01"
    value = float(f"{10**power:.2g}")
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"
