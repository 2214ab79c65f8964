"""Sizes of validation studies, as pmvalsampsize 0.1.0 (R) computes them.

Its criterion for the ratio of observed to expected raises the standard error in steps of 0.0001 until the interval of
the ratio has the wanted width, and takes (1 - p)/(p se^2), from Riley et al. (2021), Statistics in Medicine 40(19),
4230-4251. With the prevalence of their example, 0.018 (failure of mechanical heart valves), and a width of 1, that is
905. Their number for the slope, 9,835, depends on a distribution of log-odds that their abstract does not state.
"""

import math

import pytest

from stakes.planning import cases_needed, imagine


def by_steps(prevalence, width, step=0.0001):
    error = 0.0
    while math.exp(1.96 * error) - math.exp(-1.96 * error) < width:
        error += step
    return math.ceil((1 - prevalence) / (prevalence * error**2))


@pytest.mark.parametrize(("prevalence", "width"), [(0.018, 1.0), (0.1, 0.2), (0.3, 0.4)])
def test_the_ratio_of_observed_to_expected(prevalence, width):
    found = cases_needed(imagine(prevalence, 0.8), "calibration_ratio", width=width).total
    assert found == pytest.approx(by_steps(prevalence, width), rel=0.01)  # their steps, and the mean of 2^13 scores


def test_the_published_example_is_905():
    assert by_steps(0.018, 1.0) == 905
