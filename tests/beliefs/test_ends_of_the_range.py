"""Beliefs at and beyond the ends of their range: nothing outside, every digit inside, plain numbers for bounds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special
from strategies import BELIEFS

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import EveryLogOdds, IndependentCosts, LogOddsMeasure, ShiftedUniform


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


@pytest.mark.parametrize(
    "belief",
    [
        IndependentCosts(false_negative=(4, 4), false_positive=(1, 2)),
        IndependentCosts(false_negative=(4, 6), false_positive=(2, 2)),
        Beta(2, 5, low=0.2, high=0.4),
        LogOddsUniform(0.2, 0.4),
        Uniform(0.2, 0.4),
    ],
    ids=repr,
)
def test_the_density_at_a_bound_is_that_beside_it(belief):
    low, high = belief.support
    assert_allclose(belief.density([low, high]), belief.density([low + 1e-12, high - 1e-12]), rtol=1e-10)


def test_the_improper_belief_spreads_over_all_costs():
    assert EveryLogOdds().support == (0.0, 1.0)


def test_the_log_loss_of_the_smallest_score_there_is_is_its_logarithm():
    assert EveryLogOdds().loss_if_positive(5e-324) == pytest.approx(1074 * np.log(2), rel=1e-15)


def test_a_density_asked_for_far_outside_is_zero_without_a_warning():
    # There the density of the whole distribution is beyond the largest float.
    assert Beta(0.01, 3, low=0.1, high=0.4).density([5e-324, 0.05, 1.0]).tolist() == [0, 0, 0]


@pytest.mark.parametrize(("mode", "outside"), [(0.25, -0.5), (0.75, 1.5)])
def test_a_density_asked_for_where_its_formula_has_a_pole_is_zero_without_a_warning(mode, outside):
    assert outside * (1 - mode) + (1 - outside) * mode == 0
    assert ShiftedUniform(mode).density(outside) == 0


@pytest.mark.parametrize("shape", [(0.05, 3.0), (0.3, 0.4)])
def test_small_draws_keep_their_digits(shape):
    below = np.sort(np.random.default_rng(7).uniform(0, special.betainc(*shape, 0.9), 20_000))[:100]
    drawn = np.sort(Beta(*shape, high=0.9).sample(20_000, 7))[:100]
    assert_allclose(drawn, special.betaincinv(*shape, below), rtol=1e-12)


NARROW = [
    Beta(2, 5, low=0.2, high=0.2 + 1e-15),
    Beta(0.05, 0.07, low=0.3, high=0.3 + 1e-12),
    LogOddsUniform(0.001, 0.001 + 1e-17),
]


@pytest.mark.parametrize("belief", NARROW, ids=repr)
def test_rounding_takes_no_draw_out_of_a_narrow_range(belief):
    drawn = belief.sample(1000, 1)
    assert belief.low <= drawn.min() <= drawn.max() <= belief.high


class NextToTheCorner(np.random.Generator):
    """Draws the highest cost of a miss, and the cost of a false alarm that follows the lowest."""

    def uniform(self, low, high, size):
        return np.full(size, high if high < 1 else np.nextafter(low, high))


def test_rounding_takes_no_draw_of_two_costs_out_of_the_support():
    belief = IndependentCosts(false_negative=(0.1, 0.4), false_positive=(7.7, 9))
    assert np.nextafter(7.7, 9) / (0.4 + np.nextafter(7.7, 9)) < belief.support[0]
    assert belief.sample(1, NextToTheCorner(np.random.PCG64(1))).tolist() == [belief.support[0]]


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


INDEPENDENT = [
    IndependentCosts(false_negative=miss, false_positive=alarm)
    for miss, alarm in [((4, 6), (1, 2)), ((0, 6), (0, 2)), ((4, 4), (1, 2)), ((4, 6), (2, 2)), ((4, 4), (2, 2))]
]


@pytest.mark.parametrize("method", ["loss_if_positive", "loss_if_negative"])
@pytest.mark.parametrize("belief", INDEPENDENT, ids=repr)
def test_a_score_beyond_an_end_counts_as_the_end_where_the_costs_are_independent(belief, method):
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
