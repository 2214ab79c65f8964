"""Uncertainty of measures: intervals, bands, paired comparisons and rankings."""

from stakes.uncertainty._analytic import PowerSums, Spread, difference_ends, ends_of, spread_of
from stakes.uncertainty._answers import (
    FEWEST_CLUSTERS,
    FEWEST_OF_A_CLASS,
    FEWEST_WITH_HALF_CASES,
    Comparison,
    Interval,
    check_all_known,
    check_cases,
    is_enough,
    units_of,
)
from stakes.uncertainty._band import band
from stakes.uncertainty._best_of import best_of, bivariate
from stakes.uncertainty._bounded_means import BoundedMean, Sampling, possible_values
from stakes.uncertainty._calibration_band import calibration_band
from stakes.uncertainty._compare_groups import StudiedGroup, compare_groups, comparison_of
from stakes.uncertainty._crossing_set import CrossingSet, Ranges, crossing_set, crossing_set_if
from stakes.uncertainty._curve_band import Band, CalibrationBand, MiscalibratedRange
from stakes.uncertainty._difference_band import DifferenceBand, difference_band
from stakes.uncertainty._ends import error_of_sum, single_deviate
from stakes.uncertainty._group_differences import GroupComparison, GroupDifference, ends_between
from stakes.uncertainty._horizon_curve import HorizonCurve, horizon_curve
from stakes.uncertainty._joint_law import JointLaw, angle_rule, joint_law, points_of
from stakes.uncertainty._kind_sums import KindSums
from stakes.uncertainty._measured import direction
from stakes.uncertainty._miscalibration import Miscalibration, miscalibration
from stakes.uncertainty._possible_ends import ClassCounts, Possible, with_unseen_stakes
from stakes.uncertainty._questions import compare, interval, rank
from stakes.uncertainty._rank import Options, Ranking, models_among, normal_ranking, ranking, unseen_variance
from stakes.uncertainty._replicates import with_progress
from stakes.uncertainty._studies_elsewhere import JointEstimates, StudyLike, TableStudy, joint_estimates
from stakes.uncertainty._study import Study
from stakes.uncertainty._together import ResampledTogether

__all__ = [
    "Band",
    "CalibrationBand",
    "Comparison",
    "CrossingSet",
    "DifferenceBand",
    "GroupComparison",
    "GroupDifference",
    "HorizonCurve",
    "Interval",
    "MiscalibratedRange",
    "Miscalibration",
    "Ranking",
    "Study",
    "band",
    "calibration_band",
    "compare",
    "compare_groups",
    "crossing_set",
    "difference_band",
    "horizon_curve",
    "interval",
    "miscalibration",
    "rank",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "FEWEST_CLUSTERS",
    "FEWEST_OF_A_CLASS",
    "FEWEST_WITH_HALF_CASES",
    "BoundedMean",
    "ClassCounts",
    "JointEstimates",
    "JointLaw",
    "KindSums",
    "Options",
    "Possible",
    "PowerSums",
    "Ranges",
    "ResampledTogether",
    "Sampling",
    "Spread",
    "StudiedGroup",
    "StudyLike",
    "TableStudy",
    "angle_rule",
    "best_of",
    "bivariate",
    "check_all_known",
    "check_cases",
    "comparison_of",
    "crossing_set_if",
    "difference_ends",
    "direction",
    "ends_between",
    "ends_of",
    "error_of_sum",
    "is_enough",
    "joint_estimates",
    "joint_law",
    "models_among",
    "normal_ranking",
    "points_of",
    "possible_values",
    "ranking",
    "single_deviate",
    "spread_of",
    "units_of",
    "unseen_variance",
    "with_progress",
    "with_unseen_stakes",
)
