"""Worked cases of every score, computed in 30-digit arithmetic from the definitions."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from stakes import (
    At,
    Beta,
    LogOddsUniform,
    ScoreTable,
    Uniform,
    accuracy,
    auc,
    brier_score,
    decompose,
    expected_regret,
    h_measure,
    log_loss,
    net_benefit,
    recalibrate,
    score_table,
    skill_score,
    top_k,
)
from stakes.beliefs import Atoms, EveryLogOdds, ShiftedUniform
from stakes.measures import bounded_auc, weighted_accuracy
from stakes.prevalence import shift_scores
from stakes.table import Recalibration, flatten

CASES = json.loads(Path(__file__).with_name("scores.json").read_text(encoding="utf-8"))["cases"]

BOUNDED = ["bounded_5_20", "bounded_weighted_01", "bounded_rare"]
ONE_CLASS = ["one_class_all_negative", "one_class_all_positive"]


def table_of(name: str) -> ScoreTable:
    given = CASES[name]["input"]
    return score_table(given["y"], given["s"], given["w"])


def expected(name: str) -> dict:
    return CASES[name]["expected"]


def near(value: float):
    return pytest.approx(value, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("cost", [0.1, 0.25, 0.5, 0.6])
def test_point_measures_where_scores_tie_with_the_cost(cost):
    table, wanted = table_of("point_ties"), expected("point_ties")[f"c={cost}"]
    assert expected_regret(table, At(cost)) == near(wanted["regret_star"])
    assert expected_regret(table, At(np.nextafter(cost, 1))) == near(wanted["regret_star_right"])
    assert net_benefit(table, At(cost)) == near(wanted["net_benefit"])
    assert net_benefit(table, At(cost)) + 0.5 * cost / (1 - cost) == near(wanted["net_benefit_tn"])
    assert weighted_accuracy(table, cost=cost) == near(wanted["weighted_accuracy"])


def test_whole_range_measures_of_the_tied_sample():
    table, wanted = table_of("point_ties"), expected("point_ties")
    assert table.prevalence == wanted["pi"]
    assert accuracy(table, threshold=0.5) == near(wanted["accuracy(tau=.5)"])
    assert auc(table) == near(wanted["auc"])
    assert brier_score(table) == near(wanted["brier"])
    assert log_loss(table) == near(wanted["log_loss"])


def test_regret_at_a_threshold_that_is_not_the_cost():
    # A score that only says on which side of the threshold it lies turns a threshold of 0.6 into any cost between 0 and
    # 1.
    given = CASES["point_ties"]["input"]
    table = score_table(given["y"], (np.array(given["s"]) >= 0.6).astype(float), given["w"])
    assert expected_regret(table, At(0.2)) == near(expected("point_ties")["regret(c=.2,tau=.6)"])


@pytest.mark.parametrize("name", BOUNDED + ONE_CLASS)
def test_averages_over_a_range_of_costs(name):
    table, wanted = table_of(name), expected(name)
    low, high = CASES[name]["input"]["a"], CASES[name]["input"]["b"]
    even, log_odds = Uniform(low, high), LogOddsUniform(low, high)
    assert expected_regret(table, even) == near(wanted["mean_regret_uniform"])
    assert expected_regret(table, log_odds) == near(wanted["mean_regret_logodds"])
    assert brier_score(table, cost_range=(low, high)) == near(wanted["clipped_brier_difference"])
    assert log_loss(table, cost_range=(low, high)) == near(wanted["clipped_logloss_difference"])
    assert net_benefit(table, even) == near(wanted["mean_net_benefit_uniform"])
    assert net_benefit(table, log_odds) == near(wanted["mean_net_benefit_logodds"])
    # The decision curve on a rescaled axis has the mean regret for its area.
    assert expected_regret(table, even) == near(wanted["dca_quadratic_axis_area"])
    assert expected_regret(table, log_odds) == near(wanted["dca_log_axis_area"])


@pytest.mark.parametrize("name", BOUNDED)
def test_skill_over_a_range_of_costs(name):
    table, wanted = table_of(name), expected(name)
    low, high = CASES[name]["input"]["a"], CASES[name]["input"]["b"]
    for belief, word in ((Uniform(low, high), "uniform"), (LogOddsUniform(low, high), "logodds")):
        assert expected_regret(flatten(table), belief) == near(wanted[f"baseline_{word}"])
        assert skill_score(table, belief) == near(wanted[f"skill_{word}"])


@pytest.mark.parametrize("name", ONE_CLASS)
def test_skill_of_one_class_is_undefined(name):
    assert expected(name)["skill"] == "nan"
    with pytest.warns(RuntimeWarning, match="`skill_score` is undefined"):
        assert math.isnan(skill_score(table_of(name), Uniform(0.1, 0.3)))


@pytest.mark.parametrize(
    ("word", "belief"),
    [
        ("Beta(1,1)", Beta(1, 1)),
        ("Beta(2,2)", Beta(2, 2)),
        ("Beta(2,8)", Beta(2, 8)),
        ("Beta(0.5,1.5)", Beta(0.5, 1.5)),
        ("Beta(2,5) on [.05,.5]", Beta(2, 5, low=0.05, high=0.5)),
    ],
)
def test_mean_regret_under_beta_costs(word, belief):
    assert expected_regret(table_of("beta"), belief) == near(expected("beta")[word])


@pytest.mark.parametrize(("alpha", "beta"), [(2, 2), (1, 1)])
def test_h_measure_of_a_sample_without_discrimination(alpha, beta):
    wanted = expected("beta")[f"H_measure Beta({alpha},{beta})"]
    assert h_measure(table_of("beta"), Beta(alpha, beta)) == near(wanted)


def test_atoms_at_the_scores_act():
    given = CASES["discrete_mixture"]["input"]
    regret = expected_regret(table_of("discrete_mixture"), Atoms(given["costs"], given["probs"]))
    assert regret == near(expected("discrete_mixture")["mean_regret"])


@pytest.mark.parametrize("mode", [0.1, 0.5, 0.8])
def test_shifted_brier_score(mode):
    wanted = expected("shifted_brier")[f"mu={mode}"]["C_cost_prior_shift"]
    assert expected_regret(table_of("shifted_brier"), ShiftedUniform(mode)) == near(wanted)


def test_recalibration_of_a_weighted_tied_sample():
    learnt = Recalibration.of(table_of("corp"))
    assert learnt(CASES["corp"]["input"]["s"]).tolist() == pytest.approx(expected("corp")["pav"], rel=1e-12)


@pytest.mark.parametrize(
    ("word", "belief", "scale"),
    [
        ("brier", Uniform(), 2),
        ("log_loss", EveryLogOdds(), 1),
        ("uniform[.1,.4]", Uniform(0.1, 0.4), 1),
        ("logodds[.1,.4]", LogOddsUniform(0.1, 0.4), 1),
        ("point c=.35", At(0.35), 1),
    ],
)
def test_parts_of_the_mean_regret(word, belief, scale):
    parts, wanted = decompose(table_of("corp"), belief), expected("corp")[word]
    assert scale * parts.total == near(wanted["score"])
    assert scale * parts.miscalibration == near(wanted["mcb"])
    assert scale * parts.discrimination == near(wanted["dsc"])
    assert scale * parts.uncertainty == near(wanted["unc"])


def test_auc_before_and_after_recalibration():
    table, wanted = table_of("auc_calibrated"), expected("auc_calibrated")
    assert auc(table) == near(wanted["auc_original"])
    assert auc(recalibrate(table)) == near(wanted["auc_pav"])
    assert auc(recalibrate(table)) == near(wanted["hand"])


def test_areas_between_two_calibrated_scores():
    table, wanted = recalibrate(table_of("auc_calibrated")), expected("auc_calibrated")
    low, high = wanted["interval"]
    areas = bounded_auc(table, score_range=(low, high))
    assert areas.below == near(wanted["pauc_plus_mid_closed"])
    assert areas.beside == near(wanted["pauc_minus_mid_closed"])
    assert areas.concordant == near(wanted["baa"])


@pytest.mark.parametrize("k", [1, 2, 3, 4, 6, 8])
def test_top_k_with_ties_at_the_edge(k):
    top, wanted = top_k(table_of("topk"), k=k, cost=CASES["topk"]["input"]["c"]), expected("topk")[f"K={k}"]
    assert top.true_positives == near(wanted["tp"])
    assert top.precision == near(wanted["precision"])
    assert top.recall == near(wanted["recall"])
    assert top.regret == near(wanted["regret"])
    assert top.net_benefit == near(wanted["net_benefit"])


def test_scores_shifted_to_even_prevalence():
    table, wanted = table_of("label_shift_point"), expected("label_shift_point")
    assert table.prevalence == near(wanted["pi0"])
    assert shift_scores(table, 0.5).score.tolist() == pytest.approx(sorted(set(wanted["s_half"])), rel=1e-12)
