"""What was asked for: a file, and which column of it plays which part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stakes import _check
from stakes._errors import Argument, InputError
from stakes.frames import DataFile


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A file, and which column of it plays which part."""

    file: str | None
    outcome: str | None
    models: tuple[str, ...]
    positive: str | None = None
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None
    key: str | None = None

    @property
    def labels(self) -> dict[str, str]:
        """The columns whose values are names, by their roles."""
        named = {"group": self.group, "cluster": self.cluster}
        return {role: column for role, column in named.items() if column is not None}

    @property
    def apart(self) -> list[tuple[str, str]]:
        """The roles of columns which have no other role, and those columns."""
        models = [("predictions", model) for model in self.models]
        parts = [("outcome", self.outcome), *models, ("weight", self.weight)]
        return [(role, column) for role, column in parts if column is not None]

    def argument(self, column: str) -> Argument:
        """Return what a column is for, and the column."""
        keyed = [] if self.key is None else [("key", self.key)]
        roles = {name: role for role, name in reversed([*self.apart, *self.labels.items(), *keyed])}
        role = roles.get(column, column)
        return Argument(role, column if role == "predictions" else None, column)


def judge_names(file: DataFile, asked: Asked) -> None:
    """Refuse names that are missing, not those of columns, or in two places."""
    judge_given(asked, file.path.name, file)
    keyed = [] if asked.key is None else [("key", asked.key)]
    for role, column in [*asked.apart, *asked.labels.items(), *keyed]:
        file.known(role, column)
    judge_apart(asked.apart)


def judge_given(asked: Asked, name: str, file: DataFile | None = None) -> None:
    """Refuse a command that names no outcome or no model; list what a file has."""
    if asked.outcome is None:
        hint = "" if file is None else f"its columns: {', '.join(file.columns)}"
        raise InputError("outcome", f"name the column of {name} with the outcome", "none", hint=hint)
    if not asked.models:
        hint = "" if file is None else f"columns with numbers: {_numbers(file, asked)}"
        raise InputError("predictions", f"name the columns of {name} with predicted probabilities", "none", hint=hint)


def _numbers(file: DataFile, asked: Asked) -> str:
    taken = (asked.outcome, asked.weight)
    return ", ".join(c for c in file.columns if file.kinds[c] == "number" and c not in taken) or "none"


def judge_apart(parts: Sequence[tuple[str, str]]) -> None:
    """Refuse a column in two places."""
    seen: dict[str, str] = {}
    for role, column in parts:
        if column in seen:
            shown, other = _check.shown(column), Argument(seen[column])
            got = f"{shown} twice" if other.role == role else (f"{shown} for ", other, " too")
            raise InputError(role, "name a column of its own", got)
        seen[column] = role
