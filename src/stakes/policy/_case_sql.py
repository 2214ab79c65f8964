"""The rule of a policy for cases with costs of their own, as SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stakes._arrays import FloatArray
from stakes._cost_columns import OUTCOMES, Cost, CostColumn
from stakes.policy._apply import sql_number, sql_rule

if TYPE_CHECKING:
    from stakes.policy._policy import Policy


def stake_rule(policy: Policy, column: str, cost: FloatArray, costs: Mapping[str, Cost]) -> str:
    """Return the rule at one cost as an SQL expression of the score and the columns of costs."""
    miss, alarm, hit, rest = (_written(costs[name]) for name in OUTCOMES)
    leaving, acting = _less(miss, hit), _less(alarm, rest)
    named = [column, *dict.fromkeys(_quote(one.column) for one in costs.values() if isinstance(one, CostColumn))]
    known = " AND ".join(f"{name} IS NOT NULL" for name in named)
    wrong, right = costs["false_positive"], costs["true_negative"]
    is_fixed = not isinstance(wrong, CostColumn) and not isinstance(right, CostColumn)
    lost = float(wrong) - float(right) if is_fixed else 0.0  # type: ignore[arg-type]
    if lost > 0:  # of acting on any negative
        saved = f"{column} * {leaving}"
        score = f"{saved} / ({saved} + (1 - {column}) * {_number(lost)})"
        return f"CASE WHEN {known} THEN CASE WHEN {leaving} > 0 THEN {_once(policy, score, cost)} ELSE 0 END END"
    return f"CASE WHEN {known} THEN {_once(policy, _score(column, acting, leaving), cost)} END"


def _once(policy: Policy, score: str, cost: FloatArray) -> str:
    """Return the rule of a score that is known, which it names once."""
    rule = sql_rule(policy, score, cost)
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
    return f"({_number(cost.factor)} * {_quote(cost.column)})"


def _number(value: float) -> str:
    written = sql_number(float(value))
    return f"({written})" if value < 0 else written


# Words of PostgreSQL or DuckDB that are not the name of a column unless in quotation marks. Other names stay as they
# are: in quotation marks, some dialects tell capitals apart, and some take them for text.
_WORDS = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast
    check collate collation column concurrently constraint create cross current_catalog current_date
    current_role current_schema current_time current_timestamp current_user default deferrable desc describe
    distinct do else end except false fetch for foreign freeze from full glob grant group having ilike in
    initially inner intersect into is isnull join lambda lateral leading left like limit localtime
    localtimestamp natural not notnull null offset on only or order outer overlaps pivot pivot_longer
    pivot_wider placing positional primary qualify references returning right select semi session_user show
    similar some summarize symmetric table tablesample then to trailing true union unique unpack unpivot user
    using variadic verbose when where window with
"""
_RESERVED = frozenset(_WORDS.split())


def _quote(column: str) -> str:
    """Return a plain name as it is, and any other, or a reserved word, in quotation marks."""
    escaped = column.replace('"', '""')
    plain = column.isidentifier() and column.isascii() and column.casefold() not in _RESERVED
    return column if plain else f'"{escaped}"'
