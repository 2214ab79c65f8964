"""Values of single cases by class and score, and their bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stakes._arrays import FloatArray

Pair = tuple[FloatArray, FloatArray]  # values of a positive and of a negative with each score


@dataclass(frozen=True)
class CaseValues:
    """Values that cases of each class and score add to a number.

    The number is their mean, up to a constant.

    Attributes
    ----------
    values : callable
        Function from scores to the values of a positive and of a negative, monotone in the score.
    extremes : ndarray of float64
        The values of a positive (first row) and of a negative with the lowest and with the highest possible score.
    constant : tuple of float or None
        For a number relative to a constant score: what a positive and a negative would lose with that, in the same
        unit. The number is then 1 less the ratio of the two means, and the values are losses with a minus sign.
    least : float
        The smallest possible number, if it is not that of the extremes.
    score : float or None
        The score of all cases, if they have only one; that of a case not seen is then known, too.
    of_any_score : ndarray of float64 or None
        The extremes if there were more scores than that.
    """

    values: Callable[[FloatArray], Pair]
    extremes: FloatArray
    constant: tuple[float, float] | None = None
    least: float | None = None
    score: float | None = None
    of_any_score: FloatArray | None = None

    def at(self, score: float) -> CaseValues:
        """Return the values of a model that gives every case, seen or not, one score."""
        extremes = np.array(self.values(np.array([score, score])))
        return replace(self, extremes=extremes, score=score, of_any_score=self.extremes)

    @property
    def at_any_score(self) -> CaseValues:
        """The values of a model that may give any score."""
        if self.of_any_score is None:
            return self
        return replace(self, extremes=self.of_any_score, score=None, of_any_score=None)

    @property
    def is_certain(self) -> bool:
        """Whether all cases have the score 0 or 1, which says the same at every prevalence."""
        return self.score in (0.0, 1.0)

    @property
    def is_bounded(self) -> bool:
        """Whether a case adds no more than a known amount."""
        return bool(np.isfinite(self.extremes).all())

    @property
    def lowest(self) -> FloatArray:
        """The smallest value of a positive and of a negative."""
        least: FloatArray = self.extremes.min(axis=1)
        return least

    @property
    def highest(self) -> FloatArray:
        """The largest value of a positive and of a negative."""
        most: FloatArray = self.extremes.max(axis=1)
        return most
