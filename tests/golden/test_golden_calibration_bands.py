"""Worked cases of the honest calibration band: the numbers of calibrationband 0.1.1 in R (method "standard")."""

import json
from pathlib import Path

from numpy.testing import assert_allclose

from stakes import Cases
from stakes.uncertainty import calibration_band

WORKED = {
    case["name"]: case
    for case in json.loads((Path(__file__).parent / "calibration_bands.json").read_text(encoding="utf-8"))
}


def test_fifteen_cases_as_in_r():
    given, wanted = (WORKED["honest band, 15 cases"][key] for key in ("inputs", "expected"))
    found = calibration_band(Cases(given["y"], {"a": given["score"]}), level=given["level"])["a"]
    assert found.x.tolist() == wanted["x"]
    assert_allclose(found.lower, wanted["lower"], rtol=0, atol=1e-12)
    assert_allclose(found.upper, wanted["upper"], rtol=0, atol=1e-12)


def test_four_hundred_cases_as_in_r():
    given, wanted = (WORKED["honest band, 400 cases"][key] for key in ("inputs", "expected"))
    score = [round((i - 0.5) / 400, 4) for i in range(1, 401)]
    y = [int((i * 7919 % 1000) / 1000 < one**1.6) for i, one in enumerate(score, 1)]
    assert sum(y) == given["y_sum"]
    found = calibration_band(Cases(y, {"a": score}), x=given["places"], exact=True)["a"]
    assert_allclose(found.lower, wanted["lower"], rtol=0, atol=1e-12)
    assert_allclose(found.upper, wanted["upper"], rtol=0, atol=1e-12)
