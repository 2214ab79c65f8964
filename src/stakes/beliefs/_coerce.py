"""Conversion of arguments to beliefs, shares and ranges, from numbers and words."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes.beliefs._belief import Belief, CostBelief
from stakes.beliefs._grammar import needs_case_costs, read_belief, read_range, read_share, read_value
from stakes.beliefs._independent import Multipliers
from stakes.beliefs._points import At

BeliefLike: TypeAlias = Belief | CostBelief | float | str
RangeLike: TypeAlias = tuple[float, float] | str

Check = Callable[[str, object], float]


def as_belief(name: str, given: BeliefLike, *, case_costs: bool = False) -> Any:
    """Return a belief; a number becomes `At`, words are parsed, a belief is returned unchanged.

    The methods that a belief of one's own needs depend on the computation, so they are checked there. Multipliers of
    costs, such as "as stated", are taken only with case costs.
    """
    found = read_belief(name, given) if isinstance(given, str) else given
    if isinstance(found, Multipliers) and not case_costs:
        raise needs_case_costs(name, _check.show(given))
    if isinstance(given, str):
        return found
    if isinstance(given, bool | np.bool_):
        raise InputTypeError(name, "be a belief, a number or words such as '5%..20%'", f"{given}")
    if isinstance(given, numbers.Real):
        return At(_check.open_share(name, given))
    if isinstance(given, tuple | list):
        raise InputTypeError(name, "be a belief", _check.show(given), hint="for a range use `Uniform(low, high)`")
    _check.check_methods(name, given)
    return given


def as_costs(name: str, given: BeliefLike, *, case_costs: bool = False) -> CostBelief:
    """Return a belief about costs; raise unless it has the two losses."""
    belief = as_belief(name, given, case_costs=case_costs)
    _check.check_methods(name, belief, "loss_if_positive", "loss_if_negative")
    return cast(CostBelief, belief)


def as_cost(name: str, given: float | str) -> float:
    """Return one cost proportion, strictly between 0 and 1, given as 0.1, "10%" or "1:9"."""
    return _check.open_share(name, read_value(name, given) if isinstance(given, str) else given)


def as_share(name: str, given: float | str, *, open_ends: bool = False) -> float:
    """Return a share between 0 and 1, given as 0.1, "10%" or "30/200"; with open ends neither 0 nor 1."""
    check = _check.open_share if open_ends else _check.share
    return check(name, read_share(name, given) if isinstance(given, str) else given)


def as_number(name: str, given: float | str) -> float:
    """Return any number, such as a threshold on the score; words are read as a share."""
    return _check.number(name, read_share(name, given) if isinstance(given, str) else given)


def as_range(name: str, given: RangeLike, check: Check = _check.share, *, single: str = "") -> tuple[float, float]:
    """Return the two ends of a range, given as a pair or in words such as "5%..20%".

    `check` is applied to each end; `single` is the hint for equal ends.
    """
    pair = read_range(name, given) if isinstance(given, str) else given
    if not isinstance(pair, Sequence | np.ndarray) or np.shape(pair) != (2,):
        raise InputTypeError(name, "be a pair (low, high) or words such as '5%..20%'", _check.show(given))
    low, high = (check(f"{name}[{k}]", end) for k, end in enumerate(pair))
    if low == high:
        hint = single.format(_check.show(low)) if 0 < low < 1 else ""
        raise InputError(name, "go from low to high", f"{_check.show(low)} for both", hint=hint)
    if low > high:
        raise InputError(name, "go from low to high", f"({_check.show(low)}, {_check.show(high)})")
    return low, high
