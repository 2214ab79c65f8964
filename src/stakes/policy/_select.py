"""Selection of a model by a measure on one sample, with the policy to use it with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from stakes import _check
from stakes._errors import InputError
from stakes.beliefs import CostsLike, as_costs_on_any_scale
from stakes.limits import (
    Limits,
    as_limits,
    check_no_stakes,
    feasible_partial_auc,
    max_feasible_recall,
    partial_voros,
    voros,
)
from stakes.policy._best_thresholds import best_recall_threshold, best_thresholds
from stakes.policy._policy import Policy
from stakes.table import ScoreTable


def defined_values(name: str, values: Mapping[str, float]) -> dict[str, float]:
    """Return the values that are not nan; raise if there are none."""
    defined = {model: value for model, value in values.items() if not math.isnan(value)}
    if not defined:
        raise InputError(name, "be defined for at least one model", "nan for each")
    return defined


# Each strategy: the measure that ranks the models, and the thresholds of someone who knows only that measure.
_STRATEGIES: dict[str, tuple[Callable[..., float], Callable[..., Policy]]] = {
    "partial_voros": (partial_voros, best_thresholds),
    "voros": (
        lambda table, costs, limits: voros(table, costs),
        lambda table, costs, limits: best_thresholds(table, costs),
    ),
    "max_feasible_recall": (lambda table, costs, limits: max_feasible_recall(table, limits), best_recall_threshold),
    "feasible_partial_auc": (lambda table, costs, limits: feasible_partial_auc(table, limits), best_thresholds),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The model that a strategy selects, and the policy to use it with.

    Attributes
    ----------
    best : str
        The model with the largest value; the first of equal ones.
    values : dict of str to float
        The value of every model, in the order they were given.
    policy : Policy
        The thresholds that the strategy uses with that model.

    Examples
    --------
    >>> from stakes import Limits, Uniform, score_table
    >>> from stakes.policy import select
    >>> tables = {"a": score_table(y=[0, 1], score=[2, 1]), "b": score_table(y=[0, 1], score=[1, 2])}
    >>> select(tables, Uniform(0.1, 0.4), Limits(capacity=0.5)).best
    'b'
    """

    best: str
    values: dict[str, float]
    policy: Policy


def select(
    tables: Mapping[str, ScoreTable], costs: CostsLike, limits: Limits, *, by: str = "partial_voros"
) -> Selection:
    """Select one of several models by a measure, with the thresholds that go with it.

    The strategies differ in what they use: "partial_voros" the costs and the limits, "voros" the costs only (its
    thresholds may break the limits), "max_feasible_recall" and "feasible_partial_auc" the limits only. The first three
    use `best_thresholds` and `best_recall_threshold` accordingly; the last, which has none of its own, uses the best
    feasible threshold at each cost. Compare them on another sample with `policy_cost`.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The models on the sample to choose on.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs.
    limits : Limits
        Capacity and smallest precision of the alarms.
    by : {"partial_voros", "voros", "max_feasible_recall", "feasible_partial_auc"}, keyword-only
        The measure to select by.

    Returns
    -------
    Selection
        The best model, the value of each, and the thresholds of the best.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", section 6 and appendix D.4.

    Examples
    --------
    >>> from stakes import Limits, Uniform, score_table
    >>> from stakes.policy import select
    >>> tables = {"a": score_table(y=[0, 1, 1], score=[2, 1, 3]), "b": score_table(y=[0, 1, 1], score=[1, 3, 3])}
    >>> chosen = select(tables, Uniform(0.1, 0.4), Limits(min_precision=0.7), by="max_feasible_recall")
    >>> chosen.best, chosen.values
    ('b', {'a': 0.5, 'b': 1.0})
    """
    stated, bounds = as_costs_on_any_scale("costs", costs), as_limits(limits)
    _check.check_named_tables("tables", tables, "model")
    for table in tables.values():
        check_no_stakes("select", table)
    value_of, policy_of = _STRATEGIES[_check.choice("by", by, _STRATEGIES)]
    values = {name: value_of(table, stated, bounds) for name, table in tables.items()}
    defined = defined_values(by, values)
    best = max(defined, key=defined.__getitem__)
    return Selection(best, values, policy_of(tables[best], stated, bounds))
