"""A policy applied to new scores: the step that holds at a cost."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes._sql import score_name, sql_number
from stakes.beliefs import as_cost, as_number, as_share, cost_scale

if TYPE_CHECKING:
    from stakes.policy._policy import Policy


def threshold_at(policy: Policy, cost: float | str) -> float:
    """Return the threshold of a policy at one cost in its range."""
    number, low, high = _one_cost(policy, cost), policy.from_cost[0], policy.to_cost[-1]
    if not low <= number <= high:
        wanted = f"be a {policy.scale} between {low:g} and {high:g}, the range of the policy"
        raise InputError("cost", wanted, f"{number:g}")
    return float(policy.threshold[policy.stairs.find(np.array(number))])


def step_costs(policy: Policy, cost: object, prevalence: float | str | None) -> FloatArray:
    """Return the costs, one or one a case, at which the steps of a policy are looked up."""
    if cost is None:
        if len(policy) > 1 or prevalence is not None:
            why = "to know which step holds" if prevalence is None else "where `prevalence` is"
            raise InputError("cost", f"be given {why}", "None", hint=_range_hint(policy))
        return policy.from_cost[:1]
    single = is_single(cost)
    # Scores may be any numbers, and so may costs be before they are compared with the range.
    given: Any = [_one_cost(policy, cost)] if single else _each_cost(cost)  # type: ignore[arg-type]
    found: FloatArray = np.asarray(given, dtype=np.float64)
    low, high = policy.from_cost[0], policy.to_cost[-1]
    for row in np.flatnonzero(~((found >= low) & (found <= high)))[:1]:
        wanted = f"be a {policy.scale} between {low:g} and {high:g}, the range of the policy"
        raise InputError("cost", wanted, f"{found[row]:g}", row=None if single else int(row))
    return found if prevalence is None else _move(policy, found, as_share("prevalence", prevalence, open_ends=True))


def _each_cost(cost: npt.ArrayLike) -> npt.ArrayLike:
    """Check a cost for each case, of which there may be none."""
    return [] if np.shape(cost) == (0,) else _columns.scores("cost", cost)


def _one_cost(policy: Policy, cost: float | str) -> float:
    """Return one cost on the scale of a policy; odds are those of a false alarm to a miss on every scale."""
    if not isinstance(cost, str) or ":" not in cost:
        return as_number("cost", cost)
    proportion = as_cost("cost", cost)
    if policy.scale == "cost proportion":
        return proportion
    scale = cost_scale(policy.scale, policy.prevalence, 1 - policy.prevalence)
    found = float(scale.at_proportion(np.array(proportion)))
    ends = float(policy.from_cost[0]), float(policy.to_cost[-1])
    return next((end for end in ends if math.isclose(found, end, rel_tol=1e-12)), found)  # an end, up to rounding


def is_single(cost: object) -> bool:
    """Whether a cost is one for all cases."""
    return cost is None or isinstance(cost, str) or np.ndim(cost) == 0  # type: ignore[arg-type]


def _range_hint(policy: Policy) -> str:
    return f"a {policy.scale} between {policy.from_cost[0]:g} and {policy.to_cost[-1]:g}"


def _move(policy: Policy, cost: FloatArray, prevalence: float) -> FloatArray:
    """Return the costs whose threshold on the policy's own sample is best at another prevalence.

    Thresholds of the same slope of the ROC curve are best at costs of the same odds times odds of being positive.
    A fractional cost states that product, so that it stays.
    """
    if policy.scale == "fractional cost":
        return cost
    own = policy.prevalence
    if not 0 < own < 1:
        raise InputError("prevalence", "be left out with a policy of a sample with one class", _check.show(prevalence))
    up, down = own * (1 - prevalence), (1 - own) * prevalence
    if policy.scale == "cost ratio":
        moved = cost * (up / down)
    elif policy.scale == "inverse cost ratio":
        moved = cost * (down / up)
    else:
        moved = cost * up / (cost * up + (1 - cost) * down)
    return _within(policy, moved, prevalence)


def _within(policy: Policy, moved: FloatArray, prevalence: float) -> FloatArray:
    """Return costs; raise unless the policy has a threshold for them, ends up to rounding."""
    low, high = policy.from_cost[0], policy.to_cost[-1]
    near = 1e-12 * max(abs(low), abs(high) if np.isfinite(high) else 0.0)
    for one in moved[~((moved >= low - near) & (moved <= high + near))][:1]:
        raise InputError(
            "prevalence",
            f"leave the cost in the range of the policy, {low:g} to {high:g}",
            f"{prevalence:g}, where it counts as {one:g}",
            hint="choose the thresholds over a wider range of costs",
        )
    return np.clip(moved, low, high)


def scores_for(policy: Policy, scores: npt.ArrayLike) -> FloatArray:
    """Check new scores, which are probabilities where a model was evaluated.

    In percent every case would be acted on. There may be none: some days have no case.
    """
    if np.shape(scores) == (0,):
        return np.zeros(0)
    judge = _columns.scores if policy.model is None else _columns.probabilities
    return np.asarray(judge("scores", scores), dtype=np.float64)


def acts(policy: Policy, score: npt.NDArray[Any], cost: FloatArray) -> BoolArray:
    """Return which scores reach the threshold of the step at their cost, or at the one cost of all."""
    step = policy.stairs.find(cost)
    # A step without alarms has none here, whatever the scores: its threshold is infinite, and a score may be.
    return np.asarray((score >= policy.threshold[step]) & (policy.alarms_per_thousand[step] > 0))


def sql_rule(policy: Policy, score: str, cost: FloatArray) -> str:
    """Return the rule at one cost as an SQL expression of a column of scores."""
    return sql_rule_of(policy, score_name(score), cost)


def sql_rule_of(policy: Policy, score: str, cost: FloatArray) -> str:
    """Return the rule at one cost for a score that is itself an SQL expression."""
    step = int(policy.stairs.find(cost)[0])
    least = policy.threshold[step]
    alarms = policy.alarms_per_thousand[step] > 0
    if alarms and least == np.inf:
        raise InputError("threshold", "be finite to be written as SQL", "inf")
    if not alarms or least == -np.inf:
        return f"CASE WHEN {score} IS NOT NULL THEN {int(alarms)} END"
    bound = sql_number(float(least))
    return f"CASE WHEN {score} >= {bound} THEN 1 WHEN {score} < {bound} THEN 0 END"


def warn_beyond_capacity(policy: Policy, acted: BoolArray) -> None:
    """Warn if more cases are acted on than the capacity allows, rounded up to a whole case."""
    capacity = policy.limits.capacity
    if capacity is None:
        return
    alarms, most = int(np.count_nonzero(acted)), int(np.ceil(capacity * len(acted) * (1 - 1e-12)))
    if alarms > most:
        text = f"The policy acts on {alarms:,} of {len(acted):,} cases, more than its capacity of {capacity:g} allows."
        warnings.warn(text, UserWarning, stacklevel=_check.stack_level())
