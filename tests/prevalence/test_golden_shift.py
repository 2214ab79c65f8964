"""Worked examples at another prevalence: single averages within 1e-12 of them, double ones within 1e-10."""

import json
from pathlib import Path

import numpy as np
import pytest

from stakes import At, LogOddsUniform, Uniform, auc, explain_gap, recalibrate, score_table
from stakes.beliefs import Atoms
from stakes.prevalence import prior_adjusted_net_benefit, shifted_accuracy, shifted_regret, shifted_weighted_accuracy

CASES = json.loads((Path(__file__).parent / "golden_shift.json").read_text(encoding="utf-8"))["cases"]
LAWS = {"logit": LogOddsUniform, "uniform": Uniform, "prob": Uniform}
MEASURES = {
    "pamnb": prior_adjusted_net_benefit,
    "nb": prior_adjusted_net_benefit,
    "pamwa": shifted_weighted_accuracy,
    "wa": shifted_weighted_accuracy,
    "pamr": shifted_regret,
    "regret": shifted_regret,
    "pama": lambda table, costs, prevalence: shifted_accuracy(table, prevalence),
}


def table_of(case):
    return score_table(case["y"], case["s"], case["w"])


def points():
    for name, expected in CASES["label_shift_point"]["expected"].items():
        if name.startswith("pi="):
            prevalence, cost = (float(part.split("=")[1]) for part in name.split(","))
            yield from ((prevalence, cost, measure, value) for measure, value in expected.items())


@pytest.mark.parametrize(("prevalence", "cost", "measure", "expected"), list(points()))
def test_at_one_prevalence_and_cost(prevalence, cost, measure, expected):
    table = table_of(CASES["label_shift_point"]["input"])
    assert MEASURES[measure](table, At(cost), At(prevalence)) == pytest.approx(expected, rel=1e-12, abs=0)


def single_averages():
    for case in ("prevalence_average", "prevalence_average_syphilis"):
        yield from ((case, name) for name in CASES[case]["expected"] if name != "miscalibration")


@pytest.mark.parametrize(("case", "name"), list(single_averages()))
def test_averages_over_prevalence_also_where_it_is_rare(case, name):
    given = CASES[case]["input"]
    measure, law, *recalibrated = name.split("_")
    table = recalibrate(table_of(given)) if recalibrated else table_of(given)
    found = MEASURES[measure](table, At(given["c"]), LAWS[law](given["a"], given["b"]))
    assert found == pytest.approx(CASES[case]["expected"][name], rel=1e-12, abs=0)


@pytest.mark.parametrize("case", ["prevalence_average", "prevalence_average_syphilis"])
def test_miscalibration_is_what_recalibration_adds_negated(case):
    given = CASES[case]["input"]
    table, belief = table_of(given), LogOddsUniform(given["a"], given["b"])
    lost = prior_adjusted_net_benefit(table, At(given["c"]), belief)
    lost -= prior_adjusted_net_benefit(recalibrate(table), At(given["c"]), belief)
    assert lost == pytest.approx(CASES[case]["expected"]["miscalibration"], rel=1e-12, abs=1e-17)


def double_averages():
    for case in ("double_average", "double_average_edges"):
        yield from ((case, name) for name in CASES[case]["expected"])


@pytest.mark.parametrize(("case", "name"), list(double_averages()))
def test_averages_over_prevalence_and_cost(case, name):
    given = CASES[case]["input"]
    prevalence, cost, measure = (part.split("=")[-1] for part in name.split(","))
    costs, prevalences = LAWS[cost](given["c0"], given["c1"]), LAWS[prevalence](given["a"], given["b"])
    found = MEASURES[measure](table_of(given), costs, prevalences)
    assert found == pytest.approx(CASES[case]["expected"][name], rel=1e-14, abs=0)


def test_the_gap_between_two_groups():
    given, expected = CASES["subgroups"]["input"], CASES["subgroups"]["expected"]
    orange, blue, costs = table_of(given["orange"]), table_of(given["blue"]), At(given["c"])
    gap = explain_gap(orange, blue, costs)
    assert (gap.total, gap.mechanism, gap.label) == pytest.approx(tuple(expected["I2"].values()), rel=1e-12, abs=0)
    gap = explain_gap(orange, blue, costs, LogOddsUniform(given["a"], given["b"]))
    assert (gap.mechanism, gap.sharpness, gap.calibration) == pytest.approx(tuple(expected["I3"].values()), rel=1e-12)


def test_auc_is_the_mean_accuracy_over_prevalences_with_constant_one():
    case = CASES["auc_as_mean_accuracy"]
    table = recalibrate(table_of(case["input"]))
    weight = table.positive / table.positive_total / 2 + table.negative / table.negative_total / 2
    ratio = table.score / (1 - table.score + (table.score == 1)) * table.negative_total / table.positive_total
    inside = (table.score > 0) & (table.score < 1)
    # At a score of 0 or 1 the prevalence is 1 or 0, and every decision is right.
    belief = Atoms(1 / (1 + ratio[inside]), weight[inside])
    found = weight[inside].sum() * shifted_accuracy(table, belief) + weight[~inside].sum()
    assert found == pytest.approx(case["expected"]["mean_pama"], rel=1e-12)
    assert auc(table) == pytest.approx(case["expected"]["auc_pav"], rel=1e-12)
    assert np.isclose(weight.sum(), 1)
