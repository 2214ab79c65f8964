"""Costs of each case, and the threshold that follows for each."""

from stakes.case_costs._budget import Spending, efforts, spend
from stakes.case_costs._case_costs import CaseCosts
from stakes.case_costs._given import (
    CaseCostsLike,
    as_case_costs,
    check_no_follow_up,
    check_stakes,
    check_unswapped,
    costs_by_column,
    given_stakes,
    stakes_of,
    stated_costs,
)
from stakes.case_costs._stake import Stakes

__all__ = ["CaseCosts"]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "CaseCostsLike",
    "Spending",
    "Stakes",
    "as_case_costs",
    "check_no_follow_up",
    "check_stakes",
    "check_unswapped",
    "costs_by_column",
    "efforts",
    "given_stakes",
    "spend",
    "stakes_of",
    "stated_costs",
)
