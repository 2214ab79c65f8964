"""How sure: intervals, bands, paired comparison, and the probability of being best."""

from stakes.uncertainty._band import Band, band
from stakes.uncertainty._compare import Comparison, compare
from stakes.uncertainty._interval import Interval, Rng, interval
from stakes.uncertainty._joint import Joint, resampled_together
from stakes.uncertainty._miscalibration import Miscalibration, miscalibration
from stakes.uncertainty._rank import Ranking, rank
from stakes.uncertainty._table import table_interval

__all__ = [
    "Band",
    "Comparison",
    "Interval",
    "Joint",
    "Miscalibration",
    "Ranking",
    "Rng",
    "band",
    "compare",
    "interval",
    "miscalibration",
    "rank",
    "resampled_together",
    "table_interval",
]
