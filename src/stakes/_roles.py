"""Which column plays which part: the record of names that a frame, a file and the command share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from stakes import _check
from stakes._errors import Argument, InputTypeError

ROLES = ("outcome", "predictions", "weight", "group", "cluster", "key")


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The names of the columns by what they are for; `predictions` maps each model to its column."""

    outcome: str
    predictions: Mapping[str, str]
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None
    key: str | None = None
    pos_label: object = None

    def __iter__(self) -> Iterator[tuple[Argument, str]]:
        """Yield every column after the argument that names it."""
        yield Argument("outcome"), self.outcome
        for model, column in self.predictions.items():
            yield Argument("predictions", model), column
        for role in ("weight", "group", "cluster", "key"):
            column = getattr(self, role)
            if column is not None:
                yield Argument(role), column

    def argument(self, column: str) -> Argument:
        """Return the first argument that names a column."""
        return next(argument._replace(column=column) for argument, name in self if name == column)

    @property
    def unit(self) -> str | None:
        """The column that tells independent units apart: the cluster, or the key of each case."""
        return self.key if self.cluster is None else self.cluster

    @property
    def labels(self) -> dict[str, str]:
        """The columns whose values are labels, by role; a key is needed only where there is no cluster."""
        unit = "key" if self.cluster is None else "cluster"
        named = {"group": self.group, unit: self.unit}
        return {role: column for role, column in named.items() if column is not None}

    @property
    def numbers(self) -> list[str]:
        """The columns whose values are numbers, whatever the outcome is."""
        return [*self.predictions.values(), *([] if self.weight is None else [self.weight])]

    def check(self, columns: Iterable[str], called: Mapping[str, str]) -> None:
        """Raise unless every name is that of a column; `called` has the arguments that are not called as their role."""
        known = list(map(str, columns))
        for argument, column in self:
            name = called.get(argument.role, argument.role)
            if not isinstance(column, str):
                raise InputTypeError(name, "be the name of a column", _check.shown(column))
            _check.known(name, column, known)


def droppable(on_missing: str) -> tuple[str, ...]:
    """Return the roles that may miss a value, in which case the row is dropped."""
    return ROLES if _check.known("on_missing", on_missing, ("error", "drop")) == "drop" else ()
