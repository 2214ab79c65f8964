"""Gaps between groups, or sites, split into effects of the model and of the prevalence."""

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

MeasureAtPrevalence = Callable[[ScoreTable, Any, Any], float]


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference between two groups and its parts, the first group less the second.

    All are in the units of the measure. The parts add up exactly: ``total == mechanism + label`` and ``mechanism ==
    sharpness + calibration``.

    Attributes
    ----------
    total : float
        The difference with each group at its own prevalence.
    mechanism : float
        The difference with both groups at the same prevalences, which is due to the model.
    label : float
        The rest, which is due to the condition being more common in one of them.
    sharpness : float
        The part of `mechanism` that would remain if each group were recalibrated by itself.
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
    measure: MeasureAtPrevalence = prior_adjusted_net_benefit,
) -> Gap:
    r"""Split the difference between two groups into effects of the model and of the prevalence.

    With :math:`M(D, \pi)` the measure of a group at a prevalence, :math:`\pi_a, \pi_b` the groups' own and
    :math:`\hat D` a group recalibrated by itself:

    .. math::

        \text{total} &= M(D_a, \pi_a) - M(D_b, \pi_b) \\
        \text{mechanism} &= E_\pi[M(D_a, \pi) - M(D_b, \pi)], \quad \text{label} = \text{total} - \text{mechanism} \\
        \text{sharpness} &= E_\pi[M(\hat D_a, \pi) - M(\hat D_b, \pi)], \quad
        \text{calibration} = \text{mechanism} - \text{sharpness}.

    Recalibration is in-sample, so that sharpness is optimistic for small groups.

    Parameters
    ----------
    table_a, table_b : ScoreTable
        The two groups, each with both classes and scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", optional
        The prevalences at which the groups are compared; by default uniform in log-odds between the groups' own (or
        their own, if it is the same).
    measure : callable, keyword-only
        A function of ``(table, costs, prevalence)``: `prior_adjusted_net_benefit`, `shifted_net_benefit`,
        `shifted_weighted_accuracy` or `shifted_regret` (for which smaller is better).

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
    check_takes_costs("measure", measure, shifted_accuracy)
    if prevalence is None:
        shared = _shared_belief(table_a.prevalence, table_b.prevalence)
    else:
        shared = as_belief("prevalence", prevalence)
    total = measure(table_a, believed, At(table_a.prevalence)) - measure(table_b, believed, At(table_b.prevalence))
    mechanism = measure(table_a, believed, shared) - measure(table_b, believed, shared)
    sharpness = measure(recalibrate(table_a), believed, shared) - measure(recalibrate(table_b), believed, shared)
    return _exact_sums(total, mechanism, sharpness)


def explain_gaps(
    tables: Mapping[str, ScoreTable],
    reference: str,
    costs: BeliefLike,
    prevalence: BeliefLike | None = None,
    *,
    measure: MeasureAtPrevalence = prior_adjusted_net_benefit,
) -> dict[str, Gap]:
    """Split the gap between every group and a reference group.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The groups by name, each with both classes.
    reference : str
        The name of the reference group; each gap is the group less the reference.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%", optional
        The prevalences at which groups are compared; by default, for each pair, those between their own.
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


def _shared_belief(one: float, other: float) -> At | LogOddsUniform:
    """Return a belief uniform in log-odds between two prevalences; a point if they agree to rounding."""
    low, high = min(one, other), max(one, other)
    return At(low) if math.isclose(low, high, rel_tol=1e-12) else LogOddsUniform(low, high)


def _exact_sums(total: float, mechanism: float, sharpness: float) -> Gap:
    """Return a gap whose parts add up in floating point too, each sum taken from its parts."""
    calibration = mechanism - sharpness
    mechanism = sharpness + calibration
    label = total - mechanism
    return Gap(mechanism + label, mechanism, label, sharpness, calibration)


def check_takes_costs(name: str, measure: object, accuracy: object) -> None:
    """Raise unless `measure` takes (table, costs, prevalence)."""
    _check.check_callable(name, measure, of="(table, costs, prevalence)")
    if measure is accuracy:
        raise InputTypeError(
            name,
            "be a function of (table, costs, prevalence)",
            "`shifted_accuracy`",
            hint="for accuracy use `shifted_weighted_accuracy` with `At(0.5)`",
        )
