"""Bounds from two tables: the best and the worst sample that a quantised table may stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy.typing as npt

import stakes.measures
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs import RangeLike, as_range
from stakes.bounds._bounded import NAN, Bounded, around, between_zero_and_one, both_classes, check_table
from stakes.curves import Curve
from stakes.large import QuantisedTable
from stakes.table import ScoreTable


def bracket(table: QuantisedTable, measure: Callable[[ScoreTable], float]) -> Bounded:
    """Bounds of a measure that no higher score of a positive, nor lower one of a negative, makes worse.

    That holds for every measure of a classifier which has a better and a worse direction: scores, net benefit,
    areas under curves, precision at a capacity, VOROS. It does not hold for parts of them, such as miscalibration.
    The numbers of `stakes.bounds` that have a formula of their own are closer.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    measure : callable
        A function of a `ScoreTable`.

    Returns
    -------
    Bounded
        The number, up to the rounding of the function itself; the estimate is in the middle.

    Examples
    --------
    >>> from stakes import top_k
    >>> from stakes.large import quantise
    >>> from stakes.bounds import bracket
    >>> table = quantise(y=[0, 1, 1, 0], score=[0.65, 0.72, 0.63, 0.1], bins=4)
    >>> bracket(table, lambda one: top_k(one, k=2).precision)
    Bounded(lower=0.5, estimate=0.75, upper=1.0)
    """
    check_table(table)
    one, other = measure(table.pessimistic), measure(table.optimistic)
    return Bounded(min(one, other), one if one == other else (one + other) / 2, max(one, other))


def auc(table: QuantisedTable) -> Bounded:
    """Bounds of `stakes.auc`: pairs within a bin are undecided, unless their scores do not overlap.

    Parameters
    ----------
    table : QuantisedTable
        The sample.

    Returns
    -------
    Bounded
        The area; ``nan`` (with a warning) on one class only. The estimate counts undecided pairs half.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import auc
    >>> auc(quantise(y=[0, 1, 0, 1], score=[0.11, 0.12, 0.13, 0.9], bins=2))
    Bounded(lower=0.5, estimate=0.75, upper=1.0)
    """
    return _area("auc", table, stakes.measures.auc)


def partial_auc(table: QuantisedTable, *, fpr_range: RangeLike = (0.0, 1.0)) -> Bounded:
    """Bounds of `stakes.measures.partial_auc`: the ROC area between two false positive rates.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    fpr_range : pair of float or words, such as "0%..20%", keyword-only
        Range of false positive rates, between 0 and 1; all of them unless given.

    Returns
    -------
    Bounded
        The area; ``nan`` (with a warning) on one class only.

    Examples
    --------
    >>> from stakes.large import quantise
    >>> from stakes.bounds import partial_auc
    >>> partial_auc(quantise(y=[0, 1, 0, 1], score=[0.11, 0.12, 0.13, 0.9], bins=2), fpr_range=(0, 0.5))
    Bounded(lower=0.25, estimate=0.375, upper=0.5)
    """
    ends = as_range("fpr_range", fpr_range)
    return _area("partial_auc", table, lambda one: stakes.measures.partial_auc(one, fpr_range=ends))


def _area(name: str, table: QuantisedTable, area: Callable[[ScoreTable], float]) -> Bounded:
    if not both_classes(name, check_table(table)):
        return NAN
    found = bracket(table, area)
    return between_zero_and_one(around(table, found.lower, found.upper))


@dataclass(frozen=True, slots=True)
class Envelope:
    """Two curves, between which the curve of the sample itself runs.

    Attributes
    ----------
    lower, upper : Curve
        The curves.

    Examples
    --------
    >>> from stakes import decision_curve
    >>> from stakes.large import quantise
    >>> from stakes.bounds import envelope
    >>> envelope(quantise(y=[0, 1], score=[0.3, 0.6], bins=4), decision_curve).at([0.25, 0.5])
    (array([0.33333333, 0.5       ]), array([0.33333333, 0.5       ]))
    """

    lower: Curve
    upper: Curve

    def at(self, x: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return both bounds at `x`.

        Parameters
        ----------
        x : array-like
            Where to evaluate.

        Returns
        -------
        lower, upper : ndarray of float64
            The bounds, in the shape of `x`.
        """
        return self.lower.at(x), self.upper.at(x)


def envelope(table: QuantisedTable, curve: Callable[[ScoreTable], Curve]) -> Envelope:
    """Bounds of a curve: those of the best and of the worst sample that the table may stand for.

    At every cost that is an edge of a bin the two are one: with 65,536 even bins a decision curve is exact at
    65,536 costs, and at all that were given as `thresholds`.

    Parameters
    ----------
    table : QuantisedTable
        The sample.
    curve : callable
        A function of a `ScoreTable` that gives a curve with a better direction: `decision_curve`, `regret_curve`,
        `roc_curve`, `cost_curve`, ...

    Returns
    -------
    Envelope
        The lower and the upper curve.

    Examples
    --------
    >>> from stakes import roc_curve
    >>> from stakes.large import quantise
    >>> from stakes.bounds import envelope
    >>> both = envelope(quantise(y=[0, 1, 0, 1], score=[0.11, 0.12, 0.13, 0.9], bins=2), roc_curve)
    >>> both.lower.area(), both.upper.area()
    (0.5, 1.0)
    """
    check_table(table)
    worst, best = curve(table.pessimistic), curve(table.optimistic)
    if not isinstance(best, Curve) or best.better == "neither":
        raise InputError("curve", "give one curve with a better direction, such as `decision_curve` does")
    return Envelope(worst, best) if best.better == "higher" else Envelope(best, worst)
