"""Policies: the threshold to use at each cost, with the performance on the sample it was chosen on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes._html import small_table
from stakes._wording import plain_number, threshold
from stakes.beliefs import (
    CostScale,
    CostsLike,
    Distributions,
    ScaleName,
    as_costs_on_any_scale,
    as_number,
    cost_scale,
    distributions,
    joint_support,
    scale_name,
)
from stakes.limits import Counts, HullSteps, Limits, LimitsLike, Stairs, as_limits, best_steps
from stakes.policy._step_costs import step_means
from stakes.table import ScoreTable, at_ordinary_scale


def check_cost_in_range(cost: float, scale: str, low: float, high: float) -> None:
    """Raise unless a cost lies in the range of a policy."""
    if not low <= cost <= high:
        raise InputError("cost", f"be a {scale} between {low:g} and {high:g}, the range of the policy", f"{cost:g}")


_COLUMNS = (
    "from_cost",
    "to_cost",
    "threshold",
    "share",
    "false_positive_rate",
    "recall",
    "precision",
    "alarms_per_thousand",
    "regret",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Policy:
    """The threshold to use at each cost, a step function, with the performance of each step.

    Call it with a cost, on its own scale, for the threshold to use. At a cost where two thresholds tie it is the lower
    one, as a score at the threshold acts. Performance is that on the sample that the thresholds were chosen on.
    `best_thresholds` returns a policy.

    With case costs, alarms, precision and recall count cases and regret is a share of what is at stake.

    Attributes
    ----------
    scale : str
        The scale of the costs: "cost proportion", "fractional cost", "cost ratio" or "inverse cost ratio".
    from_cost, to_cost : ndarray of float64
        The range of costs of each step, ascending.
    threshold : ndarray of float64
        The smallest score to act on; infinite where no alarm is raised.
    share : ndarray of float64
        The probability, under the belief about the costs, of the step.
    false_positive_rate, recall, precision : ndarray of float64
        The operating point; ``nan`` where a denominator is 0.
    alarms_per_thousand : ndarray of float64
        Alarms among a thousand cases.
    regret : ndarray of float64
        Mean regret per case over the costs of the step, with `IndependentCosts` in money; ``nan`` where its share is 0.
    limits : Limits
        The limits under which the thresholds were chosen.
    prevalence : float
        The prevalence of the sample on which they were chosen.

    Examples
    --------
    >>> from stakes import Uniform, best_thresholds, score_table
    >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), Uniform(0.2, 0.8))
    >>> policy
    Policy(2 steps over cost proportion 0.2 to 0.8)
    >>> policy(0.3), policy(0.7)
    (2.0, 4.0)
    """

    scale: ScaleName
    from_cost: FloatArray
    to_cost: FloatArray
    threshold: FloatArray
    share: FloatArray
    false_positive_rate: FloatArray
    recall: FloatArray
    precision: FloatArray
    alarms_per_thousand: FloatArray
    regret: FloatArray
    limits: Limits
    prevalence: float

    def __post_init__(self) -> None:
        for column in _COLUMNS:
            getattr(self, column).flags.writeable = False

    @property
    def mean_regret(self) -> float:
        """Mean regret per case over the belief, in-sample and so optimistic."""
        possible = self.share > 0
        return float(self.share[possible] @ self.regret[possible])

    @property
    def stairs(self) -> Stairs:
        """The costs at which the step changes."""
        return Stairs(self.to_cost[:-1], self.scale != "inverse cost ratio")

    def __call__(self, cost: float | str) -> float:
        """Return the threshold to use at a cost.

        Parameters
        ----------
        cost : float or words, such as "10%"
            The cost, on the scale of the policy and within its range.

        Returns
        -------
        float
            The smallest score to act on.
        """
        number = as_number("cost", cost)
        check_cost_in_range(number, self.scale, self.from_cost[0], self.to_cost[-1])
        return float(self.threshold[self.stairs.find(np.array(number))])

    def to_frame(self) -> dict[str, FloatArray]:
        """Return the steps as columns by name, which pandas and polars accept as data frames.

        Returns
        -------
        dict of str to ndarray
            One array for each column, with one element for each step, in the order of the attributes.

        Examples
        --------
        >>> from stakes import Uniform, best_thresholds, score_table
        >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), Uniform(0.2, 0.8))
        >>> policy.to_frame()["recall"].tolist()
        [1.0, 0.5]
        """
        return {column: getattr(self, column) for column in _COLUMNS}

    def __len__(self) -> int:
        return len(self.threshold)

    def __repr__(self) -> str:
        steps = "1 step" if len(self) == 1 else f"{len(self)} steps"
        return f"Policy({steps} over {self.scale} {self.from_cost[0]:g} to {self.to_cost[-1]:g})"

    def _repr_html_(self) -> str:
        """Show the steps as a table."""
        headings = (self.scale, "act from", "share", "alarms per 1,000", "precision", "recall", "regret")
        columns = self.share, self.alarms_per_thousand, self.precision, self.recall, self.regret
        rows = [
            (
                f"{plain_number(self.from_cost[k])} to {plain_number(self.to_cost[k])}",
                threshold(float(self.threshold[k])),
                *(plain_number(column[k]) for column in columns),
            )
            for k in range(len(self))
        ]
        return small_table("Threshold to use at each cost", headings, rows, "Chosen on the same cases, so optimistic.")


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
    stated, bounds = as_costs_on_any_scale("costs", costs), as_limits(limits)
    _check.check_tables("table", table)
    table = at_ordinary_scale(table)
    believed, counts = distributions(stated), Counts.of(table, bounds)
    scale = cost_scale(scale_name(stated), counts.positive, counts.negative)
    steps = best_steps(counts, counts.allowed(bounds), scale).between(*joint_support(believed))
    return _policy(table, counts, scale, believed, bounds, steps)


def best_recall_threshold(table: ScoreTable, costs: CostsLike, limits: Limits) -> Policy:
    """Return the feasible threshold with the highest recall, used at every cost, as a policy.

    It is a baseline strategy, which knows the limits but not the costs. Among thresholds with the same recall it is the
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
    stated, bounds = as_costs_on_any_scale("costs", costs), as_limits(limits)
    _check.check_tables("table", table)
    table = at_ordinary_scale(table)
    believed, counts = distributions(stated), Counts.of(table, bounds)
    scale = cost_scale(scale_name(stated), counts.positive, counts.negative)
    allowed = counts.allowed(bounds)
    best = allowed[[np.argmax(counts.true_alarms[allowed])]]
    return _policy(table, counts, scale, believed, bounds, best_steps(counts, best, scale))


def _policy(
    table: ScoreTable, counts: Counts, scale: CostScale, costs: Distributions, limits: Limits, steps: HullSteps
) -> Policy:
    """Return a policy of steps with their performance on the sample that they were chosen on."""
    positive, negative = counts.positive, counts.negative
    means = step_means(steps.stairs, scale, costs, positive, negative)
    regret = means.regret(steps.false_alarms, positive - steps.true_alarms, counts.total)
    low, high = steps.stairs.ranges(*joint_support(costs))
    people = counts.people.at(steps.index)
    return Policy(
        scale=scale.name,
        from_cost=low,
        to_cost=high,
        threshold=steps.thresholds(table),
        share=means.share,
        false_positive_rate=quotient(people.false_alarms, people.negative),
        recall=quotient(people.true_alarms, people.positive),
        precision=quotient(people.true_alarms, people.false_alarms + people.true_alarms),
        alarms_per_thousand=1000 * people.alarms / people.total,
        regret=quotient(regret, means.share),
        limits=limits,
        prevalence=table.prevalence_of_cases,
    )


def quotient(above: FloatArray, below: FloatArray | float) -> FloatArray:
    """Return a quotient; nan where the denominator is 0."""
    below = np.broadcast_to(below, np.shape(above))
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below != 0))
