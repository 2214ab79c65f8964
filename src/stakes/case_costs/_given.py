"""Costs of cases as they are given: as an object or an array, checked against the outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._case_columns import is_followed
from stakes._cost_columns import COSTS, OUTCOMES, Cost, as_written, read_cost_column
from stakes._errors import Argument, InputError, InputTypeError
from stakes.case_costs._case_costs import CaseCosts, check_length, check_numbers
from stakes.case_costs._stake import Stakes

CaseCostsLike: TypeAlias = CaseCosts | npt.ArrayLike


def stakes_of(costs: CaseCosts, positive: BoolArray, name: str = "y", *, weighs: BoolArray | None = None) -> Stakes:
    """Return the stakes of cases with these outcomes; raise where costs cannot be meant."""
    check_length(costs, name, positive)
    acting, leaving = (np.broadcast_to(one, positive.shape) for one in costs.losses())
    here = np.ones(len(positive), dtype=bool) if weighs is None else weighs
    never = bool((leaving[here] < 0).all() and (acting[here] > 0).all())
    swapped = int(np.count_nonzero((acting < 0) & (leaving < 0) & here))
    check_unswapped(int(np.count_nonzero(here)), swapped, never=never)
    better = np.where(
        positive,
        np.minimum(costs.true_positive, costs.false_negative),
        np.minimum(costs.false_positive, costs.true_negative),
    )
    stake = np.where(positive, np.abs(leaving), np.abs(acting))
    check_stakes(stake)
    return Stakes(acting, leaving, np.where(positive, leaving > 0, acting < 0), stake, better)


def check_stakes(stake: FloatArray) -> None:
    """Raise where no case has anything at stake."""
    if not stake.any():
        raise InputError("case_costs", "differ between acting and leaving in at least one case", "the same in all")


def check_unswapped(cases: int, swapped: int, *, never: bool) -> None:
    """Raise where acting pays on negatives only in most cases, or on positives in none."""
    if cases and (2 * swapped > cases or never):
        raise InputError(
            "case_costs",
            "make acting on most positives pay and on most negatives cost",
            f"a loss on positives in all {cases:,} cases"
            if never
            else f"the opposite in {swapped:,} of {cases:,} cases",
            hint="costs look swapped, with hit and miss exchanged",
        )


def as_case_costs(name: str, given: CaseCostsLike) -> CaseCosts:
    """Return costs of cases; an array has a column for each cost, in the order of the arguments."""
    if isinstance(given, CaseCosts):
        check_numbers(given)
        return given
    if given is None or isinstance(given, str | Mapping) or np.ndim(given) != 2:
        got = f"shape {np.shape(given)}" if np.ndim(given) else type(given).__name__
        raise InputTypeError(name, "be CaseCosts, or an array with two or four columns of costs", got)
    array = np.asarray(given)
    if array.shape[1] not in (2, 4):
        raise InputError(name, "have two or four columns of costs", f"{array.shape[1]}")
    columns = {cost: _columns.scores(Argument(name, cost), one) for cost, one in zip(OUTCOMES, array.T, strict=False)}
    return CaseCosts(**columns)


def costs_by_column(given: object, outcome: object) -> dict[str, Cost]:
    """Return the numbers and columns of costs of cases in a frame; empty without them."""
    if given is None:
        return {}
    if is_followed(outcome):
        check_no_follow_up(given)
    if not isinstance(given, CaseCosts):
        hint = 'such as `CaseCosts(false_negative="amount", false_positive=5)`'
        raise InputTypeError(
            "case_costs", "be CaseCosts of numbers and columns of the data", type(given).__name__, hint=hint
        )
    costs: dict[str, Cost] = {}
    for name in COSTS:
        cost = getattr(given, name)
        if isinstance(cost, np.ndarray):
            raise InputTypeError(name, "be a number, or the name of a column of the data", f"{len(cost):,} numbers")
        if cost is not None:
            costs[name] = read_cost_column(name, cost) if isinstance(cost, str) else float(cost)
    return costs


def stated_costs(costs: CaseCosts, columns: Mapping[str, Cost]) -> dict[str, float | str]:
    """Return costs as they were stated: numbers, and columns; an array has the name of its argument."""
    if columns:
        return {name: as_written(cost) for name, cost in columns.items()}
    given = {name: getattr(costs, name) for name in COSTS}
    return {name: one if isinstance(one, float) else name for name, one in given.items() if one is not None}


def check_no_follow_up(case_costs: object) -> None:
    """Raise if costs are given with an outcome that was not observed for all cases."""
    if case_costs is not None:
        why = "what a case of unknown outcome would have cost is not known"
        raise InputError("case_costs", f"be left out with `EventBy`, since {why}", type(case_costs).__name__)


def given_stakes(case_costs: CaseCostsLike, positive: BoolArray, given: BoolArray | None, followed: object) -> Stakes:
    """Return the stakes of those cases given that are left, with these outcomes."""
    if followed is not None:
        check_no_follow_up(case_costs)
    costs = as_case_costs("case_costs", case_costs)
    if given is not None:
        check_length(costs, "y", given)
        costs = costs[given]
    return stakes_of(costs, positive)
