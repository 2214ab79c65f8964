"""The inverse score: its special case, and the experiment that its loss is the cost.

D. Grygorian, "Classifier evaluation with proper scoring rules", Master's thesis, University of Tartu, 2019. Its label
0 is "positive": the cost c_0 of taking it for label 1 is our cost of a false alarm, and c_1 that of a miss.
"""

import numpy as np
import pytest
from published.continuous import table_of_densities
from scipy.special import expit
from scipy.stats import norm

from stakes import At, ScoreTable, expected_regret, score_table
from stakes.beliefs import IndependentCosts, cost_proportion

UNIT = IndependentCosts(false_negative=(0, 1), false_positive=(0, 1))


def printed_loss_if_0(p):
    """Eq. (24), first line."""
    return np.where(p <= 0.5, (2 * p - 1) / (6 * (p - 1) ** 2) + 1 / 6, -1 / (3 * p) + 5 / 6)


def printed_loss_if_1(p):
    """Eq. (24), second line."""
    return np.where(p <= 0.5, 1 / (3 * (p - 1)) + 5 / 6, (1 - 2 * p) / (6 * p**2) + 1 / 6)


def test_eq_24_the_special_case():
    p = np.linspace(0.01, 0.99, 99)
    assert UNIT.loss_if_negative(p) == pytest.approx(printed_loss_if_0(p), rel=1e-11)
    assert UNIT.loss_if_positive(p) == pytest.approx(printed_loss_if_1(p), rel=1e-11)


def test_eq_24_has_no_digit_left_near_0_and_the_same_formula_without_the_difference_has_all():
    p = 1e-9
    odds = p / (1 - p)
    assert float(UNIT.loss_if_negative(p)) == pytest.approx(odds**2 / 6, rel=1e-14)
    assert abs(float(printed_loss_if_0(np.array(p))) / (odds**2 / 6) - 1) > 1


# ------------------------------------------------------------------------------------- section 2.3: nine times dearer


def normals(mean: float) -> ScoreTable:
    """Label 1 around +mean, label 0 around -mean, half of each, as probabilities of label 1 (Fig. 3: mean 1)."""
    return table_of_densities(
        lambda x: norm.pdf(x - mean) / 2,
        lambda x: norm.pdf(x + mean) / 2,
        lambda x: expit(2 * x),
        edges=[np.log(9) / 2, 0.0],
    )


def test_section_2_3_at_the_threshold_that_the_costs_ask_for():
    # Printed, from a simulation: 0.34942 at t = 0.9, for c_0 = 9 and c_1 = 1.
    costs = IndependentCosts(false_negative=(1, 1), false_positive=(9, 9))
    assert expected_regret(normals(1), costs) == pytest.approx(0.350303, abs=5e-7)
    assert expected_regret(normals(1), costs) == pytest.approx(0.34942, abs=2e-3)
    assert 10 * expected_regret(normals(1), At(cost_proportion(false_positive=9, false_negative=1))) == pytest.approx(
        0.350303, abs=5e-7
    )


def test_section_2_3_at_the_threshold_for_equal_costs():
    # Printed, from a simulation: 0.78265. Scores that only say on which side of 1/2 they lie are cut there at any cost.
    table = normals(1)
    sides = ScoreTable.from_counts((table.score >= 0.5).astype(float), table.positive, table.negative)
    assert 10 * expected_regret(sides, At(0.9)) == pytest.approx(0.793276, abs=5e-7)
    assert 10 * expected_regret(sides, At(0.9)) == pytest.approx(0.78265, abs=2e-2)


# ---------------------------------------------------------------------- section 5: the loss is the cost (Fig. 17)

MEANS = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0]


def simulated_cost(y: np.ndarray, p: np.ndarray, rng: np.random.Generator, iterations: int = 5000) -> np.ndarray:
    """Mean cost in each iteration: both costs drawn from [0, 1], label 1 predicted above c_0 / (c_0 + c_1)."""
    c0, c1 = rng.random((2, iterations))
    threshold = c0 / (c0 + c1)
    ones, zeros = np.sort(p[y == 1]), np.sort(p[y == 0])
    taken_for_1 = len(zeros) - np.searchsorted(zeros, threshold, "left")
    taken_for_0 = np.searchsorted(ones, threshold, "left")
    return (taken_for_1 * c0 + taken_for_0 * c1) / len(y)


@pytest.mark.parametrize("mean", MEANS)
def test_fig_17_the_loss_equals_the_simulated_cost(mean):
    rng = np.random.default_rng(20190516)
    y = rng.random(5000) < 0.5
    p = expit(2 * rng.normal(np.where(y, mean, -mean)))
    cost = simulated_cost(y, p, rng)
    error = cost.std() / np.sqrt(len(cost))
    assert 0 < error < 0.005
    assert expected_regret(score_table(y, p), UNIT) == pytest.approx(cost.mean(), abs=4 * error)


def test_fig_17_both_fall_as_the_classes_part():
    losses = [expected_regret(normals(mean), UNIT) for mean in MEANS]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 0.2
    assert losses[-1] < 0.01


def test_with_the_signs_of_section_5_1_they_would_rise():
    # Printed: "label 1 had distribution N(-mu, 1)", with p = 1/(1 + exp(-2s)) the probability of label 1.
    losses = [expected_regret(normals(-mean), UNIT) for mean in MEANS]
    assert losses == sorted(losses)


# --------------------------------------------------------------------------------------- section 4.3: any rectangle


@pytest.mark.parametrize(("scored", "cost"), [(1.0, 1.5), (0.0, 2.0)], ids=["class 0", "class 1"])
def test_eq_36_what_a_class_pays_when_it_is_always_mistaken_is_the_mean_of_its_cost(scored, cost):
    # c_0 from 1 to 2, c_1 from 1 to 3. As printed, times the area 2 of the rectangle: 3.5185 and 2.6667, not 3 and 4.
    costs = IndependentCosts(false_negative=(1, 3), false_positive=(1, 2))
    table = score_table(y=[int(scored == 0)], score=[scored])
    assert expected_regret(table, costs) == pytest.approx(cost)
