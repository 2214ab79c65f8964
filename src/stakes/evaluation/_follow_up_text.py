"""How far the cases of an evaluation were followed, in words and as plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from stakes import _wording
from stakes._facts import SampleFacts
from stakes._words import Words, said
from stakes.outcome import FollowUp


def describe_follow_up(sample: SampleFacts, words: Words | None = None, several: str = "") -> str:
    """Describe a sample whose cases were not all followed until the horizon, in the words of the user.

    The counts are those at the last of `several` horizons, which are said first.
    """
    found = sample.follow_up
    assert found is not None
    weight = f" of weight {_wording.count(sample.weight)}" if sample.weighted else ""
    clusters = "" if sample.clusters is None else f" in {sample.clusters:,} clusters"
    estimator = "Aalen-Johansen" if found.competing else "Kaplan-Meier"
    event = words.positive if words is not None and words.positive else "the event"
    had = f"{found.positive:,} had {event} ({_wording.percent(found.risk)}, {estimator})"
    other = f"{found.competing:,} another event first, " if found.competing else ""
    rest = f"{other}{found.event_free:,} are known to be free of it, {found.unknown:,} left before: unknown"
    cases = said(words, f"{sample.cases:,} cases")
    counts = f"{cases}{weight}{clusters} followed{several}; by {found.horizon:g}, {had}, {rest}"
    return " ".join([f"{counts}.", *sample.reading_notes]) if sample.reading_notes else counts


def outcome_json(found: FollowUp | None) -> dict[str, Any] | None:
    """Return the kind of outcome as plain values; None where every outcome is known as given."""
    if found is None:
        return None
    cause = found.cause.item() if isinstance(found.cause, np.generic) else found.cause
    return {
        "kind": "event by",
        "horizon": found.horizon,
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
    checks = {model: None if chance != chance else chance for model, chance in found.score_checks.items()}
    return values | {"score_checks": checks}
