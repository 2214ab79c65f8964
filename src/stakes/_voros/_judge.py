"""Judge what the functions of this room are given. Every error and warning text of the room is written here."""

from __future__ import annotations

import math
from collections.abc import Mapping

from stakes import _check
from stakes._voros._laws import HasDensity
from stakes.beliefs import EveryLogOdds, IndependentCosts
from stakes.limits import Limits, area_of, region_in_counts
from stakes.table import ScoreTable


def with_density(costs: object) -> HasDensity:
    """Return a belief with a density of one cost proportion; refuse what has none, or one without a finite mass."""
    if isinstance(costs, EveryLogOdds | IndependentCosts):
        raise TypeError(f"`costs` must be a belief about one cost proportion with a finite mass, got {costs!r}.")
    _check.offers("costs", costs, "density", "support")
    return costs  # type: ignore[return-value]


def within_policy(cost: float, scale: str, low: float, high: float) -> None:
    """Refuse a cost for which a policy was not made."""
    if not low <= cost <= high:
        made_for = f"between {low:g} and {high:g}, for which the policy was made"
        raise ValueError(f"`cost` must be a {scale} {made_for}, got {cost:g}.")


def covered_by_policy(wanted: tuple[float, float], scale: str, low: float, high: float) -> None:
    """Refuse costs that reach beyond the range for which a policy was made; rounding is forgiven."""
    if not (_at_most(low, wanted[0]) and _at_most(wanted[1], high)):
        made_for = f"the range that the policy was made for, {scale} {low:g} to {high:g}"
        raise ValueError(f"`costs` must lie within {made_for}, got {wanted[0]:g} to {wanted[1]:g}.")


def _at_most(a: float, b: float) -> bool:
    """Say whether a number is no greater than another, but for rounding."""
    return a <= b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def some_defined(name: str, values: Mapping[str, float]) -> dict[str, float]:
    """Return the values that are defined; refuse if none is."""
    defined = {model: value for model, value in values.items() if not math.isnan(value)}
    if not defined:
        raise ValueError(f"`{name}` must be defined for at least one model, got nan for each.")
    return defined


def is_defined(name: str, table: ScoreTable, limits: Limits) -> bool:
    """Say whether both classes are there and the limits leave an area; warn why `name` is undefined if not."""
    positive, negative = table.positive_total, table.negative_total
    if not (positive > 0 and negative > 0):
        reason = f"without {'positives' if positive <= 0 else 'negatives'}"
    elif area_of(region_in_counts(positive, negative, limits)) > 0:
        return True
    elif limits.capacity == 0:
        reason = "where no alarm may be raised (capacity 0)"
    elif limits.min_precision == 1:
        reason = "where no false alarm may be raised (min_precision 1)"
    else:
        reason = f"where the limits leave no area ({limits})"
    _check.warn_undefined(name, reason)
    return False
