"""Horizons of an outcome, one or several, and how much each counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from stakes import _check, _columns
from stakes._errors import InputError, InputTypeError


@dataclass(frozen=True)
class Horizons:
    """Times by which the event counts, ascending, and the share of each."""

    times: tuple[float, ...]
    shares: tuple[float, ...]

    @classmethod
    def one(cls, time: float) -> Self:
        """Return a single horizon."""
        return cls((time,), (1.0,))


def read_horizons(horizon: Any, weights: object) -> Horizons:
    """Check one horizon, or several and their weights."""
    if np.ndim(horizon) == 0 or isinstance(horizon, str):
        if weights is not None:
            raise InputError("horizon_weights", "be left out with one horizon", _check.show(weights))
        return Horizons.one(_check.number_above("horizon", horizon))
    if np.ndim(horizon) != 1 or not isinstance(horizon, Sequence | np.ndarray) or not len(horizon):
        raise InputTypeError("horizon", "be a number or a list of numbers", _check.show(horizon))
    times = tuple(_check.number_above("horizon", one) for one in horizon)
    for before, after in pairwise(times):
        if after <= before:
            raise InputError("horizon", "ascend", f"{after:g} after {before:g}")
    return Horizons(times, _shares(weights, len(times)))


def _shares(weights: object, many: int) -> tuple[float, ...]:
    """Return weights of horizons as shares that add up to 1."""
    if weights is None:
        return (1 / many,) * many
    column = _columns.counts("horizon_weights", weights)
    if len(column) != many:
        raise InputError("horizon_weights", f"have one number for each of the {many} horizons", str(len(column)))
    if not column.all():
        row = int(np.argmin(column))
        raise _columns.wrong_value("horizon_weights", "above 0", column[row], row)
    scaled = column / column.max()
    return tuple((scaled / math.fsum(scaled)).tolist())
