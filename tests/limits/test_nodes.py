"""Nodes of a density: what is smooth between breaks is averaged to the last digits, however close a pole is."""

import math

import numpy as np
import pytest
import scipy

from stakes import Beta, Uniform
from stakes.beliefs._quadrature import Dense
from stakes.beliefs._scales import laws

NONE = np.empty(0)
NEAR = 1e-7


@pytest.mark.parametrize("pole", [0.2 - NEAR, 0.6 + NEAR, 0.0, 1.0, -3.0])
def test_a_pole_beside_the_range_costs_no_digits(pole):
    x, weight = Dense(Uniform(0.2, 0.6)).nodes(NONE, np.array([pole]))
    assert (weight / (x - pole)).sum() == pytest.approx(math.log((0.6 - pole) / (0.2 - pole)) / 0.4, rel=1e-12)


def test_a_pole_at_infinity_is_none():
    found, wanted = (Dense(Uniform(0.2, 0.6)).nodes(NONE, poles)[0] for poles in (np.array([np.inf]), NONE))
    assert found.tolist() == wanted.tolist()


def test_zero_and_one_are_poles_without_being_named():
    x, weight = Dense(Uniform(NEAR, 0.5)).nodes(NONE, NONE)
    assert (weight / x).sum() == pytest.approx(math.log(0.5 / NEAR) / (0.5 - NEAR), rel=1e-12)
    x, weight = Dense(Uniform(0.5, 1 - NEAR)).nodes(NONE, NONE)
    assert (weight / (1 - x)).sum() == pytest.approx(math.log(0.5 / NEAR) / (0.5 - NEAR), rel=1e-8)


@pytest.mark.parametrize("shape", [(1.5, 1.5), (0.5, 0.5), (0.3, 2.0), (2.0, 0.3), (2.5, 7.0)])
def test_a_pole_inside_the_range_of_a_power_costs_no_digits(shape):
    ((_, law),) = laws(Beta(*shape))
    x, weight = law.nodes(np.array([0.1, 0.5, 0.9]), np.array([0.5]))
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert weight @ x == pytest.approx(shape[0] / sum(shape), rel=1e-12)

    # Away from the ends, where the powers are, by two smooth halves in the logarithm of the distance.
    def half(sign):
        inner = lambda u: Beta(*shape).density(0.5 + sign * NEAR * math.expm1(u))  # noqa: E731
        return scipy.integrate.quad(inner, 0, math.log1p(0.4 / NEAR), epsrel=1e-13, limit=400)[0]

    middle = np.abs(x - 0.5) < 0.4
    found = (weight / (np.abs(x - 0.5) + NEAR))[middle].sum()
    assert found == pytest.approx(half(1) + half(-1), rel=1e-10)


@pytest.mark.parametrize(
    ("belief", "power"), [(Beta(0.5, 1), {"power_at_zero": -0.5}), (Beta(1, 0.5), {"power_at_one": -0.5})], ids=repr
)
def test_a_power_at_one_end_says_nothing_of_the_other(belief, power):
    x, weight = Dense(belief, **power).nodes(NONE, NONE)
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert weight @ x == pytest.approx(belief.mean, rel=1e-12)


@pytest.mark.parametrize("shape", [(0.5, 3.0), (3.0, 0.5)])
def test_without_any_break_a_power_at_an_end_is_exact(shape):
    law = Dense(Beta(*shape), (), shape[0] - 1, shape[1] - 1)
    x, weight = law.nodes(NONE, NONE)
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert weight @ x == pytest.approx(shape[0] / sum(shape), rel=1e-12)
