"""Cards beside the ranking: their sentences by the numbers, names as text, and absent while the page is moved."""

import html
import re

import numpy as np
import pytest
from report.pages import CANCER, PREDICTIONS, follow, go_to

from stakes import Decision, Limits, evaluate, expected_regret
from stakes.planning import value_of_cases
from stakes.report import Card, Chart, ChartAxis, Line, render, write_cards, write_report

FEW = slice(0, 250)
MODELS = {name: np.asarray(scores)[FEW] for name, scores in PREDICTIONS.items()}


@pytest.fixture(scope="module")
def evaluation():
    return evaluate(np.asarray(CANCER)[FEW], MODELS, "10%", rng=1)


@pytest.fixture(scope="module")
def page(evaluation):
    return render(evaluation)


def text_of(page):
    seen = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", seen)).split())


@pytest.mark.slow
def test_the_value_of_cases_is_that_of_the_options_ranked(evaluation, page):
    """The sentences are read back, and held against `value_of_cases` of models and references."""
    cases = evaluation.results.cases
    plan = value_of_cases(cases, expected_regret, costs="10%", more=(250, 2500))
    printed = 1000 / 0.9
    said = text_of(page)
    lost = re.search(r"Choosing now is expected to lose ([\d.]+) misses? per 1,000 cases", said)[1]
    assert float(lost) == pytest.approx(plan.perfect * printed, abs=0.051)
    numbers = re.search(
        r"As many cases again \(250\) are worth ([\d.]+) and make the choice right with probability (\d+)%; ten "
        r"times as many are worth ([\d.]+), with probability (\d+)%\.",
        said,
    ).groups()
    wanted = [plan.value[0] * printed, 100 * plan.probability_right[0], plan.value[1] * printed]
    assert [float(one) for one in numbers[:3]] == pytest.approx(wanted, abs=0.51)
    assert float(numbers[0]) == pytest.approx(wanted[0], abs=0.051)
    assert float(numbers[3]) == pytest.approx(100 * plan.probability_right[1], abs=0.51)


def test_where_nothing_is_to_be_gained_it_says_so():
    y = np.array([0, 1] * 200)
    certain = evaluate(y, {"good": 0.1 + 0.8 * y, "bad": 0.9 - 0.8 * y}, "20%")
    assert "Hardly: choosing now is expected to lose less than 0.01 misses per 1,000 cases" in text_of(render(certain))


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        lambda y: evaluate(y, MODELS, Decision("10%", limits=Limits(capacity="20%")), rng=1),
        lambda y: evaluate(np.zeros(250), MODELS, "10%", rng=1),
    ],
)
@pytest.mark.usefixtures("few_replicates")
def test_it_is_absent_where_it_has_no_formula(made):
    assert 'id="more-cases"' not in render(made(np.asarray(CANCER)[FEW]))


def test_the_page_says_how_many_cases_pay_best_at_prices_that_are_typed(evaluation, open_file, tmp_path):
    """The page reads its curve between points in equal ratios; the plan searches the numbers of cases themselves."""
    write_report(evaluation, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html")
    said, curve = page.locator("#study-said"), page.locator("#more-cases svg .line.r0")

    def typed(*prices):
        for box, price in zip(page.locator("#study input").all(), prices, strict=True):
            box.fill(str(price))
        follow(page)
        return said.inner_text()

    for decisions, price in ((50_000, 2), (200_000, 40)):
        money = {"decisions": decisions, "price": price, "unit_value": 900 / 0.9}
        plan = value_of_cases(evaluation.results.cases, expected_regret, costs="10%", **money)
        read = re.fullmatch(
            r"About ([\d,]+) more cases pay best, and gain ([\d,]+) in all\. The dashed line is their price\.",
            typed(decisions, price, 900),
        )
        best, net = (float(one.replace(",", "")) for one in read.groups())
        assert best == pytest.approx(plan.best_more, rel=0.15)  # where the net value is flat
        assert net == pytest.approx(plan.net, rel=0.02)
        assert curve.count() == 1
    assert typed(50_000, 1e6, 900).startswith("At that price no number of cases pays.")
    assert typed(1e9, 0.001, 900).startswith("At least 10,000 more cases pay; these gain ")
    assert typed(1e9, "", 900) == ""
    assert curve.count() == 0


CARD = Card("gate", "Does <b>it</b> pass?", ["<script>alert(1)</script> & more"], [["a", "b"], ["<i>x</i>", "1"]])


def test_every_name_on_a_card_is_text(evaluation, tmp_path):
    write_report(evaluation, tmp_path / "report.html", cards=[CARD])
    write_cards(tmp_path / "cards.html", "<u>in use</u>", [CARD])
    for name in ("report.html", "cards.html"):
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert "<script>alert" not in page
        assert "<i>x</i>" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in page
    assert "<u>" not in page
    assert page.count("<script") == 0


def test_a_chart_on_a_card_is_drawn_and_described(tmp_path):
    axis = ChartAxis(0.0, 2.0, "batch", names=("one", "two"))
    chart = Chart(
        "evidence", "Evidence by batch.", 400.0, 200.0, axis, ChartAxis(0.0, 1.0), [Line([0.5, 1.5], [0, 1], "m0")]
    )
    write_cards(tmp_path / "cards.html", "In use", [Card("", "Watch", ["No alarm."], charts=[chart])])
    page = (tmp_path / "cards.html").read_text(encoding="utf-8")
    assert "<title>Evidence by batch.</title>" in page
    assert ">one</text>" in page


def test_every_line_of_an_upright_axis_is_named(tmp_path):
    sites = tuple(f"a hospital with a long name, {k}" for k in range(40))
    upright = ChartAxis(0.0, float(len(sites)), names=sites)
    chart = Chart("forest", "Sites.", 640.0, 80.0 + 30.0 * len(sites), ChartAxis(0.0, 1.0), upright)
    write_cards(tmp_path / "cards.html", "In use", [Card("", "Sites", ["All."], charts=[chart])])
    page = (tmp_path / "cards.html").read_text(encoding="utf-8")
    assert [site for site in sites if f'text-anchor="end">{site}</text>' not in page] == []


def said_instead(page) -> list[str]:
    """Return the texts that stand in the place of cards."""
    return [" ".join(one.inner_text().split()) for one in page.locator(".card.only-moved").all() if one.is_visible()]


def test_cards_are_absent_while_the_page_shows_another_decision(evaluation, open_file, tmp_path):
    write_report(evaluation, tmp_path / "report.html", cards=[CARD])
    page = open_file(tmp_path / "report.html")
    for card in ("#gate", "#more-cases"):
        assert page.locator(card).is_visible()
    go_to(page, "prev=0.05")
    for card in ("#gate", "#more-cases"):
        assert not page.locator(card).is_visible()
    assert said_instead(page) == [
        f"{heading} This is known for the decision as stated." for heading in (CARD.heading, "Would more cases help?")
    ]
    page.locator("#reset").click()
    follow(page)
    assert page.locator("#more-cases").is_visible()
    assert said_instead(page) == []
