"""Costs in money, of two mistakes or of several actions, as a belief about the cost proportion."""

from __future__ import annotations

from stakes._errors import InputTypeError
from stakes.beliefs._belief import OfActions
from stakes.beliefs._combined import parts
from stakes.beliefs._independent import IndependentCosts
from stakes.beliefs._points import At


def only_cost(costs: object) -> float | None:
    """Return the cost proportion, which is also the threshold, if it is known exactly; otherwise None."""
    if isinstance(costs, IndependentCosts) and costs.is_fixed:
        return costs.mean
    if isinstance(costs, OfActions):
        return costs.only_threshold
    return costs.value if isinstance(costs, At) else None


def in_money(costs: object) -> bool:
    """Whether costs, or any part of them, are in the user's own units."""
    return any(isinstance(part, IndependentCosts | OfActions) for _, part in parts(costs))


def of_actions(costs: object) -> bool:
    """Whether costs, or any part of them, are those of several actions, in a unit that nobody has named."""
    return any(isinstance(part, OfActions) for _, part in parts(costs))


def check_proportion(name: str, costs: object) -> None:
    """Raise for costs in money, where the number that is asked for is in other units."""
    for _, part in parts(costs):
        if isinstance(part, IndependentCosts | OfActions):
            known = part.break_even if isinstance(part, IndependentCosts) else part.mean
            raise InputTypeError(
                name,
                "be a belief about the cost proportion, since this number is not in money",
                repr(part),
                hint=f"its two mean costs are `At({known:.4g})`; `expected_regret` is in money",
            )
