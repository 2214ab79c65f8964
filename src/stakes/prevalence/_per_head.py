"""Tables of money whose classes count people, for means over cases at another prevalence."""

from __future__ import annotations

import numpy as np

from stakes._errors import InputError
from stakes.prevalence._move import check_unswapped
from stakes.prevalence._pointwise import CrossedRegret, PointwiseMeasure, Regret
from stakes.table import ScoreTable, TableLike


class MoneyPerHead(ScoreTable):
    """Money by score, whose classes count as many as their heads: means are then money per case.

    What a case pays does not depend on how many others there are, so that the sums of the rows serve at every
    prevalence.
    """

    @property
    def positive_total(self) -> float:
        """Heads of all positives."""
        return 0.0 if self.heads is None else self.heads.positive_total

    @property
    def negative_total(self) -> float:
        """Heads of all negatives."""
        return 0.0 if self.heads is None else self.heads.negative_total


def per_head(measure: type[PointwiseMeasure], table: TableLike) -> list[tuple[type[PointwiseMeasure], TableLike]]:
    """Return tables of money for a mean over cases; raise for shares, which have no meaning in money.

    Cases whose better action does not depend on the outcome are all in the lowest row or in the highest. There they pay
    nothing where that row scores 0 or 1, as it does for a model. Where it does not, as for acting on everyone, they are
    apart: positives that lose by being acted on, and negatives that lose by being left.
    """
    assert isinstance(table, ScoreTable)
    heads = table.heads
    if measure is not Regret or heads is None:
        wanted = "have no case costs for a belief about the prevalence"
        hint = "use `shifted_regret`, which is then money per case"
        raise InputError("table", wanted, "a table with them", hint=hint)
    check_unswapped(heads)
    positives = heads.crossed[0] if table.score[0] > 0 else 0.0
    negatives = heads.crossed[1] if table.score[-1] < 1 else 0.0
    if not (positives or negatives):
        return [(Regret, MoneyPerHead(table.score, table.positive, table.negative, heads))]
    positive, negative, ends = table.positive.copy(), table.negative.copy(), table.score[[0, -1]]
    positive[-1] -= negatives
    negative[0] -= positives
    crossed = MoneyPerHead(ends, np.array([positives, 0.0]), np.array([0.0, negatives]), heads)
    return [(Regret, MoneyPerHead(table.score, positive, negative, heads)), (CrossedRegret, crossed)]
