"""Costs of cases as columns of a frame or file: a column, or a number times a column."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, Name

# The costs of a case, in the order in which an array has them.
OUTCOMES = ("false_negative", "false_positive", "true_positive", "true_negative")
COSTS = (*OUTCOMES, "effort")
UNLESS_GIVEN = dict(zip(OUTCOMES, (1.0, 1.0, 0.0, 0.0), strict=True))  # no effort

AMOUNTS = "amounts alone"  # the model that knows the costs of each case and the prevalence only

GRAMMAR = "write a number, a column, or number*column, such as 0.75*amount"

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_TIMES = re.compile(rf"\s*({_NUMBER})\s*\*\s*(.*\S)\s*", re.DOTALL)


class CostColumn(NamedTuple):
    """A column of costs, and the number that it is multiplied by."""

    column: str
    factor: float = 1.0

    def times(self, values: FloatArray) -> FloatArray:
        """Return the costs, given the values of the column."""
        return values if self.factor == 1 else self.factor * values


Cost: TypeAlias = float | CostColumn


def read_cost_column(name: Name, text: str) -> CostColumn:
    """Return the column that a text names; with a number and an asterisk before it, times that number."""
    if not text.strip():
        raise InputError(name, "be a number, or name a column", _check.show(text), hint=GRAMMAR)
    found = _TIMES.fullmatch(text)
    if found is None:
        return CostColumn(text)
    factor = float(found[1])
    if not math.isfinite(factor):
        raise InputError(name, "have a finite number before the asterisk", _check.show(found[1]))
    return CostColumn(found[2], factor)


def as_written(cost: Cost) -> float | str:
    """Return a cost as users write it: a number, a column, or a number times a column."""
    if not isinstance(cost, CostColumn):
        return cost
    plain = cost.factor == 1 and _TIMES.fullmatch(cost.column) is None
    return cost.column if plain else f"{repr(cost.factor).removesuffix('.0')}*{cost.column}"


def write_cost(cost: float | str) -> str:
    """Return a cost as it is shown in Python."""
    return repr(cost) if isinstance(cost, str) else _check.show(cost)


def columns_among(costs: Mapping[str, Cost]) -> dict[str, CostColumn]:
    """Return those costs that are columns."""
    return {name: cost for name, cost in costs.items() if isinstance(cost, CostColumn)}


def filled(costs: Mapping[str, Cost], arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the costs with arrays in place of columns; `arrays` has the values of each column by cost."""
    return {name: cost.times(arrays[name]) if isinstance(cost, CostColumn) else cost for name, cost in costs.items()}
