"""Texts of a page about how far cases were followed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from stakes import _wording
from stakes._language import number, say, say_list
from stakes.evaluation import Evaluation, estimator_name, predicted_event, time_and_unit, write_p_value

_WEIGHED = (
    "Those who are known are weighted by one over their chance of still being followed, with events before "
    "censorings at one time."
)
_WEIGHED_LATE = (
    "Those who are known weigh what the Aalen-Johansen estimate gives them, in which a case is at risk from its entry "
    "to its end."
)
_WEIGHED_GIVEN = "Those who are known are weighted by one over their chance of still being followed, as it was given."

_CHECKS = "A chi-squared test of whether those who left differ in their scores from those who stayed: {checks}."

_ASSUMED = {
    "independent": "nothing",
    "independent with late entry": "nothing",
    "by strata": "the stratum",
    "by covariates": "covariates, by a Cox model",
    "given": "whatever the given chances depend on",
}

NO_ENDS = "they depend on who left when, which this page does not hold"
_NO_PAIRS = "they depend on how the scores of cases vary together, which this page does not hold"

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
    event = predicted_event(evaluation)
    return say("have {event}", event=event) if event else say("are positive")


def follow_up_rows(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Count who is known at the horizon, and how much rests on how few."""
    found = evaluation.sample.follow_up
    if found is None:
        return []
    late = [(say("entered too late: unknown"), number(found.entered_late, ","))] if found.entered_late else []
    other = [(say("another event first"), number(found.competing, ","))] if found.competing else []
    observed = "lowest chance of still being followed"
    if found.censoring == "independent with late entry":
        observed = "lowest chance of being under observation"
    return [
        (say("by the horizon"), " ".join(time_and_unit(found, evaluation.decision.words)).rstrip()),
        (say("followed"), number(found.cases, ",")),
        (say("had the event"), number(found.positive, ",")),
        *other,
        (say("free of it"), number(found.event_free, ",")),
        (say("left before: unknown"), number(found.unknown - found.entered_late, ",")),
        *late,
        (say("risk of the event"), f"{_wording.percent(found.risk)} ({estimator_name(found)})"),
        (say("leaving is assumed to depend on"), say(_ASSUMED[found.censoring])),
        (say(observed), _wording.percent(found.least_probability)),
        (say("the known count like"), number(found.effective_cases, ",.1f")),
    ]


def counts_everyone(evaluation: Evaluation) -> bool:
    """Return whether shares acted on are those of people; with late entry they are by weights."""
    return all(table.heads is not None for table in evaluation.tables.values())


def follow_up_note(evaluation: Evaluation) -> str:
    """Explain how the known stand for all, and whom shares and limits count."""
    found = evaluation.sample.follow_up
    if found is None or not left_before(evaluation):
        return say(_WEIGHED)
    weighed = {"independent with late entry": _WEIGHED_LATE, "given": _WEIGHED_GIVEN}.get(found.censoring, _WEIGHED)
    by = "Shares acted on and limits are by these weights."
    if counts_everyone(evaluation):
        by = "Shares acted on and limits count everyone, known or not."
    return " ".join([say(weighed), say(by), *_checks(found.score_checks)])


def _checks(chances: Mapping[str, float]) -> list[str]:
    """Say of every model how likely such a difference is by chance, where that was tested."""
    tested = {model: chance for model, chance in chances.items() if not math.isnan(chance)}
    said = [f"{_wording.name(model)} {write_p_value(chance)}" for model, chance in tested.items()]
    return [say(_CHECKS, checks=say_list(said))] if said else []


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
        "no_ends": "" if live is not None else say(NO_ENDS if left_before(evaluation) else _NO_PAIRS),
        "moved_ends": say(_MOVED_ENDS) if live is not None and left_before(evaluation) else "",
    }
