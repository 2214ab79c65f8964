"""Every number on the page belongs to the decision that the sentence shows: what Python computes for that decision."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from playwright.sync_api import Page
from report.pages import (
    CANCER,
    CAPACITY,
    COMMON,
    CURSOR,
    FEWEST,
    LAW,
    MOST,
    PRECISION,
    PREDICTIONS,
    TABLES,
    by_number,
    cells,
    choose,
    cost_looked_at,
    decision_of,
    findings_on,
    follow,
    go_to,
    in_the_unit_of,
    press,
    ranking_of,
    ranking_on,
    shown_on,
    stated_on,
    text_on,
    tick,
)
from report.states import (
    WORTHLESS,
    check_download,
    check_first_screen,
    check_spoken,
    check_strip,
    drawn_states,
    told,
    with_shown_differences,
)
from report.watching import opened

from stakes import At, Decision, _wording, evaluate
from stakes.evaluation import Evaluation, evaluate_tables, measure
from stakes.measures import expected_regret, recognise
from stakes.policy import best_thresholds
from stakes.report import _first_screen, _view, save_report
from stakes.report._live import errs_enough
from stakes.report._models import Scene, ShownModel, models_of, readout_at


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Evaluate the cohort at the costs of the demonstration."""
    return evaluate(CANCER, PREDICTIONS, "5%..20%", rng=1)


@pytest.fixture(scope="module")
def report(evaluation, tmp_path_factory) -> Path:
    """Save a report that holds every score, so that its numbers are those of the cases."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(evaluation, path, embed="fine")
    return path


@pytest.fixture(scope="module")
def shared(browser, report):
    """One page for all tests of this file that put the numbers back."""
    options = {"reduced_motion": "reduce", "accept_downloads": True}
    watched = opened(browser, report, viewport={"width": 1280, "height": 900}, **options)
    yield watched.page
    watched.page.context.close()
    assert watched.problems == []


@pytest.fixture
def page(shared) -> Page:
    """Return the page as stated."""
    if shared.locator("#reset").is_visible():
        shared.locator("#reset").click()
        follow(shared)
    return shared


@pytest.mark.parametrize(
    ("kinds", "at_once"),
    [
        ("aaaab", "aaaab"),  # five have room, whatever they are
        ("aaabcd", "aabcd"),  # of more than five, two of a kind
        ("abcdefa", "abcde"),
        ("aaaaaa", "aa"),
        ("", ""),
    ],
)
def test_of_many_findings_two_of_a_kind_are_shown_at_once(page, kinds, at_once):
    split = "(kinds) => sentences.atOnce(kinds.map((kind) => ({ kind }))).map((part) => part.map(({ kind }) => kind))"
    first, more = page.evaluate(split, list(kinds))
    assert "".join(first) == at_once
    assert sorted([*first, *more]) == sorted(kinds)
    found = SimpleNamespace(findings=[SimpleNamespace(kind=kind) for kind in kinds])
    assert [[one.kind for one in part] for part in _view.other_findings(found)] == [first, more]


# ---------------------------------------------------------------------------------------- states drawn at random


@pytest.mark.parametrize("address", drawn_states(30))
def test_every_number_of_a_state_is_that_of_python(page, evaluation, address):
    go_to(page, address)
    shown = shown_on(page)
    found = in_the_unit_of(evaluation, evaluate_tables(TABLES, decision_of(shown["decision"])))
    found = with_shown_differences(found, shown)
    check_first_screen(page, found, TABLES)
    check_spoken(page, shown["decision"])
    check_strip(page, found, TABLES)
    check_download(shown, found)
    assert by_number(ranking_on(page)) == by_number(ranking_of(found))
    said = [one for one in findings_on(page) if not WORTHLESS.search(one)]
    # Of a kind, the third may come later.
    assert sorted(one.replace("difference about ", "difference ") for one in said) == sorted(told(found))
    assert shown["answer"] == f"{text_on(page, '#headline')} {said[0]}"
    chances = [line["probability_best"] for line in shown["ranking"]]
    limited = shown["decision"]["capacity"] is not None or shown["decision"]["min_precision"] is not None
    assert chances == [None] * len(chances) if limited else sum(chances) == pytest.approx(1)


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("miss=2..9", "use bold or marker: they do not differ detectably. With bold, act from 20%."),
        ("prec=0.3", "use marker: it costs least in this sample. Act from 15%."),  # no interval of the difference
        ("cap=0.002", "use marker or age: they cost the same. With marker, act from 96%."),
        ("miss=1..1.5&prev=0.02", "use age or act on no one: they cost the same. With age, act from 87%."),
    ],
)
def test_the_answer_says_how_sure_it_is(page, evaluation, address, answer):
    go_to(page, address)
    assert text_on(page, "#headline") == answer
    shown = shown_on(page)
    found = in_the_unit_of(evaluation, evaluate_tables(TABLES, decision_of(shown["decision"])))
    check_first_screen(page, with_shown_differences(found, shown), TABLES)


def test_at_one_cost_no_threshold_follows_the_cost(page):
    go_to(page, "miss=9")
    assert text_on(page, "#people-said").startswith("36 + 147/9 = 52. Any threshold from ")


# --------------------------------------------------------------------------------------------- moved by hand


def drag_the_high_end(page: Page) -> None:
    number = page.get_by_role("slider", name=FEWEST, exact=True).first.bounding_box()
    x, y = number["x"] + number["width"] / 2, number["y"] + number["height"] / 2
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


def weigh_by_log_odds(page: Page) -> None:
    choose(page, LAW, "uniform in log-odds")
    press(page, MOST, "End")


def limit_both_where_it_is_common(page: Page) -> None:
    choose(page, COMMON, "one value")
    press(page, "prevalence", "PageUp", "ArrowRight")
    tick(page, "Alarms at most")
    tick(page, "Precision at least")
    press(page, CAPACITY, "PageUp")


def ask_the_impossible(page: Page) -> None:
    tick(page, "Alarms at most")
    tick(page, "Precision at least")
    press(page, CAPACITY, "Home")
    press(page, PRECISION, "End")


MOVES = (drag_the_high_end, click_the_map, weigh_by_log_odds, limit_both_where_it_is_common, ask_the_impossible)


@pytest.mark.parametrize("move", MOVES)
def test_the_evidence_follows(page, evaluation, move):
    page.evaluate("() => (document.getElementById('policy-behind').open = true)")
    move(page)
    shown = shown_on(page)
    found = in_the_unit_of(evaluation, evaluate_tables(TABLES, decision_of(shown["decision"])))
    found = with_shown_differences(found, shown)
    scene = Scene.of(found, *models_of(found, TABLES))
    check_first_screen(page, found, TABLES)
    parts = [
        [row["name"], "", row["left"], row["saved"], row["discrimination"]] for row in _view.parts_rows(found, scene)
    ]
    assert sorted(cells(page, "#parts")) == sorted(parts)
    assert text_on(page, "#parts-lead") == _view.parts_lead(found, scene)
    best = next(one.model for one in found.ranking if not one.reference)
    steps = _view.policy_rows(found, found.policies[best])
    keys = ("costs", "odds", "threshold", "alarms", "found", "false", "missed", "precision")
    assert cells(page, "#policy-table") == [[row[key] for key in keys] for row in steps]
    assert text_on(page, "#policy-said") == _view.policy_text(found, best)
    rule = _first_screen.rule(found, {one.key: one.name for one in scene.ways})
    assert page.locator("#rule-line").is_visible() == bool(rule)
    assert bool(rule) == (move is not ask_the_impossible)
    assert (text_on(page, "#rule") if rule else "") == rule


def on_the_strip(scene: Scene, model: ShownModel, cost: float) -> str:
    """Write a cost as the charts do, which count mistakes at their mean cost over the range."""
    if scene.decision.limits is None or model in scene.references:
        return scene.unit.number(expected_regret(model.there, At(cost)))
    return scene.unit.number(best_thresholds(model.there, At(cost), scene.decision.limits).mean_regret)


@pytest.mark.parametrize("address", ["miss=3..19", "prev=0.03", "cap=0.2"])
def test_what_happens_to_a_thousand_cases_at_any_cost(page, evaluation, address):
    go_to(page, address)
    page.mouse.move(1, 1)  # where no chart follows it
    page.locator("#cost .plot").first.scroll_into_view_if_needed()
    press(page, CURSOR, "PageUp", *["ArrowLeft"] * 3)
    found = in_the_unit_of(evaluation, evaluate_tables(TABLES, stated_on(page)))
    scene = Scene.of(found, *models_of(found, TABLES))
    slider = page.get_by_role("slider", name=CURSOR, exact=True)
    cost = cost_looked_at(page)
    wanted = readout_at(scene, cost)
    assert text_on(page, "#readout-title") == wanted["title"]
    assert cells(page, "#readout") == [[row["name"], *row["cells"]] for row in wanted["rows"]]
    values = [f"{one.name} {on_the_strip(scene, one, cost)}" for one in scene.allowed]
    at = f"At {_wording.odds_of(cost)} ({_wording.percent(cost)}):"
    assert " ".join(slider.get_attribute("aria-valuetext").split()) == f"{at} {', '.join(values)}"
    assert text_on(page, "[data-strip=regret]") == f"{at} {' '.join(values)}"


@pytest.mark.parametrize("address", ["miss=3..19", "miss=9", "cap=0.2"])
def test_the_cost_of_each_row_is_that_of_the_mistakes_beside_it(page, address):
    go_to(page, address)
    page.locator("#cost .plot").first.scroll_into_view_if_needed()
    press(page, CURSOR, "PageUp", *["ArrowLeft"] * 3)
    cost = cost_looked_at(page)
    rows = [[float(cell.replace(",", "")) for cell in row[4:]] for row in cells(page, "#readout")]
    assert len(rows) >= 4
    for alarms, misses, _, shown in rows:
        assert shown == pytest.approx(misses + cost / (1 - cost) * alarms, abs=0.101 + 0.05 * cost / (1 - cost))


# ------------------------------------------------------------------------------------------------ as stated


def test_as_stated_everything_is_that_of_the_evaluation_and_comes_back(page, evaluation):
    first = ("#sentence", "#state-said", "#headline", "#much", "#first-ranking", "#people")
    parts = (*first, "#ranking-table", "#parts-block", "#readout", "#policy", "#bar")
    before = ["".join(text_on(page, part).split()) for part in parts]
    assert ranking_on(page) == ranking_of(evaluation)
    assert findings_on(page)[0] == evaluation.findings[0].text
    check_first_screen(page, evaluation, TABLES)
    limit_both_where_it_is_common(page)
    moved = ["".join(text_on(page, part).split()) for part in parts]
    assert all(one != other for one, other in zip(before, moved, strict=True))
    page.get_by_role("button", name="Back").click()
    follow(page)
    assert ["".join(text_on(page, part).split()) for part in parts] == before
    page.wait_for_function("() => !location.hash.includes('=')")


def test_intervals_follow_the_costs_and_what_needs_the_cases_is_absent(page, evaluation):
    assert page.locator("#ranking-table .whisker").count() == 6
    worst = []
    for address in ("miss=4..20", "miss=9", "miss=2..12&law=logodds", "miss=15..40"):
        go_to(page, address)
        shown = shown_on(page)
        found = evaluate(CANCER, PREDICTIONS, decision_of(shown["decision"]), rng=1)
        exact, lines = {one.model: one for one in found.ranking}, shown["ranking"]
        for line in (one for one in lines if one["lower"] is not None):
            regret = exact[line["model"]].regret
            ends = [line["lower"] - regret.estimate, line["upper"] - regret.estimate]
            wanted = [regret.lower - regret.estimate, regret.upper - regret.estimate]
            worst += [abs(a / b - 1) for a, b in zip(ends, wanted, strict=True)]
    assert len(worst) >= 2 * 18
    assert np.quantile(worst, 0.5) < 0.01
    assert max(worst) < 0.12
    assert all(one.startswith("about ") for one in page.locator("#ranking-table .picture .ends").all_inner_texts())
    go_to(page, "prec=0.3")  # where nothing short of the cases tells
    assert page.locator("#ranking-table .whisker, #first-ranking .whisker, #ranking-table .ends").count() == 0
    assert set(page.locator("#ranking-table .probability").all_inner_texts()) == {""}


@pytest.mark.parametrize("address", ["miss=25..60", "miss=40", "miss=20..40&prev=0.25"])
def test_models_that_are_not_worth_using_are_named_as_by_python(page, address):
    go_to(page, address)
    said = [one for one in findings_on(page) if WORTHLESS.search(one)]
    decision = decision_of(shown_on(page)["decision"])
    exact = [one for one in evaluate(CANCER, PREDICTIONS, decision, rng=1).findings if one.kind.startswith("worthless")]
    assert exact
    known = {one.values["model"]: one for one in exact}
    for text in said:
        found = known.pop(text.split()[0])
        assert text.partition(" than acting")[0] == found.text.partition(" than acting")[0]
        shown, wanted = (
            [float(end) for end in ENDS.search(one.replace("\u2212", "-")).groups()] for one in (text, found.text)
        )
        assert shown == pytest.approx(wanted, rel=0.1, abs=1.6)
    assert all(page_is_unsure(decision, TABLES[model]) for model in known)


ENDS = re.compile(r"difference (?:about )?(-?[\d.,]+) to (-?[\d.,]+)\)")


def page_is_unsure(decision, table) -> bool:
    """Whether a model makes so few mistakes of a kind that the page says nothing of it."""
    return not errs_enough(table, decision)


@pytest.mark.parametrize("costs", ["5%..20%", "1:9", "logodds 2%..30%"])
@pytest.mark.parametrize("prevalence", [None, At(0.05)])
def test_the_influence_of_a_case_is_that_of_python(numbers, costs, prevalence):
    decision = Decision(costs, prevalence=prevalence)
    sent = {"cost": decision.costs, "prevalence": prevalence, "capacity": None, "min_precision": None}
    found = numbers(*(("influence", {"table": table}, sent, len(CANCER)) for table in TABLES.values()))
    for (positive, negative), table in zip(found, TABLES.values(), strict=True):
        wanted = recognise(measure(decision)).form.influence(table, len(CANCER))
        here = np.concatenate([table.positive, table.negative]) > 0
        np.testing.assert_allclose(np.concatenate([positive, negative])[here], wanted[here], rtol=1e-8, atol=1e-12)


# ------------------------------------------------------------------------------------------- the sentence


def number_on(page: Page, name: str) -> str:
    text: str = page.get_by_role("slider", name=name, exact=True).first.inner_text()
    return text


def test_the_keys_of_a_number(page):
    steps = [("ArrowRight", "20"), ("ArrowRight", "25"), ("ArrowLeft", "20"), ("PageDown", "15"), ("PageUp", "20")]
    for key, shown in [*steps, ("ArrowUp", "25"), ("ArrowDown", "20"), ("Escape", "19"), ("End", "150"), ("Home", "5")]:
        press(page, MOST, key)
        assert number_on(page, MOST) == shown
    press(page, FEWEST, "End")
    assert float(number_on(page, FEWEST)) < float(number_on(page, MOST))


TYPED = {
    "30": ("4", "30"),
    "1:29": ("4", "29"),
    "10%": ("4", "9"),
    "0,05": ("4", "19"),
    "5..20 %": ("4", "19"),
    "2 to 12": ("2", "12"),
}


def test_a_number_can_be_typed(page):
    for text, wanted in TYPED.items():
        page.get_by_role("slider", name=MOST, exact=True).first.press("Enter")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        follow(page)
        assert (number_on(page, FEWEST), number_on(page, MOST)) == wanted


def test_what_cannot_be_read_stays_with_the_reason(page):
    page.get_by_role("slider", name="prevalence", exact=True).first.press("Enter")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    assert text_on(page, "#complaint") == "“many” is not a share: write a percentage, such as 14 or 14%."
    assert page.locator("input.typed").input_value() == "many"
    page.keyboard.press("Escape")
    assert text_on(page, "#complaint") == ""
    assert number_on(page, "prevalence") == "14%"


def test_an_address_that_cannot_be_read_is_named_and_the_rest_is_shown(page):
    go_to(page, "miss=2..9&prev=7&colour=red")
    assert number_on(page, MOST) == "9"
    assert "prev=7 and colour=red" in text_on(page, "#complaint")
    go_to(page, "miss=2..9")
    assert text_on(page, "#complaint") == ""


def test_the_address_says_what_is_shown(page, browser, report):
    press(page, MOST, "ArrowRight")
    choose(page, LAW, "uniform in log-odds")
    tick(page, "Alarms at most")
    page.wait_for_function("() => location.hash === '#miss=4..20&law=logodds&cap=0.1'")
    again = opened(browser, report, viewport={"width": 1280, "height": 900})
    again.page.goto(f"{again.address}#miss=4..20&law=logodds&cap=0.1")
    again.page.reload()
    follow(again.page)
    for part in ("#sentence", "#headline", "#much", "#first-ranking", "#people"):
        assert text_on(again.page, part) == text_on(page, part)
    again.page.context.close()


def test_limits_leave_no_range_of_prevalences_and_say_why(page):
    ranges = page.locator(f"{COMMON} option", has_text="a range")
    for limited in (False, True, False):
        assert (ranges.get_attribute("disabled") is not None) == limited
        tick(page, "Alarms at most")


def test_a_range_of_prevalences_gives_way_to_limits_only_when_asked(page):
    go_to(page, "prev=0.1..0.3")
    tick(page, "Alarms at most")
    assert shown_on(page)["decision"]["capacity"] is None
    assert not page.locator("#capacity-on").is_checked()
    assert text_on(page, "#complaint") == "Limits need one prevalence: a policy belongs to one. Use 18.6%"
    page.get_by_role("button", name="Use 18.6%").click()
    follow(page)
    decision = shown_on(page)["decision"]
    assert (decision["capacity"], decision["prevalence"]) == (0.1, {"kind": "at", "low": 0.186, "high": 0.186})
    assert text_on(page, "#complaint") == ""


def test_an_offer_that_is_no_longer_needed_goes_away(page):
    go_to(page, "prev=0.1..0.3")
    tick(page, "Precision at least")
    choose(page, COMMON, "one value")
    assert text_on(page, "#complaint") == ""


DRAGS = {"cost": (-30, [1 / 15, 0.25]), "prevalence": (-30, [0.08, 0.24])}


@pytest.mark.parametrize("name", DRAGS)
def test_the_word_between_two_ends_moves_both(page, name):
    go_to(page, "prev=0.1..0.3")
    across, ends = DRAGS[name]
    word = page.locator(".range-control").nth(list(DRAGS).index(name))
    box = word.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for part in (across / 2, 0, across):
        page.mouse.move(x + part, y)
        follow(page)
        shown = shown_on(page)["decision"][name]
        assert ([shown["low"], shown["high"]] == pytest.approx(ends)) == (part == across)
    page.mouse.up()
    follow(page)
    press(page, MOST, "Escape")


def test_nothing_above_the_hand_moves_while_a_number_is_dragged(page):
    number = page.get_by_role("slider", name=FEWEST, exact=True).first
    before = number.bounding_box()
    below = page.locator("#first-ranking").bounding_box()["y"]
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    order = page.locator("#first-ranking tbody th").all_inner_texts()
    for step in (-160, -40, 20, 60, 120):
        page.mouse.move(x + step, y)
        follow(page)
        assert number.bounding_box() == before
        assert page.locator("#first-ranking tbody th").all_inner_texts() == order
        assert page.locator("#first-ranking").bounding_box()["y"] >= below
    page.mouse.up()
    follow(page)
    assert number.bounding_box() == before
    costs = [float(row[2]) for row in cells(page, "#first-ranking")]
    assert costs == sorted(costs)
