"""Two costs in money as a belief about their proportion: its mass, its probability and its one threshold."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import At, Uniform, net_benefit, score_table
from stakes import bounds as bounded
from stakes.beliefs import FractionalCost, IndependentCosts, Mixture, in_money, only_cost
from stakes.beliefs._money_range import MoneyRange
from stakes.large import Bins, quantise

FIXED = IndependentCosts(false_negative=(100, 100), false_positive=(10, 10))
RANGES = [
    IndependentCosts(false_negative=(100, 300), false_positive=(10, 20)),
    IndependentCosts(false_negative=(0, 1), false_positive=(0, 1)),
    IndependentCosts(false_negative=(1, 4), false_positive=(2, 3)),
    IndependentCosts(false_negative=(0, 1), false_positive=(0.5, 2)),
    IndependentCosts(false_negative=(2, 2), false_positive=(1, 3)),
    IndependentCosts(false_negative=(2, 5), false_positive=(1, 1)),
    IndependentCosts(false_negative=(0, 3), false_positive=(2, 2)),
    IndependentCosts(false_negative=(1e200, 3e200), false_positive=(1e199, 2e199)),
]
TABLE = score_table([0, 1, 1, 0, 1], [0.02, 0.07, 0.3, 0.4, 0.8])


def corners(costs, cells=400):
    """Pairs of costs in the middle of a fine grid over both ranges, each as probable as any other."""
    sides = []
    for low, high in (costs.false_negative, costs.false_positive):
        edges = np.linspace(low, high, cells + 1)
        sides.append((edges[1:] + edges[:-1]) / 2 if high > low else np.array([low]))
    miss, alarm = np.meshgrid(*sides)
    return miss.ravel(), alarm.ravel()


@pytest.mark.parametrize("costs", [FIXED, *RANGES], ids=repr)
@pytest.mark.parametrize("score", [0.0, 0.03, 0.05, 0.35, 0.6, 1.0])
def test_the_probability_of_a_higher_cost_is_the_share_of_pairs_above(costs, score):
    miss, alarm = corners(costs)
    above = np.mean((1 - score) * alarm > score * miss)
    assert float(costs.share_above(score)) == pytest.approx(above, abs=3e-3)


@pytest.mark.parametrize("costs", RANGES, ids=repr)
def test_the_probability_of_a_higher_cost_falls_by_the_density(costs):
    low, high = costs.support
    edges = np.unique(np.concatenate([np.linspace(low, high, 4001), list(MoneyRange(costs)._corners())]))
    edges = edges[(edges >= low) & (edges <= high)]
    middle = (edges[1:] + edges[:-1]) / 2
    fallen = -np.diff(costs.share_above(edges))
    np.testing.assert_allclose(fallen, np.diff(edges) * costs.density(middle), atol=1e-6)
    assert float(costs.share_above(low)) == pytest.approx(1, abs=1e-12)
    assert float(costs.share_above(high)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("costs", RANGES[:-1], ids=repr)
def test_what_both_cost_together_is_the_weight_over_the_probability(costs):
    inside = np.linspace(*costs.support, 102)[1:-1]
    (f0, f1), (g0, g1) = costs.false_negative, costs.false_positive
    high, low = np.minimum(f1 / (1 - inside), g1 / inside), np.maximum(f0 / (1 - inside), g0 / inside)
    wanted = 2 / 3 * (high**2 + high * low + low**2) / (high + low)  # the mean of M between two ends, weighted by M
    np.testing.assert_allclose(MoneyRange(costs).magnitude(inside), wanted, rtol=1e-12)


@pytest.mark.parametrize("costs", RANGES, ids=repr)
def test_nodes_carry_the_mass_of_both_costs(costs):
    proportion, weight = MoneyRange(costs).nodes(np.array([0.2]), np.array([]))
    both = weight * MoneyRange(costs).magnitude(proportion)
    miss, alarm = (sum(side) / 2 for side in (costs.false_negative, costs.false_positive))
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert both.sum() == pytest.approx(miss + alarm, rel=1e-12)
    assert both @ proportion == pytest.approx(alarm, rel=1e-12)


@pytest.mark.parametrize("costs", RANGES, ids=repr)
def test_mean_costs_break_even_where_everyone_costs_as_much_as_no_one(costs):
    share = costs.break_even
    everyone = (1 - share) * float(costs.loss_if_negative(1.0))
    no_one = share * float(costs.loss_if_positive(0.0))
    assert everyone == pytest.approx(no_one, rel=1e-12)


def test_only_fixed_costs_have_one_proportion():
    assert only_cost(FIXED) == FIXED.break_even == FIXED.mean == 10 / 110
    assert [only_cost(costs) for costs in (RANGES[0], Uniform(0.1, 0.2), At(0.3))] == [None, None, 0.3]


def test_a_mixture_with_a_part_in_money_is_in_money():
    assert in_money(Mixture([Uniform(0.1, 0.2), Mixture([FIXED, At(0.3)], [1, 1])], [1, 1]))
    assert not in_money(Mixture([Uniform(0.1, 0.2), At(0.3)], [1, 1]))


@given(st.floats(0, 1), st.sampled_from(RANGES), st.sampled_from([1e-3, 7.0]))
def test_a_probability_does_not_depend_on_the_currency(score, costs, rate):
    pairs = {name: tuple(rate * end for end in getattr(costs, name)) for name in ("false_negative", "false_positive")}
    exchanged = IndependentCosts(**pairs)
    assert float(exchanged.share_above(score)) == pytest.approx(float(costs.share_above(score)), abs=1e-12)


@pytest.mark.parametrize(
    "ask",
    [
        lambda costs: net_benefit(TABLE, costs),
        lambda costs: net_benefit(TABLE, Mixture([At(0.3), costs], [1, 1])),
        lambda costs: bounded.net_benefit(quantise([0, 1], [0.2, 0.7], bins=Bins(4)), costs),
    ],
)
def test_what_is_not_in_money_says_so_and_what_to_use(ask):
    with pytest.raises(TypeError) as raised:
        ask(RANGES[0])
    assert str(raised.value) == (
        "`costs` must be a belief about the cost proportion, since this number is not in money, got "
        "IndependentCosts(false_negative=(100.0, 300.0), false_positive=(10.0, 20.0)); its two mean costs are "
        "`At(0.06977)`; `expected_regret` is in money."
    )


def test_a_fractional_cost_is_no_money():
    with pytest.raises(TypeError, match="not in money"):
        FractionalCost.of(FIXED)


def test_every_pair_of_costs_is_somewhere_in_the_range():
    for costs, score in itertools.product(RANGES, (0.01, 0.5, 0.99)):
        assert 0 <= float(costs.share_above(score)) <= 1
