"""Plans of resampling for cases whose weights are not those of people."""

from __future__ import annotations

from stakes.cases import Cases, weighed_cases
from stakes.uncertainty._followed_plan import followed_plan
from stakes.uncertainty._resample import Level, Plan
from stakes.uncertainty._staked_plan import staked_plan


def special_plan(cases: Cases, levels: list[Level], *, by_class: bool) -> Plan:
    """Plan the resampling of cases that were not all followed, or that have costs of their own."""
    weighed = weighed_cases(cases)
    if weighed is not None:
        return followed_plan(cases, weighed, levels, by_class=by_class)
    return staked_plan(cases, levels, by_class=by_class)
