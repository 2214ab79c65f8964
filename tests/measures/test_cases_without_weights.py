"""Cases as they came, unsorted and without weights: the shortest way to a number must reach the same one."""

import pytest
from hypothesis import given
from strategies import samples

from stakes import Uniform, brier_score, expected_regret, score_table
from stakes.table import unsorted_table


@given(samples(ends=True, one_class=True))
def test_under_even_costs_the_regret_is_half_the_squared_error(sample):
    y, score, _ = sample
    cases = unsorted_table(y == 1, score, None)
    assert expected_regret(cases, Uniform()) == pytest.approx(((y - score) ** 2).mean() / 2, rel=1e-12, abs=1e-15)
    assert brier_score(cases) == pytest.approx(((y - score) ** 2).mean(), rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True))
def test_over_part_of_the_costs_the_regret_is_that_of_the_table(sample):
    y, score, _ = sample
    cases, costs = unsorted_table(y == 1, score, None), Uniform(0.05, 0.35)
    wanted = expected_regret(score_table(y, score), costs)
    assert expected_regret(cases, costs) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(samples(ends=True, one_class=True))
def test_under_even_costs_weights_count(sample):
    y, score, weight = sample
    cases = unsorted_table(y == 1, score, weight)
    wanted = (weight * (y - score) ** 2).sum() / weight.sum() / 2
    assert expected_regret(cases, Uniform()) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_an_empty_range_at_an_end_has_no_single_cost_to_offer_instead(end):
    with pytest.raises(ValueError, match=rf"^`cost_range` must go from low to high, got {end:g} for both\.$"):
        brier_score(score_table([0, 1], [0.2, 0.7]), cost_range=(end, end))
