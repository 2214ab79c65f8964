"""Columns of a sample by role: their names, and their arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray
from stakes._case_columns import is_followed
from stakes._cost_columns import COSTS, GRAMMAR, Cost, columns_among
from stakes._errors import Argument, InputError, InputTypeError, Spelling

FOLLOWED = ("time", "event", "entry", "labels", "covariates", "probability")  # of an outcome by a horizon

ROLES = ("outcome", "predictions", "weight", "group", "cluster", "key", "repeat", "site", *FOLLOWED, *COSTS)

_EXAMPLE = ("m1", "m3", "m5")  # columns, one for each horizon


@dataclass(frozen=True, kw_only=True)
class FollowRoles:
    """Names of the columns of follow-up, and what the labels of its events mean."""

    time: str
    event: str
    horizon: Any
    cause: object = 1
    censored: object = 0
    entry: str | None = None
    labels: tuple[str, ...] = ()  # of strata of censoring
    covariates: tuple[str, ...] = ()
    probability: str | None = None
    horizon_weights: tuple[float, ...] | None = None  # of several horizons

    @property
    def horizons(self) -> tuple[float, ...]:
        """All horizons, one or several."""
        return tuple(self.horizon) if isinstance(self.horizon, tuple | list) else (self.horizon,)

    @property
    def numbers(self) -> dict[Argument, str]:
        """The columns that must be numeric."""
        named = {"time": self.time, "entry": self.entry, "probability": self.probability}
        found = {Argument(role, column=name): name for role, name in named.items() if name is not None}
        return found | {Argument("covariates", name, name): name for name in self.covariates}

    @property
    def columns(self) -> dict[Argument, str]:
        """All columns but that of events."""
        return self.numbers | {Argument("labels", name, name): name for name in self.labels}


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Names of the columns by role; `predictions` maps each model to its column.

    With `follow`, the outcome is that by a horizon, and its column that of the events. `costs` maps each cost of a case
    to its column, or to a number; it is empty unless cases have costs of their own.
    """

    outcome: str
    predictions: Mapping[str, str]
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None
    key: str | None = None
    repeat: str | None = None
    site: str | None = None
    pos_label: object = None
    follow: FollowRoles | None = None
    at_horizons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # predictions of models at several
    costs: Mapping[str, Cost] = field(default_factory=dict)

    @classmethod
    def of(cls, outcome: Any, **others: Any) -> Roles:
        """Return roles of which the outcome is a column, or follow-up whose columns it names."""
        names = getattr(outcome, "names", None)
        if names is not None and others.get("pos_label") is not None:
            wanted = ("not be given with an EventBy, whose ", Argument("cause"), " is the positive label")
            raise InputError("pos_label", wanted, repr(others["pos_label"]))
        return cls(outcome=outcome, **others) if names is None else cls(outcome=names.event, **of_follow(names, others))

    @property
    def outcome_argument(self) -> Argument:
        """The argument that names the column of outcomes, or of events."""
        return Argument("outcome" if self.follow is None else "event", column=self.outcome)

    @property
    def further(self) -> dict[Argument, str]:
        """Columns beside those of one role each."""
        costs = {Argument(name, column=cost.column): cost.column for name, cost in columns_among(self.costs).items()}
        return costs if self.follow is None else self.follow.columns | costs

    def __iter__(self) -> Iterator[tuple[Argument, str]]:
        """Yield the argument that names each column, and the column."""
        yield self.outcome_argument._replace(column=None), self.outcome
        yield from ((argument._replace(column=None), column) for argument, column in self.further.items())
        for model, column in self.predictions.items():
            yield Argument("predictions", model), column
        for role in ("weight", "group", "cluster", "key", "repeat", "site"):
            column = getattr(self, role)
            if column is not None:
                yield Argument(role), column

    def argument(self, column: str) -> Argument:
        """Return the first argument that names a column."""
        return next(argument._replace(column=column) for argument, name in self if name == column)

    @property
    def unit(self) -> str | None:
        """The column that identifies independent units: the cluster, or the key of each case."""
        return self.key if self.cluster is None else self.cluster

    @property
    def labels(self) -> dict[str, str]:
        """The columns of labels by role; the key only if there is no cluster."""
        unit = "key" if self.cluster is None else "cluster"
        named = {"group": self.group, unit: self.unit, "repeat": self.repeat, "site": self.site}
        return {role: column for role, column in named.items() if column is not None}

    @property
    def numbers(self) -> list[str]:
        """The columns that must be numeric: predictions, weight, costs, and those of follow-up."""
        followed = [] if self.follow is None else self.follow.numbers.values()
        costs = [cost.column for cost in columns_among(self.costs).values()]
        return [*self.predictions.values(), *([] if self.weight is None else [self.weight]), *followed, *costs]

    def check(self, columns: Iterable[str], called: Mapping[str, str]) -> None:
        """Raise unless every name is that of a column; `called` maps roles to arguments of another name."""
        known = list(map(str, columns))
        for argument, column in self:
            name = called.get(argument.role, argument.role)
            if is_followed(column):
                raise _not_by_name(name, column)
            if not isinstance(column, str):
                raise InputTypeError(name, "be the name of a column", _check.show(column))
            with explaining_costs(argument.role):
                _check.choice(name, column, known)


@contextmanager
def explaining_costs(role: str) -> Iterator[None]:
    """Add to an error about a column of costs how these are written."""
    try:
        yield
    except InputError as error:
        raise error.but(hint=GRAMMAR) if role in COSTS and not error.hint else error from None


def of_follow(follow: FollowRoles, others: Mapping[str, Any]) -> dict[str, Any]:
    """Return roles with those of follow-up; a model has a column for each of several horizons."""
    times = follow.horizons
    if len(times) == 1:
        return {**others, "follow": follow}
    flat: dict[str, str] = {}
    named: dict[str, tuple[str, ...]] = {}
    for model, columns in others["predictions"].items():
        if isinstance(columns, str) or len(columns) != len(times):
            got = "1" if isinstance(columns, str) else str(len(columns))
            joined = Spelling(f"[{', '.join(map(repr, _EXAMPLE))}]", ",".join(_EXAMPLE))
            wanted = (f"name a column for each of the {len(times)} horizons, such as ", joined)
            raise InputError(Argument("predictions", model), wanted, got)
        named[model] = tuple(f"{model} at {time:g}" for time in times)
        flat |= dict(zip(named[model], columns, strict=True))
    return {**others, "follow": follow, "predictions": flat, "at_horizons": named}


def at_horizons(scores: Mapping[str, Any], named: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return the scores of each model; at several horizons, with a column for each."""
    return {model: np.column_stack([scores[one] for one in at]) for model, at in named.items()} or dict(scores)


def _not_by_name(name: str, outcome: Any) -> InputTypeError:
    """Return the error for an outcome by a horizon whose columns are not named, or not read here."""
    if outcome.names is None:
        wanted = "be made of names of columns where they are in a data frame"
        return InputTypeError(name, wanted, "an EventBy of arrays", hint='write EventBy("years", "status", 5)')
    hint = "`evaluate`, `frames.cases` and `frames.score_tables` read them"
    return InputTypeError(name, "name a column: censored outcomes need the cases in memory", "an EventBy", hint=hint)


DROP_HINT, DROP_HINT_TYPED = 'write `on_missing="drop"` to drop such rows', "`--on-missing drop` drops such rows"


def droppable(on_missing: str) -> tuple[str, ...]:
    """Return the roles in which a missing value drops its row."""
    return ROLES if _check.choice("on_missing", on_missing, ("error", "drop")) == "drop" else ()


@dataclass(frozen=True, kw_only=True)
class FrameColumns:
    """Arrays of a sample by role, one value per case, and the number of cases dropped for each argument."""

    outcome: Any
    predictions: Mapping[str, Any]
    weight: Any = None
    group: Any = None
    cluster: Any = None
    repeat: Any = None
    site: Any = None
    pos_label: object = None
    case_costs: Any = None
    costs: Mapping[str, Cost] = field(default_factory=dict)  # whose columns are `further`, until `case_costs` is made
    follow: FollowRoles | None = None  # `outcome` are events then, until `stakes.outcome` has read them
    at_horizons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # predictions of models at several
    further: Mapping[Argument, Any] = field(default_factory=dict)  # columns of follow-up, or of costs
    dropped: Mapping[Argument, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # on how the file was read

    def __len__(self) -> int:
        return len(self.outcome) if is_followed(self.outcome) else np.size(self.outcome)

    def with_predictions(self, predictions: Mapping[str, Any]) -> FrameColumns:
        """Return the same cases with other predictions."""
        return replace(self, predictions=predictions)

    def rows(self, here: BoolArray) -> FrameColumns:
        """Return the cases where `here` is true; a column of another length stays whole, to be rejected later."""
        names = ("outcome", "weight", "group", "cluster", "repeat", "site")
        others = {name: _select(getattr(self, name), here) for name in names}
        predictions = {name: _select(one, here) for name, one in self.predictions.items()}
        costs = self.case_costs if self.case_costs is None else self.case_costs[here]
        further = {argument: _select(one, here) for argument, one in self.further.items()}
        return replace(self, predictions=predictions, case_costs=costs, further=further, **others)


def _select(column: Any, here: BoolArray) -> Any:
    if column is None:
        return None
    if is_followed(column):
        return column[here] if len(column) == len(here) else column
    array = np.asarray(column)
    return array[here] if array.shape[:1] == here.shape else column
