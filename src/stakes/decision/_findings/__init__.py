"""What an evaluation comes to, in plain sentences: each rests on an exact comparison, the most important first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stakes.decision._evaluation import Evaluation, Finding
from stakes.decision._findings._acting import acting
from stakes.decision._findings._best import best, worthless
from stakes.decision._findings._calibration import miscalibrated, mismatched, other_prevalence
from stakes.decision._findings._crossing import crossing
from stakes.decision._findings._groups import groups
from stakes.decision._findings._limits import limited
from stakes.decision._findings._order import other_measures, other_ranges
from stakes.decision._findings._sample import few, left_out, one_class, too_small, wrong_way
from stakes.decision._findings._sentence import TEMPLATES

__all__ = ["TEMPLATES", "findings"]

Finder = Callable[[Evaluation], Iterator[Finding]]

_BY_IMPORTANCE: tuple[Finder, ...] = (
    one_class,
    best,
    wrong_way,
    too_small,
    limited,
    acting,
    worthless,
    crossing,
    mismatched,
    miscalibrated,
    other_prevalence,
    other_ranges,
    other_measures,
    groups,
    few,
    left_out,
)


def findings(evaluation: Evaluation) -> tuple[Finding, ...]:
    """Find all there is to say about an evaluation."""
    return tuple(finding for find in _BY_IMPORTANCE for finding in find(evaluation))
