"""Bounds of the skill of scores, and of the parts of their regret."""

from __future__ import annotations

from dataclasses import dataclass

import stakes.measures
from stakes.beliefs import (
    BeliefLike,
    Beta,
    CostBelief,
    as_costs,
)
from stakes.bounds._bounded import NAN, Bounded, around, between_zero_and_one, both_classes, check_table, one_minus
from stakes.bounds._bounded_numbers import expected_regret
from stakes.large import QuantisedTable
from stakes.table import flatten, recalibrate


def skill_score(table: QuantisedTable, costs: BeliefLike) -> Bounded:
    """Bounds of `stakes.skill_score`, the share of the regret of the best constant score that is saved.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    costs : belief, number or words, such as "5%..20%"
        What is believed about the cost proportion.

    Returns
    -------
    Bounded
        The skill; ``nan`` (with a warning) on one class only.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.large import quantise
    >>> from stakes.bounds import skill_score
    >>> skill_score(quantise(y=[0, 0, 1, 1], score=[0.25, 0.25, 0.75, 0.75], bins=1), Uniform())  # 1 - 0.0625 / 0.25
    Bounded(lower=0.75, estimate=0.75, upper=0.75)
    """
    believed = as_costs("costs", costs)
    regret = expected_regret(table, believed)
    return one_minus(regret, _constant(table, believed)) if both_classes("skill_score", table) else NAN


@dataclass(frozen=True, slots=True)
class BoundedDecomposition:
    """The three parts of a mean regret, each between bounds.

    Attributes
    ----------
    miscalibration, discrimination, uncertainty, total : Bounded
        As in `stakes.measures.Decomposition`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.large import quantise
    >>> from stakes.bounds import decompose
    >>> decompose(quantise(y=[0, 1], score=[0.5, 0.5]), Uniform()).uncertainty
    Bounded(lower=0.125, estimate=0.125, upper=0.125)
    """

    miscalibration: Bounded
    discrimination: Bounded
    uncertainty: Bounded
    total: Bounded


def decompose(table: QuantisedTable, costs: BeliefLike) -> BoundedDecomposition:
    r"""Bounds of `stakes.decompose`: miscalibration, discrimination and uncertainty.

    The regret after recalibration depends on the order of scores alone. It is smallest when in each bin every
    positive is above every negative (where their lowest and highest scores allow that), and largest the other way
    round. The estimate is that of the worst order, which tells apart no more than the bins do: the order within
    one bin is nearly chance.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    costs : belief, number or words, such as "5%..20%"
        What is believed about the cost proportion.

    Returns
    -------
    BoundedDecomposition
        The parts, in the units of `stakes.expected_regret`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.large import quantise
    >>> from stakes.bounds import decompose
    >>> parts = decompose(quantise(y=[0, 0, 1, 1], score=[0.2, 0.3, 0.7, 0.8], bins=2), Uniform())
    >>> parts.discrimination, parts.miscalibration
    (Bounded(lower=0.125, estimate=0.125, upper=0.125), Bounded(lower=0.0325, estimate=0.0325, upper=0.0325))
    """
    believed = as_costs("costs", costs)
    total, best = expected_regret(table, believed), _recalibrate(table, believed)
    constant = _constant(table, believed)
    unit = around(table, constant, constant)
    return BoundedDecomposition(_not_negative(total, best), _not_negative(unit, best), unit, total)


def h_measure(table: QuantisedTable, costs: BeliefLike | None = None) -> Bounded:
    """Bounds of `stakes.h_measure`: the skill that the order of the scores allows, whatever their values.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    costs : belief, number or words, such as "5%..20%", optional
        What is believed about the cost proportion; ``Beta(2, 2)`` when not given.

    Returns
    -------
    Bounded
        The measure; ``nan`` (with a warning) on one class only. The estimate is that of the worst order.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import h_measure
    >>> h_measure(quantise(y=[0, 1, 0, 1], score=[0.11, 0.12, 0.13, 0.9], bins=2))
    Bounded(lower=0.3481481481, estimate=0.3481481481, upper=1.0)
    """
    believed = as_costs("costs", Beta(2, 2) if costs is None else costs)
    check_table(table)
    if not both_classes("h_measure", table):
        return NAN
    return between_zero_and_one(one_minus(_recalibrate(table, believed), _constant(table, believed)))


def _recalibrate(table: QuantisedTable, costs: CostBelief) -> Bounded:
    """Bound the regret after recalibration, which depends on the order of the scores alone."""
    best, worst = (
        stakes.measures.expected_regret(recalibrate(order), costs) for order in (table.optimistic, table.pessimistic)
    )
    found = around(table, best, worst)
    return Bounded(found.lower, worst, found.upper)


def _constant(table: QuantisedTable, costs: CostBelief) -> float:
    """Regret of the best constant score, the prevalence."""
    return stakes.measures.expected_regret(flatten(table.optimistic), costs)


def _not_negative(total: Bounded, part: Bounded) -> Bounded:
    """Take a part from a total that cannot be less."""
    lower, estimate = (max(number, 0.0) for number in (total.lower - part.upper, total.estimate - part.estimate))
    upper = max(total.upper - part.lower, 0.0)
    return Bounded(lower, min(max(estimate, lower), upper), upper)
