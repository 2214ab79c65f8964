"""A worked band of the difference of two decision curves, at a given deviate, computed in 30-digit arithmetic."""

import json
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from stakes import Cases
from stakes.uncertainty import difference_band

WORKED = json.loads(Path(__file__).with_name("difference_band.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case["name"])
def test_the_band_of_a_difference_at_a_given_deviate(case):
    given, expected = case["inputs"], case["expected"]
    cases = Cases(given["y"], {"a": given["a"], "b": given["b"]})
    found = difference_band(cases, "a", "b", x=given["cost"], deviate=given["deviate"])
    assert_allclose(found.estimate, expected["estimate"], rtol=0, atol=1e-12)
    assert_allclose(found.lower_everywhere, expected["lower"], rtol=0, atol=1e-12)
    assert_allclose(found.upper_everywhere, expected["upper"], rtol=0, atol=1e-12)
