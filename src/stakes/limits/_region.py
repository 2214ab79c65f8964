"""The feasible region of the ROC square, its best recall and the area under the ROC curve in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.limits._hull import Counts
from stakes.limits._limits import Limits, as_limits
from stakes.measures import measure
from stakes.table import ScoreTable, at_ordinary_scale

Point = tuple[float, float]


def check_no_stakes(name: str, table: ScoreTable) -> None:
    """Raise for a table with case costs, since the ROC square of money says nothing of numbers of alarms."""
    if table.has_stakes:
        hint = "use `best_thresholds`, which counts alarms in cases"
        raise InputError("table", f"have no case costs for `{name}`", "a table with them", hint=hint)


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
    >>> from stakes import Limits, score_table
    >>> from stakes.limits import feasible_region
    >>> region = feasible_region(score_table(y=[0, 0, 1, 1], score=[1, 2, 3, 4]), Limits(min_precision=0.75))
    >>> region
    Polygon(3 corners, area 0.166667)
    """

    vertices: FloatArray

    def __post_init__(self) -> None:
        self.vertices.flags.writeable = False

    @property
    def area(self) -> float:
        """Area of the polygon; 0 for a line or a point."""
        return area_of(self.vertices)

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        corners = "1 corner" if len(self) == 1 else f"{len(self)} corners"
        return f"Polygon({corners}, area {self.area:.6g})"


def feasible_region(table: ScoreTable, limits: Limits) -> Polygon:
    r"""Return the feasible region: the part of the ROC square that meets the limits.

    With :math:`P` and :math:`N` the weight of the two classes, :math:`n = P + N`, :math:`\alpha` the smallest
    precision and :math:`\kappa` the capacity times :math:`n`, it is the square cut by two straight lines,

    .. math:: \alpha N x \le (1 - \alpha) P y, \qquad N x + P y \le \kappa.

    Any class balance and any limits are accepted; the paper lists the shapes that result. With a smallest precision of
    1 it is a line on the left edge, with capacity 0 the point (0, 0).

    Parameters
    ----------
    table : ScoreTable
        The sample; only the weight of its two classes matters.
    limits : Limits
        Capacity and smallest precision of the alarms.

    Returns
    -------
    Polygon
        The region, counter-clockwise from (0, 0).

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Definition 13 and appendix A.

    Examples
    --------
    >>> from stakes import Limits, score_table
    >>> from stakes.limits import feasible_region
    >>> table = score_table(y=[0, 0, 1, 1], score=[1, 2, 3, 4])
    >>> feasible_region(table, Limits(capacity=0.25)).vertices.tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]
    """
    _check.check_tables("table", table)
    check_no_stakes("feasible_region", table)
    scaled = at_ordinary_scale(table)
    positive, negative = scaled.positive_total, scaled.negative_total
    _check.check_both_classes(positive, negative)
    return Polygon(region_in_counts(positive, negative, as_limits(limits)) / (negative, positive))


def area_of(corners: FloatArray) -> float:
    """Return the area of a convex polygon, half the sum of the cross products about its first corner."""
    x, y = (corners - corners[0]).T
    return float(np.sum(x[1:-1] * y[2:] - x[2:] * y[1:-1]) / 2)


def region_in_counts(positive: float, negative: float, limits: Limits) -> FloatArray:
    """Return the corners (false, true alarms) of the feasible region, counter-clockwise from (0, 0)."""
    corners: list[Point] = [(0.0, 0.0), (negative, 0.0), (negative, positive), (0.0, positive)]
    if limits.precision_binds:
        alpha = limits.min_precision or 0.0
        corners = clip(corners, lambda false, true: (1 - alpha) * true - alpha * false)
    if limits.capacity_binds:
        most = (limits.capacity or 0.0) * (positive + negative)
        corners = clip(corners, lambda false, true: most - (false + true))
    return np.array(_drop_repeated(corners))


def clip(corners: list[Point], room: Callable[[float, float], float]) -> list[Point]:
    """Return the part of a convex polygon where the affine function `room` is not negative."""
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
    """Return the mean of two numbers with these shares, without cancellation where one of them is 0."""
    return here if here == there else here * shares[0] + there * shares[1]


def _drop_repeated(corners: list[Point]) -> list[Point]:
    """Return the corners without those that equal the one before, up to rounding, cyclically."""

    def same(a: Point, b: Point) -> bool:
        return math.isclose(a[0], b[0], rel_tol=1e-14) and math.isclose(a[1], b[1], rel_tol=1e-14)

    kept = corners[:1]
    for corner in corners[1:]:
        if not same(corner, kept[-1]):
            kept.append(corner)
    return kept[:-1] if len(kept) > 1 and same(kept[-1], kept[0]) else kept


@measure(better="larger", reads="order", why_resampled="the best thresholds are chosen on the sample")
def max_feasible_recall(table: ScoreTable, limits: Limits) -> float:
    """Return the largest recall of a feasible threshold.

    Larger is better; one is perfect, 0 means that no threshold with a true alarm is feasible. `best_recall_threshold`
    returns the threshold.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    limits : Limits
        Capacity and smallest precision of the alarms.

    Returns
    -------
    float
        The recall; ``nan`` (with a warning) without positives.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", appendix D.4.

    Examples
    --------
    >>> from stakes import Limits, score_table
    >>> from stakes.limits import max_feasible_recall
    >>> max_feasible_recall(score_table(y=[0, 0, 1, 0, 1], score=[1, 2, 3, 4, 5]), Limits(capacity=0.4))
    0.5
    """
    _check.check_tables("table", table)
    bounds = as_limits(limits)
    counts = Counts.of(table, bounds)
    people = counts.people
    if not _check.is_defined("max_feasible_recall", people.positive, math.inf):  # negatives are not needed
        return math.nan
    return float(people.true_alarms[counts.allowed(bounds)].max() / people.positive)


@measure(better="larger", reads="order", why_resampled="where the limits bind depends on the sample")
def feasible_partial_auc(table: ScoreTable, limits: Limits) -> float:
    r"""Return the share of the feasible region that lies under the ROC curve.

    Larger is better; one is perfect. The points of the curve are joined by straight lines, and the area
    :math:`\{(x, y) \in F : y \le ROC(x)\}` is divided by that of the feasible region :math:`F`. Without limits it is
    the AUC.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    limits : Limits
        Capacity and smallest precision of the alarms.

    Returns
    -------
    float
        The share; ``nan`` (with a warning) on one class only and where the feasible region has no area.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", appendix D.4 (which names the number but does not define it).

    Examples
    --------
    >>> from stakes import Limits, score_table
    >>> from stakes.limits import feasible_partial_auc
    >>> table = score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])
    >>> feasible_partial_auc(table, Limits(capacity=0.5))  # 0.375 of 0.5
    0.75
    """
    _check.check_tables("table", table)
    check_no_stakes("feasible_partial_auc", table)
    bounds = as_limits(limits)
    if not is_defined("feasible_partial_auc", table, bounds):
        return math.nan
    counts = Counts.of(table)
    corners = region_in_counts(counts.positive, counts.negative, bounds)
    false_alarms, true_alarms = _roc_up_to_capacity(counts, bounds)
    x, y = _upper_border(corners)
    beyond = np.maximum(x, false_alarms[-1])
    beside = _area_under(beyond, np.interp(beyond, x, y), bounds)
    return float((_area_under(false_alarms, true_alarms, bounds) + beside) / _area_under(x, y, bounds))


def _roc_up_to_capacity(counts: Counts, limits: Limits) -> tuple[FloatArray, FloatArray]:
    """Return the ROC curve in counts, up to the point at which it meets the capacity."""
    false_alarms, true_alarms = counts.false_alarms, counts.true_alarms
    if limits.capacity is None:
        return false_alarms, true_alarms
    alarms, most = false_alarms + true_alarms, limits.capacity * counts.total
    inside = int(np.searchsorted(alarms, most))
    meets = [np.interp(most, alarms, column) for column in (false_alarms, true_alarms)]
    return np.append(false_alarms[:inside], meets[0]), np.append(true_alarms[:inside], meets[1])


def _upper_border(corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the upper border of the region in counts, from its last corner to its rightmost one."""
    clockwise = corners[::-1]
    x, y = clockwise[: np.argmax(clockwise[:, 0]) + 1].T
    return x, y


def _area_under(false_alarms: FloatArray, true_alarms: FloatArray, limits: Limits) -> float:
    """Return twice the area under a polyline and above the line of the smallest precision."""
    alpha = limits.min_precision or 0.0
    room = true_alarms - alpha / (1 - alpha) * false_alarms
    first, last, width = room[:-1], room[1:], np.diff(false_alarms)
    upper, lower = np.maximum(first, last), np.minimum(first, last)
    crossing = upper * lower < 0
    fall = np.where(crossing, upper - lower, np.inf)
    height = np.where(crossing, upper**2 / fall, np.maximum(upper + lower, 0.0))  # twice the mean
    return float(width @ height)


def is_defined(name: str, table: ScoreTable, limits: Limits) -> bool:
    """Return whether there are both classes and a feasible area; if not, warn that `name` is undefined."""
    positive, negative = table.positive_total, table.negative_total
    if not (positive > 0 and negative > 0):
        reason = f"without {'positives' if positive <= 0 else 'negatives'}"
    elif area_of(region_in_counts(positive, negative, limits)) > 0:
        return True
    elif limits.capacity == 0:
        reason = "where no alarm may be raised (capacity 0)"
    elif limits.min_precision == 1:
        reason = "where no false alarm may be raised (min_precision 1)"
    else:
        reason = f"where the limits leave no area ({limits})"
    _check.warn_undefined(name, reason)
    return False
