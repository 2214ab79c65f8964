"""What was asked for: a file, and which column of it plays which part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stakes import _check
from stakes.cli._options import BadInput
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
        """The columns whose values are names, by the option that names them."""
        named = {"--group": self.group, "--cluster": self.cluster}
        return {option: column for option, column in named.items() if column is not None}

    @property
    def apart(self) -> list[tuple[str, str]]:
        """The options that name a column which no other may name, and that column."""
        models = [("--models", model) for model in self.models]
        parts = [("--outcome", self.outcome), *models, ("--weight", self.weight)]
        return [(option, column) for option, column in parts if column is not None]

    def option_of(self, column: str) -> str:
        """Return the option that names a column, or the name itself where none does."""
        keyed = [] if self.key is None else [("--key", self.key)]
        options = {name: option for option, name in reversed([*self.apart, *self.labels.items(), *keyed])}
        option = options.get(column, column)
        return f"{option} {column}" if option == "--models" else option


def judge_names(file: DataFile, asked: Asked) -> None:
    """Refuse names that are missing, not those of columns, or in two places."""
    judge_given(asked, file.path.name, file)
    keyed = [] if asked.key is None else [("--key", asked.key)]
    for option, column in [*asked.apart, *asked.labels.items(), *keyed]:
        file.known(option, column)
    judge_apart(asked.apart)


def judge_given(asked: Asked, name: str, file: DataFile | None = None) -> None:
    """Refuse a command that names no outcome or no model; list what a file has."""
    if asked.outcome is None:
        hint = "" if file is None else f"; its columns: {', '.join(file.columns)}"
        raise BadInput(f"`--outcome` must name the column of {name} with the outcome, got none{hint}.")
    if not asked.models:
        hint = "" if file is None else f"; columns with numbers: {_numbers(file, asked)}"
        raise BadInput(f"`--models` must name the columns of {name} with predicted probabilities, got none{hint}.")


def _numbers(file: DataFile, asked: Asked) -> str:
    taken = (asked.outcome, asked.weight)
    return ", ".join(c for c in file.columns if file.kinds[c] == "number" and c not in taken) or "none"


def judge_apart(parts: Sequence[tuple[str, str]]) -> None:
    """Refuse a column in two places."""
    seen: dict[str, str] = {}
    for option, column in parts:
        if column in seen:
            other = "twice" if seen[column] == option else f"for `{seen[column]}` too"
            raise BadInput(f"`{option}` must name a column of its own, got {_check.shown(column)} {other}.")
        seen[column] = option
