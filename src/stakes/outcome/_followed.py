"""How the follow-up of each case ended, and what its censoring may depend on, as checked columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError, Spelling
from stakes.outcome._censoring import (
    Censoring,
    CensoringBy,
    CoxCensoring,
    GivenCensoring,
)
from stakes.outcome._cox import CoxStaying
from stakes.outcome._events import LEFT, Kinds, event_kinds
from stakes.outcome._late_entry import LateEntry
from stakes.outcome._staying import Given, IntArray, OneCurve, Staying, Strata


@dataclass(frozen=True, eq=False)
class FollowUpColumns:
    """Columns of follow-up, checked, one value per case."""

    time: FloatArray
    kind: Kinds
    entry: FloatArray | None = None
    stratum: IntArray | None = None
    strata: tuple[str, ...] = ()
    covariates: FloatArray | None = None
    probability: FloatArray | None = None
    cause: object = 1  # label of the event
    unit: str = ""  # of time, where the name of its column says so

    @property
    def censoring(self) -> str:
        """Dependence of leaving, as it is assumed, in words."""
        if self.probability is not None:
            return "given"
        if self.covariates is not None:
            return "by covariates"
        if self.stratum is not None:
            return "by strata"
        return "independent" if self.entry is None else "independent with late entry"

    def take(self, rows: Any) -> FollowUpColumns:
        """Return the ends of some cases, in the order of `rows`."""
        columns = {
            name: getattr(self, name)[rows]
            for name in ("time", "kind", "entry", "stratum", "covariates", "probability")
            if getattr(self, name) is not None
        }
        if not len(columns["time"]):
            raise InputError("rows", "keep at least one case", "none")
        return replace(self, **columns)

    def staying(self, horizon: float) -> Staying:
        """Return the estimator of the chance of still being followed, until a horizon."""
        censored = self.kind == LEFT
        unknown = censored & (self.time < horizon)
        if self.entry is not None:
            return LateEntry(self.time, self.entry, self.kind, horizon)
        if self.probability is not None:
            return Given(self.probability, unknown)
        if self.covariates is not None:
            return CoxStaying(self.time, censored, unknown, horizon, self.covariates)
        if self.stratum is not None:
            present, stratum = np.unique(self.stratum, return_inverse=True)
            names = [self.strata[place] for place in present]
            return Strata(self.time, unknown, horizon, stratum.ravel(), names)
        return OneCurve(self.time, unknown, horizon)


def read_followed(
    time: npt.ArrayLike, event: npt.ArrayLike, cause: object, censored: object, entry: object, censoring: object
) -> FollowUpColumns:
    """Check the columns of follow-up; raise for the first value that cannot be."""
    times, kinds = _times("time", time), event_kinds(event, cause, censored)
    entries = None if entry is None else _times("entry", entry)
    _columns.check_same_length(time=times, event=kinds, entry=entries)
    if entries is not None:
        _check_entries(times, entries, censoring)
        entries = entries if entries.any() else None  # all from the start: nobody is truncated
    followed = FollowUpColumns(times, kinds, entries, cause=cause)
    return followed if censoring is None else _with_censoring(followed, censoring)  # type: ignore[arg-type]


def _times(name: str, column: object) -> FloatArray:
    got = {"m": "durations", "M": "dates"}.get(getattr(getattr(column, "dtype", None), "kind", ""))
    if got is not None:
        first = "subtract the dates from which time counts, and " if got == "dates" else ""
        hint = f"{first}divide by a unit, such as `np.timedelta64(1, 'D')` for days"
        raise InputTypeError(name, "be numbers", got, hint=hint)
    return _columns.counts(name, column)


def _check_entries(time: FloatArray, entry: FloatArray, censoring: object) -> None:
    late = entry >= time
    if late.any():
        row = int(late.argmax())
        raise _columns.wrong_value("entry", f"before the end of follow-up at {time[row]:g}", entry[row], row)
    if censoring is not None:
        got = type(censoring).__name__
        raise InputError(("entry", "censoring"), "not both be given, since delayed entry allows one curve only", got)


def _with_censoring(followed: FollowUpColumns, censoring: Censoring) -> FollowUpColumns:
    if not hasattr(censoring, "checked"):  # names of columns
        raise InputTypeError("censoring", "hold arrays, as `time` is one", f"names in a {type(censoring).__name__}")
    if isinstance(censoring, CensoringBy):
        stratum, names = censoring.checked
        _columns.check_same_length(time=followed.time, labels=stratum)
        return replace(followed, stratum=stratum, strata=tuple(names))
    if isinstance(censoring, CoxCensoring):
        matrix = censoring.checked
        _columns.check_same_length(time=followed.time, covariates=matrix)
        return replace(followed, covariates=matrix)
    assert isinstance(censoring, GivenCensoring)
    probability = censoring.checked
    _columns.check_same_length(time=followed.time, probability=probability)
    return replace(followed, probability=probability)


def check_identified(staying: Staying, horizon: float, *, late_entry: bool) -> None:
    """Raise where follow-up ends before the horizon, so that the data do not determine the risk."""
    gap = staying.gap()
    if gap is None:
        return
    who, when = gap
    if late_entry:
        wanted = f"leave somebody at risk at every time before the horizon {horizon:g}"
        raise InputError("entry", wanted, f"nobody after {when:g}")
    raise InputError("horizon", f"be within follow-up: {who} is censored at {when:g}", f"{horizon:g}")


def identified_weights(staying: Staying, weight: FloatArray) -> FloatArray:
    """Return the censoring weight of each case; raise where a model of leaving has none."""
    found = staying.weights(weight)
    if np.isnan(found).any():
        hint = ("use fewer covariates, or ", Spelling("`CensoringBy`", "`--censoring-by`"))
        raise InputError("censoring", "be a model that can be fitted", "no finite maximum", hint=hint)
    return found
