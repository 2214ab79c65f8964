"""The form of money per case: a mean over heads of stakes times losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stakes._arrays import FloatArray
from stakes.beliefs import CostBelief, only_cost
from stakes.measures._case_values import CaseValues
from stakes.measures._forms import PROBABILITIES, Means, Scale, losses, one_mean
from stakes.measures._resampled_cells import Evaluate, ResampledCells
from stakes.measures._scored_cases import ScoredCases
from stakes.table import ScoreTable


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
