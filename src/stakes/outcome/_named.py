"""Outcomes by a horizon whose columns are named, to be read from a frame or a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes._errors import Argument, InputTypeError
from stakes._roles import FollowRoles
from stakes._spellings import same_label
from stakes.outcome._censoring import Censoring, CensoringBy, CoxCensoring, GivenCensoring, are_names, joined
from stakes.outcome._horizons import Horizons


def named_columns(
    time: str,
    event: object,
    horizons: Horizons,
    cause: object,
    censored: object,
    entry: object,
    censoring: Censoring | None,
) -> FollowRoles:
    """Return the names of columns, where an outcome has names in place of arrays."""
    named: dict[str, Any] = {"time": time, "event": event, "cause": cause, "censored": censored, **_times(horizons)}
    for name, given in (("event", event), ("entry", entry)):
        if not (isinstance(given, str) or (given is None and name == "entry")):
            raise InputTypeError(name, "be the name of a column, as `time` is", type(given).__name__)
    return FollowRoles(**named, entry=entry, **({} if censoring is None else _of_censoring(censoring)))  # type: ignore[arg-type]


def _times(horizons: Horizons) -> dict[str, Any]:
    """Return one horizon as a number, or several with their weights."""
    if len(horizons.times) == 1:
        return {"horizon": horizons.times[0]}
    return {"horizon": horizons.times, "horizon_weights": horizons.shares}


def _of_censoring(censoring: Censoring) -> dict[str, Any]:
    if isinstance(censoring, GivenCensoring):
        return {"probability": _one_name("probability", censoring.probability)}
    if isinstance(censoring, CensoringBy):
        return {"labels": _names("labels", censoring.labels)}
    return {"covariates": _names("covariates", censoring.covariates)}


def _one_name(role: str, given: object) -> str:
    if not isinstance(given, str):
        raise InputTypeError(role, "be the name of a column, as `time` is", type(given).__name__)
    return given


def _names(role: str, given: Any) -> tuple[str, ...]:
    """Return the names of one or several columns."""
    if isinstance(given, str):
        return (given,)
    if not are_names(given):
        raise InputTypeError(role, "be the names of columns, as `time` is", type(given).__name__)
    return tuple(given)


def read_columns(
    names: FollowRoles, event: npt.NDArray[Any], columns: Mapping[Argument, npt.NDArray[Any]]
) -> dict[str, Any]:
    """Return the arguments of an outcome by a horizon, of columns that were read."""
    by_role = {role: [column for argument, column in columns.items() if argument.role == role] for role in _SEVERAL}
    single = {argument.role: column for argument, column in columns.items() if argument.role not in _SEVERAL}
    censoring: Censoring | None = None
    if by_role["labels"]:
        censoring = CensoringBy(joined(by_role["labels"]))
    elif by_role["covariates"]:
        censoring = CoxCensoring(np.column_stack(by_role["covariates"]))
    elif "probability" in single:
        censoring = GivenCensoring(single["probability"])
    cause, censored = (_label(one, event) for one in (names.cause, names.censored))
    meaning = {"horizon": names.horizon, "horizon_weights": names.horizon_weights, "cause": cause, "censored": censored}
    return {"time": single["time"], "event": event, **meaning, "entry": single.get("entry"), "censoring": censoring}


_UNITS = ("seconds", "minutes", "hours", "days", "weeks", "months", "quarters", "years")


def unit_in(name: str) -> str:
    """Return the unit of time in the name of a column, such as ``time_years``; empty if there is none."""
    words = "".join(letter if letter.isalpha() else " " for letter in name.lower()).split()
    found = [unit for unit in _UNITS if unit in words]
    return found[0] if len(found) == 1 else ""


_SEVERAL = ("labels", "covariates")


def _label(given: object, event: npt.NDArray[Any]) -> object:
    """Return a label as the column of events has it: a code for a number in text, and one spelling."""
    if event.dtype.kind not in "biuf":
        labels = set(event.tolist())
        meant = same_label(str(given), labels)
        return meant if meant in labels else given
    if not isinstance(given, str):
        return given
    try:
        return _TRUTH[given.strip().lower()] if given.strip().lower() in _TRUTH else float(given)
    except ValueError:
        return given


_TRUTH = {"true": 1.0, "false": 0.0}
