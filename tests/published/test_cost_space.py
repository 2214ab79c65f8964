"""The numbers that a comparison of decision curves and cost curves prints.

L. A. C. Millard and P. A. Flach, "Evaluating classification performance across operating contexts: a comparison of
decision curve analysis and cost curves": the text, Figs 1, 2, 5 and 6 and Tables 1 and 2. The curves of the toy
example, and the values of Fig. 6 as fractions, are in ``tests/curves/test_golden_curves.py``.
"""

import numpy as np
import pytest
from published.continuous import table_of_densities
from scipy.stats import norm

from stakes import (
    At,
    ScoreTable,
    cost_curve,
    decision_curve,
    expected_regret,
    from_odds,
    net_benefit,
    roc_curve,
    score_table,
    treat_all,
    treat_none,
)
from stakes.beliefs import cost_proportion
from stakes.curves import best_decision_curve, brier_curve, comparable_decision_curve, cost_lines, isometrics

# ----------------------------------------------------------------------------------------------------------- Fig. 6

CONFUSION = {  # true positives, misses, false alarms, true negatives
    ("A", 0.1): (40, 10, 40, 10),
    ("B", 0.1): (50, 0, 40, 10),
    ("A", 0.9): (10, 40, 10, 40),
    ("B", 0.9): (10, 40, 0, 50),
}
PRINTED = {  # net benefit, Brier loss, "NB_BC"
    ("A", 0.1): (0.36, 0.26, 0.32),
    ("B", 0.1): (0.46, 0.08, 0.41),
}
DIFFERENCES = {0.1: (0.10, -0.18, 0.09), 0.9: (0.9, -0.18, 0.09)}  # B less A
CURVES = (decision_curve, brier_curve, comparable_decision_curve)


def values(model: str, threshold: float) -> list[float]:
    hits, misses, false_alarms, quiet = CONFUSION[model, threshold]
    table = ScoreTable.from_counts([threshold - 0.05, threshold], [misses, hits], [quiet, false_alarms])
    return [float(curve(table).at(threshold)) for curve in CURVES]


@pytest.mark.parametrize("key", PRINTED, ids=str)
def test_fig_6_prints_net_benefit_and_brier_loss_but_half_of_the_comparable_net_benefit(key):
    benefit, loss, comparable = values(*key)
    assert (benefit, loss) == pytest.approx(PRINTED[key][:2], abs=0.005)
    assert comparable / 2 == pytest.approx(PRINTED[key][2], abs=1e-12)  # with U_P = 2(1 - t), U_N = 2t: 0.64, 0.82


@pytest.mark.parametrize("threshold", DIFFERENCES)
def test_fig_6_differences(threshold):
    benefit, loss, comparable = np.subtract(values("B", threshold), values("A", threshold))
    assert (benefit, loss, comparable / 2) == pytest.approx(DIFFERENCES[threshold], abs=1e-12)
    assert comparable == pytest.approx(-loss, abs=1e-12)  # what the figure sets out to show


# --------------------------------------------------------------------------------------- Figs 2 and 5: nine examples

TOY = score_table([0, 0, 0, 1, 0, 0, 1, 0, 1], [0.03, 0.05, 0.1, 0.2, 0.7, 0.7, 0.9, 0.9, 0.95])
GREY, RED = (1 / 6, 2 / 3), (1 / 2, 1.0)


def line_of(point: tuple[float, float]):
    curve = roc_curve(TOY)
    (at,) = np.flatnonzero(np.isclose(curve.x, point[0]) & np.isclose(curve.y, point[1]))
    return cost_lines(TOY)[::-1][at]


def test_fig_2_the_line_of_the_grey_point_is_level():
    # Level where pi_N FPR = pi_P (1 - TPR), says the caption: 2/3 * 1/6 = 1/3 * 1/3.
    assert line_of(GREY).y == pytest.approx([2 / 9, 2 / 9])


def test_fig_5d_the_grey_and_the_red_point_have_the_lowest_loss_at_one_third():
    losses = np.array([float(line.at(1 / 3)) for line in cost_lines(TOY)])
    assert losses.min() == pytest.approx(2 / 9)
    assert [float(line_of(point).at(1 / 3)) for point in (GREY, RED)] == pytest.approx([losses.min()] * 2)
    assert np.count_nonzero(np.isclose(losses, losses.min())) == 2


@pytest.mark.parametrize("threshold", [2 / 3, 1 / 3, 1 / 6])
@pytest.mark.parametrize("measure", ["net benefit", "Brier loss"])
def test_fig_5_lines_of_equal_value_have_one_slope(threshold, measure):
    slope = (2 / 3) * threshold / ((1 / 3) * (1 - threshold))
    for line in isometrics(TOY, values=[0.1, 0.2], measure=measure, cost=threshold).values():
        assert np.diff(line.y) / np.diff(line.x) == pytest.approx([slope])


def test_the_toy_is_worst_calibrated_from_one_half_to_seven_tenths():
    # Printed (section 4.1): "in Figure 2b scores around 0.8 have worse calibration".
    loss, best = brier_curve(TOY), cost_curve(TOY)
    costs = np.arange(1, 1000) / 1000
    gap = loss.at(costs) - best.at(costs)
    assert costs[gap.argmax()] == 0.7
    assert float(loss.at(0.7) - best.at(0.7)) == pytest.approx(2 / 5)
    assert float(loss.at(0.8) - best.at(0.8)) == pytest.approx(2 / 15)


# ------------------------------------------------------------------------------------------------ Figs 1 and 3: normals

NORMALS = table_of_densities(  # N(0.4, 0.12) and N(0.6, 0.12), one in five positive; the scores are the evidence itself
    lambda x: 0.2 * norm.pdf(x - 0.2 / 0.12),
    lambda x: 0.8 * norm.pdf(x),
    lambda x: np.clip(0.4 + 0.12 * x, 0, 1),
)


def test_fig_1_calibration_is_worse_for_scores_around_three_tenths():
    costs = np.linspace(0.01, 0.99, 981)
    gap = brier_curve(NORMALS).at(costs) - cost_curve(NORMALS).at(costs)
    assert costs[gap.argmax()] == pytest.approx(0.3, abs=0.02)


def test_fig_3b_recalibration_gains_between_one_tenth_and_six_tenths():
    costs = np.linspace(0.01, 0.95, 941)
    gain = best_decision_curve(NORMALS).at(costs) - decision_curve(NORMALS).at(costs)
    substantial = costs[gain > 0.02]  # two true positives per hundred
    assert substantial.min() == pytest.approx(0.1, abs=0.05)
    assert substantial.max() == pytest.approx(0.6, abs=0.05)


def test_fig_3_brier_and_decision_curve_beat_doing_all_or_nothing_at_the_same_thresholds():
    costs = np.linspace(0.01, 0.95, 941)
    useful = decision_curve(NORMALS).at(costs) > np.maximum(treat_all(NORMALS).at(costs), treat_none(NORMALS).at(costs))
    trivial = np.minimum(2 * costs * 0.8, 2 * (1 - costs) * 0.2)
    assert np.array_equal(useful, brier_curve(NORMALS).at(costs) < trivial)
    assert 0 < useful.sum() < len(costs)


# ------------------------------------------------------------------------------------------------------------ Table 2


@pytest.mark.parametrize("threshold", [0.1, 0.25, 0.6])
def test_table_2_what_a_hundredth_of_net_benefit_and_of_brier_loss_is_worth(threshold):
    # 1000 examples; among those acted on 100 positives and `more` negatives, as Table 2 exchanges them.
    def acting_on(positives, negatives):
        return ScoreTable.from_counts(
            [threshold - 0.05, threshold], [300 - positives, positives], [700 - negatives, negatives]
        )

    before, cost = acting_on(100, 100), At(threshold)
    one_more = acting_on(110, 100)  # one more true positive per hundred
    fewer = acting_on(100, 100 - 10 * (1 - threshold) / threshold)  # or (1 - t)/t fewer false ones
    for better in (one_more, fewer):
        assert net_benefit(better, cost) - net_benefit(before, cost) == pytest.approx(0.01)
    more_alarms, more_misses = acting_on(100, 100 + 5 / threshold), acting_on(100 - 5 / (1 - threshold), 100)
    for worse in (more_alarms, more_misses):
        assert 2 * (expected_regret(worse, cost) - expected_regret(before, cost)) == pytest.approx(0.01)


def test_a_threshold_of_a_tenth_is_nine_false_positives_for_a_true_one():
    assert from_odds(1, 9) == pytest.approx(0.1)  # sections 1 and 3
    assert cost_proportion(false_positive=1, false_negative=4) == pytest.approx(0.2)  # Table 1
