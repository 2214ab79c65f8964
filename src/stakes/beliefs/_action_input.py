"""Checks of the costs of actions: pairs by name, fees, error rates and the exchange."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes.beliefs._action_costs import Costs
from stakes.beliefs._coerce import BeliefLike, as_costs

_PAIRS = "be a mapping from actions to (cost if negative, cost if positive)"


def as_named_costs(name: str, given: object) -> tuple[tuple[str, ...], Costs]:
    """Return names and costs of at least two actions, from a mapping or an array with a row for each."""
    if isinstance(given, Mapping):
        names, rows = list(given), list(given.values())
        for one in names:
            if not isinstance(one, str) or not one.strip():
                raise InputTypeError(name, "name every action with a string", repr(one))
    elif isinstance(given, np.ndarray | Sequence) and not isinstance(given, str | bytes):
        rows = list(given)
        names = [f"action {k}" for k in range(1, len(rows) + 1)]
    else:
        raise InputTypeError(name, _PAIRS, type(given).__name__)
    if len(rows) < 2:
        raise InputError(name, "hold at least two actions", f"{len(rows)}")
    return tuple(names), tuple(_costs_of(f"{name}[{one!r}]", row) for one, row in zip(names, rows, strict=True))


def _costs_of(name: str, row: Any) -> tuple[float, float]:
    if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str | bytes) or np.shape(row) != (2,):
        raise InputTypeError(name, "be a pair (cost if negative, cost if positive)", _check.show(row))
    negative, positive = (_finite(f"{name}[{k}]", cost) for k, cost in enumerate(row))
    return negative, positive


def _finite(name: str, cost: object) -> float:
    found = _check.number(name, cost)
    if math.isinf(found):
        raise InputError(name, "be finite", _check.show(found))
    return found


def check_ranges(names: tuple[str, ...], low: Costs, others: tuple[str, ...], high: Costs) -> None:
    """Raise unless two sets of costs are of the same actions, and none falls from the first to the second."""
    if names != others:
        raise InputError("high", f"have the actions of `low` in the same order, {', '.join(names)}", ", ".join(others))
    for name, first, last in zip(names, low, high, strict=True):
        for outcome, least, most in zip(("negative", "positive"), first, last, strict=True):
            if least > most:
                wanted = f"be at least `low`, which is {least:g} for {name!r} if {outcome}"
                raise InputError("high", wanted, f"{most:g}")


def check_mistakes(false_negative: float, false_positive: float) -> tuple[float, float]:
    """Return the costs of a miss and of a false alarm, both greater than 0."""
    return _check.number_above("false_negative", false_negative), _check.number_above("false_positive", false_positive)


def as_fee(name: str, given: object) -> tuple[float, float]:
    """Return the bounds of a fee, which are equal where it is known."""
    if isinstance(given, Sequence | np.ndarray) and np.shape(given) == (2,) and not isinstance(given, str):
        low, high = (_check.non_negative_number(f"{name}[{k}]", end) for k, end in enumerate(given))
        if low > high:
            raise InputError(name, "run from the lowest fee to the highest", f"({low:g}, {high:g})")
        return low, high
    if isinstance(given, Sequence | np.ndarray):
        raise InputTypeError(name, "be a number or a pair (lowest, highest)", _check.show(given))
    known = _check.non_negative_number(name, given)
    return known, known


def as_error_rates(name: str, given: object) -> tuple[float, float]:
    """Return the shares of negatives and of positives that are judged wrongly."""
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str) or np.shape(given) != (2,):
        raise InputTypeError(
            name, "be a pair (share of negatives acted on, share of positives missed)", _check.show(given)
        )
    first, second = (_check.share(f"{name}[{k}]", rate) for k, rate in enumerate(given))
    return first, second


def as_exchange(given: BeliefLike) -> Any:
    """Return a belief about the exchange, which has a mean and is of total probability 1."""
    believed = as_costs("exchange", given)
    _check.check_methods("exchange", believed, "mean", "support")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        total = float(np.sum(believed.loss_if_positive(np.zeros(1)) + believed.loss_if_negative(np.ones(1))))
    if not math.isclose(total, 1, rel_tol=1e-6):
        raise InputError("exchange", "be a belief about a proportion, of total probability 1", repr(believed))
    return believed
