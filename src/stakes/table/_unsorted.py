"""Samples in any order: what a mean of pointwise losses needs, and cases as they came."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray


class TableLike(Protocol):
    """A sample for means of pointwise losses: scores in any order, with the weight of each class."""

    @property
    def score(self) -> npt.NDArray[np.floating]: ...
    @property
    def positive(self) -> FloatArray | BoolArray: ...
    @property
    def negative(self) -> FloatArray | BoolArray: ...
    @property
    def lowest(self) -> float: ...
    @property
    def highest(self) -> float: ...
    @property
    def positive_total(self) -> float: ...
    @property
    def negative_total(self) -> float: ...
    @property
    def total(self) -> float: ...
    @property
    def prevalence(self) -> float: ...


@dataclass(frozen=True)
class Unsorted:
    """Cases in their original order with checked scores, for means of pointwise losses without a sort."""

    score: npt.NDArray[np.floating]
    label: BoolArray
    weight: FloatArray | None = None
    lowest: float = 0.0  # bounds known without reading the scores again
    highest: float = 1.0

    @cached_property
    def positive(self) -> FloatArray | BoolArray:
        """Weight of each case if it is positive, otherwise 0; without weights, whether it is."""
        return self.label if self.weight is None else self.weight * self.label

    @cached_property
    def negative(self) -> FloatArray | BoolArray:
        """Weight of each case if it is negative, otherwise 0; without weights, whether it is."""
        return ~self.label if self.weight is None else self.weight * ~self.label

    @cached_property
    def positive_total(self) -> float:
        """Weight of all positives."""
        return _total_weight(self.positive)

    @cached_property
    def negative_total(self) -> float:
        """Weight of all negatives."""
        return _total_weight(self.negative)

    @cached_property
    def total(self) -> float:
        """Total weight."""
        return float(len(self.label) if self.weight is None else self.weight.sum())

    @property
    def prevalence(self) -> float:
        """Share of the positives in the total weight."""
        return self.positive_total / self.total


def _total_weight(cases: FloatArray | BoolArray) -> float:
    return float(np.count_nonzero(cases) if cases.dtype == np.bool_ else cases.sum())


def unsorted_table(label: BoolArray, score: npt.NDArray[np.floating], weight: FloatArray | None) -> Unsorted:
    """Return checked columns as a sample, without a sort."""
    return Unsorted(score, label, weight)
