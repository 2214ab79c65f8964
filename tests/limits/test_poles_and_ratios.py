"""Means of ratios of linear functions, and the zeros of their denominators."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes.beliefs._scales import cost_scale
from stakes.limits._area import edge_poles, mean_ratio

SCALES = ("fractional cost", "cost ratio", "inverse cost ratio", "cost proportion")
WEIGHTS = st.sampled_from([0.25, 1.0, 3.0, 40.0])
ENDS = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])


def of(*numbers):
    return (np.array([number]) for number in numbers)


@given(ENDS, ENDS, WEIGHTS, WEIGHTS)
def test_the_mean_of_a_ratio_is_its_integral(a, b, d0, d1):
    mean, _ = scipy.integrate.quad(lambda x: (a * d0 * (1 - x) + b * d1 * x) / (d0 * (1 - x) + d1 * x), 0, 1)
    assert_allclose(mean_ratio(*of(a * d0, b * d1, d0, d1)), mean, rtol=1e-10)


@given(st.sampled_from([0.1, 0.5, 1.0]), WEIGHTS)
def test_where_both_lines_end_at_zero_the_ratio_is_one_number(ratio, d):
    assert_allclose(mean_ratio(*of(ratio * d, 0.0, d, 0.0)), ratio, rtol=1e-15)
    assert_allclose(mean_ratio(*of(0.0, ratio * d, 0.0, d)), ratio, rtol=1e-15)


def test_a_ratio_of_nothing_is_nothing():
    assert mean_ratio(*of(0.0, 0.0, 0.0, 0.0)).tolist() == [0.0]


@pytest.mark.parametrize("scale", SCALES)
@given(WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS)
def test_at_a_pole_alarms_and_misses_cost_nothing_together(scale, positive, negative, alarms, misses):
    stated = cost_scale(scale, positive, negative)
    x = stated.zero_of(*of(alarms, misses))
    finite = x[np.isfinite(x)]
    alarm, miss = stated.costs(finite)
    assert_allclose(alarm * alarms, -(miss * misses), rtol=1e-9)
    assert len(finite) or scale in ("fractional cost", "cost proportion")


@pytest.mark.parametrize("scale", SCALES)
def test_at_a_pole_of_an_edge_both_of_its_ends_cost_the_same(scale):
    corners = np.array([[0.0, 0.0], [30.0, 20.0], [25.0, 40.0], [3.0, 40.0]])
    stated = cost_scale(scale, 40.0, 70.0)
    pole, step = edge_poles(corners, stated), np.roll(corners, -1, axis=0) - corners
    finite = np.isfinite(pole)
    alarm, miss = stated.costs(pole[finite])
    assert_allclose(alarm * step[finite, 0], miss * step[finite, 1], rtol=1e-9, atol=1e-9)
    assert finite.sum() >= 3
