"""Faults of rows, found by one set of expressions on every engine.

A group-by loses bad rows, so each row gets a number: 0 if it can be used, else that of its first fault.
Missing values come before wrong ones, so that rows to be dropped have no other fault.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._errors import Argument, InputError, Phrase
from stakes._roles import DROP_HINT, DROP_HINT_TYPED

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True)
class Fault:
    """A reason why a row cannot be used, with the expression that finds it and the value to show."""

    argument: Argument
    wanted: str
    is_here: nw.Expr
    value: nw.Expr | None = None  # none: it is missing

    @property
    def is_missing(self) -> bool:
        """Whether the fault is a missing value."""
        return self.value is None


@dataclass(frozen=True)
class FaultCounts:
    """Number of rows with each fault, by the value to show for it."""

    faults: tuple[Fault, ...]
    found: Mapping[int, Mapping[float, int]]
    first_row: Callable[[int], int | None] = lambda _: None  # the first row with a fault, if rows have an order
    line: Callable[[int], int | None] = lambda _: None  # of a row, in a file that has lines

    def rows(self, number: int) -> int:
        """Return the number of rows with this fault first."""
        return sum(self.found.get(number, {}).values())

    @property
    def missing(self) -> dict[Argument, int]:
        """Number of rows with a missing value, by the first column that misses one."""
        rows = {fault.argument: self.rows(number) for number, fault in enumerate(self.faults, 1) if fault.is_missing}
        return {argument: count for argument, count in rows.items() if count}

    def check(self, drop: Collection[str], labels: Callable[[], list[Any]]) -> None:
        """Raise for the first fault of any row, except missing values in the roles of `drop`."""
        for number, fault in enumerate(self.faults, 1):
            if self.rows(number) and not (fault.is_missing and fault.argument.role in drop):
                raise self._error(number, fault, labels)

    def _error(self, number: int, fault: Fault, labels: Callable[[], list[Any]]) -> InputError:
        count, row = self.rows(number), self.first_row(number)
        one, line = count == 1, None if row is None else self.line(row)
        if fault.is_missing:
            got = "1 missing value" if one else f"{count:,} missing values"
            hints = {"hint": DROP_HINT, "hint_typed": DROP_HINT_TYPED}
            return InputError(fault.argument, fault.wanted, got, row=row, first=not one, line=line, **hints)
        got = f"{_check.show(min(self.found[number]))} in {'1 row' if one else f'{count:,} rows'}"
        hint = _hint(fault, labels)
        return InputError(fault.argument, fault.wanted, got, row=row, first=not one, hint=hint, line=line)


class DroppedRowsWarning(UserWarning):
    """Warning of rows dropped for missing values, when `on_missing` is ``"drop"``.

    Attributes
    ----------
    by_column : dict of str to int
        Number of rows by the first column that misses a value.

    Examples
    --------
    >>> from stakes.frames import DroppedRowsWarning
    >>> print(DroppedRowsWarning({"died": 2, "risk": 1}))
    3 rows with missing values were dropped (2 in `died`, 1 in `risk`).
    """

    def __init__(self, by_column: Mapping[str, int]) -> None:
        self.by_column = dict(by_column)
        columns = ", ".join(f"{count:,} in `{column}`" for column, count in by_column.items())
        rows = "1 row with missing values was" if self.rows == 1 else f"{self.rows:,} rows with missing values were"
        super().__init__(f"{rows} dropped ({columns}).")

    @property
    def rows(self) -> int:
        """Number of rows dropped."""
        return sum(self.by_column.values())


def by_column(dropped: Mapping[Argument, int]) -> dict[str, int]:
    """Return the number of dropped rows by column, which may have several roles."""
    counts: dict[str, int] = {}
    for argument, count in dropped.items():
        column = argument.column or argument.item or argument.role
        counts[column] = counts.get(column, 0) + count
    return counts


def warn_of_dropped(dropped: Mapping[str, int]) -> None:
    """Issue a `DroppedRowsWarning` for the caller of a public function, if rows were dropped."""
    if dropped:
        warnings.warn(DroppedRowsWarning(dropped), stacklevel=_check.stack_level())


def _hint(fault: Fault, labels: Callable[[], list[Any]]) -> Phrase:
    """Suggest `pos_label` if the outcome has two labels other than 0 and 1."""
    if fault.wanted != BINARY:
        return ""
    found = labels()
    return _columns.label_hint(found) if _columns.are_two_other_labels(found) else ""


# ------------------------------------------------------------------------------------------- the expressions

BINARY, PRESENT = "be 0 or 1", "not have missing values"


def missing(column: str, argument: Argument, *, floats: bool) -> Fault:
    """Return the fault of a missing value, nan included."""
    import narwhals as nw

    here = nw.col(column).is_null()
    return Fault(argument, PRESENT, here | nw.col(column).is_nan() if floats else here)


def not_binary(column: str, argument: Argument) -> Fault:
    """Return the fault of an outcome that is neither 0 nor 1."""
    import narwhals as nw

    return Fault(argument, BINARY, (nw.col(column) != 0) & (nw.col(column) != 1), nw.col(column))


def not_a_weight(column: str, argument: Argument) -> Fault:
    """Return the fault of a weight that is negative or infinite."""
    import narwhals as nw

    wrong = (nw.col(column) < 0) | (nw.col(column) == float("inf"))
    return Fault(argument, "be finite and not negative", wrong, nw.col(column))


def not_finite(column: str, argument: Argument) -> Fault:
    """Return the fault of a score that is infinite."""
    import narwhals as nw

    wrong = (nw.col(column) == float("inf")) | (nw.col(column) == float("-inf"))
    return Fault(argument, "be finite", wrong, nw.col(column))


def number_faults(faults: tuple[Fault, ...]) -> tuple[nw.Expr, nw.Expr]:
    """Return the number of the first fault of a row, 0 if it has none, and the value to show for it."""
    import narwhals as nw

    number, value = nw.lit(0), nw.lit(0.0)
    for i, fault in reversed(list(enumerate(faults, 1))):
        number = nw.when(fault.is_here).then(nw.lit(i)).otherwise(number)
        shown = nw.lit(0.0) if fault.value is None else fault.value
        value = nw.when(fault.is_here).then(shown).otherwise(value)
    return number, value


def count_faults(
    fault: npt.NDArray[Any], value: npt.NDArray[np.floating], rows: npt.NDArray[np.floating]
) -> dict[int, dict[float, int]]:
    """Count the rows of each fault by the value to show; rows without a fault are ignored."""
    found: dict[int, dict[float, int]] = {}
    bad = np.flatnonzero(fault)
    for number, shown, count in zip(fault[bad].tolist(), value[bad].tolist(), rows[bad].tolist(), strict=True):
        values = found.setdefault(int(number), {})
        values[shown] = values.get(shown, 0) + round(count)
    return found
