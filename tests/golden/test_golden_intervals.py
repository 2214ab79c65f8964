"""Worked intervals with few cases of a class, computed in 30-digit arithmetic from the definitions."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtr

from stakes import At, Cases, Uniform, auc, compare, expected_regret, interval, net_benefit, skill_score
from stakes.uncertainty import Study
from stakes.uncertainty._area_interval import SampledArea
from stakes.uncertainty._half_case import Kinds

GIVEN = {case["name"]: case for case in json.loads(Path(__file__).with_name("intervals.json").read_text())["cases"]}
NORMAL = 1.959963984540054


def named(*parts):
    return [name for name in GIVEN if any(name.startswith(part) for part in parts)]


def ends(name):
    return [GIVEN[name]["expected"][key] for key in ("estimate", "lower", "upper")]


def sample(given):
    if "positives" in given:
        y = np.repeat([1, 0], [given["positives"], given["negatives"]])
        return Cases(y, {"a": y.astype(float)})
    models = {key: given[key] for key in ("a", "b") if key in given} or {"a": given["score"]}
    return Cases(given["y"], models, weight=given.get("weight"))


def measure(name, given):
    costs = At(given["cost"]) if "cost" in given else Uniform(given["low"], given["high"])
    function = {"reg": expected_regret, "net": net_benefit, "ski": skill_score}[name[:3]]
    return partial(function, costs=costs)


def kinds(*seen, cases=1000.0):
    count = np.array(seen, dtype=float)
    one = np.ones(len(seen))
    variance, mean = float(((count - count**2 / cases) / cases**2).sum()), float(count.sum()) / cases
    return Kinds(count, count, one, one > 0, cases * one, variance, (mean, 1 - mean))


def test_a_kind_of_equal_cases_is_a_share():
    given = GIVEN["one kind: 4 seen, and none"]["expected"]
    for seen in (4, 0):
        found = kinds(seen).ends(seen / 1000, NORMAL)
        assert_allclose(np.array(found) * 1000, given[f"half_case{seen}"], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", named("AUC score interval"))
def test_the_score_interval_of_an_area(name):
    given = GIVEN[name]
    inputs, expected = given["inputs"], given["expected"]
    area = SampledArea(inputs["auc"], inputs["positives"], inputs["negatives"], 0.0)
    freedom = min(area.positives, area.negatives) - 1
    ratio = ((inputs["kappa"] - 1) * 10 + freedom * inputs["kappa"]) / freedom
    area = SampledArea(inputs["auc"], area.positives, area.negatives, ratio * area._variance(inputs["auc"]))
    assert_allclose(area.factor, inputs["kappa"], rtol=1e-12)
    assert_allclose(area.ends(NORMAL), [expected["lower"], expected["upper"]], rtol=1e-12)


@pytest.mark.parametrize("name", [n for n in named("regret", "net benefit", "skill") if "difference" not in n])
def test_an_interval(name):
    found = interval(sample(GIVEN[name]["inputs"]), measure(name, GIVEN[name]["inputs"]))["a"]
    assert found.method == "analytic"
    assert_allclose([found.estimate, found.lower, found.upper], ends(name), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", [n for n in named("regret", "net benefit") if "difference" in n])
def test_a_difference(name):
    found = compare(sample(GIVEN[name]["inputs"]), "a", "b", measure(name, GIVEN[name]["inputs"]))
    assert_allclose([found.difference, found.lower, found.upper], ends(name), rtol=1e-12, atol=1e-14)


def test_differences_at_a_deviate_of_several_places():
    given = GIVEN["difference curve with a simultaneous deviate 2.8"]
    level = 2 * ndtr(given["inputs"]["deviate"]) - 1
    for place, cost in enumerate(given["inputs"]["cost"]):
        found = compare(sample(given["inputs"]), "a", "b", net_benefit, costs=At(cost), level=level)
        expected = [given["expected"][key][place] for key in ("estimate", "lower", "upper")]
        assert_allclose([found.difference, found.lower, found.upper], expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("name", ["AUC", "AUC, second"])
def test_an_area(name):
    cases = sample(GIVEN[name]["inputs"])
    found, area = interval(cases, auc)["a"], Study(cases, auc)._area("a")
    assert_allclose([found.estimate, found.lower, found.upper], ends(name), rtol=1e-12)
    expected = [GIVEN[name]["expected"][key] for key in ("variance", "kappa")]
    assert_allclose([area.delong, area.factor], expected, rtol=1e-12)


def test_a_difference_of_areas():
    cases = sample(GIVEN["AUC difference"]["inputs"])
    found = compare(cases, "a", "b", auc)
    assert_allclose([found.difference, found.lower, found.upper], ends("AUC difference"), rtol=1e-12, atol=1e-14)
