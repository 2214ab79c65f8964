"""The page of cases with costs of their own: the numbers of the evaluation, in money, and alarms in cases."""

import functools
import json
import math
import re
from html import unescape

import numpy as np
import pandas as pd
import polars as pl
import pytest

from stakes import CaseCosts, Decision, Limits, evaluate
from stakes.report import render

COSTS = CaseCosts(false_negative="0.75*amount", false_positive=5)


def frame(size=300):
    rng = np.random.default_rng(4)
    logit = rng.normal(-2, 1.5, size)
    return pd.DataFrame(
        {
            "fraud": (rng.random(size) < 1 / (1 + np.exp(-logit))).astype(int),
            "<b>gbm": (1 / (1 + np.exp(-logit))).round(3),
            "amount": np.exp(rng.normal(4, 1.2, size)),
        }
    )


FRAME = frame()


@functools.cache
def limited():
    decision = Decision("as stated", limits=Limits(capacity=0.1))
    return evaluate("fraud", ["<b>gbm"], decision, data=FRAME, case_costs=COSTS)


@pytest.fixture(scope="module")
def text():
    return render(limited(), title="Which alarms?", source="frauds.parquet")


def test_the_page_has_every_number_as_data(text):
    data = json.loads(re.search(r"id=data>(.*?)</script>", text, re.DOTALL)[1])
    assert data == json.loads(limited().to_json())


def test_names_are_text(text):
    assert "<b>gbm" not in text
    assert "&lt;b&gt;gbm" in text


def test_costs_and_alarms_are_stated(text):
    said = unescape(re.sub(r"<[^>]+>", " ", text))
    assert "Which alarms?" in said
    assert re.search(r"what is done\s+cost\s+not acting on a positive\s+0\.75\*amount", said)
    assert "From which probability a model acts depends on the case" in said
    assert re.search(r"acting on a negative\s+5\b", said)
    policy = limited().policy()
    cut = policy.threshold[0]
    assert re.search(
        rf"gbm\s+{math.floor(1e4 * cut) / 1e4:.4g}\d*\s+{policy.alarms_per_thousand[0]:.4g}\s+\d+%\s+\d+%", said
    )
    assert limited().answer in said
    assert all(one.text in said for one in limited().findings)


def test_the_picture_of_own_thresholds_says_what_is_saved_and_who_is_left_out():
    costs = CaseCosts(false_negative="amount", false_positive=8, true_positive=8)
    found = evaluate("fraud", ["<b>gbm"], "as stated", data=FRAME, case_costs=costs)
    said = " ".join(unescape(re.sub(r"<[^>]+>", " ", render(found))).split())
    drawn, out = int((FRAME["amount"] > 8).sum()), int((FRAME["amount"] <= 8).sum())
    assert out > 1
    assert "saved by acting on a positive case" in said
    assert f"{drawn} of {drawn} cases are drawn, at even ranks of what acting on a positive one saves." in said
    assert f"{out} more cases have no such probability and are left out: acting on a positive saves nothing" in said
    assert "left out: acting on a positive" not in render(limited())


def test_only_under_limits_are_thresholds_said_to_be_chosen(text):
    free = render(evaluate("fraud", ["<b>gbm"], "as stated", data=FRAME, case_costs=COSTS))
    chosen = "on the cases that the thresholds were chosen on"
    assert (chosen in text, chosen in free) == (True, False)
    assert "Alarms are counted in cases, whatever they cost." in free


def test_every_point_is_the_threshold_of_a_case(text):
    heights = [float(y) for y in re.findall(r"<circle cx='[\d.]+' cy='([\d.]+)'", text)]
    cut, lost = limited().policy().threshold[0], np.sort(0.75 * FRAME["amount"])
    threshold = 5 * cut / (5 * cut + (1 - cut) * lost)
    assert len(heights) == 300
    np.testing.assert_allclose(heights, 30 + 260 * (1 - threshold), atol=0.051)


@pytest.mark.parametrize(("costs", "said"), [("x0.5..x2", "as stated"), ("x2..x4", "x2"), ("x0.2..x0.5", "x0.5")])
@pytest.mark.parametrize("limits", [None, Limits(capacity=0.1)])
@pytest.mark.usefixtures("few_replicates")
def test_over_a_range_the_points_are_thresholds_at_the_cost_that_is_said(costs, said, limits):
    found = evaluate("fraud", ["<b>gbm"], Decision(costs, limits=limits), data=FRAME, case_costs=COSTS)
    page, policy = render(found), found.policy()
    heights = [float(y) for y in re.findall(r"<circle cx='[\d.]+' cy='([\d.]+)'", page)]
    cost = {"as stated": 1 / 2, "x2": 2 / 3, "x0.5": 1 / 3}[said]
    steps = [k for k in range(len(policy)) if policy.from_cost[k] - 1e-12 <= cost <= policy.to_cost[k] + 1e-12]
    lost = np.sort(0.75 * FRAME["amount"])
    wanted = [30 + 260 * (1 - 5 * cut / (5 * cut + (1 - cut) * lost)) for cut in policy.threshold[steps]]
    assert any(np.allclose(heights, one, atol=0.051) for one in wanted)
    if len(policy) > 1:
        assert f"acts from this probability on, where a false alarm counts {said}." in page
        assert "act from different scores" in page or "<h2>Alarms" not in page


def test_a_streamed_sample_has_no_picture_of_cases():
    found = evaluate("fraud", ["<b>gbm"], "x0.5..x2", data=pl.from_pandas(FRAME).lazy(), case_costs=COSTS, in_memory=0)
    page = render(found)
    assert "<circle" not in page
    assert "Expected cost" in page
