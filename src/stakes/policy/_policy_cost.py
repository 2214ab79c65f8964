"""The cost of a policy on another sample, and the limits it breaks there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs import (
    CostScale,
    CostsLike,
    as_costs_on_any_scale,
    cost_scale,
    distributions,
    joint_support,
    scale_name,
)
from stakes.limits import Counts, Limits, LimitsLike, People, Stairs, as_limits, few_enough, precise_enough
from stakes.policy._best_thresholds import quotient
from stakes.policy._policy import Policy
from stakes.policy._step_costs import step_means
from stakes.table import ScoreTable


def check_costs_in_range(wanted: tuple[float, float], scale: str, low: float, high: float) -> None:
    """Raise unless costs lie in the range of a policy, up to rounding."""
    if not (_at_most(low, wanted[0]) and _at_most(wanted[1], high)):
        own, got = f"{scale} {low:g} to {high:g}", f"{wanted[0]:g} to {wanted[1]:g}"
        raise InputError("costs", f"lie within the range of the policy, {own}", got)


def _at_most(a: float, b: float) -> bool:
    """Return whether a number is at most another, up to rounding."""
    return a <= b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


@dataclass(frozen=True, slots=True)
class Violations:
    """Violations of the limits by a policy on a sample.

    Attributes
    ----------
    capacity : float
        Probability, under the belief about the costs, of more alarms than the capacity.
    excess : float
        Largest number of alarms beyond the capacity, per thousand cases, at any cost that may occur; 0 if none.
    precision : float
        Probability, under the same belief, of alarms below the smallest precision.
    shortfall : float
        Largest shortfall of the precision, at any cost that may occur; 0 if none.

    Examples
    --------
    >>> from stakes import At, Limits, best_thresholds, score_table
    >>> from stakes.policy import policy_cost
    >>> policy = best_thresholds(score_table(y=[0, 0, 1], score=[1, 2, 3]), At(0.2), Limits(min_precision=0.75))
    >>> policy_cost(policy, score_table(y=[0, 0, 1, 1], score=[2, 3, 3, 4]), At(0.2)).violations.any
    True
    """

    capacity: float
    excess: float
    precision: float
    shortfall: float

    @property
    def any(self) -> bool:
        """Whether either limit is violated at any cost that may occur."""
        return self.capacity > 0 or self.precision > 0


@dataclass(frozen=True, slots=True)
class PolicyCost:
    """Regret, normalised cost and violations of a policy on a sample.

    Attributes
    ----------
    regret : float
        Mean regret per case, in units of one false alarm plus one miss; with `IndependentCosts`, in money.
    normalised_cost : float
        Mean cost as a share of the cost of deciding every case wrongly.
    violations : Violations
        Violations of the limits.

    Examples
    --------
    >>> from stakes import At, best_thresholds, score_table
    >>> from stakes.policy import policy_cost
    >>> table = score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])
    >>> policy_cost(best_thresholds(table, At(0.3)), table, At(0.3)).regret  # one false alarm in four cases, at 0.3
    0.075
    """

    regret: float
    normalised_cost: float
    violations: Violations


def policy_cost(policy: Policy, table: ScoreTable, costs: CostsLike, *, limits: LimitsLike = None) -> PolicyCost:
    r"""Return the cost of a policy on a sample, usually not the one it was chosen on.

    With :math:`FP_j, FN_j` the false alarms and misses of this sample at the threshold of step :math:`j`, regret is the
    mean over the costs of :math:`(c\,FP_j + (1 - c) FN_j)/n`, and the normalised cost the mean of
    :math:`t\,FP_j/N + (1 - t) FN_j/P`, with *this* sample's classes in :math:`t`. Costs stated on the scale of the
    policy select its steps as they are. Costs on another scale are translated, which gives another :math:`t` where the
    prevalence differs.

    Parameters
    ----------
    policy : Policy
        The policy to apply.
    table : ScoreTable
        The sample to apply it to, with scores on the scale of those that it was chosen on.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs, within the range of the policy.
    limits : Limits, keyword-only, optional
        The limits to check; by default those under which it was chosen. A capacity is a share of the cases of `table`.

    Returns
    -------
    PolicyCost
        Regret, normalised cost, and violations of the limits.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", appendix D.4, equation (1), with the test sample's own prevalence.

    Examples
    --------
    >>> from stakes import Limits, Uniform, best_thresholds, score_table
    >>> from stakes.policy import policy_cost
    >>> chosen = score_table(y=[0, 0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4, 0.5])
    >>> policy = best_thresholds(chosen, Uniform(0.1, 0.3), Limits(capacity=0.6))
    >>> paid = policy_cost(policy, score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.35, 0.6]), Uniform(0.1, 0.3))
    >>> round(paid.regret, 6), paid.violations.any  # a false alarm and a miss in four cases
    (0.25, False)
    """
    stated = as_costs_on_any_scale("costs", costs, case_costs=getattr(table, "has_stakes", False))
    _check.check_type(Policy, "policy", policy, hint=" (see `best_thresholds`)")
    _check.check_tables("table", table)
    believed, counts = distributions(stated), Counts.of(table)
    bounds = policy.limits if limits is None else as_limits(limits)
    scale = cost_scale(scale_name(stated), counts.positive, counts.negative)
    stairs, order = _translate_stairs(policy, scale, joint_support(believed))
    row = _rows(policy, table)[order]
    false_alarms, true_alarms = counts.false_alarms[row], counts.true_alarms[row]
    misses = counts.positive - true_alarms
    means = step_means(stairs, scale, believed, counts.positive, counts.negative)
    rates = [np.nan_to_num(quotient(false_alarms, counts.negative)), np.nan_to_num(quotient(misses, counts.positive))]
    return PolicyCost(
        float(means.regret(false_alarms, misses, counts.total).sum()),
        float(means.normalised_cost(*rates).sum()),
        _violations(bounds, counts.people.at(row), means.share),
    )


def _translate_stairs(policy: Policy, scale: CostScale, wanted: tuple[float, float]) -> tuple[Stairs, slice]:
    """Return the stairs of a policy on another scale, and the order of its steps there."""
    ends = np.append(policy.from_cost, policy.to_cost[-1])
    if scale.name != policy.scale:
        own = cost_scale(policy.scale, policy.prevalence, 1 - policy.prevalence)
        ends = scale.at_proportion(own.proportion(ends))
    forward = scale.name == policy.scale or scale.rising == (policy.scale != "inverse cost ratio")
    order = slice(None) if forward else slice(None, None, -1)
    ends = ends[order]
    check_costs_in_range(wanted, scale.name, ends[0], ends[-1])
    return Stairs(ends[1:-1], scale.rising), order


def _rows(policy: Policy, table: ScoreTable) -> npt.NDArray[np.intp]:
    """Return the place of each threshold of a policy among those of a sample, from never alarming on."""
    row = len(table) - np.searchsorted(table.score, policy.threshold, side="left")
    return np.where(policy.alarms_per_thousand == 0, 0, row)  # a step without alarms has none, whatever the scores


def _violations(limits: Limits, people: People, share: FloatArray) -> Violations:
    true_alarms, alarms = people.true_alarms, people.false_alarms + people.true_alarms
    too_many = ~few_enough(limits, people.alarms, np.zeros_like(alarms), people.total) & (share > 0)
    too_imprecise = ~precise_enough(limits, people.false_alarms, true_alarms) & (share > 0)
    # nan: nothing exceeds a limit that is not set.
    most, least = (np.nan if limit is None else limit for limit in (limits.capacity, limits.min_precision))
    excess = 1000 * (people.alarms / people.total - most)
    shortfall = least - quotient(true_alarms, alarms)
    return Violations(
        capacity=float(share[too_many].sum()),
        excess=float(np.max(excess, where=too_many, initial=0.0)),
        precision=float(share[too_imprecise].sum()),
        shortfall=float(np.max(shortfall, where=too_imprecise, initial=0.0)),
    )
