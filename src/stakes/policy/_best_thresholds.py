"""The best threshold at each cost, and the one with the highest recall, as policies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import (
    CostScale,
    CostsLike,
    Distributions,
    as_costs_on_any_scale,
    cost_scale,
    distributions,
    joint_support,
    scale_name,
)
from stakes.limits import Counts, HullSteps, Limits, LimitsLike, as_limits, best_steps
from stakes.policy._policy import Policy, mean_over_steps
from stakes.policy._step_costs import StepMeans, step_means
from stakes.table import ScoreTable, at_ordinary_scale


def best_thresholds(table: ScoreTable, costs: CostsLike, limits: LimitsLike = None) -> Policy:
    r"""Return the feasible threshold with the lowest regret at each cost, as a policy.

    At each cost it is the threshold with the smallest regret :math:`R(c) = c\,FP + (1 - c)\,FN`. The steps are the
    vertices of the ROC hull of the feasible thresholds; two of them tie at
    :math:`c = \Delta TP/(\Delta TP + \Delta FP)`. The thresholds were chosen with these outcomes, so their regret here
    is optimistic; see `policy_cost` for another sample.

    Parameters
    ----------
    table : ScoreTable
        The sample to choose on; scores may be any numbers.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs. It sets the range and the scale of the steps, and the probability of each.
    limits : Limits, optional
        Capacity and smallest precision of the alarms; by default no limits.

    Returns
    -------
    Policy
        The steps within the range of the costs. If no threshold meets the limits, it never alarms.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", appendices C and D.4 (with the hull taken over the feasible thresholds).

    Examples
    --------
    >>> from stakes import Limits, Uniform, best_thresholds, score_table
    >>> table = score_table(y=[0, 0, 1, 0, 1], score=[1, 2, 3, 4, 5])
    >>> best_thresholds(table, Uniform(0.1, 0.9)).to_frame()["threshold"].tolist()
    [3.0, 5.0]
    >>> few = Limits(capacity=0.4)  # three alarms of five are too many
    >>> best_thresholds(table, Uniform(0.1, 0.9), few).threshold.tolist()
    [5.0]

    Costs in money; one of two positives is missed, in five cases:

    >>> from stakes.beliefs import IndependentCosts
    >>> money = IndependentCosts(false_negative=(100, 300), false_positive=(10, 20))
    >>> round(best_thresholds(table, money, few).mean_regret, 9)  # 200 / 5
    40.0
    """
    choice = _Choice.of(table, costs, limits)
    return choice.policy(choice.best)


def best_mean_regrets(table: ScoreTable, costs: CostsLike, limits: Iterable[Limits]) -> list[float]:
    """Return the mean regret of the best thresholds under each of several limits, counting alarms once."""
    choice = _Choice.of(table, costs, None)
    return [replace(choice, limits=one).mean_regret for one in limits]


def best_recall_threshold(table: ScoreTable, costs: CostsLike, limits: Limits) -> Policy:
    """Return the feasible threshold with the highest recall, used at every cost, as a policy.

    It is a baseline strategy, which uses the limits but not the costs. Among thresholds with the same recall it is the
    one with the fewest false alarms.

    Parameters
    ----------
    table : ScoreTable
        The sample to choose on; scores may be any numbers.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs. It sets the range and the scale of the policy, and the costs that its regret is averaged
        over.
    limits : Limits
        Capacity and smallest precision of the alarms.

    Returns
    -------
    Policy
        A policy of one step.

    Examples
    --------
    >>> from stakes import Limits, Uniform, score_table
    >>> from stakes.policy import best_recall_threshold
    >>> table = score_table(y=[0, 0, 1, 0, 1], score=[1, 2, 3, 4, 5])
    >>> best_recall_threshold(table, Uniform(0.1, 0.4), Limits(min_precision=0.6))(0.4)
    3.0
    """
    choice = _Choice.of(table, costs, limits)
    highest = choice.allowed[[np.argmax(choice.counts.true_alarms[choice.allowed])]]
    return choice.policy(choice.best_among(highest))


@dataclass(frozen=True)
class _Choice:
    """The alarms of a sample at every threshold, with the costs and limits by which one is chosen."""

    table: ScoreTable
    counts: Counts
    scale: CostScale
    costs: Distributions
    limits: Limits

    @classmethod
    def of(cls, table: ScoreTable, costs: CostsLike, limits: LimitsLike) -> _Choice:
        """Check what was given, and count."""
        stated = as_costs_on_any_scale("costs", costs, case_costs=getattr(table, "has_stakes", False))
        bounds = as_limits(limits)
        _check.check_tables("table", table)
        table = at_ordinary_scale(table)
        counts = Counts.of(table, bounds)
        scale = cost_scale(scale_name(stated), counts.positive, counts.negative)
        return cls(table, counts, scale, distributions(stated), bounds)

    @cached_property
    def allowed(self) -> npt.NDArray[np.intp]:
        """Indices of the thresholds within the limits."""
        return self.counts.allowed(self.limits)

    @property
    def best(self) -> HullSteps:
        """The best steps within the limits, over the range of the costs."""
        return self.best_among(self.allowed).between(*joint_support(self.costs))

    @property
    def mean_regret(self) -> float:
        """The mean regret of the best steps, as their policy has it."""
        means, regret = self._means(self.best)
        return mean_over_steps(means.share, regret)

    def best_among(self, thresholds: npt.NDArray[np.intp]) -> HullSteps:
        """Return the best of these thresholds at each cost."""
        return best_steps(self.counts, thresholds, self.scale)

    def policy(self, steps: HullSteps) -> Policy:
        """Return a policy of steps with their performance on the sample that they were chosen on."""
        means, regret = self._means(steps)
        low, high = steps.stairs.ranges(*joint_support(self.costs))
        people = self.counts.people.at(steps.index)
        return Policy(
            scale=self.scale.name,
            from_cost=low,
            to_cost=high,
            threshold=steps.thresholds(self.table),
            share=means.share,
            false_positive_rate=quotient(people.false_alarms, people.negative),
            recall=quotient(people.true_alarms, people.positive),
            precision=quotient(people.true_alarms, people.false_alarms + people.true_alarms),
            alarms_per_thousand=1000 * people.alarms / people.total,
            regret=regret,
            limits=self.limits,
            prevalence=self.table.prevalence_of_cases,
        )

    def _means(self, steps: HullSteps) -> tuple[StepMeans, FloatArray]:
        """Return the mean costs over each step, and its regret."""
        counts = self.counts
        means = step_means(steps.stairs, self.scale, self.costs, counts.positive, counts.negative)
        regret = means.regret(steps.false_alarms, counts.positive - steps.true_alarms, counts.total)
        return means, quotient(regret, means.share)


def quotient(above: FloatArray, below: FloatArray | float) -> FloatArray:
    """Return a quotient; nan where the denominator is 0."""
    below = np.broadcast_to(below, np.shape(above))
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below != 0))
