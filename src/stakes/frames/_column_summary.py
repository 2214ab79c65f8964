"""Contents of the columns of a file, and the role that each could have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stakes.frames._data_file import DataFile

_MOST_GROUPS = 20


_OUTCOMES: tuple[str, ...] = (
    "outcome",
    "y",
    "label",
    "target",
    "class",
    "event",
    "status",
    "response",
    "result",
    "case",
)
_OUTCOMES += ("died", "death", "dead", "cancer", "fraud", "default", "churn")
_OUTCOMES += ("ergebnis", "ereignis", "tod", "gestorben", "krank")


_WEIGHTS = ("weight", "weights", "w", "gewicht", "sample_weight", "poids", "peso")


@dataclass(frozen=True)
class ColumnSummary:
    """Kind, range, missing and distinct values of a column."""

    name: str
    kind: str
    smallest: Any
    largest: Any
    missing: int
    distinct: int
    cases: int

    @property
    def present(self) -> int:
        """Number of cases that have a value."""
        return self.cases - self.missing

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return self.kind == "number"

    @property
    def role(self) -> str:
        """The role that its values and its name suggest; empty if they suggest none."""
        if not self.present or self.distinct < 2:
            return ""
        if self.distinct == 2:
            return self._of_two_values()
        if not self.is_number:
            return "group" if self.distinct <= _MOST_GROUPS else "cluster" if self.distinct < self.present else ""
        if self.name.strip().casefold() in _WEIGHTS and self.smallest >= 0:
            return "weight"
        if self.smallest >= 0 and self.largest <= 1:
            return "predictions"
        return "predictions in percent?" if self.smallest >= 0 and 1 < self.largest <= 100 and self._is_fine else ""

    @property
    def is_called_outcome(self) -> bool:
        """Whether it has the name of an outcome."""
        return self.name.strip().casefold() in _OUTCOMES

    def _of_two_values(self) -> str:
        is_binary = self.kind == "yes or no" or (self.is_number and (self.smallest, self.largest) == (0, 1))
        return "outcome" if is_binary or self.is_called_outcome else "group" if not self.is_number else ""

    @property
    def _is_fine(self) -> bool:
        """Whether there are more values than an age or a count would have."""
        return self.distinct > 101  # whole numbers from 0 to 100 have that many


def summarise_columns(file: DataFile) -> list[ColumnSummary]:
    """Summarise every column of a file, in one scan."""
    kinds = {name: kind for name, kind in file.kinds.items() if kind not in ("nested", "binary")}
    wanted = {
        str(number): (name, "number" if kind in ("number", "yes or no") else "text")
        for number, (name, kind) in enumerate(kinds.items())
    }
    asked = ", ".join(f'count("{n}"), min("{n}"), max("{n}"), count(distinct "{n}")' for n in wanted)
    with file.reading():
        ((cases, *found),) = file.scan(wanted).aggregate(f"count(*), {asked}").fetchall()
    return [
        ColumnSummary(name, kind, found[at + 1], found[at + 2], cases - found[at], found[at + 3], cases)
        for at, (name, kind) in zip(range(0, len(found), 4), kinds.items(), strict=True)
    ]
