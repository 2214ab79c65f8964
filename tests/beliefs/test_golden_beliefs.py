"""The worked cases of the inverse score, in 40-digit arithmetic."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from stakes.beliefs import IndependentCosts
from stakes.beliefs._money_range import MoneyRange

CASES = {
    case["name"]: case
    for case in json.loads(Path(__file__).with_name("golden_beliefs.json").read_text(encoding="utf-8"))["cases"]
}
RECTANGLES = ["unit_square", "general_tA_lt_tB", "general_tB_lt_tA", "one_zero_corner", "thin_high_fn_cost"]


def costs_of(inputs):
    """Make the belief of a golden case, in which a fixed cost is one number."""
    pairs = {name: value if isinstance(value, list) else [value, value] for name, value in inputs.items()}
    return IndependentCosts(false_negative=pairs["c_FN"], false_positive=pairs["c_FP"])


def assert_same_losses(costs, score, expected, zero):
    """Compare losses; `zero` is what the rounding of a score may make of a loss that is exactly 0."""
    assert_allclose(costs.loss_if_positive(score), expected["L1"], rtol=1e-12, atol=zero)
    assert_allclose(costs.loss_if_negative(score), expected["L0"], rtol=1e-12, atol=zero)


@pytest.mark.parametrize("name", RECTANGLES)
def test_losses_of_two_ranges_are_the_worked_ones(name):
    case = CASES[f"inv_{name}"]
    inputs = dict(case["inputs"])
    score = inputs.pop("p")
    assert_same_losses(costs_of(inputs), score, case["expected"], zero=1e-30)  # the loss starts as a square


@pytest.mark.parametrize("which", ["a", "b", "c"])
def test_losses_with_a_fixed_cost_are_the_worked_ones(which):
    case = CASES["inv_degenerate"]
    costs = costs_of(case["inputs"][which])
    assert_same_losses(costs, case["inputs"]["p"], case["expected"][which], zero=1e-15)  # the loss starts as a line


def weight_density(costs, c):
    """Return the density of the cost proportion times what both mistakes cost there."""
    return MoneyRange(costs).magnitude(c) * costs.density(c)


def test_densities_of_the_cost_proportion_are_the_worked_ones():
    case = CASES["inv_weight_density"]
    inputs = dict(case["inputs"])
    proportion = inputs.pop("c")
    costs = costs_of(inputs)
    assert_allclose(weight_density(costs, np.array(proportion)), case["expected"]["w"], rtol=1e-12)
    assert_allclose(costs.density(proportion), case["expected"]["threshold_density"], rtol=1e-12)


@pytest.mark.parametrize(
    ("total", "integrand"),
    [
        ("total_w", weight_density),
        ("total_density", lambda costs, c: costs.density(c)),
        ("int_1mc_w", lambda costs, c: (1 - c) * weight_density(costs, c)),
        ("int_c_w", lambda costs, c: c * weight_density(costs, c)),
    ],
)
def test_integrals_of_the_densities_are_the_worked_ones(total, integrand):
    case = CASES["inv_weight_density"]
    costs = costs_of({name: case["inputs"][name] for name in ("c_FN", "c_FP")})
    ends = [1 / 4, 1 / 3, 4 / 7, 2 / 3]  # where the ray meets the corners of the rectangle
    found = sum(quad(lambda c: integrand(costs, c), *piece)[0] for piece in pairwise(ends))
    assert_allclose(found, case["expected"][total], rtol=1e-12)
