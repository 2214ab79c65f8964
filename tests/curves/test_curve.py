"""The Curve value: evaluation, parts, areas, leaving points out, drawing points, errors."""

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from strategies import tables

from stakes import decision_curve, precision_recall_curve, regret_curve, roc_curve, score_table, treat_all
from stakes.curves import (
    Curve,
    _pieces,
    best_decision_curve,
    brier_curve,
    interventions_avoided_curve,
    relative_utility_curve,
)
from stakes.prevalence import accuracy_curve

ALL = [
    accuracy_curve,
    best_decision_curve,
    brier_curve,
    decision_curve,
    interventions_avoided_curve,
    precision_recall_curve,
    regret_curve,
    relative_utility_curve,
    roc_curve,
]
STEP = Curve([0, 0.5, 0.5, 1], [0, 0.2, 0.1, 0], "cost", "loss", threshold=[0, 0.5, 0.5, 1])


@st.composite
def bent_curves(draw):
    """Curves with jumps and uneven weights."""
    n = draw(st.integers(2, 8))
    x = np.sort(draw(st.lists(st.sampled_from([0, 0.125, 0.25, 0.5, 0.625, 1]), min_size=n, max_size=n)))
    y = draw(st.lists(st.sampled_from([-2.0, 0.0, 0.3, 1.0, 5.0]), min_size=n, max_size=n))
    weight = draw(st.lists(st.sampled_from([0.01, 0.5, 1.0, 3.0]), min_size=n, max_size=n))
    return Curve(x, y, "x", "y", weight=weight)


def test_a_curve_is_exact_at_points_between_them_and_at_a_jump():
    assert_allclose(STEP.at([0, 0.25, 0.5, 0.75, 1]), [0, 0.1, 0.2, 0.05, 0], rtol=1e-15)
    assert_allclose(STEP.after([0, 0.5, 1]), [0, 0.1, 0])


def test_a_curve_that_counts_the_value_after_a_jump_says_so():
    curve = Curve([0, 1, 1, 2], [0, 0, 1, 1], "x", "y", at_jump="after")
    assert [float(value) for value in (curve.before(1), curve.at(1), curve.after(1))] == [0, 1, 1]


def test_outside_a_curve_there_is_nothing():
    assert np.isnan(STEP.at([-0.1, 1.1])).all()
    assert np.isnan(STEP.after([-0.1, 1.1])).all()


def test_a_value_keeps_the_shape_it_was_asked_in():
    assert STEP.at([[0.25, 0.5]]).shape == (1, 2)
    assert STEP.at(0.25).shape == ()


def test_between_points_a_weighted_curve_is_a_ratio_of_lines():
    curve = Curve([0, 2], [1, 4], "x", "y", weight=[3, 1])
    # at a quarter: (3/4 * 3 * 1 + 1/4 * 1 * 4) / (3/4 * 3 + 1/4 * 1)
    assert_allclose(curve.at(0.5), (9 / 4 + 1) / (9 / 4 + 1 / 4), rtol=1e-15)


@given(bent_curves())
def test_a_weight_that_is_the_same_everywhere_changes_nothing(curve):
    at = np.linspace(0, 1, 41)
    even = Curve(curve.x, curve.y, "x", "y", weight=np.full(len(curve), 0.7))
    assert_allclose(even.at(at), Curve(curve.x, curve.y, "x", "y").at(at), atol=1e-14)


@given(bent_curves())
def test_the_area_is_the_integral(curve):
    pieces = zip(curve.x[:-1], curve.x[1:], strict=True)
    middle = [quad(lambda x: float(curve.after(x)), a, np.nextafter(b, a))[0] for a, b in pieces if a < b]
    assert_allclose(curve.area(), sum(middle), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("ratio", [1e-12, 0.5, 0.9899, 0.9901, 1 - 1e-9, 1.0, 1.00999, 1.0101, 7.0, 1e12])
def test_the_area_of_a_bent_piece_keeps_its_digits(ratio):
    import mpmath

    with mpmath.workdps(40):
        r = mpmath.mpf(ratio)
        exact = mpmath.mpf(1) / 2 if r == 1 else r / (r - 1) - r * mpmath.log(r) / (r - 1) ** 2
    assert_allclose(Curve([0, 1], [0, 1], "x", "y", weight=[1, ratio]).area(), float(exact), rtol=1e-11)


@given(bent_curves(), st.sampled_from([0.0, 0.1, 0.25, 0.4]), st.sampled_from([0.45, 0.5, 0.625, 0.99, 1.0]))
def test_a_part_of_a_curve_has_its_values(curve, low, high):
    if high < curve.x[0] or low > curve.x[-1]:
        return
    part = curve.between(low, high)
    at = np.unique(np.concatenate([np.linspace(max(low, curve.x[0]), min(high, curve.x[-1]), 33), part.x]))
    assert part.x[0] == max(low, curve.x[0])
    assert part.x[-1] == min(high, curve.x[-1])
    assert_allclose(part.at(at), curve.at(at), rtol=1e-12, atol=1e-12)
    assert_allclose(part.after(at)[:-1], curve.after(at)[:-1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("tolerance", [0.3, 0.01])
@given(bent_curves())
def test_a_simplified_bent_curve_stays_within_the_tolerance_on_both_sides_of_jumps(tolerance, curve):
    small = curve.simplify(tolerance)
    at = np.unique(np.concatenate([np.linspace(curve.x[0], curve.x[-1], 301), curve.x]))
    assert np.abs(small.at(at) - curve.at(at)).max() <= tolerance * (1 + 1e-9)
    assert np.abs(small.after(at) - curve.after(at)).max() <= tolerance * (1 + 1e-9)
    assert (small.x[0], small.y[0], small.x[-1], small.y[-1]) == (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1])


@pytest.mark.parametrize("make", ALL)
def test_a_large_curve_is_simplified_within_the_stated_error(make):
    rng = np.random.default_rng(7)
    y = rng.random(30_000) < 0.2
    score = np.round(1 / (1 + np.exp(1.5 - rng.normal(size=len(y)) - y)), 5)
    score[:2000] = 0.37  # a jump that must stay
    curve = make(score_table(y, score)).between(0.02, 0.9)
    small = curve.simplify(0.002)
    assert len(small) < len(curve) / 5
    assert np.abs(small.at(curve.x) - curve.at(curve.x)).max() <= 0.002
    assert np.abs(small.after(curve.x) - curve.after(curve.x)).max() <= 0.002
    assert set(zip(small.x, small.y, small.threshold, strict=True)) <= set(
        zip(curve.x, curve.y, curve.threshold, strict=True)
    )


def test_a_curve_without_points_to_spare_is_left_as_it_is():
    assert STEP.simplify(1e-6) == STEP


@given(bent_curves(), st.sampled_from([1e-4, 0.1, 0.5]))
def test_a_block_that_holds_a_jump_needs_no_look_at_its_points(curve, tolerance):
    columns = curve.x, curve.y, curve.weight
    with patch.object(_pieces, "_hold_jump", lambda x, weight, starts, *_: np.zeros(len(starts), dtype=bool)):
        looked_at = _pieces.rows_to_keep(*columns, tolerance)
    assert_array_equal(_pieces.rows_to_keep(*columns, tolerance), looked_at)


@pytest.mark.parametrize("tolerance", [0.1, 0.001])
@given(bent_curves())
def test_a_polyline_is_within_the_tolerance_of_the_curve(tolerance, curve):
    x, y = curve.polyline(tolerance)
    drawn = Curve(x, y, "x", "y")
    at = np.linspace(curve.x[0], curve.x[-1], 1001)
    assert np.abs(drawn.at(at) - curve.at(at)).max() <= tolerance * (1 + 1e-9)
    assert np.abs(drawn.after(at) - curve.after(at)).max() <= tolerance * (1 + 1e-9)


def test_a_polyline_of_a_curve_that_falls_without_end_is_short_when_only_some_of_it_is_seen():
    curve = treat_all(score_table([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4]))
    x, y = curve.polyline(0.001, low=-0.1, high=0.3)
    assert len(x) < 40
    seen = np.linspace(0, 0.3, 301)
    assert np.abs(np.interp(seen, x, y) - curve.at(seen))[curve.at(seen) > -0.1].max() <= 0.001


def test_a_straight_curve_is_its_own_polyline():
    x, y = STEP.polyline(0.1)
    assert_array_equal([x, y], [STEP.x, STEP.y])


def test_on_a_bent_axis_no_step_of_a_polyline_is_larger_than_the_tolerance_but_jumps():
    x, y = STEP.polyline(0.01, any_axis=True)
    assert (np.abs(np.diff(y))[np.diff(x) > 0] <= 0.01 + 1e-12).all()
    assert_allclose(
        y,
        np.where(np.arange(len(x)) < np.searchsorted(x, 0.5, side="right") - 1, STEP.before(x), STEP.after(x)),
        atol=1e-15,
    )


def test_a_curve_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        STEP.x[0] = 1.0


def test_equal_curves_are_equal_and_others_are_not():
    assert Curve([0, 1], [0, 1], "a", "b") == Curve([0, 1], [0, 1], "a", "b")
    assert Curve([0, 1], [0, 1], "a", "b") != Curve([0, 1], [0, 1], "a", "c")
    assert Curve([0, 1], [0, 1], "a", "b") != Curve([0, 1], [0, 1], "a", "b", weight=[1, 1])
    assert Curve([0, 1], [0, 1], "a", "b") != "a curve"


def test_a_curve_says_what_it_is():
    assert repr(STEP) == "Curve(4 points, loss over cost from 0 to 1)"


def test_a_frame_has_a_row_for_each_point():
    curve = Curve([0, 1], [2, 3], "x", "y", threshold=[4, 5], weight=[1, 2])
    pd.testing.assert_frame_equal(
        curve.to_frame(),
        pd.DataFrame({"x": [0.0, 1.0], "y": [2.0, 3.0], "threshold": [4.0, 5.0], "weight": [1.0, 2.0]}),
    )
    assert list(STEP.to_frame().columns) == ["x", "y", "threshold"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Curve([1, 0], [0, 1], "x", "y"), "`x` must be ascending and hold at least one point."),
        (lambda: Curve([0, np.nan], [0, 1], "x", "y"), "`x` must be ascending and hold at least one point."),
        (lambda: Curve([], [], "x", "y"), "`x` must be ascending and hold at least one point."),
        (lambda: Curve([[0, 1]], [0, 1], "x", "y"), "`x` must be one-dimensional, got shape (1, 2)."),
        (lambda: Curve([0, 1], [0], "x", "y"), "`x` and `y` must have the same length, got 2 and 1."),
        (lambda: Curve([0, 1], [0, 1], "x", "y", [1.0]), "`x` and `threshold` must have the same length, got 2 and 1."),
        (
            lambda: Curve([0, 1], [0, 1], "x", "y", better="up"),
            "`better` must be one of higher, neither, lower, got 'up'.",
        ),
        (lambda: STEP.between(0.4, 0.4), "`low` must be less than `high`, got 0.4 for both."),
        (lambda: STEP.between(2, 3), "`low` and `high` must meet the curve, which runs from 0 to 1, got 2 to 3."),
        (lambda: STEP.simplify(0), "`tolerance` must be finite and greater than 0, got 0."),
    ],
)
def test_what_a_curve_refuses(make, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        make()
    assert sorted(str(caught.value)) == sorted(message)


@given(tables(ends=True))
def test_every_curve_has_two_points_at_a_jump_at_most_and_finite_values(table):
    for make in ALL:
        curve = make(table)
        assert np.isfinite(curve.y).all()
        if make not in (roc_curve, precision_recall_curve):
            assert np.unique(curve.x, return_counts=True)[1].max() <= 2


RISKS = np.random.default_rng(7).beta(2, 5, 20_000)
NOISY = score_table(np.random.default_rng(8).random(20_000) < RISKS, RISKS)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("make", [relative_utility_curve, precision_recall_curve, regret_curve])
def test_a_look_at_some_points_first_keeps_the_same_rows(make, tolerance, monkeypatch):
    curve = make(NOISY)
    columns = curve.x, curve.y, curve.weight
    found = _pieces.rows_to_keep(*columns, tolerance)
    monkeypatch.setattr(_pieces, "_PARTS", len(curve))  # every point of every block at once
    assert_array_equal(found, _pieces.rows_to_keep(*columns, tolerance))


@pytest.mark.parametrize("make", [relative_utility_curve, precision_recall_curve, regret_curve])
def test_each_point_is_looked_at_a_few_times(make, monkeypatch):
    curve, looked, inner = make(NOISY), [], _pieces._errors

    def counting(x, y, weight, starts, size, step):
        looked.append(len(starts) * (size // step))
        return inner(x, y, weight, starts, size, step)

    monkeypatch.setattr(_pieces, "_errors", counting)
    curve.between(0.01, 0.9).simplify(1e-4)
    assert sum(looked) < 4 * len(curve)  # not at every level of halving
