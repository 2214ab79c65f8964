"""Columns of a sample by role: their names, and their arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray
from stakes._errors import Argument, InputTypeError

ROLES = ("outcome", "predictions", "weight", "group", "cluster", "key", "repeat")


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Names of the columns by role; `predictions` maps each model to its column."""

    outcome: str
    predictions: Mapping[str, str]
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None
    key: str | None = None
    repeat: str | None = None
    pos_label: object = None

    def __iter__(self) -> Iterator[tuple[Argument, str]]:
        """Yield the argument that names each column, and the column."""
        yield Argument("outcome"), self.outcome
        for model, column in self.predictions.items():
            yield Argument("predictions", model), column
        for role in ("weight", "group", "cluster", "key", "repeat"):
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
        named = {"group": self.group, unit: self.unit, "repeat": self.repeat}
        return {role: column for role, column in named.items() if column is not None}

    @property
    def numbers(self) -> list[str]:
        """The columns that must be numeric: predictions and weight."""
        return [*self.predictions.values(), *([] if self.weight is None else [self.weight])]

    def check(self, columns: Iterable[str], called: Mapping[str, str]) -> None:
        """Raise unless every name is that of a column; `called` maps roles to arguments of another name."""
        known = list(map(str, columns))
        for argument, column in self:
            name = called.get(argument.role, argument.role)
            if not isinstance(column, str):
                raise InputTypeError(name, "be the name of a column", _check.show(column))
            _check.choice(name, column, known)


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
    pos_label: object = None
    case_costs: Any = None
    dropped: Mapping[Argument, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # on how the file was read

    def __len__(self) -> int:
        return len(self.outcome) if is_followed(self.outcome) else np.size(self.outcome)

    def scored(self, predictions: Mapping[str, Any]) -> FrameColumns:
        """Return the same cases with other predictions."""
        return replace(self, predictions=predictions)

    def rows(self, here: BoolArray) -> FrameColumns:
        """Return the cases where `here` is true; a column of another length stays whole, to be rejected later."""
        names = ("outcome", "weight", "group", "cluster", "repeat")
        others = {name: _selected(getattr(self, name), here) for name in names}
        predictions = {name: _selected(one, here) for name, one in self.predictions.items()}
        costs = self.case_costs if self.case_costs is None else self.case_costs[here]
        return replace(self, predictions=predictions, case_costs=costs, **others)


def is_followed(column: Any) -> bool:
    """Whether an outcome is an EventBy, which knows its cases itself."""
    return hasattr(column, "horizon")


def _selected(column: Any, here: BoolArray) -> Any:
    if column is None:
        return None
    if is_followed(column):
        return column[here] if len(column) == len(here) else column
    array = np.asarray(column)
    return array[here] if array.shape == here.shape else column
