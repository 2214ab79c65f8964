"""The rule of a policy for cases with costs of their own, as SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stakes._arrays import FloatArray
from stakes._cost_columns import OUTCOMES, Cost, CostColumn
from stakes._sql import score_name, sql_name, sql_number
from stakes.policy._apply import sql_rule_of

if TYPE_CHECKING:
    from stakes.policy._policy import Policy


def stake_rule(policy: Policy, score: str, cost: FloatArray, costs: Mapping[str, Cost]) -> str:
    """Return the rule at one cost as an SQL expression of the score and the columns of costs."""
    column = score_name(score)
    miss, alarm, hit, rest = (_written(costs[name]) for name in OUTCOMES)
    leaving, acting = _less(miss, hit), _less(alarm, rest)
    named = [column, *dict.fromkeys(sql_name(one.column) for one in costs.values() if isinstance(one, CostColumn))]
    known = " AND ".join(f"{name} IS NOT NULL" for name in named)
    wrong, right = costs["false_positive"], costs["true_negative"]
    is_fixed = not isinstance(wrong, CostColumn) and not isinstance(right, CostColumn)
    lost = float(wrong) - float(right) if is_fixed else 0.0  # type: ignore[arg-type]
    if lost > 0:  # of acting on any negative
        saved = f"{column} * {leaving}"
        staked = f"{saved} / ({saved} + (1 - {column}) * {_number(lost)})"
        return f"CASE WHEN {known} THEN CASE WHEN {leaving} > 0 THEN {_once(policy, staked, cost)} ELSE 0 END END"
    return f"CASE WHEN {known} THEN {_once(policy, _score(column, acting, leaving), cost)} END"


def _once(policy: Policy, score: str, cost: FloatArray) -> str:
    """Return the rule of a score that is known, which it names once."""
    rule = sql_rule_of(policy, score, cost)
    at = rule.find(f" WHEN {score} < ")
    return rule if at < 0 else f"{rule[:at]} ELSE 0 END"


def _score(p: str, acting: str, leaving: str) -> str:
    """Return the stake-adjusted score, as `CaseCosts.scores` computes it."""
    saved = f"({p} * {_above(leaving)} + (1 - {p}) * {_above(f'-{acting}')})"
    lost = f"({p} * {_above(f'-{leaving}')} + (1 - {p}) * {_above(acting)})"
    certain = f"({leaving} > 0 AND {acting} <= 0) OR ({acting} < 0 AND {leaving} >= 0)"
    return (
        f"(CASE WHEN {acting} = {leaving} AND {acting} > 0 THEN {p} "
        f"WHEN {saved} + {lost} > 0 THEN {saved} / ({saved} + {lost}) WHEN {certain} THEN 1.0e0 ELSE 0.0e0 END)"
    )


def _above(loss: str) -> str:
    return f"(CASE WHEN {loss} > 0 THEN {loss} ELSE 0.0e0 END)"


def _less(one: str, two: str) -> str:
    return one if two == _number(0.0) else f"({one} - {two})"


def _written(cost: Cost) -> str:
    """Write a cost: a number, or a column times one, as a floating-point number in any dialect."""
    if not isinstance(cost, CostColumn):
        return _number(cost)
    return f"({_number(cost.factor)} * {sql_name(cost.column)})"


def _number(value: float) -> str:
    written = sql_number(float(value))
    return f"({written})" if value < 0 else written
