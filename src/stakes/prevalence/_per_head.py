"""Tables of money whose classes count people, for means over cases at another prevalence."""

from __future__ import annotations

from stakes._errors import InputError
from stakes.prevalence._move import check_unswapped
from stakes.prevalence._pointwise import PointwiseMeasure, Regret
from stakes.table import ScoreTable


class MoneyPerHead(ScoreTable):
    """Money by score, whose classes count as many as their heads: means are then money per case.

    What a case pays does not depend on how many others there are, and cases whose better action does not depend on
    the outcome pay nothing at any prevalence, so that the sums of the rows serve at all of them.
    """

    @property
    def positive_total(self) -> float:
        """Heads of all positives."""
        return 0.0 if self.heads is None else self.heads.positive_total

    @property
    def negative_total(self) -> float:
        """Heads of all negatives."""
        return 0.0 if self.heads is None else self.heads.negative_total


def per_head(measure: type[PointwiseMeasure], table: ScoreTable) -> MoneyPerHead:
    """Return a table of money for a mean over cases; raise for shares, which have no meaning in money."""
    if measure is not Regret:
        wanted = "have no case costs for a belief about the prevalence"
        hint = "use `shifted_regret`, which is then money per case"
        raise InputError("table", wanted, "a table with them", hint=hint)
    check_unswapped(table.heads)
    return MoneyPerHead(table.score, table.positive, table.negative, table.heads)
