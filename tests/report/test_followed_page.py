"""The page of cases that were not all followed: their numbers as printed, and nothing that moves."""

import json
import re
from html import unescape

import numpy as np
import pytest

from stakes import Decision, EventBy, Limits, evaluate
from stakes.report import render, save_report

RNG = np.random.default_rng(12)
HAZARD = np.exp(RNG.normal(size=240)) / 10
EVENT, OTHER, LEFT = RNG.exponential(1 / HAZARD), RNG.exponential(30, 240), RNG.uniform(0.5, 9, 240)
YEARS = np.minimum(np.minimum(EVENT, OTHER), LEFT)
STATUS = np.where(LEFT == YEARS, 0, np.where(EVENT == YEARS, 1, 2))
SCORES = {"new": 1 - np.exp(-5 * HAZARD), "<b>old</b>": np.clip(0.3 + RNG.normal(size=240) / 8, 0, 1)}
OUTCOME = EventBy(YEARS, STATUS, 5)


@pytest.fixture(scope="module")
def evaluation():
    words = {"case": ("man", "men"), "positive": "cancer"}
    decision = Decision("10%..30%", limits=Limits(capacity=0.5), words=words)
    return evaluate(OUTCOME, SCORES, decision, group=np.arange(240) % 2, rng=1)


@pytest.fixture(scope="module")
def page(evaluation):
    return render(evaluation, title="Who is seen again?", source="followed.csv")


def shown(page):
    body = re.sub(r"<script.*?</script>|<style.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_the_first_line_states_risk_and_unknown(page, evaluation):
    found = evaluation.sample.follow_up
    free = f"{found.event_free} are known to be free of it, {found.unknown} left before: unknown"
    assert f"240 men followed; by 5, {found.positive} had cancer ({found.risk:.0%}, Aalen-Johansen)" in shown(page)
    assert f"{free}, from followed.csv" in shown(page)


def test_every_finding_and_every_standing_is_on_the_page(page, evaluation):
    text = shown(page)
    lines = str(evaluation).split("\n\n")[-1]
    for sentence in re.split(r"\n? *\d+\. ", " " + " ".join(lines.split())):
        assert sentence.strip() in text
    for standing in evaluation.ranking:
        assert evaluation.unit.number(standing.regret.estimate) in text


def test_shares_acted_on_and_thresholds_count_everyone(page, evaluation):
    policy = evaluation.policies[evaluation.best.model]
    for step in range(len(policy)):
        alarms = np.mean(SCORES[evaluation.best.model] >= policy.threshold[step])
        assert alarms <= 0.5
        assert f"{alarms:.0%}" in shown(page)


def test_names_are_text_and_numbers_are_inside(page, evaluation):
    assert "<b>old</b>" not in page
    data = re.search(r"<script type='application/json' id=data>(.*?)</script>", page, re.DOTALL)[1]
    assert json.loads(data) == json.loads(evaluation.to_json())
    assert "<input" not in page
    assert "This page has no controls: those who left weigh on every interval" in shown(page)


def test_the_page_draws_cost_and_net_benefit(page):
    assert page.count("<svg") == 2
    assert "Over the costs" in shown(page)


def test_everybody_known_has_the_live_page():
    known = EventBy(np.where(STATUS == 0, 9.0, YEARS), STATUS, 5)
    assert "This page has no controls" not in render(evaluate(known, SCORES, "10%..30%"))


def test_a_page_is_saved_whole(evaluation, tmp_path):
    evaluation.save_html(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_several_horizons_have_the_page_that_save_report_writes(tmp_path):
    risks = {"new": np.column_stack([1 - np.exp(-year * HAZARD) for year in (2, 5)])}
    several = evaluate(EventBy(YEARS, STATUS, [2, 5]), risks, "10%..30%", rng=1)
    several.save_html(tmp_path / "a.html", title="When?")
    save_report(several, tmp_path / "b.html", title="When?")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "b.html").read_text(encoding="utf-8")
    assert "At each horizon" in shown(page)
    for horizon in several.horizons.values():
        assert several.unit.number(horizon.regret["new"].estimate) in shown(page)
