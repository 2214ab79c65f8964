"""Events by a horizon, of cases that may have left before or had another event: outcomes as weights."""

from stakes.outcome._censoring import CensoringBy, CoxCensoring, GivenCensoring
from stakes.outcome._event_by import EventBy, read_outcome
from stakes.outcome._follow_up import FollowUp, follow_up
from stakes.outcome._over_time import over_time
from stakes.outcome._reach import longest_horizon, near_horizon
from stakes.outcome._weighted_outcome import (
    WeighedHorizons,
    WeightedOutcome,
    check_group,
    check_one_horizon,
    check_outcome,
    clusters_at_horizons,
    early_end,
    weigh,
)

__all__ = ["CensoringBy", "CoxCensoring", "EventBy", "FollowUp", "GivenCensoring", "follow_up"]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "WeightedOutcome",
    "WeighedHorizons",
    "check_group",
    "check_one_horizon",
    "check_outcome",
    "clusters_at_horizons",
    "early_end",
    "over_time",
    "longest_horizon",
    "near_horizon",
    "read_outcome",
    "weigh",
)
