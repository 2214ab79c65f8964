"""How far the cases of an evaluation were followed, in words and as plain values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _wording
from stakes._facts import SampleFacts
from stakes._language import number, say, say_list, signs
from stakes._words import Words, said
from stakes.outcome import FollowUp

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation


def event_name(found: FollowUp, words: Words | None) -> str:
    """Name the event as the user does, or by its label."""
    if words is not None and words.positive:
        return words.positive
    return say('"{event}"', event=_wording.name(found.cause)) if isinstance(found.cause, str) else say("the event")


def until(found: FollowUp, words: Words | None, times: Sequence[float] = ()) -> str:
    """Say by when the event counts, in the unit of time if that is known; `times` are several horizons."""
    shown, unit = time_and_unit(found, words, times)
    return say("within {shown} {time}", shown=shown, time=unit) if unit else say("by {shown}", shown=shown)


def time_and_unit(found: FollowUp, words: Words | None, times: Sequence[float] = ()) -> tuple[str, str]:
    """Write the horizon, or several, and name the unit of time; it is empty where it is not known."""
    one, many = ("", "") if words is None else words.time
    if not many:
        one, many = found.time_unit.removesuffix("s"), found.time_unit
    shown = say_list([number(time, "g") for time in times or (found.horizon,)])
    return shown, one if shown == "1" else many


def predicted_event(evaluation: Evaluation) -> str:
    """Name the event that is predicted and by when it counts; nothing where outcomes are known as given."""
    found, words = evaluation.sample.follow_up, evaluation.decision.words
    return "" if found is None else f"{event_name(found, words)} {until(found, words, list(evaluation.horizons))}"


def describe_follow_up(sample: SampleFacts, words: Words | None = None, several: str = "") -> str:
    """Describe a sample whose cases were not all followed until the horizon, in the words of the user.

    The counts are those at the last of `several` horizons, which are said first.
    """
    found = sample.follow_up
    assert found is not None
    cases = said(words, say("{cases:,} cases", cases=sample.cases))
    if sample.weighted:
        cases += say(" of weight {weight}", weight=_wording.count(sample.weight))
    if sample.clusters is not None:
        cases += say(" in {clusters:,} clusters", clusters=sample.clusters)
    how = {"event": event_name(found, words), "risk": _wording.percent(found.risk), "estimator": estimator_name(found)}
    had = say("{positive:,} had {event} ({risk}, {estimator})", positive=found.positive, **how)
    if found.entered_late:
        text = "{free:,} are known to be free of it, {left:,} left before and {late:,} entered too late: unknown"
        rest = say(text, free=found.event_free, left=found.unknown - found.entered_late, late=found.entered_late)
    else:
        text = "{free:,} are known to be free of it, {unknown:,} left before: unknown"
        rest = say(text, free=found.event_free, unknown=found.unknown)
    if found.competing:
        rest = say("{competing:,} another event first, ", competing=found.competing) + rest
    text = "{cases} followed{several}; {until}, {had}, {rest}"
    return say(text, cases=cases, several=several, until=until(found, words), had=had, rest=rest)


def estimator_name(found: FollowUp) -> str:
    """Name the estimator that the risk is, which a model of leaving makes another one."""
    if found.censoring == "by covariates":
        return say("weighted by a Cox model of leaving")
    if found.censoring == "given":
        return say("weighted by the chances of staying that were given")
    curve = "Aalen-Johansen" if found.competing else "Kaplan-Meier"
    return say("{curve} in each stratum", curve=curve) if found.censoring == "by strata" else curve


def write_p_value(chance: float, text: str = "p = {most:.3f}") -> str:
    """Write a p-value."""
    return say(text, most=chance) if chance >= 0.0005 else signs("p < 0.001")


def outcome_json(found: FollowUp | None) -> dict[str, Any] | None:
    """Return the kind of outcome as plain values; None where every outcome is known as given."""
    if found is None:
        return None
    cause = found.cause.item() if isinstance(found.cause, np.generic) else found.cause
    return {
        "kind": "event by",
        "horizon": found.horizon,
        "time_unit": found.time_unit or None,
        "cause": cause if isinstance(cause, bool | int | float | str) else str(cause),
        "cases": found.cases,
        "known": found.cases - found.unknown,
        "risk": found.risk,
        "least_probability": found.least_probability,
        "censoring": found.censoring,
    }


def follow_up_json(found: FollowUp | None) -> dict[str, Any] | None:
    """Return the follow-up as plain values; None where every outcome is known."""
    if found is None:
        return None
    names = ("horizon", "positive", "competing", "event_free", "unknown", "risk", "least_probability")
    values = {name: getattr(found, name) for name in (*names, "largest_weight", "effective_cases")}
    checks = {model: None if math.isnan(chance) else chance for model, chance in found.score_checks.items()}
    return values | {"score_checks": checks}
