"""Facts about a sample: numbers of cases, real and effective, their weight, and the cases dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument

if TYPE_CHECKING:
    from stakes.outcome import FollowUp


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """Number of cases in a sample, their weight and prevalence, and the cases dropped.

    Attributes
    ----------
    cases : int
        Number of cases, without those of weight 0 and those dropped.
    weight : float
        Total weight; the number of cases if they are not weighted.
    prevalence : float
        Share of the positives, by weight.
    weighted : bool
        Whether the cases are weighted.
    clusters : int or None
        Number of clusters; None if not given.
    dropped : mapping of Argument to int
        Number of cases dropped for a missing value, by the first role in which one is missing.
    has_cases : bool
        Whether the cases themselves were available, not only tables.
    positive_cases : int or None
        Number of positive cases, whatever they weigh; None where only tables are known, which hold weights.
    effective_cases : tuple of float or None
        Effective numbers of positive and of negative cases, as many as would be as informative if all weighed the same;
        None where only tables are known.
    reading_notes : tuple of str
        One sentence for each thing that was found out about the file and not stated, such as its encoding.
    repeats : int
        Number of times that each case was predicted, as repeats of a cross-validation do; 1 otherwise.
    follow_up : FollowUp or None
        How far the cases were followed, if the outcome is an `EventBy`.
    case_costs : mapping of str to float or str
        Costs of each case as they were stated: numbers, and columns; empty unless cases have costs of their own.

    Examples
    --------
    >>> from stakes import evaluate
    >>> facts = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.4]}, "10%..50%", weight=[1, 1, 2, 0]).sample
    >>> facts.cases, facts.weight, facts.dropped_by_role
    (3, 4.0, {})
    """

    cases: int
    weight: float
    prevalence: float
    weighted: bool = False
    clusters: int | None = None
    dropped: Mapping[Argument, int] = field(default_factory=dict)
    has_cases: bool = True
    positive_cases: int | None = None
    effective_cases: tuple[float, float] | None = None
    reading_notes: tuple[str, ...] = ()
    repeats: int = 1
    follow_up: FollowUp | None = None
    case_costs: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def negative_cases(self) -> int | None:
        """Number of negative cases; None where only tables are known."""
        if self.positive_cases is None:
            return None
        return self.cases - self.positive_cases - (0 if self.follow_up is None else self.follow_up.unknown)

    @property
    def independent(self) -> tuple[float, float]:
        """Effective numbers of positives and negatives; of tables, each unit of weight is taken for one case."""
        return self.effective_cases or (self.positives, self.weight * (1 - self.prevalence))

    @property
    def positives(self) -> float:
        """Weight of the positives."""
        return self.weight * self.prevalence

    @property
    def dropped_by_role(self) -> dict[str, int]:
        """Number of cases dropped, by the first role in which a value is missing."""
        counts: dict[str, int] = {}
        for argument, count in self.dropped.items():
            counts[argument.role] = counts.get(argument.role, 0) + count
        return counts

    @property
    def without_score(self) -> int:
        """Number of cases dropped because a model has no score for them."""
        return sum(count for argument, count in self.dropped.items() if argument.role == "predictions")


def effective_cases(positive: BoolArray, weight: FloatArray | None) -> tuple[float, float]:
    """Return the effective numbers of positive and of negative cases, the real ones without weights."""
    if weight is None:
        count = float(np.count_nonzero(positive))
        return count, len(positive) - count
    return _effective_number(weight.compress(positive)), _effective_number(weight.compress(~positive))


def _effective_number(weight: FloatArray) -> float:
    """Return the number of cases of equal weight whose mean varies as much (Kish), 0 of none."""
    if not len(weight):
        return 0.0
    scaled = weight / weight.max()
    return kish(float(scaled.sum()), float(np.sum(scaled * scaled)))


def kish(weight: float, squares: float) -> float:
    """Return the effective number of cases from sums of their weights and of the squares.

    The weights are in a unit in which the squares are ordinary numbers.
    """
    return weight**2 / squares
