"""Texts of a page about how far cases were followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stakes import _wording
from stakes._language import number, say
from stakes.evaluation import Evaluation, predicted

_WEIGHED = (
    "Those who are known are weighted by one over their chance of still being followed, with events before "
    "censorings at one time."
)


NO_ENDS = "they depend on who left when, which this page does not hold"

_MOVED_ENDS = (
    "While a number is moved, each end of an interval is as far from its number as at the decision as stated, times "
    "the ratio of the standard errors, in which those who left count by a few columns of numbers that this page holds; "
    "\u201cabout\u201d marks those more than 0.5 in log-odds away. Where a model makes too few mistakes to say, there "
    "is none."
)


COUNTED = (
    "counts everyone, known or not; true and false alarms and misses are estimated from those who are known, so that "
    "they need not add up to it."
)


def positive_said(evaluation: Evaluation) -> str:
    """Say what positive cases are or, of those who were followed, what they have by when."""
    event = predicted(evaluation)
    return say("have {event}", event=event) if event else say("are positive")


def follow_up_rows(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Count who is known at the horizon, and how much rests on how few."""
    found = evaluation.sample.follow_up
    if found is None:
        return []
    other = [(say("another event first"), number(found.competing, ","))] if found.competing else []
    return [
        (say("by the horizon"), number(found.horizon, "g")),
        (say("followed"), number(found.cases, ",")),
        (say("had the event"), number(found.positive, ",")),
        *other,
        (say("free of it"), number(found.event_free, ",")),
        (say("left before: unknown"), number(found.unknown, ",")),
        (say("risk of the event"), _wording.percent(found.risk)),
        (say("lowest chance of still being followed"), _wording.percent(found.least_probability)),
        (say("the known count like"), number(found.effective_cases, ",.1f")),
    ]


def counts_everyone(evaluation: Evaluation) -> bool:
    """Return whether shares acted on are those of people; with late entry they are by weights."""
    return all(table.heads is not None for table in evaluation.tables.values())


def follow_up_note(evaluation: Evaluation) -> str:
    """Explain how the known stand for all, and whom shares and limits count."""
    if not left_before(evaluation):
        return say(_WEIGHED)
    by = "Shares acted on and limits are by these weights."
    if counts_everyone(evaluation):
        by = "Shares acted on and limits count everyone, known or not."
    return f"{say(_WEIGHED)} {say(by)}"


def left_before(evaluation: Evaluation) -> bool:
    """Return whether some outcomes are not known, so that rows of tables do not count people."""
    found = evaluation.sample.follow_up
    return found is not None and found.unknown > 0


def contents(evaluation: Evaluation, live: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the page's contents about those who were followed."""
    return {
        "followed": follow_up_rows(evaluation),
        "followed_note": follow_up_note(evaluation),
        "counted": say(COUNTED) if left_before(evaluation) and counts_everyone(evaluation) else "",
        "no_ends": say(NO_ENDS) if live is None and left_before(evaluation) else "",
        "moved_ends": say(_MOVED_ENDS) if live is not None and left_before(evaluation) else "",
    }
