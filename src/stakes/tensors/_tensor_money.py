"""Costs of each case on a device: stakes and stake-adjusted scores, by the rules of `CaseCosts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stakes import _check
from stakes._cost_columns import OUTCOMES
from stakes._errors import Argument, InputError, InputTypeError
from stakes.case_costs import CaseCosts, as_case_costs, check_stakes, check_unswapped
from stakes.table import Heads
from stakes.tensors._cells import Cells
from stakes.tensors._device import Array, Arrays, arrays_of
from stakes.tensors._door import ValidColumns

_ORDINARY = 2.0**-200, 2.0**200  # of costs whose products with probabilities and sums neither under- nor overflow


@dataclass(frozen=True)
class Money:
    """Cases whose weights are their stakes, and the heads beside them, all together."""

    cells: Cells
    positive_total: float
    negative_total: float
    lowest: float
    highest: float
    heads: Heads


def money_of(found: ValidColumns, given: object, present: Array | None) -> Money:
    """Return the stakes of checked cases; `present` says which of those given have a weight."""
    arrays, xp = found.arrays, found.arrays.xp
    hit, miss, alarm, rest = _costs(found, given, present)
    weight = xp.ones_like(hit) if found.weight is None else found.weight
    acting, leaving = alarm - rest, miss - hit
    swapped = (acting < 0) & (leaving < 0)
    positive, some = found.label, xp.astype(weight, xp.float64)
    stake = xp.where(positive, xp.abs(leaving), xp.abs(acting))
    side = xp.where(positive, leaving > 0, acting < 0)
    floor = xp.where(positive, xp.minimum(hit, miss), xp.minimum(alarm, rest))
    crossed = xp.where(~swapped & (side != positive), stake, 0.0)
    _check_meant(arrays, acting, leaving, swapped, stake)
    beside = [xp.sum(xp.where(which, some * one, 0.0)) for one in (floor, crossed) for which in (positive, ~positive)]
    floors_and_crossed = arrays.read(*beside, xp.sum(xp.where(swapped, some, 0.0)))
    score, staked = _scores(arrays, arrays.double(found.score), acting, leaving), stake > 0
    cells = Cells(score[staked], side[staked], (some * stake)[staked])
    up, down, lowest, highest = arrays.read(
        xp.sum(xp.where(cells.label, cells.weight, 0.0)),
        xp.sum(xp.where(cells.label, 0.0, cells.weight)),
        xp.min(cells.score),
        xp.max(cells.score),
    )
    return Money(cells, up, down, lowest, highest, _heads(found, floors_and_crossed))


def _heads(found: ValidColumns, beside: list[float]) -> Heads:
    """Return the heads of all cases in one row, which stands at no score."""
    won, lost, crossed_up, crossed_down, swapped = beside
    up, down = found.positive_total, found.negative_total
    nowhere, positive, negative, everyone = (np.array([one]) for one in (np.nan, up, down, up + down))
    return Heads(nowhere, positive, negative, everyone, (won, lost), (crossed_up, crossed_down), swapped)


def _costs(found: ValidColumns, given: object, present: Array | None) -> tuple[Array, Array, Array, Array]:
    """Return the costs of each case: true positive, false negative, false positive, true negative."""
    arrays, cases = found.arrays, len(found.label) if present is None else len(present)
    by_name = _of_object(arrays, given, cases) if isinstance(given, CaseCosts) else _of_array(arrays, given, cases)
    if present is not None:
        by_name = {name: cost[present] for name, cost in by_name.items()}
    miss, alarm, hit, rest = (by_name[name] for name in OUTCOMES)
    return hit, miss, alarm, rest


def _of_object(arrays: Arrays, given: CaseCosts, cases: int) -> dict[str, Array]:
    """Return the costs of an object, which holds them in the processor's memory."""
    costs = as_case_costs("case_costs", given)
    if len(costs) not in (1, cases):
        raise InputError(("y", "case_costs"), "have the same length", f"{cases} and {len(costs)}")
    return {name: arrays.numbers(np.full(cases, getattr(costs, name))) for name in OUTCOMES}


def _of_array(arrays: Arrays, given: object, cases: int) -> dict[str, Array]:
    """Return the costs of an array on the device, which has a column for each."""
    if getattr(given, "ndim", 0) != 2:
        got = f"shape {tuple(given.shape)}" if hasattr(given, "shape") else type(given).__name__
        raise InputTypeError("case_costs", "be CaseCosts, or an array with two or four columns of costs", got)
    array: Any = given
    if arrays_of("case_costs", array) != arrays:
        raise InputError(("case_costs", "score"), "be on one device", f"{array.device} and {arrays.device}")
    if array.shape[1] not in (2, 4):
        raise InputError("case_costs", "have two or four columns of costs", f"{array.shape[1]}")
    if array.shape[0] != cases:
        raise InputError(("y", "case_costs"), "have the same length", f"{cases} and {array.shape[0]}")
    column = arrays.double(array.detach() if hasattr(array, "detach") else array)
    _check_finite(arrays, column)
    none = arrays.xp.zeros_like(column[:, 0])
    return {name: column[:, i] if i < array.shape[1] else none for i, name in enumerate(OUTCOMES)}


def _check_finite(arrays: Arrays, column: Array) -> None:
    finite = arrays.xp.isfinite(column)
    if arrays.read(arrays.xp.all(finite))[0]:
        return
    row, cost = np.argwhere(~arrays.host(finite))[0].tolist()
    value = arrays.host(column[row, cost : cost + 1])[0]
    raise InputError(Argument("case_costs", OUTCOMES[cost]), "be finite", _check.show(value), row=row)


def _check_meant(arrays: Arrays, acting: Array, leaving: Array, swapped: Array, stake: Array) -> None:
    """Raise where the costs cannot be meant."""
    xp = arrays.xp
    never = xp.all(leaving < 0) & xp.all(acting > 0)
    many, is_never, most = arrays.read(xp.count_nonzero(swapped), never, xp.max(stake))
    check_unswapped(len(stake), int(many), never=bool(is_never))
    check_stakes(np.array([most]))


def _scores(arrays: Arrays, p: Array, acting: Array, leaving: Array) -> Array:
    """Return the share of the expected loss of leaving in that of both actions, as `CaseCosts.scores`."""
    xp, certain = arrays.xp, ((leaving > 0) & (acting <= 0)) | ((acting < 0) & (leaving >= 0))
    acting, leaving = _in_ordinary_units(arrays, acting, leaving)
    none = xp.zeros_like(p)
    saved = p * xp.maximum(leaving, none) + (1 - p) * xp.maximum(-acting, none)
    both = (1 - p) * xp.maximum(acting, none) + p * xp.maximum(-leaving, none) + saved
    share = saved / xp.where(both > 0, both, xp.ones_like(both))
    score = xp.where(both > 0, share, arrays.double(certain))
    return xp.where((acting == leaving) & (acting > 0), p, score)


def _in_ordinary_units(arrays: Arrays, acting: Array, leaving: Array) -> tuple[Array, Array]:
    """Return extreme losses in a unit of each case, since only their ratio matters."""
    xp = arrays.xp
    largest = xp.maximum(xp.abs(acting), xp.abs(leaving))
    unit = xp.where(largest > 0, largest, xp.ones_like(largest))
    least, most = arrays.read(xp.min(unit), xp.max(unit))
    if _ORDINARY[0] <= least and most <= _ORDINARY[1]:
        return acting, leaving
    return acting / unit, leaving / unit
