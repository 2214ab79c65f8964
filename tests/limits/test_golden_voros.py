"""Worked and published numbers of VOROS, partial VOROS and policies."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import Beta, Limits, ScoreTable, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost
from stakes.limits import feasible_partial_auc, feasible_region, lesser_area, max_feasible_recall, partial_voros, voros
from stakes.policy import best_recall_threshold, policy_cost

CASES = json.loads(Path(__file__).with_name("golden_voros.json").read_text(encoding="utf-8"))["cases"]
TIED = CASES["pv_tied30"]
COSTS_OF_TIED = {
    "pv_t_0p2_0p6": FractionalCost(0.2, 0.6),
    "pv_ratio_1_9_1_6": CostRatio(1 / 9, 1 / 6),
    "pv_beta_2_5": FractionalCost.of(Beta(2, 5)),
}


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-13)


def sample(case: dict, score: str = "s") -> tuple[ScoreTable, Limits, FractionalCost]:
    inputs = case["inputs"]
    limits = Limits.from_count(inputs["kappa"], len(inputs["y"]), min_precision=inputs["alpha"])
    return score_table(inputs["y"], inputs[score]), limits, FractionalCost(*inputs["t"])


def test_never_and_always_alone_reach_the_published_baseline():
    case = CASES["voros_baseline"]
    table = score_table([0, 1, 1], [0.5, 0.5, 0.5])
    values = [voros(table, FractionalCost(*bounds)) for bounds in case["inputs"]["ranges"]]
    assert values == near(case["expected"]["voros"])
    assert np.round(100 * np.array(values), 1).tolist() == [80.7, 92.5, 89.2, 63.7, 86.9]


@pytest.mark.parametrize(
    ("key", "costs"),
    [
        ("t in [0,1]", FractionalCost(0, 1)),
        ("t in [0.2,0.6]", FractionalCost(0.2, 0.6)),
        ("C_FP/C_FN ~ U[0.1,0.5]", CostRatio(0.1, 0.5)),
        ("t ~ Beta(2,5)", FractionalCost.of(Beta(2, 5))),
    ],
)
def test_nine_cases(key, costs):
    case = CASES["voros_toy"]
    assert voros(score_table(case["inputs"]["y"], case["inputs"]["s"]), costs) == near(case["expected"][key])


@pytest.mark.parametrize("number", range(6))
def test_lesser_area_in_the_whole_square(number):
    case = CASES["lesser_area_full_square"]
    t, h, k = (case["inputs"][name][number] for name in ("t", "h", "k"))
    square = feasible_region(score_table([0, 1], [1, 2]), Limits())
    area = lesser_area(square, false_positive_rate=h, true_positive_rate=k, t=t)
    assert area == near(float(Fraction(case["exact"]["area"][number])))


@pytest.mark.parametrize("number", range(8))
def test_lesser_area_in_a_feasible_region(number):
    case = CASES["partial_area_points"]
    point = case["inputs"]["cases"][number]
    table = ScoreTable.from_counts([0.5], [point["P"]], [point["N"]])
    limits = Limits.from_count(point["kappa"], point["P"] + point["N"], min_precision=point["alpha"])
    region = feasible_region(table, limits)
    area = lesser_area(region, false_positive_rate=point["h"], true_positive_rate=point["k"], t=point["t"])
    assert area == near(float(Fraction(case["exact"]["area"][number])))
    assert area / region.area == near(case["expected"]["normalised"][number])


@pytest.mark.parametrize("number", [1, 2])
def test_the_hull_is_taken_over_the_feasible_thresholds(number):
    case = CASES[f"pv_counterexample_hull_first_{number}"]
    table, limits, costs = sample(case)
    assert partial_voros(table, costs, limits) == near(case["expected"]["pv_deterministic"])
    assert partial_voros(table, costs, limits, randomised=True) == near(case["expected"]["pv_randomised"])


def test_the_best_feasible_threshold_of_the_first_counterexample():
    case = CASES["pv_counterexample_hull_first_1"]
    table, limits, costs = sample(case)
    policy = best_thresholds(table, costs, limits)
    assert len(policy) == 1
    assert [policy.false_positive_rate[0], policy.recall[0]] == case["expected"]["operating_point"]


def test_a_dominating_curve_may_lose_when_only_real_thresholds_count():
    case = CASES["pv_lemma21_counterexample"]
    (coarse, limits, costs), (fine, _, _) = sample(case, "s_coarse"), sample(case, "s_fine")
    assert partial_voros(coarse, costs, limits) == case["expected"]["pv_coarse"] == 0
    assert partial_voros(fine, costs, limits) == near(case["expected"]["pv_fine"])
    assert partial_voros(coarse, costs, limits, randomised=True) == near(case["expected"]["pv_coarse_randomised"])


@pytest.mark.parametrize("letter", "abcde")
@pytest.mark.parametrize("key", COSTS_OF_TIED)
def test_thirty_tied_cases(letter, key):
    table, limits, expected = tied(letter)
    assert partial_voros(table, COSTS_OF_TIED[key], limits) == near(expected[key])
    randomised = partial_voros(table, COSTS_OF_TIED[key], limits, randomised=True)
    assert randomised == near(expected[f"{key}_randomised"])


@pytest.mark.parametrize("letter", "abcde")
def test_what_knows_limits_only_of_thirty_tied_cases(letter):
    table, limits, expected = tied(letter)
    assert feasible_partial_auc(table, limits) == near(expected["pauroc_region"])
    assert max_feasible_recall(table, limits) == near(expected["max_recall"])
    policy = best_recall_threshold(table, FractionalCost(0, 1), limits)
    assert policy.false_positive_rate.tolist() == near([expected["max_recall_fpr"]])


def tied(letter: str) -> tuple[ScoreTable, Limits, dict]:
    expected = TIED["expected"][letter]
    limits = Limits.from_count(expected["kappa"], 30, min_precision=expected["alpha"])
    return score_table(TIED["inputs"]["y"], TIED["inputs"]["s"]), limits, expected


def test_more_positives_than_negatives():
    case = CASES["pv_P_greater_N"]
    table, limits, costs = sample(case)
    assert partial_voros(table, costs, limits) == near(case["expected"]["pv"])
    assert partial_voros(table, costs, limits, randomised=True) == near(case["expected"]["pv_randomised"])
    assert feasible_region(table, limits).area == near(case["expected"]["area_F"])


class RatioAsSeenInValidation:
    """A cost ratio uniform on [1/9, 1/2], as a law of t with the validation sample's classes: 8 to 22."""

    support = ((1 / 9) / (1 / 9 + 8 / 22), 0.5 / (0.5 + 8 / 22))

    def density(self, t):
        return 8 / 22 / ((1 / 2 - 1 / 9) * (1 - np.asarray(t)) ** 2)


@pytest.mark.parametrize(
    ("key", "costs"),
    [
        ("t~U[0.2,0.6], same t on test", FractionalCost(0.2, 0.6)),
        ("ratio~U[1/9,1/2], test cost normalised with t_test (recommended)", CostRatio(1 / 9, 1 / 2)),
        ("ratio~U[1/9,1/2], t_val used on test (as printed)", FractionalCost.of(RatioAsSeenInValidation())),
    ],
)
def test_thresholds_chosen_on_one_sample_and_paid_on_another(key, costs):
    inputs, expected = CASES["expected_test_cost"]["inputs"], CASES["expected_test_cost"]["expected"]
    chosen_on = score_table(inputs["y_val"], inputs["s_val"])
    paid_on = score_table(inputs["y_test"], inputs["s_test"])
    limits = Limits.from_count(inputs["kappa"], len(inputs["y_val"]), min_precision=inputs["alpha"])
    paid = policy_cost(best_thresholds(chosen_on, costs, limits), paid_on, costs)
    assert paid.normalised_cost == near(expected[key])


def test_the_steps_of_a_policy():
    inputs, expected = CASES["expected_test_cost"]["inputs"], CASES["expected_test_cost"]["expected"]
    limits = Limits.from_count(inputs["kappa"], len(inputs["y_val"]), min_precision=inputs["alpha"])
    policy = best_thresholds(score_table(inputs["y_val"], inputs["s_val"]), FractionalCost(0, 1), limits)
    steps = np.column_stack([policy.from_cost, policy.to_cost, policy.threshold])[::-1]
    assert_allclose(steps, expected["policy_t_breaks_lo_hi_threshold"], rtol=1e-12)
