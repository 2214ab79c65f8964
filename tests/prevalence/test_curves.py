"""Net benefit over the prevalence: exact at every prevalence, and consistent with its average."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import COSTS, tables

from stakes import At, Uniform, net_benefit, score_table
from stakes.prevalence import shifted_net_benefit, shifted_net_benefit_curve


@given(tables(ends=True), st.sampled_from(COSTS), st.sampled_from([0.011, 0.17, 0.43, 0.91]))
def test_the_curve_is_the_net_benefit_at_every_prevalence(table, cost, prevalence):
    curve = shifted_net_benefit_curve(table, cost=cost)
    assume(np.abs(curve.x - prevalence).min() > 1e-9)
    assert float(curve.at(prevalence)) == pytest.approx(shifted_net_benefit(table, At(cost), At(prevalence)), abs=1e-13)


@given(tables(ends=True), st.sampled_from(COSTS))
def test_at_the_own_prevalence_it_is_the_ordinary_net_benefit(table, cost):
    found = float(shifted_net_benefit_curve(table, cost=cost).at(table.prevalence))
    assert found == pytest.approx(net_benefit(table, At(cost)), abs=1e-12)


@given(tables(ends=True), st.sampled_from(COSTS))
def test_the_area_under_the_curve_is_the_average_over_all_prevalences(table, cost):
    curve = shifted_net_benefit_curve(table, cost=cost)
    area = np.trapezoid(curve.y, curve.x)
    assert area == pytest.approx(shifted_net_benefit(table, At(cost), Uniform()), abs=1e-12)


def test_certain_scores_act_from_the_first_prevalence_on_or_at_the_last_alone():
    """At a cost of 0.2 a score of 0.5 acts from a prevalence of 0.2 on, of 1 always and of 0 at prevalence 1."""
    curve = shifted_net_benefit_curve(score_table([1, 0, 1, 0], [1.0, 0.5, 0.5, 0.0]), cost=0.2)
    np.testing.assert_allclose(curve.x, [0, 0.2, 0.2, 1, 1], rtol=1e-15)
    np.testing.assert_allclose(curve.y, [0, 0.1, 0.2 - 0.25 * 0.8 / 2, 1, 1], rtol=1e-15)
    assert curve.threshold.tolist() == [1, 1, 0.5, 0.5, 0]


def test_other_scores_act_between_a_prevalence_of_0_and_one_of_1():
    curve = shifted_net_benefit_curve(score_table([1, 0], [0.5, 0.5]), cost=0.2)
    np.testing.assert_allclose(curve.x, [0, 0.2, 0.2, 1], rtol=1e-15)
    np.testing.assert_allclose(curve.y, [0, 0, 0.2 - 0.25 * 0.8, 1], rtol=1e-15, atol=1e-15)
    assert curve.threshold.tolist() == [np.inf, np.inf, 0.5, 0.5]
