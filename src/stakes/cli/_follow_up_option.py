"""Options of an outcome by a horizon, which stand in place of that of outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from stakes import _check
from stakes._errors import Argument, InputError
from stakes._roles import FollowRoles, FrameColumns, Roles, of_follow
from stakes.cli._options import called, option
from stakes.outcome import read_outcome

FOLLOW = ("time", "event", "horizon", "cause", "censored", "entry", "censoring_by", "censoring_cox")

_NEEDED = ("time", "event", "horizon")


class HorizonType(click.ParamType):  # type: ignore[type-arg]
    """A time by which the event counts, or several, joined by commas."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | tuple[float, ...]:
        """Read numbers above 0."""
        try:
            several = tuple(_check.number_above(called(param), float(one)) for one in str(value).split(","))
            return several[0] if len(several) == 1 else several
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError(called(param), "be a number, in the unit of `--time`", _check.show(value)) from None


CENSORED_OPTIONS = (
    option(
        "time",
        metavar="COLUMN",
        help="Column of the time each case was followed. With --event and --horizon in place of --outcome, where "
        "some left before the outcome was known.",
    ),
    option(
        "event",
        metavar="COLUMN",
        help="Column of how follow-up ended: 0 left, 1 the event, 2, 3, ... another event first; or labels, with "
        "--cause and --censored.",
    ),
    option(
        "horizon",
        type=HorizonType(),
        metavar="NUMBER",
        help="Time by which the event counts, such as 5; or several, 1,3,5, with a column of predictions for each: "
        "m1,m3,m5.",
    ),
    option("cause", metavar="LABEL", help="Label of the event in --event, if not 1."),
    option("censored", metavar="LABEL", help="Label in --event of cases that left, if not 0."),
    option(
        "entry",
        metavar="COLUMN",
        help="Column of the time from which each case was followed, if not from 0; not with --censoring-by or "
        "--censoring-cox.",
    ),
    option(
        "censoring_by",
        multiple=True,
        metavar="COLUMN...",
        help="Columns of labels, such as the hospital, in each of which leaving may be different; not with --entry "
        "or --censoring-cox.",
    ),
    option(
        "censoring_cox",
        multiple=True,
        metavar="COLUMN...",
        help="Columns of numbers, such as the age, on which leaving may depend, by a Cox model; not with --entry or "
        "--censoring-by.",
    ),
)


def follow_roles(options: Mapping[str, Any]) -> FollowRoles | None:
    """Return the columns of follow-up that the options name; None where there is an ordinary outcome."""
    given: dict[str, Any] = {role: options[role] for role in FOLLOW if options.get(role)}
    if not given:
        return None
    if options["outcome"] is not None:
        hint = "with `--time` leave out `--outcome`"
        raise InputError(("outcome", next(iter(given))), "not both be given", "both", hint=hint)
    missing = tuple(role for role in _NEEDED if role not in given)
    if missing:
        hint = "`--time`, `--event` and `--horizon` state an outcome together"
        raise InputError(missing, "be given", "none" if len(missing) == 1 else "none of them", hint=hint)
    if options.get("pos_label") is not None:
        hint = "name the label of the event with `--cause`"
        wanted = ("be left out with ", Argument("time"))
        raise InputError("pos_label", wanted, _check.show(options["pos_label"]), hint=hint)
    if len(by := [role for role in ("entry", "censoring_by", "censoring_cox") if role in given]) > 1:
        raise InputError(tuple(by), "not be given together", "both" if len(by) == 2 else "all")
    return _roles(given)


def check_one_horizon_of_policy(options: Mapping[str, Any]) -> None:
    """Raise where a policy is asked for at several horizons, before anything is read."""
    horizon = options["horizon"]
    if options["policy"] is not None and isinstance(horizon, tuple):
        wanted = f"be left out with several horizons ({', '.join(f'{time:g}' for time in horizon)})"
        hint = f"evaluate the horizon that is decided by, with `--horizon {horizon[-1]:g}`"
        raise InputError("--policy", wanted, _check.show(options["policy"]), hint=hint)


def _roles(given: Mapping[str, Any]) -> FollowRoles:
    labels, covariates = (tuple(given.get(role, ())) for role in ("censoring_by", "censoring_cox"))
    single = {role: given[role] for role in ("time", "event", "horizon", "cause", "censored", "entry") if role in given}
    return FollowRoles(**single, labels=labels, covariates=covariates)


def followed_roles(follow: FollowRoles, others: Mapping[str, Any]) -> Roles:
    """Return the roles of followed cases; columns of several horizons are joined by commas."""
    several = len(follow.horizons) > 1
    columns = {model: model.split(",") if several else model for model in others["predictions"]}
    return Roles(**of_follow(follow, {**others, "outcome": follow.event, "predictions": columns}))


def read_follow_up(columns: FrameColumns) -> FrameColumns:
    """Return columns whose outcome is made of times and events."""
    assert columns.follow is not None
    outcome = read_outcome(columns.follow, columns.outcome, columns.further)
    return replace(columns, outcome=outcome, follow=None, further={})
