"""Contents of the columns of a file, and the role that each could have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stakes._guessing import AMOUNT_WORDS, EVENT_NAMES, OPPOSITES, OUTCOME_NAMES, TIME_WORDS, WEIGHT_NAMES
from stakes.frames._data_file import DataFile

_MOST_GROUPS = 20


_FEW = 10  # cases, of which two predictions may be all there are


_MOST_EVENTS = 6  # ends of follow-up: left, the event, and others


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
    numbers: int = 0  # values of a column of text that are numbers
    other: str | None = None  # one that is not
    smallest_cases: int = 0  # that have the first of two labels

    @property
    def present(self) -> int:
        """Number of cases that have a value."""
        return self.cases - self.missing

    @property
    def rarer(self) -> Any:
        """The label of two that fewer cases have; None where they have equally many."""
        twice = 2 * self.smallest_cases
        return None if twice == self.present else self.smallest if twice < self.present else self.largest

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return self.kind == "number"

    @property
    def role(self) -> str:
        """The role that its values and its name suggest; empty if they suggest none."""
        if not self.present or self.distinct < 2 or self.is_nearly_number:
            return ""
        if self.distinct == 2:
            return self._of_two_values()
        if not self.is_number:
            return "group" if self.distinct <= _MOST_GROUPS else "cluster" if self.distinct < self.present else ""
        if self.name.strip().casefold() in WEIGHT_NAMES and self.smallest >= 0:
            return "weight"
        if self.is_called_time:
            return "time followed"
        if self.smallest >= 0 and self.largest <= 1:
            return "predictions"
        return "predictions in percent?" if self.smallest >= 0 and 1 < self.largest <= 100 and self._is_fine else ""

    @property
    def is_called_outcome(self) -> bool:
        """Whether it has the name of an outcome."""
        return self.name.strip().casefold() in OUTCOME_NAMES

    @property
    def is_called_time(self) -> bool:
        """Whether it has the name and the values of a time of follow-up."""
        return self._measures_by_name(TIME_WORDS)

    @property
    def is_called_amount(self) -> bool:
        """Whether it has the name and the values of an amount of money."""
        return self._measures_by_name(AMOUNT_WORDS)

    @property
    def may_be_event(self) -> bool:
        """Whether its values could be how follow-up ended."""
        return self.role == "outcome" or (self.is_called_outcome and 2 <= self.distinct <= _MOST_EVENTS)

    @property
    def event_rank(self) -> int:
        """Rank by name among columns that could be how follow-up ended, 0 the likeliest."""
        called = self.name.strip().casefold()
        return 0 if called in EVENT_NAMES else 1 if self.is_called_outcome else 2

    def _measures_by_name(self, words: set[str]) -> bool:
        name = self.name.casefold().replace("follow_up", "followup")
        named = set("".join(one if one.isalpha() else " " for one in name).split())
        some = self.is_number and self.distinct > 2 and not self.is_called_outcome
        return some and bool(named & words) and self.smallest >= 0 and self.largest > 1

    def _of_two_values(self) -> str:
        if not self.is_number:
            labels = tuple(sorted(str(label).strip().casefold() for label in (self.smallest, self.largest)))
            is_binary = self.kind == "yes or no" or labels in OPPOSITES
            return "outcome" if is_binary or self.is_called_outcome else "group"
        is_share = 0 <= self.smallest < self.largest <= 1
        if self.is_zero_or_one or (self.is_called_outcome and not is_share):
            return "outcome"
        return "predictions" if is_share and self.present <= _FEW else ""

    @property
    def is_zero_or_one(self) -> bool:
        """Whether its values are 0 and 1."""
        return self.is_number and (self.smallest, self.largest) == (0, 1)

    @property
    def is_nearly_number(self) -> bool:
        """Whether a few values keep it from being a column of numbers."""
        return self.kind == "text" and 0.75 * self.present <= self.numbers < self.present

    @property
    def _is_fine(self) -> bool:
        """Whether there are more values than an age or a count would have."""
        return self.distinct > 101  # whole numbers from 0 to 100 have that many


def summarise_columns(file: DataFile) -> list[ColumnSummary]:
    """Summarise every column of a file, in one scan, and in another the labels of which there are two."""
    kinds = {name: kind for name, kind in file.kinds.items() if kind not in ("nested", "binary")}
    wanted = {
        str(number): (name, "number" if kind in ("number", "yes or no") else "text")
        for number, (name, kind) in enumerate(kinds.items())
    }
    asked = ", ".join(_questions(number, how) for number, (_, how) in wanted.items())
    with file.reading():
        ((cases, *found),) = file.scan(wanted).aggregate(f"count(*), {asked}").fetchall()
        answers = dict(zip(wanted, zip(*[iter(found)] * 6, strict=True), strict=True))
        firsts = _first_counts(file, {k: wanted[k] for k in wanted if wanted[k][1] == "text" and answers[k][3] == 2})
    return [
        ColumnSummary(name, kind, smallest, largest, cases - present, distinct, cases, numbers, other, firsts.get(k, 0))
        for (name, kind), (k, (present, smallest, largest, distinct, numbers, other)) in zip(
            kinds.items(), answers.items(), strict=True
        )
    ]


def _first_counts(file: DataFile, wanted: dict[str, tuple[str, str]]) -> dict[str, int]:
    """Count the cases that have the first of two labels, by column."""
    if not wanted:
        return {}
    table = file.scan(wanted)
    counts = {k: table.aggregate(f"{_plain(k)} as label, count(*)", _plain(k)).fetchall() for k in wanted}
    return {k: dict(found)[min(label for label, _ in found if label is not None)] for k, found in counts.items()}


def _plain(number: str) -> str:
    return f'lower(trim("{number}"))'  # labels that differ by case or blanks alone are one


def _questions(number: str, how: str) -> str:
    """Return the six questions about a column."""
    if how == "number":
        return f'count("{number}"), min("{number}"), max("{number}"), count(distinct "{number}"), 0, null'
    plain = _plain(number)
    ends = f'min_by(trim("{number}"), ({plain}, "{number}")), max_by(trim("{number}"), ({plain}, "{number}"))'
    asked = f'count("{number}"), {ends}, count(distinct {plain})'
    as_number = f"""try_cast(replace("{number}", ',', '.') as double)"""
    return f'{asked}, count({as_number}), min("{number}") filter ({as_number} is null)'
