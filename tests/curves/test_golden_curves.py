"""The toy example and Fig. 6 of Millard & Flach, as rational arithmetic gives them."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from stakes import ScoreTable, calibration_curve, cost_curve, decision_curve, roc_curve, score_table, treat_all
from stakes.curves import (
    best_decision_curve,
    brier_curve,
    class_loss_curves,
    comparable_decision_curve,
    cost_lines,
    interventions_avoided_curve,
    normalised_cost_curve,
    relative_utility_curve,
    roc_hull,
    standardised_decision_curve,
)

CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "golden_curves.json").read_text())["cases"]}
AREAS, CURVES = CASES["toy_fig2_areas"]["expected"], CASES["toy_fig2_curves"]["expected"]
AT = np.array(CASES["toy_fig2_curves"]["inputs"]["t"])
TOY = score_table(CASES["toy_fig2_areas"]["inputs"]["y"], CASES["toy_fig2_areas"]["inputs"]["s"])

BY_KEY = {
    "BC": brier_curve(TOY),
    "LE": cost_curve(TOY),
    "NB": decision_curve(TOY),
    "UE_NB": best_decision_curve(TOY),
    "NB_comparable": comparable_decision_curve(TOY),
    "treat_all_NB": treat_all(TOY),
    "sNB": standardised_decision_curve(TOY),
    "RU": relative_utility_curve(TOY),
    "net_interventions_avoided": interventions_avoided_curve(TOY),
    "BC_pos": class_loss_curves(TOY).positive,
    "BC_neg": class_loss_curves(TOY).negative,
}


@pytest.mark.parametrize("key", BY_KEY)
def test_the_toy_curve_has_its_golden_values(key):
    assert_allclose(BY_KEY[key].at(AT), CURVES[key], rtol=1e-12, atol=1e-15)


def test_every_golden_curve_of_the_toy_is_looked_at():
    assert {*BY_KEY, "DH_pc_pos", "DH_normalised_cost"} == set(CURVES)


def test_the_normalised_cost_of_the_toy_is_at_most_that_of_its_own_thresholds():
    pc = np.array(CURVES["DH_pc_pos"])
    best = normalised_cost_curve(TOY).at(pc)
    assert (best <= np.array(CURVES["DH_normalised_cost"]) + 1e-15).all()
    pi, pi_n = 1 / 3, 2 / 3
    assert_allclose(best * 2 * ((1 - AT) * pi + AT * pi_n), CURVES["LE"], rtol=1e-12)


def test_the_toy_roc_curve_has_the_counts_of_the_figure():
    curve = roc_curve(TOY)
    assert_array_equal(curve.x * 6, AREAS["roc_FP"])
    assert_array_equal(curve.y * 3, AREAS["roc_TP"])
    assert_allclose(curve.area(), AREAS["AUC"], rtol=1e-14)


def test_the_toy_hull_has_the_corners_of_the_figure():
    hull = roc_hull(TOY)
    assert_allclose(hull.x, [0, 0, 1 / 6, 1 / 2, 1], rtol=1e-15)
    assert_allclose(hull.y, [0, 1 / 3, 2 / 3, 1, 1], rtol=1e-15)
    assert hull.threshold.tolist() == [np.inf, 0.95, 0.9, 0.2, 0.03]


def test_the_areas_of_the_toy_are_brier_score_refinement_and_calibration_loss():
    brier, refinement = brier_curve(TOY).area(), cost_curve(TOY).area()
    assert_allclose(brier, 24559 / 90000, rtol=1e-14)
    assert_allclose(refinement, 7 / 54, rtol=1e-14)
    assert_allclose(brier - refinement, AREAS["calibration_loss"], rtol=1e-14)
    losses = class_loss_curves(TOY)
    parts = [losses.positive.area(), losses.negative.area()]
    assert_allclose(parts, [AREAS["brier_positive_part"], AREAS["brier_negative_part"]], rtol=1e-14)


def test_the_toy_envelope_breaks_where_the_figure_does():
    curve = cost_curve(TOY)
    points = np.unique(np.stack([curve.x, curve.y], axis=1).round(14), axis=0)
    assert_allclose(points, AREAS["envelope_breakpoints"], atol=1e-14)


def test_the_toy_calibration_curve_has_the_isotonic_values():
    assert_allclose(np.unique(calibration_curve(TOY).y), AREAS["pav_values"], rtol=1e-15)


def test_each_toy_roc_point_becomes_a_line_and_the_envelope_is_their_minimum():
    lines = cost_lines(TOY)
    assert len(lines) == len(AREAS["roc_FP"])
    for line, false_alarms, hits in zip(lines[::-1], AREAS["roc_FP"], AREAS["roc_TP"], strict=True):
        assert_allclose(line.y, [2 * (3 - hits) / 9, 2 * false_alarms / 9], rtol=1e-15)
    assert_allclose(cost_curve(TOY).at(AT), np.min([line.at(AT) for line in lines], axis=0), atol=1e-15)


@pytest.mark.parametrize("key", ["A@0.1", "B@0.1", "A@0.9", "B@0.9"])
def test_fig_6_values_with_the_factor_that_the_paper_lost(key):
    hits, misses, false_alarms, quiet = CASES["fig6_two_models"]["inputs"]["confusion_TP_FN_FP_TN"][key]
    cost, expected = float(key[2:]), CASES["fig6_two_models"]["expected"][key]
    table = ScoreTable.from_counts([cost - 0.05, cost], [misses, hits], [quiet, false_alarms])
    found = [float(f(table).at(cost)) for f in (decision_curve, brier_curve, comparable_decision_curve)]
    assert_allclose(found, [expected["NB"], expected["BC"], expected["NB_comparable"]], rtol=1e-12)
