"""Whatever a control of the report is moved to, the page shows the numbers that Python computes for that decision."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from report.pages import (
    CANCER,
    CAPACITY,
    HIGH,
    LOW,
    ONE,
    PRECISION,
    PREDICTIONS,
    TABLES,
    by_number,
    cells,
    choose,
    chosen,
    findings_on,
    first_text,
    follow,
    in_the_unit_of,
    press,
    ranking_of,
    ranking_on,
    shares,
    stated_on,
    tick,
)
from report.watching import opened

from stakes import evaluate
from stakes.evaluation import TEMPLATES, Evaluation, evaluate_tables
from stakes.report import save_report
from stakes.report._models import Scene, models_of, readout_at
from stakes.report._svg import even_in_log_odds

COST, COMMON = "Distribution over the range", "Prevalence"
# Sentences that tables alone can tell; how sure the first one is they cannot.
NO_CASES = "; without the cases, this page cannot show how certain that is."
LIVE = {"best-unsure", "best-tied", "best-reference-unsure", "limits-unmet", "limits-cost", "never-acts", "always-acts"}
LIVE |= {"hardly-acts", "nearly-always-acts", "limits-unused", "recalibrate", "recalibrate-order"}


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
    choose(page, COST, "uniform in log-odds")
    press(page, LOW, "Home")


def state_one_cost(page: Page) -> None:
    choose(page, COST, "one value")
    press(page, ONE, "PageDown", "ArrowLeft")


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


def drag_the_high_end(page: Page) -> None:
    thumb = page.get_by_role("slider", name=HIGH, exact=True).bounding_box()
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    follow(page)


def click_the_map(page: Page) -> None:
    page.locator('[data-figure="cost-map"]').scroll_into_view_if_needed()
    follow(page)
    page.locator('[data-figure="cost-map"]').click(position={"x": 120, "y": 130})
    follow(page)


MOVES = (
    raise_low,
    drag_the_high_end,
    click_the_map,
    widen,
    go_to_the_far_end,
    weigh_by_log_odds,
    state_one_cost,
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


def told(found: Evaluation) -> list[str]:
    """Return the sentences that tables alone can tell; that the first two cost the very same is one of them."""
    best, *others = (one for one in found.findings if one.kind in LIVE)
    first, second = (one.regret.estimate for one in found.ranking[:2])
    tied = TEMPLATES["best-tied"].format(**best.values)
    answer = tied if first == second else best.text
    return [answer.removesuffix(".") + NO_CASES, *(one.text for one in others)]


@pytest.mark.parametrize("move", MOVES)
def test_all_numbers_follow(page, written, tmp_path, evaluation, move):
    move(page)
    wanted, shown = in_the_unit_of(evaluation, evaluate_tables(TABLES, stated_on(page))), ranking_on(page)
    assert by_number(shown) == by_number(ranking_of(wanted))
    assert [line.regret for line in shown] == [line.regret for line in by_number(shown)]
    assert findings_on(page) == told(wanted)
    save_report(wanted, tmp_path / "wanted.html", coarsen=False)
    written.goto((tmp_path / "wanted.html").as_uri())
    for table in ("#parts", "#policy-table"):
        assert cells(page, table) == cells(written, table)
    for text in ("#unit-said", "#parts-lead", "#policy-said", "#policy-steps"):
        assert page.locator(text).text_content() == written.locator(text).text_content()
    numbers_left_out = (re.sub(r"[\d.]+%", "#", one.locator("#shown-for").text_content()) for one in (page, written))
    assert len(set(numbers_left_out)) == 1


@pytest.mark.parametrize("move", MOVES)
def test_what_is_shown_is_said_with_the_digits_of_the_controls(page, move):
    move(page)
    controls = ["#cost-text", "#prevalence-text", "#capacity-text", "#precision-text"]
    if chosen(page, "prevalence-kind") == "observed":
        controls.remove("#prevalence-text")
    said = shares(page.locator("#shown-for").inner_text().replace("\u00a0", " "))
    assert said == [share for control in controls for share in shares(first_text(page, control))]


@pytest.mark.parametrize("move", [raise_low, make_it_rare, limit_the_alarms])
def test_what_happens_to_a_thousand_cases_at_any_cost(page, evaluation, move):
    move(page)
    press(page, "Look at another cost", "PageUp", *["ArrowLeft"] * 7)
    found = in_the_unit_of(evaluation, evaluate_tables(TABLES, stated_on(page)))
    scene = Scene.of(found, *models_of(found, TABLES))
    place = int(page.locator("#look").input_value())
    stated = Scene.of(evaluate_tables(TABLES, "5%..20%"), scene.models, scene.references)
    wanted = readout_at(scene, even_in_log_odds(*stated.costs, 201)[place])
    assert page.locator("#readout-title").inner_text().replace("\u00a0", " ") == wanted["title"]
    assert cells(page, "#readout") == [[row["name"], *row["cells"]] for row in wanted["rows"]]


def test_the_keys_of_a_slider(page):
    steps = [("ArrowRight", 1), ("ArrowLeft", -1), ("PageUp", 1), ("PageDown", -1), ("ArrowUp", 1), ("ArrowDown", -1)]
    for key, direction in steps:
        before = stated_on(page).costs.low
        press(page, LOW, key)
        assert (stated_on(page).costs.low - before) * direction > 0
    press(page, LOW, "Home")
    assert page.get_by_role("slider", name=LOW, exact=True).get_attribute("aria-valuetext") == "0.5236%, odds 1:190"
    press(page, HIGH, "End")
    assert stated_on(page).costs.high == pytest.approx(5 / 7, abs=1e-6)


def test_the_ends_of_a_range_cannot_meet_or_pass_each_other(page):
    press(page, LOW, *["PageUp"] * 9)
    low, high = stated_on(page).costs.support
    assert (low < high, high) == (True, 0.2)
    press(page, HIGH, "Home")
    assert stated_on(page).costs.low < stated_on(page).costs.high


def test_moving_the_costs_changes_the_order(page, evaluation):
    press(page, LOW, "PageDown", "PageDown")
    press(page, HIGH, "PageDown", "PageDown")
    assert [line.name for line in ranking_on(page)] != [one.model for one in evaluation.ranking]


def test_the_button_brings_back_what_was_stated(page, evaluation):
    parts = ("#answer", "#controls", "#shown-for", "#ranking-table", "#parts-block", "#readout", "#policy")
    before = [page.locator(part).inner_text() for part in parts]
    limit_both_where_it_is_common(page)
    moved = [page.locator(part).inner_text() for part in parts]
    assert all(one != other for one, other in zip(before, moved, strict=True))
    page.get_by_role("button", name="Reset").click()
    follow(page)
    assert [page.locator(part).inner_text() for part in parts] == before
    assert ranking_on(page) == ranking_of(evaluation)


def test_why_limits_leave_no_range_of_prevalences_can_be_seen_and_heard(page):
    reason = "Limits need a single prevalence: a policy belongs to one."
    choice = page.get_by_role("radiogroup", name="Prevalence").get_by_role("radio", name="a range")
    for limited in (False, True, False):
        said = reason if limited else ""
        assert choice.is_disabled() == limited
        expect(choice).to_have_accessible_description(said)
        assert choice.locator("xpath=ancestor::label").get_attribute("title") == said
        tick(page, "Alarms at most")
