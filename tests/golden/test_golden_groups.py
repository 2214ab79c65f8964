"""Worked comparisons of groups, computed in 30-digit arithmetic from the definitions."""

import json
from pathlib import Path

import numpy as np
from numpy.testing import assert_allclose
from scipy.special import chdtrc

from stakes.uncertainty._group_differences import ends_between, heterogeneity

GIVEN = {case["name"]: case for case in json.loads(Path(__file__).with_name("groups.json").read_text())["cases"]}


def test_the_interaction_of_three_groups():
    case = GIVEN["interaction of three groups"]
    inputs, expected = case["inputs"], case["expected"]
    found = heterogeneity(np.array(inputs["difference"]), np.sqrt(inputs["variance"]), np.eye(3))
    assert_allclose(found, [expected["Q"], expected["common"]], rtol=1e-12)
    assert_allclose(chdtrc(2, found[0]), expected["p"], rtol=1e-12)


def test_the_difference_of_two_groups():
    case = GIVEN["difference of two groups' differences"]
    inputs, expected = case["inputs"], case["expected"]
    found = ends_between(inputs["first"], inputs["second"])
    assert_allclose(inputs["first"][0] - inputs["second"][0], expected["estimate"], rtol=1e-12)
    assert_allclose(found, [expected["lower"], expected["upper"]], rtol=1e-12)
