"""Published and worked numbers of cost space: the nine cases of Millard and Flach's Figure 2, and thirty tied ones."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from stakes import (
    Beta,
    ScoreTable,
    Uniform,
    accuracy,
    auc,
    brier_score,
    decompose,
    expected_regret,
    h_measure,
    log_loss,
    recalibrate,
    score_table,
)
from stakes.beliefs import IndependentCosts
from stakes.table import counts_from_top

CASES = json.loads(Path(__file__).with_name("geometry.json").read_text(encoding="utf-8"))["cases"]
TIED = "tied30_scores"
FIGURE = "toy_fig2_areas"


def table_of(name: str) -> ScoreTable:
    return score_table(CASES[name]["inputs"]["y"], CASES[name]["inputs"]["s"])


def expected(name: str) -> dict:
    return CASES[name]["expected"]


def near(value: float):
    return pytest.approx(value, rel=1e-12, abs=1e-15)


def test_scores_of_the_toy_by_cost_context():
    table, wanted = table_of("toy_scores_by_cost_context"), expected("toy_scores_by_cost_context")
    assert brier_score(table) == near(wanted["brier"])
    assert brier_score(table) == near(float(Fraction(24559, 90000)))
    assert log_loss(table) == near(wanted["log_loss"])
    unit = IndependentCosts(false_negative=(0, 1), false_positive=(0, 1))
    assert expected_regret(table, unit) == near(wanted["inverse_unit"])
    rectangle = IndependentCosts(false_negative=(2, 3), false_positive=(1, 4))
    assert expected_regret(table, rectangle) == near(wanted["inverse_cFN_2_3_cFP_1_4"])


def test_bounded_scores_divided_by_the_width_of_the_range():
    table, wanted = table_of("toy_scores_by_cost_context"), expected("toy_scores_by_cost_context")
    assert brier_score(table, cost_range=(0.1, 0.5)) / 0.4 == near(wanted["brier_threshold_range_0p1_0p5"])
    assert log_loss(table, cost_range=(0.1, 0.5)) / 0.4 == near(wanted["log_threshold_range_0p1_0p5"])


def test_roc_points_of_the_figure():
    false_alarms, true_alarms = counts_from_top(table_of(FIGURE))
    assert false_alarms.tolist() == expected(FIGURE)["roc_FP"]
    assert true_alarms.tolist() == expected(FIGURE)["roc_TP"]


def test_recalibrated_scores_of_the_figure():
    table = recalibrate(table_of(FIGURE))
    assert table.score.tolist() == pytest.approx(expected(FIGURE)["pav_values"], rel=1e-12)
    assert (table.positive + table.negative).tolist() == expected(FIGURE)["pav_counts"]


def test_areas_of_the_figure():
    table, wanted = table_of(FIGURE), expected(FIGURE)
    parts = decompose(table, Uniform())
    assert auc(table) == near(wanted["AUC"])
    assert brier_score(table) == near(wanted["area_brier_curve"])
    assert brier_score(table) == near(wanted["threshold_choice"]["score-driven"])
    assert brier_score(recalibrate(table)) == near(wanted["area_lower_envelope"])
    assert 2 * parts.miscalibration == near(wanted["calibration_loss"])
    assert brier_score(recalibrate(table)) == near(wanted["threshold_choice"]["optimal"])
    assert 1 - accuracy(table, threshold=0.5) == near(wanted["threshold_choice"]["score-fixed@0.5"])


def test_brier_score_of_each_class_of_the_figure():
    table, wanted = table_of(FIGURE), expected(FIGURE)
    no_one = 0 * table.score
    positives = ScoreTable.from_counts(table.score, table.positive, no_one)
    negatives = ScoreTable.from_counts(table.score, no_one, table.negative)
    share = table.prevalence
    assert share * brier_score(positives) == near(wanted["brier_positive_part"])
    assert (1 - share) * brier_score(negatives) == near(wanted["brier_negative_part"])


@pytest.mark.parametrize("name", [FIGURE, TIED])
def test_threshold_choice_by_rate_follows_from_the_auc(name):
    table, wanted = table_of(name), expected(name).get("threshold_choice", expected(name))
    spread = table.prevalence * (1 - table.prevalence) * (1 - 2 * auc(table))
    assert spread + 1 / 2 == near(wanted.get("rate-uniform", wanted.get("rate_uniform")))
    assert spread + 1 / 3 == near(wanted.get("rate-driven", wanted.get("rate_driven")))


@pytest.mark.parametrize(
    ("word", "belief"),
    [
        ("beta(2,2)", None),
        ("beta(1+pi1,1+pi0)=(4/3,5/3)", Beta(4 / 3, 5 / 3)),
        ("R hmeasure default beta(2,1+pi0/pi1)=(2,3)", Beta(2, 3)),
    ],
)
def test_h_measure_of_the_toy(word, belief):
    assert h_measure(table_of("h_measure_toy"), belief) == near(expected("h_measure_toy")[word])


def test_scores_of_thirty_tied_cases():
    table, wanted = table_of(TIED), expected(TIED)
    assert (table.positive_total, table.negative_total) == (wanted["P"], wanted["N"])
    assert auc(table) == near(wanted["AUC"])
    assert auc(table) == near(float(Fraction(8, 11)))
    assert brier_score(table) == near(wanted["brier"])
    assert brier_score(recalibrate(table)) == near(wanted["refinement"])
    assert brier_score(recalibrate(table)) == near(float(Fraction(1837, 12600)))
    assert h_measure(table) == near(wanted["H22"])
    assert h_measure(table, Beta(1 + table.prevalence, 2 - table.prevalence)) == near(wanted["H_pi"])
