"""Once a number has moved, what is known of the stated decision alone is absent, and what holds of the sample stays."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from report.pages import CANCER, GROUP, MOST, PREDICTIONS, findings_on, follow, go_to, press

from stakes import Uniform, evaluate
from stakes._wording import NOT_KNOWN
from stakes.evaluation import Evaluation
from stakes.frames import DroppedRowsWarning
from stakes.report import save_report
from stakes.report._view import EVIDENCE

WIDE = {"width": 1280, "height": 900}


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
    page.evaluate("() => document.getElementById('announcement').replaceChildren()")  # heard, not read
    return page.locator("#answer").inner_text().replace("\u00a0", " ")


# -------------------------------------------------------------------------------------------------- sentences


def test_what_was_found_of_the_stated_decision_alone_is_shown_for_that_alone(open_file, report, evaluation):
    kinds = {"too-small", "unsteady", "steady", "groups-alike", "group-worse", "groups-agree"}
    alone = [one.text for one in evaluation.findings if one.kind in kinds]
    assert "too-small" in {one.kind for one in evaluation.findings}
    page = open_file(report, viewport=WIDE)
    page.locator(".more-findings summary").click()
    stated = answer_on(page)
    assert all(text in stated for text in alone)
    press(page, MOST, "ArrowRight")
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
    press(page, MOST, "ArrowRight")
    said = [text for text in findings_on(page) if text.startswith("In this sample") and f"than {old}" in text]
    assert len(said) == len(PREDICTIONS) - 1
    rows = {row.locator("bdi").inner_text(): row for row in page.locator("#ranking-table tbody tr").all()}
    costs, much = ({name: row.locator(css).inner_text() for name, row in rows.items()} for css in (".regret", ".much"))
    assert much[old] == NOT_KNOWN
    for name in set(rows) - {old}:
        shown = float(much[name].replace("\u2212", "-"))
        assert shown == pytest.approx(float(costs[name]) - float(costs[old]), abs=1.01)


@pytest.mark.parametrize("old", ["marker", "history"])
def test_a_live_page_says_whether_models_differ_from_the_baseline(open_file, tmp_path, old):
    save_report(evaluate(CANCER, PREDICTIONS, "9%..20%", rng=1, baseline=old), tmp_path / "report.html", embed="live")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    go_to(page, "miss=4..12")
    moved = evaluate(CANCER, PREDICTIONS, Uniform(1 / 13, 1 / 5), rng=1, baseline=old)
    wanted = {one.values["model"]: one for one in moved.findings if one.kind.startswith("baseline")}
    ends = re.compile(r"(-?[\d.]+) to (-?[\d.]+)\)")
    said = [text.replace("\u2212", "-") for text in findings_on(page) if re.search(r"% interval [^f]", text)]
    assert len(said) == len(wanted) == len(PREDICTIONS) - 1
    for text in said:
        exact = wanted[text.split()[0]]
        assert ("does not differ detectably" in text) == (exact.kind == "baseline-close")
        assert exact.values["more"] in text
        shown, known = (ends.search(one).groups() for one in (text, exact.text.replace("\u2212", "-")))
        assert [float(end) for end in shown] == pytest.approx([float(end) for end in known], rel=0.12, abs=1.6)


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
    press(page, MOST, "ArrowRight")
    shown = answer_on(page)
    places = [
        shown.index(one.text if one is found.findings[0] else f"{one.text} {EVIDENCE[one.evidence]}") for one in kept
    ]
    assert places == sorted(places)


# --------------------------------------------------------------------------------------------------- pictures


def test_a_dot_keeps_the_colour_of_its_model_and_its_place(open_file, report):
    page = open_file(report, viewport=WIDE)
    press(page, MOST, *["ArrowLeft"] * 5)
    rows = page.locator("#ranking-table tbody tr:not(.reference)").all()
    for row in rows:
        dot = row.locator(".picture .dot").evaluate("(node) => getComputedStyle(node).fill")
        assert dot == row.locator(".swatch").evaluate("(node) => getComputedStyle(node).backgroundColor")
    regrets = np.array([float(row.locator(".regret").inner_text()) for row in rows])
    dots = np.array([float(row.locator(".picture .dot").get_attribute("cx")) for row in rows])
    shares = (dots - dots[0]) / (dots[-1] - dots[0])
    assert shares == pytest.approx((regrets - regrets[0]) / (regrets[-1] - regrets[0]), abs=0.03)


def test_groups_are_shown_for_the_stated_decision_alone(open_file, report):
    page = open_file(report, viewport=WIDE)
    assert page.locator(".panels").is_visible()
    press(page, MOST, "ArrowRight")
    assert not page.locator(".panels").is_visible()
    assert page.get_by_text("Groups are known for the decision as stated").is_visible()


def test_what_is_ranked_is_marked_as_that_of_the_stated_decision(open_file, report):
    page = open_file(report, viewport=WIDE)
    marked = page.locator("#method").get_by_text("For the decision as stated; on this page, numbers have moved since.")
    assert not marked.is_visible()
    press(page, MOST, "ArrowRight")
    assert marked.is_visible()
    back(page)
    assert not marked.is_visible()


@pytest.mark.parametrize("width", [360, 400, 600, 900, 1060, 1280])
def test_the_ranking_is_no_wider_than_its_place(open_file, report, width):
    page = open_file(report, viewport={"width": width, "height": 900})
    press(page, MOST, "ArrowRight")
    assert page.locator("#ranking .scroll").evaluate("(node) => node.scrollWidth - node.clientWidth") == 0
