"""Sizes of validation studies, as pmvalsampsize 0.1.0 (R) computes them, its published tests among them.

Its criterion for the ratio of observed to expected raises the standard error in steps of 0.0001 until the interval of
the ratio has the wanted width, and takes (1 - p)/(p se^2), from Riley et al. (2021), Statistics in Medicine 40(19),
4230-4251. With the prevalence of their example, 0.018 (failure of mechanical heart valves), and a width of 1, that is
905. For the slope, its tests (``tests/testthat/test_bin.R``) draw 1,000 log-odds or risks: 4,501 are needed if
log-odds are normal with mean -5 and standard deviation 2.5, and 1,641 if risks are Beta(0.5, 0.5). The random numbers
of R are made here again, so the first is compared to the digit. For the AUC, 0.8, its formula of Newcombe says 4,252.
The 9,835 of the paper depends on a distribution of log-odds that its abstract does not state.
"""

import math

import numpy as np
import pytest
from scipy import special

from stakes import auc
from stakes.planning import cases_needed, imagine
from stakes.planning._cases_needed import slope_cases

ERROR = 0.2 / (2 * 1.96)  # of the slope, for an interval that is 0.2 wide


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


def normal_of_r(seed, size):
    """Return what ``set.seed(seed); rnorm(size)`` gives: a Mersenne twister, and the inverse of the normal law."""
    keys = []
    for _ in range(50 + 625):
        seed = (69069 * seed + 1) % 2**32
        keys.append(seed)
    twister = np.random.MT19937()
    state = twister.state
    state["state"] = {"key": np.array(keys[51:], dtype=np.uint32), "pos": 624}
    twister.state = state
    first, second = (twister.random_raw(2 * size) * 2.3283064365386963e-10).reshape(size, 2).T
    return special.ndtri((np.floor(2**27 * first) + second) / 2**27)


def test_the_published_slope_of_normal_log_odds():
    log_odds = -5 + 2.5 * normal_of_r(123456, 1000)
    assert log_odds[:3] == pytest.approx([-2.91566707, -5.69011943, -5.8875046], abs=1e-8)  # as R 4.2 prints them
    assert math.ceil(slope_cases(special.expit(log_odds), np.ones(1000), ERROR)) == 4501


def test_the_published_slope_of_risks_by_a_beta_law():
    at, weight = special.roots_jacobi(400, -0.5, -0.5)  # exact for this law, where they draw 1,000 risks
    assert slope_cases((1 + at) / 2, weight, ERROR) == pytest.approx(1641, rel=0.01)


def test_the_published_size_for_an_auc_is_that_of_another_formula():
    found = cases_needed(imagine(0.018, 0.8), auc, width=0.1, assurance=0.5).total
    assert found == pytest.approx(4252, rel=0.05)  # Newcombe's variance, where ours is that of the imagined scores
