"""A measure with a known number added to it, such as the harm of a test that every case has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from stakes.measures._measure import Measure
from stakes.table import ScoreTable


@dataclass(frozen=True)
class RaisedValue:
    """The value of a measure on a table, and a number that is the same on every table."""

    value: Callable[..., Any]
    added: float

    def __call__(self, table: ScoreTable) -> float:
        """Return the raised value."""
        return float(self.value(table)) + self.added


def raised(measure: Measure, added: float) -> Measure:
    """Return a measure with a number added; its form, which says how cases move it, is the same object."""
    return replace(measure, value=RaisedValue(measure.value, added))


def added_to(measure: Measure) -> float:
    """Return the number that was added to a measure, 0 if none was."""
    return measure.value.added if isinstance(measure.value, RaisedValue) else 0.0
