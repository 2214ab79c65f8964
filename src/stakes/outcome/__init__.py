"""Events by a horizon, of cases that may have left before or had another event: outcomes as weights."""

from typing import TYPE_CHECKING

from stakes._late import late_names
from stakes.outcome._check_outcome import check_one_horizon, check_outcome

if TYPE_CHECKING:
    from stakes.outcome._censoring import CensoringBy, CoxCensoring, GivenCensoring
    from stakes.outcome._event_by import EventBy, read_outcome
    from stakes.outcome._follow_up import FollowUp, follow_up
    from stakes.outcome._over_time import over_time
    from stakes.outcome._reach import longest_horizon, near_horizon
    from stakes.outcome._weighted_outcome import (
        WeighedHorizons,
        WeightedOutcome,
        check_group,
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
    "early_end",
    "over_time",
    "longest_horizon",
    "near_horizon",
    "read_outcome",
    "weigh",
)

# Files that load when one of their names is first used: where everyone was followed, nobody waits for them.
_LATE = {
    "_censoring": ("CensoringBy", "CoxCensoring", "GivenCensoring"),
    "_event_by": ("EventBy", "read_outcome"),
    "_follow_up": ("FollowUp", "follow_up"),
    "_over_time": ("over_time",),
    "_reach": ("longest_horizon", "near_horizon"),
    "_weighted_outcome": ("WeightedOutcome", "WeighedHorizons", "check_group", "early_end", "weigh"),
}

__getattr__ = late_names(__name__, _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
