"""How many alarms can be answered, how precise they must be, and what of the ROC square that leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._check import BoolArray, FloatArray
from stakes.table import ScoreTable

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    r"""How many alarms can be answered, and how precise they must be.

    A cut is feasible iff :math:`(TP + FP)/n \le` `capacity` and :math:`TP/(TP + FP) \ge` `min_precision`. Both
    quotients are rounded once and compared as they are, so a cut that meets a limit exactly is feasible: three true
    among ten alarms meet a precision of 0.3. Never to alarm is always feasible.

    Parameters
    ----------
    capacity : float, keyword-only, optional
        The largest share of all cases that may raise an alarm, between 0 and 1; no limit unless given.
    min_precision : float, keyword-only, optional
        The smallest share of true alarms among the alarms, between 0 and 1; no limit unless given.

    References
    ----------
    .. [1] C. Ratigan, K. Heuton, C. Wang, L. Cowen and M. C. Hughes, "Partial VOROS: a cost-aware performance metric
       for binary classifiers with precision and capacity constraints", Definitions 7, 9 and 12.

    Examples
    --------
    >>> from stakes import Limits
    >>> Limits(capacity=0.1, min_precision=0.5)
    Limits(capacity=0.1, min_precision=0.5)
    """

    capacity: float | None = None
    min_precision: float | None = None

    def __post_init__(self) -> None:
        for name in ("capacity", "min_precision"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else _check.share(name, value))

    @classmethod
    def from_count(cls, alarms: float, population: float, *, min_precision: float | None = None) -> Limits:
        """Say how many alarms can be answered among how many cases.

        Parameters
        ----------
        alarms : float
            How many alarms can be answered; not negative.
        population : float
            Among how many cases; greater than 0. As many alarms as cases, or more, are no limit.
        min_precision : float, keyword-only, optional
            The smallest share of true alarms among the alarms.

        Returns
        -------
        Limits
            The same limit for a sample of any size.

        Examples
        --------
        Thirty visits a day on a ward of two hundred:

        >>> from stakes import Limits
        >>> Limits.from_count(30, 200, min_precision=0.25)
        Limits(capacity=0.15, min_precision=0.25)
        """
        answered, cases = _check.at_least_zero("alarms", alarms), _check.above("population", population)
        return cls(capacity=min(answered / cases, 1.0), min_precision=min_precision)

    @property
    def capacity_binds(self) -> bool:
        """Whether the capacity rules anything out."""
        return self.capacity is not None and self.capacity < 1

    @property
    def precision_binds(self) -> bool:
        """Whether the precision rules anything out."""
        return self.min_precision is not None and self.min_precision > 0


NO_LIMITS = Limits()


def judged(limits: object) -> Limits:
    """Return limits, none given being no limits, or say that they are something else."""
    if limits is None:
        return NO_LIMITS
    if not isinstance(limits, Limits):
        raise TypeError(f"`limits` must be Limits(capacity=, min_precision=), got {type(limits).__name__}.")
    return limits


def precise_enough(limits: Limits, false_alarms: FloatArray, true_alarms: FloatArray) -> BoolArray:
    """Say at which cuts the alarms are precise enough; no alarms are."""
    if limits.min_precision is None:
        return np.ones(np.shape(true_alarms), bool)
    alarms = false_alarms + true_alarms
    with np.errstate(invalid="ignore"):
        # One rounding: (1 - a) TP >= a FP would refuse exact ties, such as 3 TP and 7 FP at 0.3.
        return np.asarray((true_alarms / alarms >= limits.min_precision) | (alarms == 0))


def few_enough(limits: Limits, false_alarms: FloatArray, true_alarms: FloatArray, total: float) -> BoolArray:
    """Say at which cuts the alarms are few enough to be answered."""
    if limits.capacity is None or limits.capacity == 1:
        return np.ones(np.shape(true_alarms), bool)
    return np.asarray((false_alarms + true_alarms) / total <= limits.capacity)


def feasible(limits: Limits, false_alarms: FloatArray, true_alarms: FloatArray, total: float) -> BoolArray:
    """Say which cuts meet both limits, ties included."""
    return precise_enough(limits, false_alarms, true_alarms) & few_enough(limits, false_alarms, true_alarms, total)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Polygon:
    """A convex polygon in the ROC square.

    Attributes
    ----------
    vertices : ndarray of float64, shape (k, 2)
        The corners (false positive rate, true positive rate), counter-clockwise from never alarming, (0, 0). Two
        corners are a line, one is a point.

    Examples
    --------
    >>> from stakes import Limits, feasible_region, score_table
    >>> region = feasible_region(score_table(y=[0, 0, 1, 1], score=[1, 2, 3, 4]), Limits(min_precision=0.75))
    >>> region
    Polygon(3 corners, area 0.166667)
    """

    vertices: FloatArray

    def __post_init__(self) -> None:
        self.vertices.flags.writeable = False

    @property
    def area(self) -> float:
        """Half the cross products around the first corner; 0 for a line or a point."""
        return area_of(self.vertices)

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        corners = "1 corner" if len(self) == 1 else f"{len(self)} corners"
        return f"Polygon({corners}, area {self.area:.6g})"


def feasible_region(table: ScoreTable, limits: Limits) -> Polygon:
    r"""Return the part of the ROC square that limits leave.

    With :math:`P` and :math:`N` the weight of the two classes, :math:`n = P + N`, :math:`\alpha` the smallest
    precision and :math:`\kappa` the capacity times :math:`n`, it is the square cut by two straight lines,

    .. math:: \alpha N x \le (1 - \alpha) P y, \qquad N x + P y \le \kappa.

    Any class balance and any limits will do; the paper's list of shapes is the set of results. With a smallest
    precision of 1 it is a line on the left edge, with capacity 0 the point (0, 0).

    Parameters
    ----------
    table : ScoreTable
        The sample; only the weight of its two classes matters.
    limits : Limits
        How many alarms can be answered, and how precise they must be.

    Returns
    -------
    Polygon
        The region, counter-clockwise from (0, 0).

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Definition 13 and appendix A.

    Examples
    --------
    >>> from stakes import Limits, feasible_region, score_table
    >>> table = score_table(y=[0, 0, 1, 1], score=[1, 2, 3, 4])
    >>> feasible_region(table, Limits(capacity=0.25)).vertices.tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]
    """
    _check.tables("table", table)
    positive, negative = table.positive_total, table.negative_total
    _check.has_both_classes(positive, negative)
    return Polygon(region_in_counts(positive, negative, judged(limits)) / (negative, positive))


def area_of(corners: FloatArray) -> float:
    """Area of a convex polygon: half the cross products around its first corner."""
    x, y = (corners - corners[0]).T
    return float(np.sum(x[1:-1] * y[2:] - x[2:] * y[1:-1]) / 2)


def region_in_counts(positive: float, negative: float, limits: Limits) -> FloatArray:
    """Corners (false alarms, true alarms) of the feasible region, counter-clockwise from (0, 0)."""
    corners: list[Point] = [(0.0, 0.0), (negative, 0.0), (negative, positive), (0.0, positive)]
    if limits.precision_binds:
        alpha = limits.min_precision or 0.0
        corners = clip(corners, lambda false, true: (1 - alpha) * true - alpha * false)
    if limits.capacity_binds:
        most = (limits.capacity or 0.0) * (positive + negative)
        corners = clip(corners, lambda false, true: most - (false + true))
    return np.array(_distinct(corners))


def clip(corners: list[Point], room: Callable[[float, float], float]) -> list[Point]:
    """Keep the part of a convex polygon where the straight function `room` is not negative."""
    kept: list[Point] = []
    for here, there in zip(corners, [*corners[1:], corners[0]], strict=True):
        room_here, room_there = room(*here), room(*there)
        if room_here >= 0:
            kept.append(here)
        if min(room_here, room_there) < 0 < max(room_here, room_there):
            shares = room_there / (room_there - room_here), room_here / (room_here - room_there)
            kept.append((_between(here[0], there[0], shares), _between(here[1], there[1], shares)))
    return kept


def _between(here: float, there: float, shares: tuple[float, float]) -> float:
    """Return the mean of two numbers with these shares: a sum, so that nothing cancels where one of them is 0."""
    return here if here == there else here * shares[0] + there * shares[1]


def _distinct(corners: list[Point]) -> list[Point]:
    """Drop corners that repeat the one before, but for rounding, and a last one that repeats the first."""

    def same(a: Point, b: Point) -> bool:
        return math.isclose(a[0], b[0], rel_tol=1e-14) and math.isclose(a[1], b[1], rel_tol=1e-14)

    kept = corners[:1]
    for corner in corners[1:]:
        if not same(corner, kept[-1]):
            kept.append(corner)
    return kept[:-1] if len(kept) > 1 and same(kept[-1], kept[0]) else kept
