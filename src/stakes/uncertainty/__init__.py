"""How sure: intervals, bands, paired comparison, and the probability of being best."""

from stakes.uncertainty._analytic import UNDEFINED, PowerSums, Spread, ends_of, spread_of, symmetric
from stakes.uncertainty._band import Band, band
from stakes.uncertainty._compare import Comparison, compare
from stakes.uncertainty._influence import influence
from stakes.uncertainty._interval import Interval, interval, table_interval
from stakes.uncertainty._joint import resampled_together
from stakes.uncertainty._known import Known, Means, MeasureLike, recognise
from stakes.uncertainty._miscalibration import Miscalibration, miscalibration
from stakes.uncertainty._rank import Ranking, joint_errors, rank, rank_probabilities

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

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "Known",
    "Means",
    "MeasureLike",
    "PowerSums",
    "Spread",
    "UNDEFINED",
    "ends_of",
    "influence",
    "joint_errors",
    "rank_probabilities",
    "recognise",
    "resampled_together",
    "spread_of",
    "symmetric",
    "table_interval",
)
