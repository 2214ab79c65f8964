"""Commands that evaluate a file, guessed from its columns."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stakes._guessing import LEFT, YES
from stakes._wording import printable
from stakes.frames import ColumnSummary

Labels = Mapping[str, Mapping[float, str]]  # of codes, by column

_COSTS = ["--costs", "5%..20%"]
_LABEL = "LABEL"  # where nothing tells which label is the positive one


@dataclass(frozen=True)
class Guess:
    """A sentence about the columns, and the command to copy if it is right, where there is one."""

    sentence: str
    typed: list[str]


def guesses(file: list[str], found: Sequence[ColumnSummary], labels: Labels) -> Iterator[Guess]:
    """Return what the columns could mean, and what to type then: follow-up, amounts, known outcomes."""
    models = [one.name for one in found if one.role == "predictions"]
    event = next(iter(sorted((one for one in found if one.may_be_event), key=lambda one: one.event_rank)), None)
    time = next((one for one in found if one.is_called_time), None)
    followed = None if event is None or time is None else _guess_follow_up(time, event, labels, file, models)
    if followed is not None:
        yield followed
    if event is not None and (amount := next((one.name for one in found if one.is_called_amount), None)):
        typed = printable(shlex.join(["--false-negative-cost", amount, "--false-positive-cost"]))
        asked = f"Is column {printable(amount)} what is lost if a positive is left?"
        yield Guess(f"{asked} Then type {typed} and a number in place of --costs.", [])
    options, is_known = _outcome(found, labels)
    if options:
        known = followed is not None and followed.typed
        when = "everybody was followed until the outcome was known" if known else "these guesses are right"
        if models:
            command = ["stakes", "evaluate", *file, *options, "--predictions", *models, *_COSTS]
            label = "" if is_known else f", with the label of the positives in place of {_LABEL}"
            yield Guess(f"If {when}, and the costs are yours{label}:", command)


def _guess_follow_up(
    time: ColumnSummary, event: ColumnSummary, labels: Labels, file: list[str], models: list[str]
) -> Guess:
    """Ask if a column is a time of follow-up, and say what to type if it is."""
    asked = (
        f"Does column {printable(time.name)} say how long each case was followed, and {printable(event.name)} how that "
        "ended?"
    )
    ends, horizon = _ends(event, labels), f"{_round_below(time.largest / 2):.12g}"
    options = ["--time", time.name, "--event", event.name, *_dropping(time, event)]
    if models and ends is not None:
        typed = ["stakes", "evaluate", *file, *options, *ends, "--horizon", horizon, "--predictions", *models, *_COSTS]
        return Guess(f"{asked} Then, with your own horizon in place of {horizon} and your own costs:", typed)
    named = ", and name the label of the event with --cause and that of those who left with --censored"
    shown = printable(shlex.join([*options, *(ends or []), "--horizon"]))
    return Guess(f"{asked} Then type {shown} and a time in place of --outcome{'' if ends is not None else named}.", [])


def _ends(event: ColumnSummary, labels: Labels) -> list[str] | None:
    """Return the options that name the event and those who left; None where that cannot be guessed."""
    if event.kind == "yes or no" or (event.is_number and event.smallest == 0 and event.distinct > 2):
        return []
    if event.distinct > 2:
        return None
    if event.is_zero_or_one:
        return []
    both = _two_labels(event, labels)
    stayed = [label for label in both if label.strip().casefold() not in LEFT]
    cause = stayed[0] if len(stayed) == 1 else _likely_positive(event, labels)
    return None if cause is None else ["--cause", cause, "--censored", *(label for label in both if label != cause)]


def _round_below(number: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above a number."""
    power = 10.0 ** math.floor(math.log10(number))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= number)


def _outcome(found: Sequence[ColumnSummary], labels: Labels) -> tuple[list[str], bool]:
    """Return the options of the likely outcome, none if there is none, and if its label is known."""
    outcomes = sorted((one for one in found if one.role == "outcome"), key=lambda one: not one.is_called_outcome)
    if not outcomes:
        return [], False
    outcome = outcomes[0]
    options = ["--outcome", outcome.name, *_dropping(outcome)]
    if not (outcome.kind == "text" or (outcome.is_number and not outcome.is_zero_or_one)):
        return options, True
    label = _likely_positive(outcome, labels)
    return [*options, "--pos-label", _LABEL if label is None else label], label is not None


def _dropping(*needed: ColumnSummary) -> list[str]:
    """Return the option without which cases that lack a value in one of these columns are refused."""
    return ["--on-missing", "drop"] if any(one.missing for one in needed) else []


def _likely_positive(outcome: ColumnSummary, labels: Labels) -> str | None:
    """Return the label of two that is likely to be the positive one; None where nothing tells.

    The page that opens a file has the same rule: the larger of two numbers, a word that says so, else the rarer label.
    """
    both = _two_labels(outcome, labels)
    said = [label for label in both if label.strip().casefold() in YES]
    if len(said) == 1 and not (outcome.is_number and outcome.name not in labels):  # 1 is no word beside a 2
        return said[0]
    return both[0] if outcome.is_number else outcome.rarer


def _two_labels(outcome: ColumnSummary, labels: Labels) -> list[str]:
    """Return both labels of two, of codes that of the larger first."""
    values = (outcome.largest, outcome.smallest)
    if not outcome.is_number:
        return [*map(str, values)]
    known = labels.get(outcome.name, {})
    return [known.get(value, shown_number(value)) for value in values]


def shown_number(value: float) -> str:
    """Write a number with six digits, and commas between thousands."""
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:g}"
