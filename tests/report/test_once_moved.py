"""Once a control has moved, the page says what it cannot know: it holds no cases, only tables."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from report.pages import CANCER, GROUP, LOW, PREDICTIONS, TABLES, findings_on, follow, press

from stakes import evaluate
from stakes._wording import NOT_KNOWN
from stakes.evaluation import Evaluation, evaluate_tables
from stakes.frames import DroppedRowsWarning
from stakes.report import save_report
from stakes.report._view import EVIDENCE

NO_CASES = "without the cases, this page cannot show how certain that is."
GREY = {"light": "rgb(110, 117, 125)", "dark": "rgb(139, 147, 156)"}
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 400, "height": 800}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Evaluate two models that cannot be told apart, and two that can."""
    return evaluate(CANCER, PREDICTIONS, "9%..20%", group=GROUP, rng=1)


@pytest.fixture(scope="module")
def report(evaluation, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(evaluation, path)
    return path


def back(page) -> None:
    page.locator("#reset").click()
    follow(page)


def answer_on(page) -> str:
    return page.locator("#answer").inner_text().replace("\u00a0", " ")


# -------------------------------------------------------------------------------------------------- sentences


def test_the_answer_says_that_it_cannot_say_how_sure_it_is_and_nothing_else_does(open_file, report, evaluation):
    page = open_file(report, viewport=WIDE)
    assert "does not differ detectably" in evaluation.findings[0].text
    assert findings_on(page)[0] == evaluation.findings[0].text
    press(page, LOW, "ArrowRight")
    assert findings_on(page)[0].endswith(f"; {NO_CASES}")
    assert page.locator("main").inner_text().count(NO_CASES) == 1
    back(page)
    assert findings_on(page)[0] == evaluation.findings[0].text


def test_what_was_found_of_the_stated_decision_alone_is_shown_for_that_alone(open_file, report, evaluation):
    kinds = {"too-small", "unsteady", "steady", "other-measure", "groups-alike", "group-worse", "groups-agree"}
    alone = [one.text for one in evaluation.findings if one.kind in kinds]
    assert "too-small" in {one.kind for one in evaluation.findings}
    page = open_file(report, viewport=WIDE)
    page.locator(".more-findings summary").click()
    stated = answer_on(page)
    assert all(text in stated for text in alone)
    press(page, LOW, "ArrowRight")
    moved = answer_on(page)
    assert not any(text in moved for text in alone)
    assert "more finding" not in moved
    back(page)
    assert answer_on(page) == stated


def test_the_baseline_stays_the_baseline(open_file, tmp_path):
    old = list(PREDICTIONS)[1]
    evaluation = evaluate(CANCER, PREDICTIONS, "9%..20%", rng=1, baseline=old)
    save_report(evaluation, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    press(page, LOW, "ArrowRight")
    said = [text for text in findings_on(page) if text.startswith("In this sample") and f"than {old}" in text]
    assert len(said) == len(PREDICTIONS) - 1
    rows = {row.locator("bdi").inner_text(): row for row in page.locator("#ranking-table tbody tr").all()}
    costs, much = ({name: row.locator(css).inner_text() for name, row in rows.items()} for css in (".regret", ".much"))
    assert much[old] == NOT_KNOWN
    for name in set(rows) - {old}:
        shown = float(much[name].replace("\u2212", "-"))
        assert shown == pytest.approx(float(costs[name]) - float(costs[old]), abs=1.01)


def a_poor_sample(positives: int) -> Evaluation:
    """Evaluate positives in few clusters, a group without any, a score that is missing and scores that run down."""
    place = np.arange(300)
    score = (place + 0.5) / 300
    predictions = {"up": score, "down": 1 - score, "with a gap": np.where(place == 5, np.nan, score)}
    group = np.where(place < 100, "first", "rest")
    others = {"cluster": place % 20, "group": group, "on_missing": "drop"}
    with pytest.warns(DroppedRowsWarning):
        return evaluate(place >= 300 - positives, predictions, "5%..20%", rng=1, **others)


def one_class_only() -> Evaluation:
    return evaluate([1] * 12, {"model": np.linspace(0.1, 0.9, 12)}, "5%..20%", rng=1)


@pytest.mark.parametrize(
    ("made", "kinds"),
    [
        (partial(a_poor_sample, 4), ["group-one-class", "few", "few-clusters", "dropped"]),
        (partial(a_poor_sample, 10), ["wrong-way", "group-one-class", "few-clusters", "dropped"]),
        (one_class_only, ["one-class"]),
    ],
    ids=["a poor sample", "backwards", "one class only"],
)
def test_what_was_found_about_the_sample_stays(open_file, tmp_path, made, kinds):
    found = made()
    kept = [one for one in found.findings if one.kind in kinds]
    assert [one.kind for one in kept] == kinds
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    press(page, LOW, "ArrowRight")
    shown = answer_on(page)
    places = [shown.index(f"{one.text} {EVIDENCE[one.evidence]}") for one in kept]
    assert places == sorted(places)


# --------------------------------------------------------------------------------------------------- pictures


def test_the_pictures_of_the_ranking_show_the_new_numbers_and_no_interval(open_file, report):
    page = open_file(report, viewport=WIDE)
    assert page.locator("#ranking-table .whisker").count() == 6
    press(page, LOW, *["ArrowRight"] * 9)
    assert page.locator("#ranking-table .whisker").count() == 0
    rows = page.locator("#ranking-table tbody tr:not(.reference)").all()
    regrets = np.array([float(row.locator(".regret").inner_text()) for row in rows])
    dots = np.array([float(row.locator(".picture .dot").get_attribute("cx")) for row in rows])
    shares = (dots - dots[0]) / (dots[-1] - dots[0])
    assert shares == pytest.approx((regrets - regrets[0]) / (regrets[-1] - regrets[0]), abs=0.01)
    back(page)
    assert page.locator("#ranking-table .whisker").count() == 6


def test_a_dot_keeps_the_colour_of_its_model(open_file, report):
    page = open_file(report, viewport=WIDE)
    press(page, LOW, "ArrowRight")
    for row in page.locator("#ranking-table tbody tr:not(.reference)").all():
        dot = row.locator(".picture .dot").evaluate("(node) => getComputedStyle(node).fill")
        assert dot == row.locator(".swatch").evaluate("(node) => getComputedStyle(node).backgroundColor")


# -------------------------------------------------------------------------------------------------------- grey

# The colours of the texts that are as stated, and how many of them there are.
COLOURS = """() => {
  const nodes = [...document.querySelectorAll(".stated-only")].flatMap((one) => [one, ...one.querySelectorAll("*")])
    .filter((one) => !one.closest("svg") && [...one.childNodes].some((child) => child.data?.trim()));
  return [nodes.length, [...new Set(nodes.map((one) => getComputedStyle(one).color))]];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_that_is_as_stated_is_of_one_grey(open_file, report, scheme):
    page = open_file(report, viewport=WIDE, color_scheme=scheme)
    texts, before = page.evaluate(COLOURS)
    press(page, LOW, "ArrowRight")
    assert page.evaluate(COLOURS) == [texts, [GREY[scheme]]]
    assert len(before) > 1
    assert texts > 50
    assert page.locator("#moved-note").is_visible()
    assert page.locator(".groups-note").is_visible()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_each_interval_and_probability_of_the_ranking_says_that_it_is_as_stated(open_file, report, viewport):
    page = open_file(report, viewport=viewport)
    said = """(node) => ["::before", "::after"].map((part) => getComputedStyle(node, part).content).join()"""
    marked = page.locator("#ranking-table .stated-only").filter(has_text=re.compile(r"\d"))
    assert marked.count() == 6 + 5 + 6  # each its interval and probability, all but the best a difference
    assert not any("stated" in one.evaluate(said) for one in marked.all())
    press(page, LOW, "ArrowRight")
    assert all("stated" in one.evaluate(said) for one in marked.all())


def test_what_is_not_known_is_not_marked_as_stated(open_file, tmp_path):
    save_report(evaluate_tables(TABLES, "5%..20%"), tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    assert set(page.locator("#ranking-table .probability").all_inner_texts()) == {NOT_KNOWN}
    assert NOT_KNOWN not in page.locator("#ranking-table .stated-only").all_inner_texts()


@pytest.mark.parametrize("width", [360, 400, 600, 900, 1060, 1280])
def test_the_ranking_is_no_wider_than_its_place(open_file, report, width):
    page = open_file(report, viewport={"width": width, "height": 900})
    press(page, LOW, "ArrowRight")
    assert page.locator("#ranking .scroll").evaluate("(node) => node.scrollWidth - node.clientWidth") == 0
