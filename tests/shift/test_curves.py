"""Net benefit over the prevalence: exact at every prevalence, and consistent with its average."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import COSTS, tables

from stakes import At, Uniform, net_benefit, shifted_net_benefit, shifted_net_benefit_curve


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
