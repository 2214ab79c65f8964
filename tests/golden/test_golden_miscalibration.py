"""Worked cases of miscalibration: every outcome of eight cases enumerated in place of draws."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from stakes import Cases, ScoreTable, Uniform, decompose
from stakes.measures import RecalibrationFloor
from stakes.uncertainty._chance_floor import ChanceLaw, interval_of_law

WORKED = json.loads((Path(__file__).parent / "miscalibration.json").read_text(encoding="utf-8"))


def enumerated(probability, costs, shown):
    """Return the law of what recalibration gains by chance, from every possible outcome."""
    outcomes = np.array(list(itertools.product((0.0, 1.0), repeat=len(probability))))
    values = [decompose(ScoreTable(probability, one, 1 - one), costs).miscalibration for one in outcomes]
    share = np.where(outcomes > 0, probability, 1 - probability).prod(axis=1)
    return ChanceLaw(np.array(values), share, shown)


@pytest.mark.parametrize("case", WORKED, ids=[case["name"] for case in WORKED])
def test_every_outcome_enumerated(case):
    given, wanted = case["inputs"], case["expected"]
    costs, score = Uniform(given["low"], given["high"]), np.array(given["score"])
    cases = Cases(given["y"], {"a": score})
    estimate = decompose(cases.table("a"), costs).miscalibration
    law = enumerated(np.array(given.get("recalibrated", score)), costs, estimate)
    found = interval_of_law(cases, "a", estimate, RecalibrationFloor("miscalibration", costs), law, 0.95)
    near = {"rel": 1e-12, "abs": 1e-15}
    assert found.estimate == pytest.approx(wanted["estimate"], **near)
    assert law.mean == pytest.approx(wanted["floor"], **near)
    assert estimate - law.mean == pytest.approx(wanted["corrected"], **near)
    assert (found.lower, found.upper) == pytest.approx((wanted["lower"], wanted["upper"]), **near)
    assert [law.quantile(0.025), law.quantile(0.975)] == pytest.approx([wanted["q025"], wanted["q975"]], **near)
    assert enumerated(score, costs, estimate).chance == pytest.approx(wanted["chance"], **near)
