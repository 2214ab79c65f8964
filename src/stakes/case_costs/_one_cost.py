"""One cost of cases as it is given: a number for all, one for each case, or the name of a column."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._cost_columns import read_cost_column
from stakes._errors import InputError

Costs: TypeAlias = float | npt.ArrayLike


def as_costs_of_cases(name: str, cost: Costs | None) -> float | str | FloatArray:
    """Return a cost for all cases, or one for each, or the name of its column."""
    if isinstance(cost, str):
        read_cost_column(name, cost)
        return cost
    if cost is None or (np.ndim(cost) == 0 and not hasattr(cost, "__len__")):
        found = _check.number(name, cost)
        if not np.isfinite(found):
            raise InputError(name, "be finite", _check.show(found))
        return found
    try:
        column = _columns.scores(name, cost).astype(np.float64)
    except InputError as error:
        if error.wanted == "not have missing values":
            error.hint = "the threshold of a case needs both of its costs, whatever its outcome"
        raise
    if not np.isfinite(column).all():
        row = int(np.argmin(np.isfinite(column)))
        raise InputError(name, "be finite", _check.show(column[row]), row=row)
    column.flags.writeable = False
    return column


def check_effort(effort: Costs | None) -> None:
    if effort is None or isinstance(effort, str):
        return
    column = np.atleast_1d(np.asarray(effort))
    if not (column > 0).all():
        row = int(np.argmax(column <= 0))
        raise InputError("effort", "be greater than 0", _check.show(column[row]), row=row if np.ndim(effort) else None)


def show_costs(cost: object) -> str:
    if isinstance(cost, np.ndarray):
        return f"{_check.show(cost.min())} to {_check.show(cost.max())}"
    return repr(cost) if isinstance(cost, str) else _check.show(cost)
