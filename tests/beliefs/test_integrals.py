"""Integrals between odds from their definition: of each weight against the density, up to the ends of the range."""

import mpmath as mp
import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import Atoms, Mixture, ShiftedUniform
from stakes.beliefs._closed_integrals import odds_of
from stakes.beliefs._integrals import integrals, integrals_by_part, parts
from stakes.beliefs._quadrature import integrate

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
    part = integrals("costs", belief)
    ends = part.from_odds(np.array(odds_of(low))), part.from_odds(np.array(odds_of(high)))
    assert float(part.mass(*ends)) == pytest.approx(
        by_quadrature(belief, lambda o: 1.0, low, high), rel=1e-9, abs=1e-13
    )
    assert float(part.odds(*ends)) == pytest.approx(by_quadrature(belief, lambda o: o, low, high), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
@given(LIMITS, LIMITS, SCALES)
def test_shares_of_odds_between_two_limits(belief, one, other, k):
    low, high = min(one, other), max(one, other)
    part = integrals("costs", belief)
    ends = part.from_odds(np.array(odds_of(low))), part.from_odds(np.array(odds_of(high)))
    for method, weight in weights(k).items():
        wanted = by_quadrature(belief, weight, low, high)
        assert float(getattr(part, method)(*ends, k)) == pytest.approx(wanted, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
def test_the_density_is_that_of_the_log_odds_and_whole_between_the_edges(belief):
    part = integrals("costs", belief)
    assert float(integrate(lambda u: part.density(np.exp(u)), part.edges)) == pytest.approx(1, rel=1e-12)
    p = 0.25
    assert float(part.density(np.array(1 / 3))) == pytest.approx(float(belief.density(p)) * p * (1 - p), rel=1e-12)


@given(LIMITS, LIMITS, SCALES)
def test_a_point_counts_up_to_and_with_its_upper_limit(low, high, k):
    part, odds, one = integrals("costs", At(0.3)), 0.3 / 0.7, 1.0 if k is None else k
    inside = 1.0 if low < 0.3 <= high else 0.0
    assert float(part.mass(low, high)) == inside
    assert float(part.odds(low, high)) == pytest.approx(inside * odds, rel=1e-15)
    assert float(part.share(low, high, k)) == pytest.approx(inside * odds / (odds + one), rel=1e-15)
    assert float(part.rest(low, high, k)) == pytest.approx(inside * one / (odds + one), rel=1e-15)


AT_THE_ENDS = (
    Uniform(),
    Uniform(0.0, 1e-12),
    Uniform(0.1, 0.7),
    Uniform(0.3, 1.0),
    Uniform(1 - 1e-9, 1.0),
    LogOddsUniform(1e-9, 1e-8),
    Beta(0.05, 3.0),
    Beta(3.0, 0.05),
    Beta(2000, 9000),
    Beta(2, 20, low=0.5),
    Beta(20, 2, high=0.5),
    ShiftedUniform(1e-5),
)


@pytest.mark.parametrize("belief", AT_THE_ENDS, ids=repr)
def test_the_whole_of_a_belief_lies_between_its_edges(belief):
    part = integrals("prevalence", belief)
    with np.errstate(over="ignore"):
        whole = float(integrate(lambda log_odds: part.density(np.exp(log_odds)), part.edges))
    assert whole == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("belief", [At(0.3), *AT_THE_ENDS], ids=repr)
@pytest.mark.parametrize("limit", [0.0, 0.2, 0.6, 1.0])
def test_nothing_lies_between_equal_limits(belief, limit):
    part = integrals("costs", belief)
    end = part.from_odds(np.array([odds_of(limit)]))
    with np.errstate(divide="ignore"):
        for method in (part.mass, part.odds, part.share, part.rest):
            assert method(end, end) == 0


@pytest.mark.parametrize("belief", [At(0.3), *AT_THE_ENDS], ids=repr)
def test_everything_lies_between_bottom_and_top(belief):
    part = integrals("costs", belief)
    assert part.mass(part.bottom, part.top) == pytest.approx(1, rel=1e-12)
    assert part.share(part.bottom, part.top) + part.rest(part.bottom, part.top) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("away", [-0.7, -0.4, -1e-5, 1e-5, 0.4, 3.0])
def test_the_density_of_a_beta_keeps_its_digits_next_to_the_mean(away):
    alpha, beta = (1e8, 3e8) if abs(away) < 0.1 else (10.0, 30.0)
    part, odds = integrals("prevalence", Beta(alpha, beta)), (1 + away) / 3
    with mp.workdps(40):
        rise, fall = mp.log(3 * mp.mpf(odds)), mp.log((1 + mp.mpf(odds)) * 3 / 4)
        expected = mp.exp(alpha * rise - (alpha + beta) * fall)
    found = part.density(np.array(odds)) / part.density(np.array(1 / 3))
    assert float(found) == pytest.approx(float(expected), rel=1e-11)


NESTED = Mixture([Mixture([Uniform(0.1, 0.3), Atoms([0.2, 0.6], [3, 1])], [1, 3]), Beta(2, 5)], [2, 6])


def test_a_mixture_of_mixtures_is_taken_apart_into_what_is_none():
    found = [(Uniform(0.1, 0.3), 0.0625), (Atoms([0.2, 0.6], [3, 1]), 0.1875), (Beta(2, 5), 0.75)]
    assert [(part, weight) for weight, part in parts(NESTED)] == found


def test_atoms_may_be_taken_apart_as_well():
    found = list(parts(NESTED, split_atoms=True))
    assert [part for _, part in found] == [Uniform(0.1, 0.3), At(0.2), At(0.6), Beta(2, 5)]
    assert [weight for weight, _ in found] == pytest.approx([0.0625, 0.140625, 0.046875, 0.75], rel=1e-15)


def test_the_integrals_of_the_parts_add_up_to_those_of_the_whole():
    total = sum(weight * part.share(part.bottom, part.top) for weight, part in integrals_by_part("costs", NESTED))
    assert float(total) == pytest.approx(NESTED.mean, rel=1e-12)
