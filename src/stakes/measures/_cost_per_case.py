"""Money per case and the share of it that a model saves: means over heads that differ in stakes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import BeliefLike, CostBelief, IndependentCosts, as_costs, only_cost
from stakes.measures._case_values import CaseValues, Evaluate, ResampledCells, ScoredCases
from stakes.measures._forms import PROBABILITIES, Means, Scale, losses, one_mean
from stakes.measures._measure import measure
from stakes.measures._probability import expected_regret
from stakes.table import ScoreTable, TableLike


@dataclass(frozen=True)
class PerCase:
    """Form of the cost per case: without stakes that of the mean regret."""

    costs: CostBelief

    by_class: ClassVar[bool] = False
    scale: ClassVar[Scale] = "skewed"

    @property
    def mean(self) -> Means:
        """The form of the mean regret, which it is without stakes."""
        return one_mean(losses(self.costs), threshold=only_cost(self.costs), scores=PROBABILITIES)

    @property
    def at_one_threshold(self) -> bool:
        """Whether only the side of one threshold matters."""
        return only_cost(self.costs) is not None

    def case_values(self, prevalence: float) -> CaseValues | None:
        """Return the values of cases without stakes."""
        return self.mean.case_values(prevalence)

    def influence(self, table: ScoreTable, cases: int) -> FloatArray:
        """Return the influence of a case of each cell; nan with stakes, whose cases a table does not keep."""
        if table.has_stakes:
            return np.full(2 * len(table), np.nan)
        return self.mean.influence(table, cases)

    def influence_of_cases(self, cases: ScoredCases, at: float) -> tuple[FloatArray, FloatArray]:
        """Return the influence of each case without stakes, and of two with the score `at`."""
        return self.mean.influence_of_cases(cases, at)

    def influence_of_stakes(self, cases: ScoredCases, heads: FloatArray | None) -> FloatArray:
        """Return the influence of each case: what it paid, less what its heads, 1 unless given, pay."""
        (paid,), (share,) = cases.added(self.mean.values)
        people = float(len(paid) if heads is None else heads.sum())
        each = share * (cases.total / people)
        if cases.weight is not None:
            paid *= cases.weight
        paid -= each if heads is None else each * heads
        paid /= people
        return paid

    def evaluator(self, cells: ResampledCells) -> Evaluate:
        """Return a function that sums over units, with stakes in the table of each replicate."""
        if not cells.fine.has_stakes:
            return self.mean.evaluator(cells)

        def evaluate(counts: FloatArray) -> FloatArray:
            return np.array([self._of(table) for table in cells.tables(counts)])

        return evaluate

    def _of(self, table: ScoreTable) -> float:
        lost, alarmed = losses(self.costs)(table.score)
        return float((table.positive * lost + table.negative * alarmed).sum()) / table.cases


@dataclass(frozen=True)
class PerCaseThere(PerCase):
    """Form of the cost per case at another prevalence: a case counts as many as it stands for there."""

    prevalence: float

    def case_values(self, prevalence: float) -> CaseValues | None:
        """Return the values of cases of a sample with this prevalence of people."""
        values = super().case_values(prevalence)
        if values is None:
            return None
        times = [self.prevalence / prevalence, (1 - self.prevalence) / (1 - prevalence)]
        return replace(values, extremes=values.extremes * np.array(times)[:, None])


AS_STATED = "as stated"
_ONE_EACH = IndependentCosts(false_negative=(1, 1), false_positive=(1, 1))


def _per_case(costs: BeliefLike = AS_STATED) -> PerCase:
    return PerCase(as_costs("costs", costs, case_costs=True))


@measure(better="smaller", form=_per_case)
def cost_per_case(table: ScoreTable | TableLike, costs: BeliefLike = AS_STATED) -> float:
    r"""Cost of a model's mistakes per case, in money where costs differ by case.

    Smaller is better; zero is perfect. It is `expected_regret` times what is at stake, divided by the number of cases,

    .. math:: \frac{1}{\sum_i w_i} \sum_i w_i \, S_i \, \ell(s_i),

    with the weight :math:`w_i`, the stake :math:`S_i` and the stake-adjusted score :math:`s_i` of each case, and the
    loss :math:`\ell` of its better action under the belief. What no model can change is left out (``heads.floor``).
    Without case costs it is the expected regret, and then needs a belief about the costs.

    Parameters
    ----------
    table : ScoreTable
        The sample, made with case costs.
    costs : belief, number or words, such as "30%..70%"
        Belief about what the costs count. `IndependentCosts` are multipliers of what a miss and a false alarm cost,
        and then the result is money; the default, "as stated", has both at 1. A belief about the cost proportion
        has both together as its unit: one half, ``At(0.5)``, is half the money.

    Returns
    -------
    float
        The mean cost of a case.

    Examples
    --------
    One fraud of 300 is missed, among three cases:

    >>> from stakes import CaseCosts, score_table
    >>> from stakes.measures import cost_per_case
    >>> costs = CaseCosts(false_negative=[300, 80, 20], false_positive=10)
    >>> cost_per_case(score_table(y=[1, 0, 1], score=[0.01, 0.05, 0.7], case_costs=costs))
    100.0
    """
    _check.check_tables("table", table, anywhere=True)
    share = expected_regret(table, costs)
    heads = getattr(table, "heads", None)
    return share if heads is None or not heads.has_stakes else share * (table.total / heads.total)


@measure(better="larger", why_resampled="the cheaper of acting on all and on no one depends on the sample")
def savings(table: ScoreTable) -> float:
    r"""Share of the cost of the cheaper trivial policy that a model saves, Bahnsen's savings.

    Larger is better; with costs as stated it is :math:`1 - C / \min(C_\text{all}, C_\text{none})`, the money paid over
    that of acting on everyone or on no one. It counts what no model can change, so that a perfect model may be below 1
    (and, where hits are rewarded, below a worse one). `skill_score` leaves that out, and is 1 for a perfect model.

    Parameters
    ----------
    table : ScoreTable
        The sample, made with case costs; without them every mistake costs 1, a miss and a false alarm alike, and it is
        ``skill_score(table, 0.5)``.

    Returns
    -------
    float
        The share; ``nan`` (with a warning) where the cheaper trivial policy costs nothing, or earns.

    References
    ----------
    .. [1] A. C. Bahnsen, D. Aouada and B. Ottersten (2015), "Example-dependent cost-sensitive decision trees", Expert
       Systems with Applications 42(19), 6609-6619.

    Examples
    --------
    >>> from stakes import CaseCosts, score_table
    >>> from stakes.measures import savings
    >>> costs = CaseCosts(false_negative=[300, 80, 20], false_positive=10)
    >>> savings(score_table(y=[1, 0, 1], score=[0.5, 0.05, 0.01], case_costs=costs))  # 20 of 10 lost
    -1.0
    """
    _check.check_tables("table", table)
    floor = 0.0 if table.heads is None or table.heads.floor is None else sum(table.heads.floor)
    base = min(table.positive_total, table.negative_total)
    if base + floor <= 0:
        _check.warn_undefined("savings", "where the cheaper trivial policy costs nothing")
        return math.nan
    return (base - table.total * expected_regret(table, _ONE_EACH)) / (base + floor)
