"""Laws of odds from their definition: each closed form is the integral of its weight against the density."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from stakes import At, Beta, LogOddsUniform, ShiftedUniform, Uniform
from stakes.beliefs._closed_integrals import odds_of
from stakes.beliefs._integrals import law_of
from stakes.beliefs._quadrature import fitted_panels, integrate, panels, tabulate

BELIEFS = (Uniform(0.1, 0.7), Uniform(0.0, 0.4), LogOddsUniform(0.02, 0.6), Beta(2, 5), ShiftedUniform(0.2))
LIMITS = st.sampled_from([0.03, 0.15, 0.3, 0.45, 0.65, 0.9])
SCALES = st.sampled_from([None, 0.2, 1.0, 3.5])


def by_quadrature(belief, weight, low, high):
    """Mean of a weight of the odds over the probabilities between two limits."""
    start, end = max(low, belief.support[0]), min(high, belief.support[1])
    if start >= end:
        return 0.0
    return scipy.integrate.quad(lambda p: weight(p / (1 - p)) * float(belief.density(p)), start, end, epsrel=1e-12)[0]


def weights(k):
    one = 1.0 if k is None else k
    return {"share": lambda o: o / (o + one), "rest": lambda o: one / (o + one)}


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
@given(LIMITS, LIMITS)
def test_mass_and_mean_odds_between_two_limits(belief, one, other):
    low, high = min(one, other), max(one, other)
    law = law_of("costs", belief)
    ends = law.from_odds(np.array(odds_of(low))), law.from_odds(np.array(odds_of(high)))
    assert float(law.mass(*ends)) == pytest.approx(by_quadrature(belief, lambda o: 1.0, low, high), rel=1e-9, abs=1e-13)
    assert float(law.odds(*ends)) == pytest.approx(by_quadrature(belief, lambda o: o, low, high), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
@given(LIMITS, LIMITS, SCALES)
def test_shares_of_odds_between_two_limits(belief, one, other, k):
    low, high = min(one, other), max(one, other)
    law = law_of("costs", belief)
    ends = law.from_odds(np.array(odds_of(low))), law.from_odds(np.array(odds_of(high)))
    for method, weight in weights(k).items():
        wanted = by_quadrature(belief, weight, low, high)
        assert float(getattr(law, method)(*ends, k)) == pytest.approx(wanted, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
def test_the_density_is_that_of_the_log_odds_and_whole_between_the_edges(belief):
    law = law_of("costs", belief)
    assert float(integrate(lambda u: law.density(np.exp(u)), law.edges)) == pytest.approx(1, rel=1e-12)
    p = 0.25
    assert float(law.density(np.array(1 / 3))) == pytest.approx(float(belief.density(p)) * p * (1 - p), rel=1e-12)


@given(LIMITS, LIMITS, SCALES)
def test_a_point_counts_up_to_and_with_its_upper_limit(low, high, k):
    law, odds, one = law_of("costs", At(0.3)), 0.3 / 0.7, 1.0 if k is None else k
    inside = 1.0 if low < 0.3 <= high else 0.0
    assert float(law.mass(low, high)) == inside
    assert float(law.odds(low, high)) == pytest.approx(inside * odds, rel=1e-15)
    assert float(law.share(low, high, k)) == pytest.approx(inside * odds / (odds + one), rel=1e-15)
    assert float(law.rest(low, high, k)) == pytest.approx(inside * one / (odds + one), rel=1e-15)


@pytest.mark.parametrize("degree", [0, 1, 7, 40, 63])
def test_a_rule_is_exact_for_polynomials(degree):
    found = integrate(lambda x: x**degree, np.array([0.0, 0.4, 0.4, 1.0]))
    assert float(found) == pytest.approx(1 / (degree + 1), rel=1e-13)


@given(st.floats(-40, 40), st.floats(0, 80))
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
    np.testing.assert_allclose(found, function(x), rtol=1e-12, atol=1e-14 * abs(scale))


def test_a_tabulated_function_may_be_even_about_the_middle_of_a_piece():
    """So that every other of its coefficients is 0."""
    function = lambda x: 2 + np.cos(40 * x)  # noqa: E731
    x = np.linspace(-0.25, 0.25, 1001)
    np.testing.assert_allclose(tabulate(function, np.array([-0.25, 0.25]))(x), function(x), rtol=1e-13)


@pytest.mark.parametrize("last", [0.25, 0.25 + 1e-16, 0.3, 2.0])
def test_a_tabulated_function_may_break_at_edges(last):
    """Also at edges that are one but for rounding."""
    function = lambda x: np.where(x < 0.25, np.exp(x), np.where(x < last, np.cos(x), np.sin(x)))  # noqa: E731
    x, edges = np.linspace(-3, 3, 1001), np.array([-3.0, 0.25, last, 3.0])
    np.testing.assert_allclose(tabulate(function, edges)(x), function(x), rtol=1e-12, atol=1e-13)


def test_a_jump_that_no_edge_names_is_met_within_its_neighbourhood():
    function = lambda x: np.where(x < 0.1234, np.exp(x), np.sin(x))  # noqa: E731
    x = np.linspace(-3, 3, 1001)
    x = x[np.abs(x - 0.1234) > 2e-5]
    np.testing.assert_allclose(tabulate(function, np.array([-3.0, 3.0]))(x), function(x), rtol=1e-12, atol=1e-13)
