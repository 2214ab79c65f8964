"""Where a law of odds lies: nothing is lost at its ends, and nothing outside its support counts."""

import mpmath as mp
import numpy as np
import pytest

from stakes import (
    At,
    Beta,
    LogOddsUniform,
    ShiftedUniform,
    Uniform,
    prior_adjusted_net_benefit,
    score_table,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)
from stakes.beliefs._closed_integrals import odds_of
from stakes.beliefs._integrals import law_of
from stakes.beliefs._quadrature import integrate

FAMILY = (shifted_regret, shifted_net_benefit, prior_adjusted_net_benefit, shifted_weighted_accuracy)
TABLE = score_table([0, 1, 0, 1, 0, 1, 1], [0.02, 0.07, 0.21, 0.4, 0.5, 0.83, 0.995], [3.5, 1, 2, 0.25, 1, 0.7, 2])


class Density:
    """A user's own belief: a support, a density, and nothing else."""

    def __init__(self, density, low=0.0, high=1.0):
        self.density, self.support = density, (low, high)


class Losses(Density):
    """The same with losses, as costs must have."""

    def __init__(self, own, even):
        super().__init__(own.density, *own.support)
        self.loss_if_positive, self.loss_if_negative = even.loss_if_positive, even.loss_if_negative


BELIEFS = (
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


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
def test_the_whole_of_a_belief_lies_between_its_edges(belief):
    law = law_of("prevalence", belief)
    with np.errstate(over="ignore"):
        whole = float(integrate(lambda log_odds: law.density(np.exp(log_odds)), law.edges))
    assert whole == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("belief", [At(0.3), *BELIEFS], ids=repr)
@pytest.mark.parametrize("limit", [0.0, 0.2, 0.6, 1.0])
def test_nothing_lies_between_equal_limits(belief, limit):
    law = law_of("costs", belief)
    end = law.from_odds(np.array([odds_of(limit)]))
    with np.errstate(divide="ignore"):
        for method in (law.mass, law.odds, law.share, law.rest):
            assert method(end, end) == 0


@pytest.mark.parametrize("belief", [At(0.3), *BELIEFS], ids=repr)
def test_everything_lies_between_bottom_and_top(belief):
    law = law_of("costs", belief)
    assert law.mass(law.bottom, law.top) == pytest.approx(1, rel=1e-12)
    assert law.share(law.bottom, law.top) + law.rest(law.bottom, law.top) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("measure", FAMILY)
def test_a_density_counts_within_its_support_alone(measure):
    """It says 5 everywhere, and is the even belief from 0.1 to 0.3."""
    own, even = Density(lambda x: np.full_like(x, 5.0), 0.1, 0.3), Uniform(0.1, 0.3)
    for other in (At(0.2), LogOddsUniform(0.05, 0.6)):
        assert measure(TABLE, other, own) == pytest.approx(measure(TABLE, other, even), rel=1e-12)
        assert measure(TABLE, Losses(own, even), other) == pytest.approx(measure(TABLE, even, other), rel=1e-12)


def test_a_density_that_is_infinite_at_an_end_is_integrated_up_to_it():
    rising = Density(lambda x: 0.5 / np.sqrt(1 - x))  # Beta(1, 1/2), which has a mean of 2/3
    falling = Density(lambda x: 0.5 / np.sqrt(x))
    everyone = score_table([0, 1], [1.0, 1.0])
    assert prior_adjusted_net_benefit(everyone, At(0.5), rising) == pytest.approx(2 / 3, rel=1e-7)
    assert prior_adjusted_net_benefit(everyone, At(0.5), falling) == pytest.approx(1 / 3, rel=1e-12)
    law = law_of("prevalence", falling)
    assert float(integrate(lambda log_odds: law.density(np.exp(log_odds)), law.edges)) == pytest.approx(1, rel=1e-13)


@pytest.mark.parametrize("away", [-0.7, -0.4, -1e-5, 1e-5, 0.4, 3.0])
def test_the_density_of_a_beta_keeps_its_digits_next_to_the_mean(away):
    alpha, beta = (1e8, 3e8) if abs(away) < 0.1 else (10.0, 30.0)
    law, odds = law_of("prevalence", Beta(alpha, beta)), (1 + away) / 3
    with mp.workdps(40):
        rise, fall = mp.log(3 * mp.mpf(odds)), mp.log((1 + mp.mpf(odds)) * 3 / 4)
        expected = mp.exp(alpha * rise - (alpha + beta) * fall)
    found = law.density(np.array(odds)) / law.density(np.array(1 / 3))
    assert float(found) == pytest.approx(float(expected), rel=1e-11)


@pytest.mark.parametrize("measure", FAMILY)
@pytest.mark.parametrize("low", [0.3, 1 - 1e-9, 1 - 1e-12])
def test_prevalences_up_to_one_are_those_below_a_middle_and_those_above(measure, low):
    """However small the room below 1 is."""
    below = 1 - (1 - low) / 4
    for costs in (At(0.2), Uniform(0.1, 0.3), At(1 - 1e-9)):
        whole, lower, upper = (measure(TABLE, costs, Uniform(*ends)) for ends in ((low, 1), (low, below), (below, 1)))
        share = (below - low) / (1 - low)
        assert whole == pytest.approx(share * lower + (1 - share) * upper, rel=1e-12)
