"""Beliefs at and beyond the ends of their range: nothing outside, every digit inside, plain numbers for bounds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special
from strategies import BELIEFS

from stakes import At, Beta, IndependentCosts, LogOddsUniform, Uniform
from stakes.beliefs import LogOddsMeasure


@pytest.mark.parametrize(
    "belief",
    [
        IndependentCosts(false_negative=(4, 4), false_positive=(1, 2)),
        IndependentCosts(false_negative=(4, 6), false_positive=(2, 2)),
        IndependentCosts(false_negative=(4, 6), false_positive=(1, 2)),
        Beta(2, 5, low=0.2, high=0.4),
        LogOddsUniform(0.2, 0.4),
        Uniform(0.2, 0.4),
    ],
    ids=repr,
)
def test_there_is_no_density_outside_the_support(belief):
    low, high = belief.support
    assert belief.density(np.array([0.0, low - 1e-9, high + 1e-9, 1.0])).tolist() == [0, 0, 0, 0]
    assert (belief.density(np.linspace(low, high, 5)[1:-1]) > 0).all()


def test_a_density_asked_for_far_outside_is_zero_without_a_warning():
    # There the density of the whole distribution is beyond the largest float.
    assert Beta(0.01, 3, low=0.1, high=0.4).density([5e-324, 0.05, 1.0]).tolist() == [0, 0, 0]


@pytest.mark.parametrize("shape", [(0.05, 3.0), (0.3, 0.4)])
def test_small_draws_keep_their_digits(shape):
    belief, below = Beta(*shape), np.sort(np.random.default_rng(7).uniform(size=20_000))[:100]
    assert_allclose(np.sort(belief.sample(20_000, 7))[:100], special.betaincinv(*shape, below), rtol=1e-12)


@pytest.mark.parametrize(
    "belief", [Beta(2, 5, low=0.2, high=0.2 + 1e-15), Beta(0.05, 0.07, low=0.3, high=0.3 + 1e-12)], ids=repr
)
def test_rounding_takes_no_draw_out_of_a_narrow_range(belief):
    drawn = belief.sample(1000, 1)
    assert belief.low <= drawn.min() <= drawn.max() <= belief.high


def test_draws_from_far_in_the_upper_tail_keep_their_distance_from_one():
    belief = Beta(2, 30, low=0.9)
    above = special.betaincc(2, 30, 0.9) - np.random.default_rng(7).uniform(
        0, belief.share_above(0), 200
    ) * special.betaincc(2, 30, 0.9)
    assert_allclose(belief.sample(200, 7), special.betainccinv(2, 30, above), rtol=1e-9)


def test_draws_even_in_log_odds_are_even_steps_from_the_lower_bound():
    belief = LogOddsUniform(0.3, 0.9)
    steps = np.random.default_rng(7).uniform(0, special.logit(0.9) - special.logit(0.3), 200)
    assert_allclose(special.logit(belief.sample(200, 7)), special.logit(0.3) + steps, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("method", ["loss_if_positive", "loss_if_negative", "share_above", "odds_up_to"])
@pytest.mark.parametrize("belief", [belief for belief in BELIEFS if belief != Uniform()], ids=repr)
def test_a_score_beyond_an_end_counts_as_the_end(belief, method):
    # (Uniform() takes its scores as they are: what is not a probability has been refused before.)
    value = getattr(belief, method)
    assert value(-0.5) == value(0.0)
    assert value(1.5) == value(1.0)


@pytest.mark.parametrize("family", [Uniform, LogOddsMeasure, LogOddsUniform])
@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_bounds_become_plain_numbers(family, number):
    belief = family(number(0.25), number(0.5))
    assert [type(belief.low), type(belief.high)] == [float, float]
    assert repr(belief) == f"{family.__name__}(low=0.25, high=0.5)"


def test_a_value_becomes_a_plain_number():
    assert repr(At(np.float64(0.25))) == "At(value=0.25)"
