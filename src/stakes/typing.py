"""Types of arguments: a belief, a range, limits, a decision or a measure, in every form accepted.

Examples
--------
>>> from stakes import ScoreTable, net_benefit, score_table
>>> from stakes.typing import BeliefLike
>>> def benefit_per_thousand(table: ScoreTable, costs: BeliefLike) -> float:
...     return 1000 * net_benefit(table, costs)
>>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
>>> benefit_per_thousand(table, 0.2) == benefit_per_thousand(table, "20%") == benefit_per_thousand(table, "1:4")
True
"""

from stakes._check import Seed
from stakes.beliefs import BeliefLike, RangeLike
from stakes.evaluation import DecisionLike
from stakes.limits import LimitsLike
from stakes.measures import MeasureLike

__all__ = ["BeliefLike", "DecisionLike", "LimitsLike", "MeasureLike", "RangeLike", "Seed"]
