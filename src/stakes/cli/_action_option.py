"""Several actions on the command line, such as ``discharge=0/20,observe=1/6,admit=4/1``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import click

from stakes import _check
from stakes._errors import InputError
from stakes.cli._options import called

_LOOKS = "look like discharge=0/20,observe=1/6,admit=4/1: an action, then its cost if negative and if positive"


class ActionsType(click.ParamType):  # type: ignore[type-arg]
    """Actions with their costs for a negative and for a positive."""

    name = "actions"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Mapping[str, Any]:
        """Read the costs of each action."""
        return value if isinstance(value, Mapping) else read_actions(called(param), str(value))


def read_actions(option: str, text: str) -> dict[str, tuple[float, float]]:
    """Return the costs of each action by its name; raise unless each has two."""
    costs: dict[str, tuple[float, float]] = {}
    for part in text.split(","):
        name, equals, amounts = part.partition("=")
        pair = [_amount(one) for one in amounts.split("/")]
        if not (name.strip() and equals and len(pair) == 2) or any(math.isnan(one) for one in pair):
            raise InputError(option, _LOOKS, _check.show(part.strip() or text))
        if name.strip() in costs:
            raise InputError(option, "name every action once", f"{name.strip()!r} twice")
        costs[name.strip()] = pair[0], pair[1]
    if len(costs) < 2:
        raise InputError(option, "hold at least two actions", f"{len(costs)}")
    return costs


def _amount(text: str) -> float:
    """Return a finite number, or nan where there is none."""
    try:
        found = float(text)
    except ValueError:
        return math.nan
    return found if math.isfinite(found) else math.nan
