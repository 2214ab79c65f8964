"""Quadrature to the last digits: panels, tabulated functions, and the nodes of a density however close a pole is."""

import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import Atoms
from stakes.beliefs._quadrature import SmoothDensity, fitted_panels, integrate, panels, tabulate
from stakes.beliefs._scales import distributions

NONE = np.empty(0)
NEAR = 1e-7


@pytest.mark.parametrize("pole", [0.2 - NEAR, 0.6 + NEAR, 0.0, 1.0, -3.0])
def test_a_pole_beside_the_range_costs_no_digits(pole):
    x, weight = SmoothDensity(Uniform(0.2, 0.6)).nodes(NONE, np.array([pole]))
    assert (weight / (x - pole)).sum() == pytest.approx(math.log((0.6 - pole) / (0.2 - pole)) / 0.4, rel=1e-12)


def test_a_pole_at_infinity_is_none():
    found, wanted = (SmoothDensity(Uniform(0.2, 0.6)).nodes(NONE, poles)[0] for poles in (np.array([np.inf]), NONE))
    assert found.tolist() == wanted.tolist()


def test_zero_and_one_are_poles_without_being_named():
    x, weight = SmoothDensity(Uniform(NEAR, 0.5)).nodes(NONE, NONE)
    assert (weight / x).sum() == pytest.approx(math.log(0.5 / NEAR) / (0.5 - NEAR), rel=1e-12)
    x, weight = SmoothDensity(Uniform(0.5, 1 - NEAR)).nodes(NONE, NONE)
    assert (weight / (1 - x)).sum() == pytest.approx(math.log(0.5 / NEAR) / (0.5 - NEAR), rel=1e-8)


@pytest.mark.parametrize("shape", [(1.5, 1.5), (0.5, 0.5), (0.3, 2.0), (2.0, 0.3), (2.5, 7.0)])
def test_a_pole_inside_the_range_of_a_power_costs_no_digits(shape):
    ((_, distribution),) = distributions(Beta(*shape))
    x, weight = distribution.nodes(np.array([0.1, 0.5, 0.9]), np.array([0.5]))
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
    x, weight = SmoothDensity(belief, **power).nodes(NONE, NONE)
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert weight @ x == pytest.approx(belief.mean, rel=1e-12)


@pytest.mark.parametrize("shape", [(0.5, 3.0), (3.0, 0.5)])
def test_without_any_break_a_power_at_an_end_is_exact(shape):
    distribution = SmoothDensity(Beta(*shape), (), shape[0] - 1, shape[1] - 1)
    x, weight = distribution.nodes(NONE, NONE)
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert weight @ x == pytest.approx(shape[0] / sum(shape), rel=1e-12)


@pytest.mark.parametrize("degree", [0, 1, 7, 40, 63])
def test_a_rule_is_exact_for_polynomials(degree):
    found = integrate(lambda x: x**degree, np.array([0.0, 0.4, 0.4, 1.0]))
    assert float(found) == pytest.approx(1 / (degree + 1), rel=1e-13)


@given(st.floats(-40, 40), st.floats(0, 80, allow_subnormal=False))
def test_panels_cover_the_range_none_is_too_long_and_none_too_many(low, length):
    edges = panels(low, low + length)
    assert edges[0] == low
    assert edges[-1] == low + length
    assert (np.diff(edges) <= 6 * (1 + 1e-12)).all()
    assert len(edges) < length / 6 + 2 + 1e-12


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_panels_are_fitted_to_a_kink(scale):
    kinked = lambda x: np.abs(x - 0.3) * scale  # noqa: E731
    edges = fitted_panels(kinked, -1.0, 2.0)
    assert float(integrate(kinked, edges)) == pytest.approx((1.3**2 / 2 + 1.7**2 / 2) * scale, rel=1e-11, abs=1e-15)
    assert len(edges) < 60


def test_panels_are_not_fitted_to_noise_for_ever():
    noise = np.random.default_rng(2)
    edges = fitted_panels(lambda x: noise.random(x.shape), -1.0, 2.0)
    assert 1000 < len(edges) <= 2001


@pytest.mark.parametrize("scale", [1.0, -1e-9, 1e9])
def test_a_tabulated_function_keeps_its_digits_whatever_its_size(scale):
    function = lambda x: np.log1p(np.exp(x)) / (1 + np.square(x)) * scale  # noqa: E731
    x = np.linspace(-9, 7, 1001)
    found = tabulate(function, np.array([-9.0, 0.25, 7.0]))(x)
    assert_allclose(found, function(x), rtol=1e-12, atol=1e-14 * abs(scale))


def test_a_tabulated_function_may_be_even_about_the_middle_of_a_piece():
    """So that every other of its coefficients is 0."""
    function = lambda x: 2 + np.cos(40 * x)  # noqa: E731
    x = np.linspace(-0.25, 0.25, 1001)
    assert_allclose(tabulate(function, np.array([-0.25, 0.25]))(x), function(x), rtol=1e-13)


@pytest.mark.parametrize("last", [0.25, 0.25 + 1e-16, 0.3, 2.0])
def test_a_tabulated_function_may_break_at_edges(last):
    """Also at edges that are one but for rounding."""
    function = lambda x: np.where(x < 0.25, np.exp(x), np.where(x < last, np.cos(x), np.sin(x)))  # noqa: E731
    x, edges = np.linspace(-3, 3, 1001), np.array([-3.0, 0.25, last, 3.0])
    assert_allclose(tabulate(function, edges)(x), function(x), rtol=1e-12, atol=1e-13)


def test_a_jump_that_no_edge_names_is_met_within_its_neighbourhood():
    function = lambda x: np.where(x < 0.1234, np.exp(x), np.sin(x))  # noqa: E731
    x = np.linspace(-3, 3, 1001)
    x = x[np.abs(x - 0.1234) > 2e-5]
    assert_allclose(tabulate(function, np.array([-3.0, 3.0]))(x), function(x), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("belief", [At(0.3), Atoms([0.1, 0.4], [2, 3]), Beta(2, 5), LogOddsUniform(0.1, 0.6)], ids=repr)
def test_the_nodes_of_a_distribution_have_its_whole_probability(belief):
    ((probability, distribution),) = distributions(belief)
    _, weight = distribution.nodes(np.array([]), np.array([]))
    assert probability == 1
    assert weight.sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("belief", [Beta(2, 5), Beta(0.7, 30)], ids=repr)
def test_a_beta_is_cut_at_its_mean_and_at_every_standard_deviation(belief):
    ((_, distribution),) = distributions(belief)
    of_scipy = scipy.stats.beta(belief.alpha, belief.beta)
    wanted = of_scipy.mean() + of_scipy.std() * np.arange(-12, 13)
    assert_allclose(distribution.breaks, wanted, rtol=1e-12, atol=1e-14)
