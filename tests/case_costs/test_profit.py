"""Profit measures of churn and credit: worked numbers, the definition by brute force, and the page that shows them."""

import doctest
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from stakes import recalibrate, score_table

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "golden" / "case_costs.json").read_text())["cases"]
}
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "profit.md"


@pytest.fixture(scope="module")
def shown():
    """Run the page, and return the functions that it defines."""
    examples = doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), {}, "profit", str(PAGE), 0)
    for example in examples.examples:
        exec(compile(example.source, str(PAGE), "exec"), examples.globs)
    return examples.globs


def sample(name):
    return CASES[name]["inputs"]["y"], CASES[name]["inputs"]["score"]


@pytest.mark.parametrize("name", ["empc", "empcs"])
def test_worked_numbers(shown, name):
    found = shown[name](recalibrate(score_table(*sample(name))))
    assert_allclose(found, CASES[name]["value"], rtol=1e-12)


def best_profit(y, score, gain, loss):
    """Return the profit per customer of the best threshold, by trying all."""
    y, score = np.array(y), np.array(score)
    tried = [np.sum(np.where(score >= at, np.where(y == 1, gain, -loss), 0.0)) for at in [*score, np.inf]]
    return max(tried) / len(y)


def test_profit_of_churn_by_its_definition(shown):
    y, score = sample("empc")

    def at(share):
        return best_profit(y, score, 200 * (share * 0.95 - 0.005), 200 * 0.055) * stats.beta(6, 14).pdf(share)

    wanted = integrate.quad(at, 0, 1, limit=400, points=[0.05, 0.1, 0.15, 0.2, 0.3])[0]
    assert_allclose(shown["empc"](recalibrate(score_table(y, score))), wanted, rtol=1e-5)


def test_profit_of_credit_by_its_definition(shown):
    y, score = sample("empcs")
    shares = (np.arange(4000) + 0.5) / 4000
    some = np.mean([best_profit(y, score, share, 0.2644) for share in shares])
    wanted = 0.35 * some + 0.1 * best_profit(y, score, 1.0, 0.2644)
    assert_allclose(shown["empcs"](recalibrate(score_table(y, score))), wanted, rtol=1e-6)
