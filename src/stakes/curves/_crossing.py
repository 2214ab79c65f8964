"""Comparison of two curves: where they cross, and whether one dominates."""

from __future__ import annotations

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError
from stakes.beliefs import RangeLike, as_range
from stakes.curves import _pieces
from stakes.curves._curve import Curve

# Differences within this share of the largest value compared are rounding.
_NOISE = 32 * np.finfo(np.float64).eps


def crossings(curve_a: Curve, curve_b: Curve) -> FloatArray:
    """Points at which two curves cross, exactly, also between points and at jumps.

    Curves that touch and separate again do not cross. If they coincide over a range and then change places,
    the crossing is at its end.

    Parameters
    ----------
    curve_a, curve_b : Curve
        Curves with the same axes, compared where both are defined.

    Returns
    -------
    ndarray of float64
        The x of every crossing, ascending; empty if there is none.

    Examples
    --------
    >>> from stakes import crossings, decision_curve, score_table, treat_all, treat_none
    >>> table = score_table(y=[0, 0, 0, 1], score=[0.1, 0.2, 0.3, 0.4])
    >>> crossings(treat_all(table), treat_none(table)).round(12).tolist()  # at the prevalence
    [0.25]
    """
    _check_same_axes(curve_a, curve_b)
    start, sign = _leads(curve_a, curve_b, max(curve_a.x[0], curve_b.x[0]), min(curve_a.x[-1], curve_b.x[-1]))
    start, sign = start[sign != 0], sign[sign != 0]
    overtaken: FloatArray = start[1:][sign[1:] != sign[:-1]]
    return overtaken


def dominates(curve_a: Curve, curve_b: Curve, *, x_range: RangeLike) -> bool:
    """Return whether the first curve is at least as good as the second at every x of a range.

    Parameters
    ----------
    curve_a, curve_b : Curve
        Curves with the same axes and the same direction of improvement.
    x_range : pair of float or words, such as "5%..20%", keyword-only
        The range, ends included, within both curves.

    Returns
    -------
    bool
        True if the first is never worse.

    Examples
    --------
    >>> from stakes import regret_curve, score_table
    >>> from stakes.curves import dominates
    >>> y = [0, 0, 1, 1]
    >>> bold, timid = (score_table(y, score) for score in ([0.1, 0.1, 0.9, 0.9], [0.4, 0.4, 0.6, 0.6]))
    >>> dominates(regret_curve(bold), regret_curve(timid), x_range=(0, 1))
    True
    >>> dominates(regret_curve(timid), regret_curve(bold), x_range="45%..55%")
    True
    """
    low, high = as_range("x_range", x_range, _check.number)
    _check_same_axes(curve_a, curve_b)
    if curve_a.better != curve_b.better or curve_a.better == "neither":
        raise InputError(
            ("curve_a", "curve_b"),
            "agree on what is better, higher or lower",
            f"{curve_a.better!r} and {curve_b.better!r}",
        )
    first, last = max(curve_a.x[0], curve_b.x[0]), min(curve_a.x[-1], curve_b.x[-1])
    if low < first or high > last:
        raise InputError("x_range", f"lie where both curves are, from {first:g} to {last:g}", f"{low:g} to {high:g}")
    _, sign = _leads(curve_a, curve_b, low, high)
    return bool((sign >= 0).all() if curve_a.better == "higher" else (sign <= 0).all())


def _check_same_axes(curve_a: Curve, curve_b: Curve) -> None:
    """Raise unless both are curves with the same axes."""
    for name, curve in (("curve_a", curve_a), ("curve_b", curve_b)):
        if not isinstance(curve, Curve):
            raise InputTypeError(name, "be a Curve", type(curve).__name__)
    for axis in ("x_label", "y_label"):
        a, b = getattr(curve_a, axis), getattr(curve_b, axis)
        if a != b:
            raise InputError(("curve_a", "curve_b"), "be over the same axes", f"{a!r} and {b!r}")


def _leads(a: Curve, b: Curve, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    """Return the start of each interval of x on which one curve leads, and the sign of a - b there.

    Between two knots both curves are ratios of lines, so their difference has the sign of a quadratic, represented by
    its three control values.
    """
    inner = [curve.x[(curve.x > low) & (curve.x < high)] for curve in (a, b)]
    knot = np.unique(np.concatenate([[low], *inner, [high]]))
    (above_a, under_a), (above_b, under_b) = _ratios(a, knot), _ratios(b, knot)
    first = above_a[0] * under_b[0] - above_b[0] * under_a[0]
    last = above_a[1] * under_b[1] - above_b[1] * under_a[1]
    middle = (above_a[0] * under_b[1] + above_a[1] * under_b[0] - above_b[0] * under_a[1] - above_b[1] * under_a[0]) / 2
    noise = _NOISE * max(float(np.abs(v * w).max()) for v, w in ((above_a, under_b), (above_b, under_a)))
    # Where all control values are of one sign, so is the quadratic; in most intervals they are.
    lowest, highest = (bound.reduce([first, middle, last]) for bound in (np.minimum, np.maximum))
    unsettled = np.flatnonzero((lowest <= noise) & (highest >= -noise))
    start, sign = np.repeat(knot[:-1, None], 3, axis=1), np.zeros((len(first), 3))
    sign[:, 0] = np.sign(first)
    ends, sign[unsettled] = _signs(first[unsettled], middle[unsettled], last[unsettled], noise)
    start[unsettled] += ends * np.diff(knot)[unsettled, None]
    here = float(a.at(low) - b.at(low))
    at_low = 0.0 if abs(here) <= noise + _NOISE * abs(float(a.at(low))) else float(np.sign(here))
    return np.append(low, start.ravel()), np.append(at_low, sign.ravel())


def _signs(first: FloatArray, middle: FloatArray, last: FloatArray, noise: float) -> tuple[FloatArray, FloatArray]:
    """Return the start of the three parts between the roots of each quadratic, and its sign there."""
    parts = np.sort(_roots(first, middle, last), axis=0)
    ends = np.stack([np.zeros_like(first), *parts, np.ones_like(first)])
    centre = (ends[1:] + ends[:-1]) / 2
    value = (1 - centre) ** 2 * first + 2 * centre * (1 - centre) * middle + centre**2 * last
    sign = np.where((np.abs(value) <= noise) | (ends[1:] == ends[:-1]), 0.0, np.sign(value))
    return ends[:-1].T, sign.T


def _ratios(curve: Curve, knot: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Numerator and denominator of the curve at both ends of each interval between knots."""
    columns: list[tuple[FloatArray, FloatArray | None]] = [(curve.y, curve.weight)]
    if curve.weight is not None:
        columns.append((curve.weight, None))
    after = _pieces.evaluate_several(curve.x, columns, knot[:-1], "right")
    before = _pieces.evaluate_several(curve.x, columns, knot[1:], "left")
    y, *rest = np.stack([after, before], axis=1)
    under = rest[0] if rest else np.ones_like(y)
    return y * under, under


def _roots(first: FloatArray, middle: FloatArray, last: FloatArray) -> FloatArray:
    """Roots in (0, 1) of quadratics in control values; 1, which splits nothing, if there is none."""
    a, b = first - 2 * middle + last, 2 * (middle - first)
    root = np.sqrt(np.maximum(b * b - 4 * a * first, 0.0))
    q = -(b + np.where(b < 0, -root, root)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.stack([q / a, first / q])
    return np.where((found > 0) & (found < 1), found, 1.0)
