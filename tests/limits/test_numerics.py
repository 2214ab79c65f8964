"""Precision where digits are easily lost: long ratios, lines almost parallel to an edge, rare classes."""

import mpmath
import numpy as np
import pytest

from stakes import Limits, ScoreTable, Uniform, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio
from stakes.limits import partial_voros
from stakes.limits._area import mean_ratio
from stakes.policy import policy_cost


@pytest.mark.parametrize("ratio", [1e-15, 1e-6, 0.3, 0.999, 1 - 1e-9, 1.0, 1 + 1e-9, 1.05, 7.0, 1e6, 1e15])
@pytest.mark.parametrize(("first", "last"), [(0.0, 1.0), (1.0, 0.0), (0.37, 0.61), (1.0, 1.0), (1e-9, 2e-9)])
def test_the_mean_of_a_ratio_of_lines(ratio, first, last):
    with mpmath.workdps(60):
        d0, d1 = mpmath.mpf(1), mpmath.mpf(ratio)
        n0, n1 = first * d0, last * d1
        if ratio == 1:
            expected = (n0 + n1) / 2
        else:
            slope = (n1 - n0) / (d1 - d0)
            expected = slope + (n0 - slope * d0) * mpmath.log(d1 / d0) / (d1 - d0)
        arrays = [np.array([float(value)]) for value in (n0, n1, d0, d1)]
        assert float(mean_ratio(*arrays)[0]) == pytest.approx(float(expected), rel=1e-13, abs=0)


class Flat:
    """A uniform density that does not say that it is uniform, so that it is integrated node by node."""

    def __init__(self, low: float, high: float) -> None:
        self.support = low, high

    def density(self, x):
        low, high = self.support
        return np.full(np.shape(x), 1 / (high - low))


def rare(positive: int, negative: int, seed: int) -> ScoreTable:
    rng = np.random.default_rng(seed)
    false_alarms = np.sort(np.floor(negative * rng.random(6) ** 4))
    true_alarms = np.sort(rng.integers(0, positive + 1, 6))
    steps = (np.diff([0, *column, whole]) for column, whole in ((true_alarms, positive), (false_alarms, negative)))
    return ScoreTable.from_counts(np.arange(7, 0, -1), *steps)


@pytest.mark.parametrize(("positive", "negative"), [(4, 100_000), (100_000, 7), (50, 40)])
@pytest.mark.parametrize("limits", [Limits(), Limits(min_precision=0.001, capacity=0.2), Limits(min_precision=0.9)])
@pytest.mark.parametrize("seed", range(3))
def test_quadrature_agrees_with_the_closed_form(positive, negative, limits, seed):
    table = rare(positive, negative, seed)
    for low, high in ((0.0, 1.0), (1e-4, 0.6)):
        by_nodes = partial_voros(table, FractionalCost.of(Flat(low, high)), limits)
        assert by_nodes == pytest.approx(partial_voros(table, FractionalCost(low, high), limits), abs=1e-13)
        by_nodes = partial_voros(table, Flat(low, high), limits)
        assert by_nodes == pytest.approx(partial_voros(table, Uniform(low, high), limits), abs=1e-13)


@pytest.mark.parametrize(("positive", "negative"), [(4, 100_000), (100_000, 7), (50, 40)])
@pytest.mark.parametrize("mass", [1, 3])
def test_quadrature_pays_what_the_closed_form_does(positive, negative, mass):
    """A density may have any mass: what is believed is its shape."""
    table, flat = rare(positive, negative, 1), Flat(0.1, 0.9)
    flat.density = lambda x: np.full(np.shape(x), mass / 0.8)
    for by_nodes, closed in ((flat, Uniform(0.1, 0.9)), (FractionalCost.of(flat), FractionalCost(0.1, 0.9))):
        policy = best_thresholds(table, closed)
        found, wanted = (policy_cost(policy, table, costs) for costs in (by_nodes, closed))
        assert found.regret == pytest.approx(wanted.regret, rel=1e-12)
        assert found.normalised_cost == pytest.approx(wanted.normalised_cost, rel=1e-12)


def test_a_narrow_range_is_a_point():
    table = rare(40, 900, 1)
    limits = Limits(min_precision=0.2, capacity=0.5)
    for kind, x in ((FractionalCost, 0.31), (CostRatio, 0.2), (InverseCostRatio, 4.0), (Uniform, 0.17)):
        narrow, wide = (partial_voros(table, kind(x - gap, x + gap), limits) for gap in (1e-12, 1e-6))
        assert narrow == pytest.approx(wide, abs=1e-5)


def test_points_between_which_a_point_lies_do_not_count():
    """A score whose threshold lies on the segment between two others changes nothing, whatever the weights round to."""
    weight = 0.1
    fine = score_table([1, 0, 1, 0, 1, 0], [3, 3, 2, 2, 1, 1], [weight] * 6)
    coarse = score_table([1, 0, 1, 0, 1, 0], [3, 3, 3, 3, 1, 1], [weight] * 6)
    for costs in (FractionalCost(0.1, 0.9), Uniform(0.2, 0.6)):
        assert partial_voros(fine, costs, Limits()) == pytest.approx(partial_voros(coarse, costs, Limits()), rel=1e-14)
