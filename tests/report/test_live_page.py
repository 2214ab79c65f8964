"""Whatever a control of the report is moved to, the page shows the numbers that Python computes for that decision."""

from pathlib import Path

import pytest
from playwright.sync_api import Page
from report.pages import (
    CANCER,
    CAPACITY,
    HIGH,
    LOW,
    ONE,
    PRECISION,
    PREDICTIONS,
    TABLES,
    cells,
    choose,
    findings_on,
    follow,
    press,
    ranking_of,
    ranking_on,
    stated_on,
    tick,
)
from report.watching import opened

from stakes import Decision, evaluate
from stakes.decision import Evaluation, evaluate_tables
from stakes.report import save_report

COST, COMMON = "How the range is weighed", "Prevalence"
# Sentences that need the cases, or samples that are no longer at hand.
LIVE = {"best-unsure", "best-tied", "best-reference", "limits-unmet", "limits-cost", "never-acts", "always-acts"}
LIVE |= {"hardly-acts", "nearly-always-acts", "worthless", "crossing-below", "crossing-above"}
LIVE |= {"recalibrate", "recalibrate-order"}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Evaluate the cohort at the costs of the demonstration."""
    return evaluate(CANCER, PREDICTIONS, "5%..20%", rng=1)


@pytest.fixture(scope="module")
def report(evaluation, tmp_path_factory) -> Path:
    """Save a report that holds every score, so that its numbers are those of the cases."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(evaluation, path, coarsen=False)
    return path


@pytest.fixture(scope="module")
def shared(browser, report):
    """One page for all tests of this file that put the controls back."""
    watched = opened(browser, report, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield watched.page
    watched.page.context.close()
    assert watched.problems == []


@pytest.fixture
def page(shared) -> Page:
    """Return the page as stated."""
    if shared.locator("#reset").is_enabled():
        shared.locator("#reset").click()
        follow(shared)
    return shared


@pytest.fixture(scope="module")
def written(browser):
    """Open a page without scripts, which shows what Python has written."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def raise_low(page: Page) -> None:
    press(page, LOW, *["ArrowRight"] * 7)


def widen(page: Page) -> None:
    press(page, LOW, "PageDown", "PageDown")
    press(page, HIGH, "PageUp", "ArrowUp")


def go_to_the_far_end(page: Page) -> None:
    press(page, HIGH, "End")
    press(page, LOW, "PageUp", "PageUp", "PageUp")


def weigh_by_log_odds(page: Page) -> None:
    choose(page, COST, "evenly in log-odds")
    press(page, LOW, "Home")


def state_one_cost(page: Page) -> None:
    choose(page, COST, "one value")
    press(page, ONE, "PageDown", "ArrowLeft")


def let_the_ends_meet(page: Page) -> None:
    press(page, LOW, *["PageUp"] * 6)


def make_it_rare(page: Page) -> None:
    choose(page, COMMON, "one value")
    press(page, "prevalence", *["PageDown"] * 3)


def doubt_the_prevalence(page: Page) -> None:
    choose(page, COMMON, "a range")
    press(page, "lowest prevalence", "ArrowLeft", "ArrowLeft")
    press(page, HIGH, "ArrowLeft")


def limit_the_alarms(page: Page) -> None:
    tick(page, "Alarms at most")
    press(page, CAPACITY, *["ArrowRight"] * 9)


def demand_precision(page: Page) -> None:
    tick(page, "Precision at least")
    press(page, PRECISION, *["ArrowRight"] * 12)


def limit_both_where_it_is_common(page: Page) -> None:
    make_it_common(page)
    tick(page, "Alarms at most")
    tick(page, "Precision at least")
    press(page, CAPACITY, "PageUp")


def make_it_common(page: Page) -> None:
    choose(page, COMMON, "one value")
    press(page, "prevalence", "PageUp", "ArrowRight")


def ask_the_impossible(page: Page) -> None:
    tick(page, "Alarms at most")
    tick(page, "Precision at least")
    press(page, CAPACITY, "Home")
    press(page, PRECISION, "End")


MOVES = (
    raise_low,
    widen,
    go_to_the_far_end,
    weigh_by_log_odds,
    state_one_cost,
    let_the_ends_meet,
    make_it_rare,
    make_it_common,
    doubt_the_prevalence,
    limit_the_alarms,
    demand_precision,
    limit_both_where_it_is_common,
    ask_the_impossible,
)


def test_as_stated_the_table_is_that_of_the_evaluation(page, evaluation):
    assert ranking_on(page) == ranking_of(evaluation)
    assert findings_on(page)[0] == evaluation.findings[0].text


def told(decision: Decision) -> Evaluation:
    """Evaluate what the page holds; that two models cost the very same is known of cases alone."""
    found = evaluate_tables(TABLES, decision)
    first, second = (one.regret.estimate for one in found.ranking[:2])
    return evaluate(CANCER, PREDICTIONS, decision, rng=1) if first == second else found


@pytest.mark.parametrize("move", MOVES)
def test_all_numbers_follow(page, written, tmp_path, move):
    move(page)
    wanted = told(stated_on(page))
    assert ranking_on(page) == ranking_of(wanted)
    assert findings_on(page) == [one.text for one in wanted.findings if one.kind in LIVE]
    save_report(wanted, tmp_path / "wanted.html", coarsen=False)
    written.goto((tmp_path / "wanted.html").as_uri())
    for table in ("#parts", "#policy-table"):
        assert cells(page, table) == cells(written, table)
    for text in ("#shown-for", "#parts-lead", "#policy-said", "#policy-steps"):
        assert page.locator(text).text_content() == written.locator(text).text_content()


def test_moving_the_costs_changes_the_order(page, evaluation):
    press(page, LOW, "PageDown", "PageDown")
    press(page, HIGH, "PageDown", "PageDown")
    assert [line.name for line in ranking_on(page)] != [one.model for one in evaluation.ranking]


def test_the_button_brings_back_what_was_stated(page, evaluation):
    before = page.locator("main").inner_text()
    limit_both_where_it_is_common(page)
    assert page.locator("main").inner_text() != before
    page.get_by_role("button", name="Back to as stated").click()
    follow(page)
    assert page.locator("main").inner_text() == before
    assert ranking_on(page) == ranking_of(evaluation)


def test_what_needs_the_cases_is_grey_and_says_so_once_a_control_has_moved(page):
    interval = page.locator("#ranking-table .ends").first
    colour = "(node) => getComputedStyle(node).color"
    before = interval.evaluate(colour)
    assert not page.locator("#moved-note").is_visible()
    raise_low(page)
    assert page.locator("#moved-note").is_visible()
    assert interval.evaluate(colour) != before
