"""Whether an outcome is one of cases that were not all followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stakes._case_columns import is_followed
from stakes._errors import Argument, InputError, Name

if TYPE_CHECKING:
    from stakes.outcome._event_by import EventBy


def check_outcome(name: Name, y: Any, pos_label: object, *, several: bool = False) -> EventBy | None:
    """Return an outcome that is an EventBy, of one horizon unless `several` are taken; None for any other."""
    if not is_followed(y):
        return None
    from stakes.outcome._event_by import EventBy  # nobody else waits for it

    if not isinstance(y, EventBy):
        return None
    if pos_label is not None:
        wanted = ("not be given with an EventBy, whose ", Argument("cause"), " is the positive label")
        raise InputError("pos_label", wanted, repr(pos_label))
    if not several:
        check_one_horizon(name, y)
    return y


def check_one_horizon(name: Name, outcome: EventBy) -> None:
    """Raise if an outcome has several horizons, where a number is that of one table."""
    if len(outcome.horizons) > 1:
        hint = "use `at(horizon)` for one of them; `Cases`, `interval`, `compare`, `rank` and `evaluate` take several"
        raise InputError(name, "have one horizon here", str(len(outcome.horizons)), hint=hint)
