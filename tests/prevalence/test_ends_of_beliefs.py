"""The ends of a belief about costs or prevalence: no mass is lost there, and none counts outside its support."""

import numpy as np
import pytest

from stakes import At, LogOddsUniform, Uniform, score_table
from stakes.beliefs._integrals import integrals
from stakes.beliefs._quadrature import integrate
from stakes.prevalence import prior_adjusted_net_benefit, shifted_net_benefit, shifted_regret, shifted_weighted_accuracy

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
    part = integrals("prevalence", falling)
    assert float(integrate(lambda log_odds: part.density(np.exp(log_odds)), part.edges)) == pytest.approx(1, rel=1e-13)


@pytest.mark.parametrize("measure", FAMILY)
@pytest.mark.parametrize("low", [0.3, 1 - 1e-9, 1 - 1e-12])
def test_prevalences_up_to_one_are_those_below_a_middle_and_those_above(measure, low):
    """However small the room below 1 is."""
    below = 1 - (1 - low) / 4
    for costs in (At(0.2), Uniform(0.1, 0.3), At(1 - 1e-9)):
        whole, lower, upper = (measure(TABLE, costs, Uniform(*ends)) for ends in ((low, 1), (low, below), (below, 1)))
        share = (below - low) / (1 - low)
        assert whole == pytest.approx(share * lower + (1 - share) * upper, rel=1e-12)
