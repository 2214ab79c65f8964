"""Columns of a file by role, from one scan."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from stakes._cost_columns import CostColumn
from stakes._errors import InputTypeError
from stakes._roles import FollowRoles, Roles
from stakes.frames._data_file import DataFile, as_floats, as_objects, fetch

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def name_positive_label(roles: Roles, file: DataFile) -> Roles:
    """Return roles whose positive label is a label, where the text names its code."""
    labels = file.value_labels.get(roles.outcome, {})
    typed = roles.pos_label
    if not isinstance(typed, str) or typed.strip().casefold() in {
        label.strip().casefold() for label in labels.values()
    }:
        return roles
    shown = {str(code): label for code, label in labels.items()}  # whole ones end in .0
    named = shown.get(typed.strip()) or shown.get(f"{typed.strip()}.0")
    return roles if named is None else replace(roles, pos_label=named)


def name_event_labels(roles: Roles, file: DataFile) -> Roles:
    """Return roles whose cause and censored are labels of codes, where either names one."""
    labels = file.value_labels.get(roles.outcome, {})
    if roles.follow is None or not labels:
        return roles
    plain = {label.strip().casefold() for label in labels.values()}
    both = (roles.follow.cause, roles.follow.censored)
    if not any(isinstance(one, str) and one.strip().casefold() in plain for one in both):
        return roles
    shown = {str(code): label for code, label in labels.items()}  # whole ones end in .0
    cause, censored = (shown.get(str(one), shown.get(f"{one}.0", one)) for one in both)
    return replace(roles, follow=replace(roles.follow, cause=cause, censored=censored))


def place_roles(roles: Roles) -> Roles:
    """Return roles whose columns are called by role.

    These names differ even for an engine that ignores capitals, and where one column has two roles.
    """
    names = ("weight", "group", "cluster", "key", "repeat", "site")
    others: dict[str, Any] = {role: role for role in names if getattr(roles, role) is not None}
    if roles.follow is not None:
        others["follow"] = place_follow(roles.follow)
    predictions = {model: f"predictions {number}" for number, model in enumerate(roles.predictions)}
    costs = {
        name: cost._replace(column=f"cost {name}") if isinstance(cost, CostColumn) else cost
        for name, cost in roles.costs.items()
    }
    return replace(roles, outcome="outcome", predictions=predictions, costs=costs, **others)


def place_follow(follow: FollowRoles) -> FollowRoles:
    """Return the columns of follow-up called by role."""
    several: dict[str, Any] = {
        role: tuple(f"{role} {k}" for k in range(len(getattr(follow, role)))) for role in ("labels", "covariates")
    }
    single: dict[str, Any] = {role: role for role in ("entry", "probability") if getattr(follow, role) is not None}
    return replace(follow, time="time", event="outcome", **several, **single)


def scan_roles(file: DataFile, roles: Roles) -> DuckDBPyRelation:
    """Scan the columns that have a role, each read as its role needs and called as `place_roles` says."""
    placed = place_roles(roles)
    numbers = dict(zip(placed.numbers, roles.numbers, strict=True))
    labels = {placed.labels[role]: column for role, column in roles.labels.items()}
    further = zip(placed.further.values(), roles.further.values(), strict=True)
    labels |= {mine: column for mine, column in further if mine not in numbers}
    (numbers if _is_number(file, roles) else labels)["outcome"] = roles.outcome
    read = {"number": numbers, "text": labels}
    with file.reading():
        return file.scan({name: (column, how) for how, found in read.items() for name, column in found.items()})


def _is_number(file: DataFile, roles: Roles) -> bool:
    """Return whether outcomes are read as numbers; raise if they cannot be outcomes at all."""
    kind = file.kinds[roles.outcome]
    if kind not in ("number", "yes or no", "text"):
        raise InputTypeError(
            roles.outcome_argument, "be a column of numbers, truth values or text", f"a column of kind {kind!r}"
        )
    if roles.follow is not None:
        return kind != "text" and name_event_labels(roles, file) is roles
    return kind != "text" and not isinstance(roles.pos_label, str)


def read_roles(file: DataFile, roles: Roles) -> dict[str, npt.NDArray[Any]]:
    """Read the columns that have a role into arrays, called as `place_roles` says.

    Parquet holds columns apart and is read one at a time, so that the engine holds one beside the arrays, not all.
    """
    placed = place_roles(roles)
    numbers = [*placed.numbers, *(["outcome"] if _is_number(file, roles) else [])]
    scan = scan_roles(file, roles)
    found: dict[str, npt.NDArray[Any]] = {}
    for columns in [[name] for name in scan.columns] if file.format == "Parquet" else [scan.columns]:
        part = fetch(file, partial(scan.project, ", ".join(f'"{name}"' for name in columns)))
        found |= {name: (as_floats if name in numbers else as_objects)(part.pop(name)) for name in columns}
    return found
