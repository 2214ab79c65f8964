"""Limits on alarms, feasible regions, VOROS and partial VOROS."""

from stakes.limits._area import mean_ratio
from stakes.limits._hull import Counts, HullSteps, People, Stairs, best_steps, concave_chain
from stakes.limits._limits import (
    NO_LIMITS,
    Limits,
    LimitsLike,
    as_limits,
    feasible,
    few_enough,
    precise_enough,
    read_budget,
)
from stakes.limits._region import Polygon, check_no_stakes, feasible_partial_auc, feasible_region, max_feasible_recall
from stakes.limits._voros import lesser_area, lesser_area_curve, partial_voros, voros
from stakes.limits._voros_map import PartialVorosMap, partial_voros_map

__all__ = [
    "Limits",
    "PartialVorosMap",
    "Polygon",
    "feasible_partial_auc",
    "feasible_region",
    "lesser_area",
    "lesser_area_curve",
    "max_feasible_recall",
    "partial_voros",
    "partial_voros_map",
    "voros",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "Counts",
    "HullSteps",
    "LimitsLike",
    "NO_LIMITS",
    "People",
    "Stairs",
    "as_limits",
    "best_steps",
    "check_no_stakes",
    "concave_chain",
    "feasible",
    "few_enough",
    "mean_ratio",
    "precise_enough",
    "read_budget",
)
