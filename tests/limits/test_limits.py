"""Limits, and the part of the ROC square that they leave."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes import Limits, ScoreTable, score_table
from stakes.limits import feasible_region
from stakes.limits._limits import feasible

CASES = json.loads(Path(__file__).with_name("golden_limits.json").read_text(encoding="utf-8"))["cases"]
REGIONS = CASES["feasible_region_cases"]


def classes(positive: float, negative: float) -> ScoreTable:
    return ScoreTable.from_counts([0.5], [positive], [negative])


def region_of(positive: float, negative: float, alpha: float, kappa: float):
    limits = Limits.from_count(kappa, positive + negative, min_precision=alpha)
    return feasible_region(classes(positive, negative), limits)


@pytest.mark.parametrize("number", range(14), ids=[case["label"] for case in REGIONS["inputs"]["cases"]])
def test_worked_regions(number):
    case = REGIONS["inputs"]["cases"][number]
    region = region_of(case["P"], case["N"], case["alpha"], case["kappa"])
    assert_allclose(region.vertices, REGIONS["expected"]["vertices_ccw"][number], rtol=0, atol=1e-12)
    assert_allclose(region.area, float(Fraction(REGIONS["exact"]["area"][number])), rtol=1e-12, atol=0)


def area_by_shape(P: Fraction, N: Fraction, alpha: Fraction, kappa: Fraction) -> Fraction:
    """Area from the table of shapes, which never clips anything."""
    kappa = min(kappa, P + N)
    slope = alpha * N / ((1 - alpha) * P)
    if kappa > N / (1 - alpha):
        if kappa >= P:
            return 1 - slope / 2 - (P + N - kappa) ** 2 / (2 * N * P)
        return (2 * kappa - N) / (2 * P) - slope / 2
    if alpha * kappa >= P:
        return 1 / (2 * slope)
    if kappa >= P:
        return (2 * kappa * P - alpha * kappa**2 - P**2) / (2 * N * P)
    return (1 - alpha) * kappa**2 / (2 * N * P)


@settings(deadline=None, max_examples=300)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 19), st.integers(1, 85))
def test_the_area_is_that_of_the_shape(positive, negative, twentieths, kappa):
    alpha = Fraction(twentieths, 20)
    expected = area_by_shape(Fraction(positive), Fraction(negative), alpha, Fraction(kappa))
    assert_allclose(region_of(positive, negative, float(alpha), kappa).area, float(expected), rtol=1e-12)


@pytest.mark.parametrize("alpha", [1e-7, 0.3, 1 - 1e-6])
@pytest.mark.parametrize("capacity", [1e-9, 0.01, 0.37, 1.0])
@pytest.mark.parametrize(("positive", "negative"), [(3, 10**7), (10**7, 3), (48, 623_995)])
def test_rare_classes_and_extreme_limits_keep_their_digits(positive, negative, alpha, capacity):
    kappa = Fraction(capacity) * (positive + negative)
    expected = area_by_shape(Fraction(positive), Fraction(negative), Fraction(alpha), kappa)
    region = feasible_region(classes(positive, negative), Limits(capacity=capacity, min_precision=alpha))
    assert_allclose(region.area, float(expected), rtol=1e-14)


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 40), st.integers(1, 40), st.floats(0, 1), st.floats(0, 1))
def test_every_corner_meets_the_limits_and_turns_left(positive, negative, alpha, capacity):
    region = feasible_region(classes(positive, negative), Limits(capacity=capacity, min_precision=alpha))
    false_alarms, true_alarms = region.vertices.T * [[negative], [positive]]
    slack = 1e-12 * (positive + negative)
    assert np.all((1 - alpha) * true_alarms - alpha * false_alarms >= -slack)
    assert np.all(false_alarms + true_alarms <= capacity * (positive + negative) + slack)
    assert region.vertices[0].tolist() == [0, 0]
    sides = np.roll(region.vertices, -1, axis=0) - region.vertices
    after = np.roll(sides, -1, axis=0)
    assert np.all(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] >= -1e-12)


@pytest.mark.parametrize("point", CASES["feasibility_ties"]["inputs"]["points"])
def test_a_threshold_that_meets_a_limit_exactly_is_feasible(point):
    n = point.get("n", 200)
    capacity = point["kappa_fraction"] if "kappa_fraction" in point else point["kappa"] / n
    limits = Limits(capacity=capacity, min_precision=point["alpha"])
    assert feasible(limits, np.array([point["FP"]]), np.array([point["TP"]]), n).tolist() == [True]


def test_a_threshold_just_beyond_a_limit_is_not_feasible():
    false_alarms, true_alarms = np.array([7.0, 7.0, 8.0]), np.array([3.0, 2.0, 3.0])
    assert feasible(Limits(min_precision=0.3), false_alarms, true_alarms, 100).tolist() == [True, False, False]
    assert feasible(Limits(capacity=0.1), false_alarms, true_alarms, 100).tolist() == [True, True, False]


@given(st.integers(1, 300), st.integers(0, 300))
def test_every_share_of_whole_counts_meets_itself(total, true_alarms):
    true_alarms = min(true_alarms, total)
    alarms = Limits(min_precision=true_alarms / total)
    assert feasible(alarms, np.array([total - true_alarms]), np.array([true_alarms]), total).all()
    assert feasible(Limits(capacity=true_alarms / total), np.array([0]), np.array([true_alarms]), total).all()


def test_no_limits_leave_the_whole_square():
    for limits in (Limits(), Limits(capacity=1, min_precision=0), Limits.from_count(70, 20)):
        assert feasible_region(classes(3, 8), limits).area == 1.0


def test_alarms_among_a_population_are_a_share():
    assert Limits.from_count(30, 200, min_precision=0.25) == Limits(capacity=0.15, min_precision=0.25)
    assert Limits.from_count(300, 200) == Limits(capacity=1.0)


def test_a_region_cannot_be_written_to():
    region = feasible_region(classes(3, 8), Limits(capacity=0.2))
    assert not region.vertices.flags.writeable


def test_a_region_says_what_it_is():
    assert repr(region_of(3, 7, 0.5, 0)) == "Polygon(1 corner, area 0)"
    assert len(region_of(3, 7, 1.0, 2)) == 2


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Limits(capacity=1.2), ValueError, "`capacity` must lie between 0 and 1, got 1.2."),
        (lambda: Limits(min_precision=-0.1), ValueError, "`min_precision` must lie between 0 and 1, got -0.1."),
        (lambda: Limits(capacity=math.nan), ValueError, "`capacity` must be a number, got nan."),
        (lambda: Limits(capacity="few"), ValueError, "`capacity` must look like 10%, 0.1 or 30/200, got 'few'."),
        (lambda: Limits(capacity=10), ValueError, "`capacity` must lie between 0 and 1, got 10; 10% is 0.1."),
        (lambda: Limits(capacity="30/0"), ValueError, "`capacity` must lie between 0 and 1, got inf."),
        (lambda: Limits(capacity=(0, 0.1)), TypeError, "`capacity` must be a number, got (0, 0.1)."),
        (lambda: Limits(min_precision=True), TypeError, "`min_precision` must be a number, got True."),
        (lambda: Limits.from_count(-1, 5), ValueError, "`alarms` must be finite and not negative, got -1."),
        (lambda: Limits.from_count(1, 0), ValueError, "`population` must be finite and greater than 0, got 0."),
        (
            lambda: feasible_region(score_table([1, 1], [1, 2]), Limits()),
            ValueError,
            "`table` must have both classes, got no negatives.",
        ),
        (
            lambda: feasible_region(classes(1, 1), {"capacity": 0.1}),
            TypeError,
            "`limits` must be Limits(capacity=, min_precision=), got dict.",
        ),
    ],
)
def test_messages(make, error, message):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == message
