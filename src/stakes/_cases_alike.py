"""Cases made from cases: some of them, those at one horizon, and those with other weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes._case_columns import fixed
from stakes._errors import InputError
from stakes.cases import Cases, horizons_of, make_tables
from stakes.outcome import check_one_horizon
from stakes.table import at_ordinary_scale


def alike(cases: Cases) -> Cases:
    """Return another record of the same cases, to change, without the rows and horizons found so far."""
    other = copy(cases)
    other._rows, other._at = {}, {}
    return other


def with_ordinary_weights(cases: Cases) -> Cases:
    """Return the same cases, with weights times a power of two whose products do not overflow."""
    tables = {name: at_ordinary_scale(table) for name, table in cases._tables.items()}
    if (
        cases.weight is None
        or cases._stakes is not None
        or all(tables[name] is table for name, table in cases._tables.items())
    ):
        return cases
    total = next(iter(cases._tables.values())).total
    scaled = alike(cases)
    scaled._rows = cases._rows
    scaled.weight = fixed(np.ldexp(cases.weight, -math.frexp(total)[1]))
    scaled._tables = tables
    return scaled


def some_of(cases: Cases, here: BoolArray) -> Cases:
    """Return some of the cases, at least one, with all models; they have one horizon."""
    if cases.outcome is not None:
        check_one_horizon("cases", cases.outcome)
    some = alike(cases)
    some._given, some.positive = None, fixed(cases.positive[here])
    some._stakes = None if cases._stakes is None else cases._stakes.some(here)
    if cases._weighed is None:
        some.outcome, some._weighed = None if cases.outcome is None else cases.outcome[here], None
        some.weight = None if cases.weight is None else fixed(cases.weight[here])
    else:
        some._weigh(cases._weighed.outcome[here], cases._weighed.cases, here)  # censoring estimated anew
    some.cluster = None if cases.cluster is None else fixed(np.unique(cases.cluster[here], return_inverse=True)[1])
    some._clusters = some.cluster
    some._scores = {name: fixed(score[here]) for name, score in cases._scores.items()}
    some._tables = make_tables(some, some._scores)
    return some


def with_adjusted_scores(cases: Cases, scores: Mapping[str, FloatArray]) -> Cases:
    """Return the same cases with other scores, or additional models, that are adjusted to the stakes."""
    more = alike(cases)
    more._scores = cases._scores | dict(scores)
    more.models = tuple(more._scores)
    more._tables = cases._tables | make_tables(cases, scores)
    more._rows = {name: rows for name, rows in cases._rows.items() if name not in scores}
    return more


def given_cases(cases: Cases) -> int:
    """Return the number of cases given, with those of weight 0."""
    return len(cases) if cases._given is None else len(cases._given)


def of_given(cases: Cases, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a column with a value for each case given, without those of weight 0."""
    return column if cases._given is None else column[cases._given]


def not_followed(cases: Cases, here: BoolArray) -> str:
    """Return why the risk of some cases by the horizon is not known, or an empty text."""
    from stakes.outcome import early_end  # nobody else waits for it

    end = None if cases.outcome is None else early_end(cases.outcome, here)
    if cases.outcome is None or end is None:
        return ""
    return f"its last case is censored at {end:g}, before the horizon {cases.outcome.horizon:g}"


def cases_at(cases: Cases, horizon: float) -> Cases:
    """Return the cases at one of their horizons; each is made once."""
    if cases.outcome is None:
        raise InputError("horizon", "be left out where the outcome is not an EventBy", _check.show(horizon))
    time, known = _check.number_above("horizon", horizon), cases.outcome.horizons
    if time not in known:
        raise InputError("horizon", f"be one of {', '.join(f'{one:g}' for one in known)}", f"{time:g}")
    if len(known) == 1:
        return cases
    if time not in cases._at:
        cases._at[time] = _one_horizon(cases, known.index(time))
    return cases._at[time]


def _one_horizon(cases: Cases, place: int) -> Cases:
    from stakes.outcome import WeighedHorizons  # nor for this

    weighed, many = cases._weighed, len(horizons_of(cases))
    assert isinstance(weighed, WeighedHorizons)
    one = alike(cases)
    outcome = weighed.outcome.at(weighed.outcome.horizons[place])
    one.positive = fixed(outcome.positive)
    one._weigh(outcome, None if np.all(weighed.people == 1) else weighed.people, slice(None))
    one.cluster = cases._clusters
    one._scores = {name: fixed(np.split(score, many)[place]) for name, score in cases._scores.items()}
    one._tables = make_tables(one, one._scores)
    return one
