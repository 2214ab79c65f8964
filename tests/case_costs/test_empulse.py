"""Agreement with empulse 0.13.1 where it is right, and worked cases where it is not; its numbers are recorded here.

Its numbers were returned by its functions, or, where a comment names `cost_loss`, follow from its formula for these
inputs; the package is not needed to run the tests.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import CaseCosts, Uniform, recalibrate, score_table, skill_score
from stakes.beliefs import IndependentCosts
from stakes.measures import cost_per_case, expected_regret, savings


def money(y, p, **costs):
    """Return all that is paid, what no model can change included."""
    table = score_table(y, p, case_costs=CaseCosts(**costs))
    return cost_per_case(table) * table.cases + sum(table.heads.floor)


def test_profit_of_credit_scoring_is_the_same_number():
    y, score = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.75, 0.6, 0.6, 0.4, 0.35, 0.2, 0.15, 0.1]
    table = recalibrate(score_table(y, score))
    some, all_lost = (IndependentCosts(false_negative=f, false_positive=(0.2644, 0.2644)) for f in ((0, 1), (1, 1)))
    lost = 0.35 * expected_regret(table, some) + 0.1 * expected_regret(table, all_lost)
    assert_allclose(table.prevalence * (0.35 / 2 + 0.1) - lost, 0.0779761364, rtol=1e-9)  # empcs_score


def test_savings_are_the_same_where_nothing_is_rewarded():
    y, p = [0, 1, 0, 1, 1, 0, 0, 1], [0.12, 0.33, 0.5, 0.81, 0.07, 0.33, 0.94, 0.6]
    amount = [120, 15.5, 840, 60, 2300, 7.25, 310, 95]
    costs = CaseCosts(false_negative=amount, false_positive=3, true_positive=3)
    assert savings(score_table(y, p, case_costs=costs)) == pytest.approx(0.125, abs=1e-12)  # savings_score


def test_a_negative_denominator_does_not_turn_the_rule_round():
    y, p = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.9]
    one = {"false_positive": [2, 2, -2, 2], "false_negative": 1}
    assert money(y, p, **one) == -2.0  # cost_loss: 0.0, since it does not act on the third case
    assert money(y, p, false_positive=-2, false_negative=1) == -4.0  # acting on all pays; cost_loss: 2.0


def test_probabilities_of_0_and_1_are_no_labels():
    almost, exactly = ([1e-9, 1.0], [0.0, 1.0])
    free = {"false_positive": 0.0, "false_negative": 5.0}
    assert money([1, 0], almost, **free) == money([1, 0], exactly, **free) == 0.0  # cost_loss: 0.0 and 5.0


def test_honest_forecasts_cost_least_on_average():
    y = [1, 1] + [0] * 8
    costs = CaseCosts()
    honest, none = (cost_per_case(score_table(y, [p] * 10, case_costs=costs), Uniform()) for p in (0.2, 0.0))
    assert honest < none  # expected_cost_loss: 0.32 and 0.20, since it is linear in the forecast
    linear = [np.mean([(1 - p) if one else p for one in y]) for p in (0.2, 0.0)]
    assert_allclose(linear, [0.32, 0.20])


def test_a_perfect_model_has_skill_1_where_hits_are_rewarded():
    y = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    rewarded = CaseCosts(false_negative=0, false_positive=1, true_positive=-10)
    perfect, two_alarms = (score_table(y, p, case_costs=rewarded) for p in (y, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]))
    paid = [cost_per_case(one) * 10 + sum(one.heads.floor) for one in (perfect, two_alarms)]
    all_acted = -30 + 7
    assert_allclose([1 - one / all_acted for one in paid], [-0.30, -0.22], atol=5e-3)  # savings_score
    assert skill_score(perfect, 0.5) == 1.0 > skill_score(two_alarms, 0.5)
