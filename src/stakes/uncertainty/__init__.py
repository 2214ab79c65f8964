"""How sure: intervals, bands, paired comparison, and the probability of being best."""

from stakes.uncertainty._band import Band, band
from stakes.uncertainty._compare import Comparison, compare
from stakes.uncertainty._interval import Interval, interval
from stakes.uncertainty._miscalibration import Miscalibration, miscalibration
from stakes.uncertainty._rank import Ranking, rank

__all__ = [
    "Band",
    "Comparison",
    "Interval",
    "Miscalibration",
    "Ranking",
    "band",
    "compare",
    "interval",
    "miscalibration",
    "rank",
]
