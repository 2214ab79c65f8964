"""The page of several actions: its numbers are those of the evaluation, its names are text, and it claims no range."""

import html
import json
import re

import numpy as np
import pytest

from stakes import evaluate
from stakes.beliefs import Actions

TRIAGE = Actions({"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)})


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(2)
    y = (rng.random(400) < 0.2).astype(int)
    score = 1 / (1 + np.exp(-(2 * y - 2.5 + rng.normal(0, 1, 400))))
    models = {"<b>bold</b>": score, "other": np.clip(score * 0.6, 0, 1)}
    return evaluate(y, models, TRIAGE, group=np.where(rng.random(400) < 0.5, "east", "west"))


@pytest.fixture(scope="module")
def page(evaluation, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    evaluation.save_html(path, title="Who stays?")
    return path.read_text(encoding="utf-8")


def text_of(page):
    seen = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", seen)).split())


def test_findings_ranking_and_shares_are_those_of_the_evaluation(evaluation, page):
    text = text_of(page)
    for finding in evaluation.findings:
        assert " ".join(finding.text.split()) in text
    for standing in evaluation.ranking:
        assert evaluation.unit.number(standing.regret.estimate) in text
    widths = [float(one) for one in re.findall(r"<rect x=[\d.]+ y=\d+ width=([\d.]+) height=22", page)]
    shares = [share for model in evaluation.actions.shares.values() for share in model.values()]
    assert widths == pytest.approx([460 * share for share in shares], abs=0.006)
    assert "from a probability of 0 0.06666 0.375" in text
    data = re.search(r"<script type='application/json' id=data>(.*?)</script>", page, re.DOTALL)[1]
    assert json.loads(data) == json.loads(evaluation.to_json())


def test_names_are_text_and_nothing_is_fetched(page):
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert not re.search(r"(?:src|href)=|url\(|https?://", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL))


def test_it_speaks_of_no_range_of_costs_and_no_single_threshold(page):
    text = text_of(page)
    assert "your range" not in text.lower()
    assert "Which threshold to use" not in text
    assert "This page has no controls" in text
