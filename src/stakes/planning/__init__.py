"""Plans of studies: the value of more cases, how many are needed, and imagined cases."""

from stakes.planning._cases_needed import CasesNeeded, cases_needed
from stakes.planning._imagine import imagine
from stakes.planning._value_of_cases import StudyPlan, plan_and_values, value_of_cases

__all__ = [
    "CasesNeeded",
    "StudyPlan",
    "cases_needed",
    "imagine",
    "value_of_cases",
]

# For other rooms of the house; not for users, and free to change.
SHARED = ("plan_and_values",)
