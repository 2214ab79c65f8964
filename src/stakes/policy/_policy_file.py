"""A policy as a JSON file, in the form of ``policy.schema.json``, with a checksum of its contents."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._cost_columns import OUTCOMES
from stakes._errors import InputError
from stakes._sealed_file import number_of, plain, read_sealed, unreadable, write_sealed
from stakes.limits import Limits

_KIND, _WRITER = "stakes policy", "Policy.save"
_FORMAT, _WITH_CASE_COSTS = 1, 2  # a reader that knows no case costs must not take their thresholds for its own

_SCALES = ("cost proportion", "fractional cost", "cost ratio", "inverse cost ratio")


def write_policy(path: str | os.PathLike[str], fields: Mapping[str, Any], steps: Mapping[str, FloatArray]) -> None:
    """Write the fields and the steps of a policy, whole or not at all."""
    limits: Limits = fields["limits"]
    rows = zip(*(column.tolist() for column in steps.values()), strict=True)
    contents = {
        "kind": _KIND,
        "format": _WITH_CASE_COSTS if "case_costs" in fields else _FORMAT,
        "model": fields["model"],
        "scale": fields["scale"],
        "prevalence": plain(fields["prevalence"]),
        "limits": {"capacity": limits.capacity, "min_precision": limits.min_precision},
        "steps": [{name: plain(value) for name, value in zip(steps, row, strict=True)} for row in rows],
    }
    if "case_costs" in fields:
        contents["case_costs"] = dict(fields["case_costs"])
    write_sealed(_check.path("path", path), contents)


def read_policy(path: str | os.PathLike[str], columns: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a saved policy; raise if it was changed, or is of another kind or format."""
    source = _check.path("path", path)
    contents = read_sealed(source, _KIND, (_FORMAT, _WITH_CASE_COSTS), _WRITER)
    try:
        return _fields(contents, columns)
    except (KeyError, TypeError, ValueError, InputError):
        raise unreadable(source, _WRITER, "it lacks a part, or has one of the wrong kind") from None


def _fields(contents: Mapping[str, Any], columns: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a policy from plain values."""
    prevalence = number_of(contents["prevalence"])
    if contents["scale"] not in _SCALES or not isinstance(contents["model"], str | None) or not 0 <= prevalence <= 1:
        raise ValueError
    steps = {name: np.array([number_of(step[name]) for step in contents["steps"]]) for name in columns}
    low, high = steps["from_cost"], steps["to_cost"]
    if not len(low) or np.any(low > high) or np.any(high[:-1] != low[1:]) or np.isnan(steps["threshold"]).any():
        raise ValueError
    return (
        steps
        | _case_costs(contents)
        | {
            "scale": contents["scale"],
            "model": contents["model"],
            "prevalence": prevalence,
            "limits": Limits(**contents["limits"]),
        }
    )


def _case_costs(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Return the costs of each case, in a file that has them."""
    if contents["format"] == _FORMAT:
        return {}
    costs = contents["case_costs"]
    if set(costs) - {"effort"} != set(OUTCOMES) or not all(
        isinstance(one, str | int | float) for one in costs.values()
    ):
        raise ValueError
    return {"case_costs": {name: one if isinstance(one, str) else float(one) for name, one in costs.items()}}
