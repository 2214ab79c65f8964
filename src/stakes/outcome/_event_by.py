"""The outcome "the event by the horizon", of cases that were not all followed until then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument, InputError, InputTypeError
from stakes._roles import FollowRoles
from stakes.outcome._censoring import Censoring, check_censoring
from stakes.outcome._events import EVENT, LEFT, OTHER, structured_fields
from stakes.outcome._followed import FollowUpColumns, check_identified, identified_weights, read_followed
from stakes.outcome._horizons import Horizons, read_horizons
from stakes.outcome._named import named_columns, read_columns, unit_in
from stakes.outcome._staying import Staying


class EventBy:
    r"""The outcome "the event happens by the horizon", of cases that may have left before.

    It goes wherever an outcome `y` goes. A case that left before the horizon is *unknown*: it weighs nothing, and its
    weight is shared by those who stayed, by inverse probability of censoring. With *G* the Kaplan-Meier estimate of
    still being followed, a known case weighs

    .. math:: W_i = 1 / G(\min(T_i, t)-),

    where an event comes before a censoring at the same time. The weights then add up to the number of cases, and the
    share of positives is exactly the Kaplan-Meier risk, or that of Aalen and Johansen where events compete (with
    `CensoringBy` in each stratum; `CoxCensoring` and `GivenCensoring` have other weights). A case with another event by
    the horizon is negative: acting on it was a false alarm. An event at the horizon counts, and a case censored at the
    horizon is known to be free of it.

    Parameters
    ----------
    time : array-like or str
        Time each case was followed, not negative. With a data frame, the name of its column; then so are `event`,
        `entry` and what `censoring` holds.
    event : array-like or str
        How follow-up ended: 0 censored, 1 the event, 2, 3, ... other events; booleans; or any labels when `cause` and
        `censored` name theirs.
    horizon : float or sequence of float
        Time by which the event counts, in the unit of `time`; or several, ascending, where it is not certain which one
        matters. Models then have a column of predictions for each.
    cause, censored : object, keyword-only, optional
        Label of the event and of cases that left; 1 and 0 unless given.
    entry : array-like or str, keyword-only, optional
        Time at which each case came under observation, where that is later than 0.
    censoring : CensoringBy, CoxCensoring or GivenCensoring, keyword-only, optional
        What leaving may depend on; unless given, on nothing.
    horizon_weights : sequence of float, keyword-only, optional
        How much each of several horizons counts, above 0; all the same unless given.

    Attributes
    ----------
    horizon : float
        The horizon, the last of several.
    horizons, horizon_weights : tuple of float
        All horizons, and the share of each, which add up to 1.
    positive, known, competing : ndarray of bool
        Whether each case had the event by the horizon, whether that is known, and whether another event came first;
        a column for each of several horizons.
    weight : ndarray of float64
        Censoring weight of each case, 0 where unknown; a column for each of several horizons.
    risk : float
        Share of positives among the weights, the mean over several horizons.

    Examples
    --------
    Six people followed for up to eight years; two left before the fifth, at years 2 and 4.

    >>> from stakes import EventBy, score_table
    >>> outcome = EventBy(time=[1, 2, 3, 4, 6, 8], event=[1, 0, 1, 0, 0, 1], horizon=5)
    >>> outcome
    EventBy(6 cases, horizon 5: 2 positive, 2 unknown, risk 0.375)
    >>> outcome.weight.tolist()
    [1.0, 0.0, 1.25, 0.0, 1.875, 1.875]
    >>> EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=[2, 5], horizon_weights=[1, 3])
    EventBy(6 cases, horizons 2, 5: 1, 2 positive, 0, 2 unknown, risk 0.167, 0.375)

    Columns of a data frame, by name:

    >>> import pandas as pd
    >>> from stakes import evaluate
    >>> frame = pd.DataFrame({"years": [1, 2, 3, 4, 6, 8], "status": [1, 0, 1, 0, 0, 1],
    ...                       "risk": [0.8, 0.3, 0.6, 0.2, 0.4, 0.1]})
    >>> evaluate(EventBy("years", "status", 5), ["risk"], "30%", data=frame).best.model
    'risk'
    """

    horizon: float
    horizons: tuple[float, ...]
    horizon_weights: tuple[float, ...]
    names: FollowRoles | None = None  # of columns, in place of arrays
    _staying: Staying  # of one horizon
    _each: tuple[EventBy, ...]  # the outcome at every one of several horizons

    def __init__(
        self,
        time: npt.ArrayLike,
        event: npt.ArrayLike,
        horizon: float | Sequence[float],
        *,
        cause: object = 1,
        censored: object = 0,
        entry: npt.ArrayLike | None = None,
        censoring: Censoring | None = None,
        horizon_weights: Sequence[float] | None = None,
    ) -> None:
        horizons = read_horizons(horizon, horizon_weights)
        check_censoring(censoring)
        if isinstance(time, str):
            self.names = named_columns(time, event, horizons, cause, censored, entry, censoring)
            self._set_horizons(horizons)
            return
        self._take(read_followed(time, event, cause, censored, entry, censoring), horizons)

    @classmethod
    def from_structured(
        cls,
        y: npt.NDArray[np.void],
        horizon: float | Sequence[float],
        *,
        censoring: Censoring | None = None,
        horizon_weights: Sequence[float] | None = None,
    ) -> EventBy:
        """Make the outcome of a structured array with a boolean and a numeric field, as scikit-survival uses.

        Parameters
        ----------
        y : structured array
            Whether each case had the event, and the time it was followed.
        horizon : float or sequence of float
            Time by which the event counts, or several.
        censoring : CensoringBy, CoxCensoring or GivenCensoring, keyword-only, optional
            What leaving may depend on.
        horizon_weights : sequence of float, keyword-only, optional
            How much each of several horizons counts.

        Returns
        -------
        EventBy
            The outcome.

        Examples
        --------
        >>> import numpy as np
        >>> from stakes import EventBy
        >>> y = np.array([(True, 1.0), (False, 2.0), (False, 6.0)], dtype=[("event", bool), ("time", float)])
        >>> EventBy.from_structured(y, horizon=5)
        EventBy(3 cases, horizon 5: 1 positive, 1 unknown, risk 0.333)
        """
        event, time = structured_fields(y)
        return cls(y[time], y[event], horizon, censoring=censoring, horizon_weights=horizon_weights)

    def _set_horizons(self, horizons: Horizons) -> None:
        self.horizons, self.horizon_weights, self.horizon = horizons.times, horizons.shares, horizons.times[-1]

    def _take(self, followed: FollowUpColumns, horizons: Horizons) -> None:
        self._followed = followed
        self._set_horizons(horizons)
        if len(self.horizons) > 1:
            self._each = tuple(self._with(followed, Horizons.one(time)) for time in self.horizons)
            return
        self._each = (self,)
        self._staying = followed.staying(self.horizon)
        check_identified(self._staying, self.horizon, late_entry=followed.entry is not None)

    def __getattr__(self, name: str) -> Any:
        """Raise: names of columns have no cases; anything else is unknown."""
        if name in ("_each", "_followed", "_staying") and self.names is not None:
            hint = ("give the frame as ", Argument("data"), ", or arrays")
            raise InputError("y", "have the cases, not names of columns", repr(self), hint=hint)
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self._followed.time)

    def __array__(self, *_: object, **__: object) -> npt.NDArray[Any]:
        """Raise: labels of unknown cases would be made up."""
        hint = "`score_table`, `Cases`, `evaluate` and `stakes.metrics` take it, with the cases in memory"
        raise InputTypeError("y", "be a column of known outcomes here", "an EventBy", hint=hint)

    def __getitem__(self, rows: Any) -> EventBy:
        """Return the outcome of some cases, with censoring estimated anew."""
        return self._with(self._followed.take(rows), Horizons(self.horizons, self.horizon_weights))

    def at(self, horizon: float) -> EventBy:
        """Return the outcome by one horizon, another or one of several.

        Parameters
        ----------
        horizon : float
            The horizon.

        Returns
        -------
        EventBy
            The outcome of the same cases.

        Examples
        --------
        >>> from stakes import EventBy
        >>> EventBy([1, 2, 3, 6], [1, 0, 1, 0], horizon=5).at(2.5)
        EventBy(4 cases, horizon 2.5: 1 positive, 1 unknown, risk 0.25)
        """
        return self._with(self._followed, Horizons.one(_check.number_above("horizon", horizon)))

    def _with(self, followed: FollowUpColumns, horizons: Horizons) -> EventBy:
        other = EventBy.__new__(EventBy)
        other._take(followed, horizons)
        return other

    @cached_property
    def known(self) -> BoolArray:
        """Whether it is known of each case if the event came by the horizon."""
        if len(self.horizons) > 1:
            return np.column_stack([one.known for one in self._each])
        followed, horizon = self._followed, self.horizon
        known = (followed.kind != LEFT) | (followed.time >= horizon)
        if followed.entry is not None:
            known = known & (followed.entry < np.minimum(followed.time, horizon))
        return np.asarray(known)

    @cached_property
    def positive(self) -> BoolArray:
        """Whether each case had the event by the horizon."""
        if len(self.horizons) > 1:
            return np.column_stack([one.positive for one in self._each])
        return np.asarray((self._followed.kind == EVENT) & (self._followed.time <= self.horizon) & self.known)

    @cached_property
    def competing(self) -> BoolArray:
        """Whether each case had another event by the horizon."""
        if len(self.horizons) > 1:
            return np.column_stack([one.competing for one in self._each])
        return np.asarray((self._followed.kind == OTHER) & (self._followed.time <= self.horizon) & self.known)

    @cached_property
    def weight(self) -> FloatArray:
        """The censoring weight of each case, 0 where unknown."""
        if len(self.horizons) > 1:
            return np.column_stack([one.weight for one in self._each])
        found = identified_weights(self._staying, self._ones)
        found.flags.writeable = False
        return found

    @cached_property
    def _ones(self) -> FloatArray:
        """Weights of cases that count once, the same array for all who ask, so that sums of them are kept."""
        ones = np.ones(len(self))
        ones.flags.writeable = False
        return ones

    @property
    def risk(self) -> float:
        """Share of positives among the weights, the mean over several horizons."""
        if len(self.horizons) > 1:
            return float(sum(share * one.risk for share, one in zip(self.horizon_weights, self._each, strict=True)))
        return float(self.weight @ self.positive) / float(self.weight.sum())

    def __repr__(self) -> str:
        listed = ", ".join(f"{time:g}" for time in self.horizons)
        if self.names is not None:
            return f"EventBy({self.names.time!r}, {self.names.event!r}, {listed})"
        each = (
            [f"{np.count_nonzero(one.positive):,}" for one in self._each],
            [f"{len(self) - np.count_nonzero(one.known):,}" for one in self._each],
            [f"{one.risk:.3g}" for one in self._each],
        )
        positive, unknown, risk = map(", ".join, each)
        horizons = f"horizon{'s' if len(self.horizons) > 1 else ''} {listed}"
        return f"EventBy({len(self):,} cases, {horizons}: {positive} positive, {unknown} unknown, risk {risk})"


def read_outcome(names: FollowRoles, event: npt.NDArray[Any], columns: Mapping[Argument, npt.NDArray[Any]]) -> EventBy:
    """Return the outcome of columns that were read from a frame or a file."""
    given, outcome = read_columns(names, event, columns), EventBy.__new__(EventBy)
    horizons = read_horizons(given.pop("horizon"), given.pop("horizon_weights"))
    outcome._take(replace(read_followed(**given), unit=unit_in(names.time)), horizons)
    return outcome


def censoring_weights(outcome: EventBy, weight: FloatArray | None) -> FloatArray:
    """Return the censoring weight of each case, for cases that weigh `weight`, none of them nothing."""
    return outcome.weight if weight is None else identified_weights(outcome._staying, weight)


def each_horizon(outcome: EventBy) -> tuple[EventBy, ...]:
    """Return the outcome at every horizon."""
    return outcome._each
