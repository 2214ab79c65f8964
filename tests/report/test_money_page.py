"""The page of a decision in money: the same numbers, no control, and no Python outside the calls."""

import html
import json
import re

import pytest
from report.pages import CANCER, PREDICTIONS, ranking_of, ranking_on

from stakes import Limits
from stakes.beliefs import IndependentCosts, Mixture
from stakes.evaluation import Decision, evaluate
from stakes.report import render, save_report

FIXED = IndependentCosts(false_negative=(900, 900), false_positive=(100, 100))
RANGE = IndependentCosts(false_negative=(500, 1500), false_positive=(50, 150))
TWO = {name: PREDICTIONS[name][:150] for name in ("marker", "age")}
DECISIONS = {
    "fixed": Decision(FIXED),
    "a range": Decision(RANGE),
    "a mixture": Decision(Mixture([FIXED, RANGE], [1, 1])),
    "limits": Decision(RANGE, limits=Limits(capacity=0.2), prevalence="10%"),
}


def text_of(page):
    """Return the page as a reader without scripts sees it, without the calls of Python that it quotes."""
    body = page[page.index("<body") : page.index('<script type="application/json"')]
    return re.sub(r"<[^>]*>", " ", re.sub(r"<code>.*?</code>", " ", body, flags=re.DOTALL))


@pytest.mark.parametrize("name", ["fixed", "a mixture"])
def test_a_page_in_money_says_so_and_shows_no_python(name):
    page = render(evaluate(CANCER, PREDICTIONS, DECISIONS[name], rng=1))
    text = text_of(page)
    assert "IndependentCosts" not in text
    assert "what mistakes cost, in the money you state" in text
    assert "This page has no controls: the costs are stated in money" in text
    assert "1 \N{MINUS SIGN} c for each miss" not in " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def test_the_method_of_a_page_in_money_is_that_of_money_and_explains_no_control():
    page = render(evaluate(CANCER, PREDICTIONS, DECISIONS["a range"], rng=1))
    text = " ".join(html.unescape(text_of(page)).split())
    method = text[text.index("How this was computed") :]
    assert re.findall(r"\S+ ·FN\b.{0,10}", method) == ["b ·FN, in money"]
    assert "follows a control" not in method
    assert "have moved" not in method
    assert re.search(r"of no model by more than [\d.,]+ in money per 1,000 cases at the decision", method)


def test_a_page_in_proportions_has_its_controls_and_does_not_speak_of_money():
    text = text_of(render(evaluate(CANCER, PREDICTIONS, "5%..20%", rng=1)))
    assert "money" not in text


def test_what_the_controls_know_of_a_belief_is_in_words():
    page = render(evaluate(CANCER, PREDICTIONS, DECISIONS["a range"], rng=1))
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL).group(1))
    assert data["stated"]["cost"] == {
        "kind": "other",
        "low": RANGE.support[0],
        "high": RANGE.support[1],
        "mean": RANGE.break_even,
        "text": "a miss costs 500 to 1,500 and a false alarm costs 50 to 150",
        "money": True,
    }


@pytest.mark.parametrize("name", ["fixed", "limits"])
def test_it_works_without_an_error_and_without_controls(open_file, tmp_path, name):
    found = evaluate(CANCER[:150], TWO, DECISIONS[name], rng=1)
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport={"width": 1200, "height": 900})
    assert ranking_on(page) == ranking_of(found)
    assert page.locator("#sentence [role=slider], #bar [role=slider]").count() == 0
    assert not page.locator("#options").is_visible()
    assert page.locator(".no-controls").is_visible()
    page.locator("#world").scroll_into_view_if_needed()
    before = page.locator("#ranking-table").inner_text()
    page.locator('[data-figure="cost-map"]').click(position={"x": 200, "y": 100})
    assert page.locator("#ranking-table").inner_text() == before
    assert not re.search(r"\b(NaN|undefined|null|Infinity)\b", page.locator("main").inner_text())
