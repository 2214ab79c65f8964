"""Explain why two groups, or two sites, differ: the model, or only how common the condition is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stakes import _check
from stakes._errors import InputTypeError
from stakes.beliefs import At, BeliefLike, LogOddsUniform, as_belief
from stakes.prevalence._shifted import prior_adjusted_net_benefit, shifted_accuracy
from stakes.table import ScoreTable, recalibrate

Measured = Callable[[ScoreTable, Any, Any], float]


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference between two groups and its parts, all in the units of the measure, the first less the second.

    The parts add up exactly: ``total == mechanism + label`` and ``mechanism == sharpness + calibration``.

    Attributes
    ----------
    total : float
        Each group at its own prevalence.
    mechanism : float
        Both groups at the same prevalences: what the model does differently for them.
    label : float
        The rest: what comes from the condition being more common in one of them.
    sharpness : float
        The part of `mechanism` that would remain if each group had its own recalibration.
    calibration : float
        The part of `mechanism` that recalibrating each group would remove.

    Examples
    --------
    >>> from stakes import At, explain_gap, score_table
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> explain_gap(table, table, At(0.3))
    Gap(total=0.0, mechanism=0.0, label=0.0, sharpness=0.0, calibration=0.0)
    """

    total: float
    mechanism: float
    label: float
    sharpness: float
    calibration: float


def explain_gap(
    table_a: ScoreTable,
    table_b: ScoreTable,
    costs: BeliefLike,
    prevalence: BeliefLike | None = None,
    *,
    measure: Measured = prior_adjusted_net_benefit,
) -> Gap:
    r"""Split the difference between two groups into what the model does and what the prevalence does.

    With :math:`M(D, \pi)` the measure of a group at a prevalence, :math:`\pi_a, \pi_b` the groups' own and
    :math:`\hat D` a group recalibrated by itself:

    .. math::

        \text{total} &= M(D_a, \pi_a) - M(D_b, \pi_b) \\
        \text{mechanism} &= E_\pi[M(D_a, \pi) - M(D_b, \pi)], \quad \text{label} = \text{total} - \text{mechanism} \\
        \text{sharpness} &= E_\pi[M(\hat D_a, \pi) - M(\hat D_b, \pi)], \quad
        \text{calibration} = \text{mechanism} - \text{sharpness}.

    Recalibration has seen the outcomes it is judged by, so that on small groups sharpness is flattered.

    Parameters
    ----------
    table_a, table_b : ScoreTable
        The two groups, each with both classes, scores being probabilities.
    costs : belief, number or words, such as "5%..20%"
        What is believed about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", optional
        The prevalences at which the groups are compared; even in log-odds between their own when not given
        (their own when it is the same).
    measure : callable, keyword-only
        A function of ``(table, costs, prevalence)``: `prior_adjusted_net_benefit`, `shifted_net_benefit`,
        `shifted_weighted_accuracy` or `shifted_regret` (for which less is better).

    Returns
    -------
    Gap
        The difference and its parts.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", appendices I.2 (where the label effect is printed with the wrong sign) and I.3.

    Examples
    --------
    The same model, the same calibration; only the condition is rarer in the second group:

    >>> from stakes import At, at_prevalence, explain_gap, score_table
    >>> clinic = score_table(y=[0, 0, 1, 0, 1, 1], score=[0.1, 0.2, 0.4, 0.5, 0.7, 0.9])
    >>> village = at_prevalence(clinic, 0.1)
    >>> gap = explain_gap(clinic, village, At(0.2))
    >>> round(gap.total, 3), abs(gap.mechanism) < 1e-12, round(gap.label, 3)
    (0.25, True, 0.25)
    """
    believed = as_belief("costs", costs)
    _check.check_tables("table_a", table_a)
    _check.check_tables("table_b", table_b)
    needs_costs("measure", measure, shifted_accuracy)
    if prevalence is None:
        shared = _between(table_a.prevalence, table_b.prevalence)
    else:
        shared = as_belief("prevalence", prevalence)
    total = measure(table_a, believed, At(table_a.prevalence)) - measure(table_b, believed, At(table_b.prevalence))
    mechanism = measure(table_a, believed, shared) - measure(table_b, believed, shared)
    sharpness = measure(recalibrate(table_a), believed, shared) - measure(recalibrate(table_b), believed, shared)
    return _adding_up(total, mechanism, sharpness)


def explain_gaps(
    tables: Mapping[str, ScoreTable],
    reference: str,
    costs: BeliefLike,
    prevalence: BeliefLike | None = None,
    *,
    measure: Measured = prior_adjusted_net_benefit,
) -> dict[str, Gap]:
    """Explain the gap of every group to one of them.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The groups by name, each with both classes.
    reference : str
        The group that the others are compared with: each gap is the group less the reference.
    costs : belief, number or words, such as "5%..20%"
        What is believed about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", optional
        The prevalences at which groups are compared; for each pair those between their own when not given.
    measure : callable, keyword-only
        As in `explain_gap`.

    Returns
    -------
    dict of str to Gap
        The gap of each group other than the reference, in the order given.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", appendices I.2 and I.3.

    Examples
    --------
    >>> from stakes import At, at_prevalence, score_table
    >>> from stakes.prevalence import explain_gaps
    >>> clinic = score_table(y=[0, 0, 1, 0, 1, 1], score=[0.1, 0.2, 0.4, 0.5, 0.7, 0.9])
    >>> sites = {"clinic": clinic, "village": at_prevalence(clinic, 0.1), "town": at_prevalence(clinic, 0.3)}
    >>> gaps = explain_gaps(sites, "clinic", At(0.2))
    >>> {site: round(gap.label, 3) for site, gap in gaps.items()}
    {'village': -0.25, 'town': -0.125}
    """
    _check.check_named_tables("tables", tables, "group")
    _check.choice("reference", reference, tables)
    return {
        group: explain_gap(table, tables[reference], costs, prevalence, measure=measure)
        for group, table in tables.items()
        if group != reference
    }


def _between(one: float, other: float) -> At | LogOddsUniform:
    """Prevalences between two, even in log-odds; the one there is when they are the same to rounding."""
    low, high = min(one, other), max(one, other)
    return At(low) if math.isclose(low, high, rel_tol=1e-12) else LogOddsUniform(low, high)


def _adding_up(total: float, mechanism: float, sharpness: float) -> Gap:
    """Make the parts add up in floating point too, by taking each sum from its parts."""
    calibration = mechanism - sharpness
    mechanism = sharpness + calibration
    label = total - mechanism
    return Gap(mechanism + label, mechanism, label, sharpness, calibration)


def needs_costs(name: str, measure: object, accuracy: object) -> None:
    """Refuse what is no measure, and the one of the family that takes no costs."""
    _check.check_callable(name, measure, of="(table, costs, prevalence)")
    if measure is accuracy:
        raise InputTypeError(
            name,
            "be a function of (table, costs, prevalence)",
            "`shifted_accuracy`",
            hint="for accuracy use `shifted_weighted_accuracy` with `At(0.5)`",
        )
