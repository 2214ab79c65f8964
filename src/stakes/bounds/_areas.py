"""Bounds of areas of the ROC curve over a range of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes.beliefs import RangeLike, as_range
from stakes.bounds._bounded import NAN, Bounded, around, between_zero_and_one, both_classes, check_table
from stakes.large import BinSums, QuantisedTable


@dataclass(frozen=True, slots=True)
class BoundedAreas:
    """Three areas of the ROC curve between two scores, each between bounds.

    Attributes
    ----------
    below, beside, concordant : Bounded
        As in `stakes.measures.BoundedAUC`.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import bounded_auc
    >>> bounded_auc(quantise(y=[0, 1], score=[0.2, 0.8]), score_range=(0, 1)).concordant
    Bounded(lower=1.0, estimate=1.0, upper=1.0)
    """

    below: Bounded
    beside: Bounded
    concordant: Bounded


def bounded_auc(table: QuantisedTable, *, score_range: RangeLike) -> BoundedAreas:
    """Bounds of `stakes.measures.bounded_auc`: ROC areas over a range of scores, ends included.

    Whether a case lies in the range is known where neither end of it is between the lowest and the highest score of
    its bin and class: with the lower end an edge of a bin, and the upper just below one, only pairs within a bin are
    undecided.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    score_range : pair of float or words, such as "5%..20%", keyword-only
        Range of scores, the lower first.

    Returns
    -------
    BoundedAreas
        The three areas; ``nan`` (with a warning) on one class only, `concordant` also where no score need lie in the
        range.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import bounded_auc
    >>> table = quantise(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4], bins=4)
    >>> bounded_auc(table, score_range=(0.15, 0.35))
    BoundedAreas(below=Bounded(lower=0.25, estimate=0.25, upper=0.25), beside=Bounded(lower=0.25, estimate=0.25, \
upper=0.25), concordant=Bounded(lower=0.5, estimate=0.5, upper=0.5))
    """
    first, last = as_range("score_range", score_range, _check.number)
    if not both_classes("bounded_auc", check_table(table)):
        return BoundedAreas(NAN, NAN, NAN)
    positive, negative = _Scores.of(table.positive), _Scores.of(table.negative)
    below = _area(table, negative, positive, first, last)
    beside = _area(table, positive.mirrored(), negative.mirrored(), -last, -first)  # seen from the other end
    return BoundedAreas(below, beside, _per_shadow(table, (positive, negative), below, beside, first, last))


class _Scores(NamedTuple):
    """The share of a class in each bin, and the lowest and highest score there."""

    share: FloatArray
    least: FloatArray
    most: FloatArray

    @classmethod
    def of(cls, sums: BinSums) -> _Scores:
        weighs = sums.weight > 0
        return cls(sums.weight[weighs] / sums.weight.sum(), sums.least[weighs], sums.most[weighs])

    def mirrored(self) -> _Scores:
        return _Scores(self.share, -self.most, -self.least)

    def surely(self, low: float, high: float) -> BoolArray:
        """Return the bins whose cases are all in the range."""
        return (self.least >= low) & (self.most <= high)

    def maybe(self, low: float, high: float) -> BoolArray:
        """Return the bins of which some case may be in the range."""
        return (self.most >= low) & (self.least <= high)


def _area(table: QuantisedTable, cases: _Scores, other: _Scores, low: float, high: float) -> Bounded:
    """Bound the share of the other class above each case in the range, ties half, summed over cases.

    No case can make it smaller by being in the range, and none larger by a higher score.
    """
    sure, may = cases.surely(low, high), cases.maybe(low, high)
    fewest = _above(cases.most[sure], other.least, other.share)
    most = _above(np.maximum(cases.least[may], low), other.most, other.share)
    lower, upper = float((cases.share[sure] * fewest).sum()), float((cases.share[may] * most).sum())
    return between_zero_and_one(around(table, lower, upper))


def _above(score: FloatArray, others: FloatArray, share: FloatArray) -> FloatArray:
    """Return the share of the others above each score, ties half, summed from the top: nothing cancels."""
    order = np.argsort(-others, kind="stable")
    from_top, reached = -others[order], np.concatenate([[0.0], np.cumsum(share[order])])
    above, not_below = (reached[np.searchsorted(from_top, -score, side)] for side in ("left", "right"))
    found: FloatArray = (above + not_below) / 2
    return found


def _per_shadow(
    table: QuantisedTable, classes: tuple[_Scores, _Scores], below: Bounded, beside: Bounded, low: float, high: float
) -> Bounded:
    """Bound the sum of both areas over the shares of both classes in the range, which is at most 1."""
    # Extremes were seen: where one is in the range somebody is.
    if not any(((one >= low) & (one <= high)).any() for scores in classes for one in (scores.least, scores.most)):
        return NAN
    fewest, most = (
        sum(float(scores.share[inside].sum()) for scores, inside in zip(classes, chosen, strict=True))
        for chosen in (
            [scores.surely(low, high) for scores in classes],
            [scores.maybe(low, high) for scores in classes],
        )
    )
    shadows = around(table, fewest, most)
    lower = (below.lower + beside.lower) / shadows.upper
    upper = (below.upper + beside.upper) / shadows.lower if shadows.lower else 1.0
    middle = (below.estimate + beside.estimate) / shadows.estimate
    return between_zero_and_one(Bounded(lower, min(middle, upper), upper))
