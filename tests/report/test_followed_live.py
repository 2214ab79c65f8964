"""The live page of cases that were not all followed: every number is Python's for the decision that is shown."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page
from report.agreement import agree
from report.pages import (
    CURSOR,
    MOST,
    by_number,
    cells,
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
)
from report.states import (
    WORTHLESS,
    check_download,
    check_first_screen,
    check_spoken,
    drawn_states,
    told,
    with_shown_differences,
)
from report.watching import opened

from stakes import At, Decision, EventBy, Limits, Uniform, at_prevalence, best_thresholds, evaluate, score_table
from stakes.evaluation import Evaluation, evaluate_tables, measure
from stakes.evaluation.findings._follow_up_findings import FOLLOW_UP_TEMPLATES
from stakes.outcome import CensoringBy
from stakes.report import _view, save_report
from stakes.report._live import errs_enough, reachable_decisions, with_factors
from stakes.report._models import Scene, models_of, readout_at
from stakes.report._page_tables import page_tables
from stakes.report._pooling import LEAST_CASES, pool_rows
from stakes.table import Heads, ScoreTable
from stakes.uncertainty import Study

RNG = np.random.default_rng(7)
HAZARD = np.exp(RNG.normal(size=300)) / 12
EVENT, OTHER, LEFT = RNG.exponential(1 / HAZARD), RNG.exponential(40, 300), RNG.uniform(0.5, 9, 300)
YEARS = np.minimum(np.minimum(EVENT, OTHER), LEFT)
STATUS = np.where(LEFT == YEARS, 0, np.where(EVENT == YEARS, 1, 2))
OUTCOME = EventBy(YEARS, STATUS, 5)
SCORES = {
    "new": np.round(1 - np.exp(-5 * HAZARD), 3),
    "old": np.round(1 - np.exp(-4 * HAZARD * np.exp(RNG.normal(size=300))), 3),
    "noise": np.round(np.clip(0.3 + RNG.normal(size=300) / 8, 0.001, 0.999), 3),
}
HAVE = "have the event by 5"
NO_ENDS = "they depend on who left when, which this page does not hold"
WIDE = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(OUTCOME, SCORES, "10%..30%", rng=1)


@pytest.fixture(scope="module")
def report(evaluation, tmp_path_factory) -> Path:
    """Save a report that holds every score, so that its numbers are those of the cases."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(evaluation, path, embed="fine")
    return path


@pytest.fixture(scope="module")
def shared(browser, report):
    watched = opened(browser, report, viewport=WIDE, reduced_motion="reduce", accept_downloads=True)
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


def at_another(evaluation: Evaluation, decision: Decision, tables=None) -> Evaluation:
    """Evaluate the same people at another decision, without their intervals."""
    found = evaluate_tables(dict(tables or evaluation.tables), decision)
    sample = replace(found.sample, follow_up=evaluation.sample.follow_up)
    return in_the_unit_of(evaluation, Evaluation(replace(found.results, sample=sample)))


# -------------------------------------------------------------------------------------- numbers of the scripts


@st.composite
def followed(draw):
    """Few people, many of whom left, with times and scores that some share."""
    many = draw(st.integers(6, 25))
    columns = st.lists(st.integers(1, 6), min_size=many, max_size=many)
    time, kinds = draw(columns), draw(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=many, max_size=many))
    event = np.where(np.array(time) > 4, 0, kinds)
    event[:2], time[:2] = (1, 0), (1, 6)  # so that both outcomes are known
    score = np.array(draw(st.lists(st.integers(0, 10), min_size=many, max_size=many))) / 10
    return score_table(EventBy(np.array(time, float), event, 4), score)


LIMITS = (None, Limits(capacity=0.35), Limits(capacity=0.6, min_precision=0.3), Limits(min_precision=0.41))


@settings(max_examples=60)
@given(
    table=followed(),
    costs=st.sampled_from((At(0.3), Uniform(0.05, 0.35), Uniform(0, 1))),
    limits=st.sampled_from(LIMITS),
    prevalence=st.sampled_from((None, At(0.2), At(0.7))),
)
def test_alarms_count_everyone_and_regret_those_who_are_known(numbers, table, costs, limits, prevalence):
    decision = Decision(costs, prevalence=prevalence, limits=limits)
    stated = {"cost": costs, "prevalence": prevalence, "capacity": None, "min_precision": None}
    if limits is not None:
        stated |= {"capacity": limits.capacity, "min_precision": limits.min_precision}
    standing = next(one for one in evaluate_tables({"model": table}, decision).ranking if not one.reference)
    regret, acts, share = numbers(("regret", table, stated), ("acts", table, stated), ("shareActedOn", table, 0.35))
    agree(regret, standing.regret.estimate)
    agree([acts["low"], acts["mean"], acts["high"]], [getattr(standing.acts, name) for name in RATES])
    agree(share, table.alarm_share(0.35))
    moved = table if prevalence is None else at_prevalence(table, prevalence.value)
    there = ("there", table, stated)
    (steps,) = numbers(("bestThresholds", there, costs, {k: stated[k] for k in ("capacity", "min_precision")}))
    wanted = best_thresholds(moved, costs, limits)
    agree(steps["threshold"], wanted.threshold)
    agree(steps["alarmsPerThousand"], wanted.alarms_per_thousand)
    agree(steps["precision"], wanted.precision)


RATES = ("at_lowest_cost", "mean", "at_highest_cost")


def test_the_risk_of_the_sample_however_it_is_rounded_moves_nobody(numbers, evaluation):
    table = evaluation.tables["new"]
    rounded = table.prevalence * (1 + 1e-15)
    assert numbers(("isOwn", table, rounded), ("isOwn", table, table.prevalence + 1e-6)) == [True, False]
    for moved in ("atPrevalence", "reweightClasses"):
        (acts,) = numbers(("shareActedOn", (moved, table, rounded), 0.2))
        agree(acts, table.alarm_share(0.2))


# ---------------------------------------------------------------------------------------- states drawn at random


@pytest.mark.parametrize("address", [*drawn_states(20), "cap=0.002", "cap=0.002&prev=0.1"])
def test_every_number_of_a_state_is_that_of_python(page, evaluation, address):
    go_to(page, address)
    shown = shown_on(page)
    found = with_shown_differences(at_another(evaluation, decision_of(shown["decision"])), shown)
    check_first_screen(page, found, evaluation.tables)
    check_spoken(page, shown["decision"], HAVE)
    check_download(shown, found)
    assert by_number(ranking_on(page)) == by_number(ranking_of(found))
    elsewhere = FOLLOW_UP_TEMPLATES["other-events-elsewhere"]
    said = [one.replace("difference about ", "difference ") for one in findings_on(page) if not WORTHLESS.search(one)]
    assert (elsewhere in said) == (shown["decision"]["prevalence"] is not None)
    assert sorted(one for one in said if one != elsewhere) == sorted(told(found))  # of a kind, the third may come later


@pytest.mark.parametrize("address", ["miss=3..19", "prev=0.1", "cap=0.2", "cap=0.3&prec=0.4"])
def test_what_happens_to_a_thousand_cases_and_at_each_threshold(page, evaluation, address):
    go_to(page, address)
    page.evaluate("() => (document.getElementById('policy-behind').open = true)")
    page.locator("#cost .plot").first.scroll_into_view_if_needed()
    press(page, CURSOR, "PageUp", *["ArrowLeft"] * 3)
    found = at_another(evaluation, stated_on(page))
    scene = Scene.of(found, *models_of(found, evaluation.tables))
    cost = cost_looked_at(page)
    assert cells(page, "#readout") == [[row["name"], *row["cells"]] for row in readout_at(scene, cost)["rows"]]
    best = next(one.model for one in found.ranking if not one.reference)
    keys = ("costs", "odds", "threshold", "alarms", "found", "false", "missed", "precision")
    steps = _view.policy_rows(found, found.policies[best])
    assert cells(page, "#policy-table") == [[row[key] for key in keys] for row in steps]


def test_somebody_who_left_has_the_highest_score(evaluation):
    tops = {name: (table.heads.score[-1], table.score[-1]) for name, table in evaluation.tables.items()}
    assert {high > known for high, known in tops.values()} == {True, False}  # so that both sentences are compared


def test_the_number_acted_on_is_that_of_people(page, evaluation):
    cost = cost_looked_at(page)
    rows = {row[0]: row for row in cells(page, "#readout")}
    for model, score in SCORES.items():
        assert float(rows[model][2].replace(",", "")) == pytest.approx(1000 * np.mean(score >= cost), abs=0.051)


# --------------------------------------------------------------------------------- intervals, and what is said


def test_intervals_of_a_strict_page_are_those_of_the_stated_decision_and_otherwise_absent(
    open_file, evaluation, tmp_path
):
    save_report(evaluation, tmp_path / "report.html", embed="strict")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    reasons = page.get_by_text(NO_ENDS)
    whiskers = page.locator("#ranking-table .whisker").count()
    assert whiskers > 0
    assert not any(one.is_visible() for one in reasons.all()[:2])
    stated = ranking_on(page)
    assert stated == ranking_of(evaluation)
    press(page, MOST, "ArrowRight")
    assert page.locator("#ranking-table .whisker").count() == page.locator("#first-ranking .whisker").count() == 0
    for name in ("lower", "upper", "difference_lower", "difference_upper", "probability_best"):
        assert {line[name] for line in shown_on(page)["ranking"]} == {None}
    assert all(one.is_visible() for one in reasons.all())
    assert reasons.count() == 3  # on the first screen, under the ranking, in the method
    page.get_by_role("button", name="Back").click()
    follow(page)
    assert ranking_on(page) == stated
    assert page.locator("#ranking-table .whisker").count() == whiskers


def test_ends_that_follow_the_controls_are_near_those_of_the_cases(page, evaluation):
    """Of single numbers and of differences, at twelve decisions; exact ones come from the influence of the cases."""
    gaps, told = [], 0
    for address in drawn_states(24):
        if "cap=" in address or "prec=" in address:
            continue
        go_to(page, address)
        shown = shown_on(page)
        decision = decision_of(shown["decision"])
        exact = {one.model: one for one in evaluate(OUTCOME, SCORES, decision, rng=1).ranking}
        for line in shown["ranking"]:
            one = exact[line["model"]]
            pairs = [(line, one.regret, "", one.regret.estimate)]
            if one.difference is not None:
                pairs.append((line, one.difference, "difference_", one.difference.difference))
            for held, found, kind, middle in pairs:
                told += held[f"{kind}lower"] is not None
                for end in ("lower", "upper") if held[f"{kind}lower"] is not None else ():
                    far = getattr(found, end) - middle
                    own = held["regret" if kind == "" else "difference"]
                    gaps.append(abs((held[f"{kind}{end}"] - own) / far - 1) if far else 0.0)
    assert told > 40
    assert np.quantile(gaps, 0.5) < 0.05  # that half a case was not seen counts for more where mistakes are few
    assert np.quantile(gaps, 0.9) < 0.2


@pytest.mark.parametrize(
    "sample",
    [
        {"outcome": OUTCOME},
        {"outcome": OUTCOME, "cluster": np.arange(300) // 2},
        {"outcome": OUTCOME, "weight": 1 + np.arange(300) % 3},
        {"outcome": EventBy(YEARS, STATUS, 5, censoring=CensoringBy(np.arange(300) % 2))},
        {"outcome": EventBy(YEARS, STATUS, 5, entry=np.where(np.arange(300) % 2, YEARS / 2, 0.0))},
    ],
    ids=["plain", "clusters", "weights", "strata", "late entry"],
)
def test_what_a_page_holds_has_the_standard_errors_of_the_cases(sample):
    found = evaluate(sample.pop("outcome"), SCORES, "10%..30%", rng=1, **sample)
    held = with_factors(found, page_tables(found, pooled=False)[0])
    gaps = []
    for decision in (found.decision, *reachable_decisions(found, 8, 7)):
        near = held.covariance(decision)[:3, :3]
        exact = Study(found.results.cases, measure(decision))._covariance()[:3, :3]
        for a in range(3):
            for b in range(a + 1):
                e = np.eye(3)[a] - (a != b) * np.eye(3)[b]
                if errs_enough(found.tables[list(SCORES)[a]], decision, held.features.heaviness):
                    gaps.append(abs(np.sqrt(e @ near @ e / (e @ exact @ e)) - 1))
    assert len(gaps) > 20
    assert np.quantile(gaps, 0.5) < 0.02
    assert np.quantile(gaps, 0.9) < 0.12


def test_the_sentence_and_the_title_name_the_event_and_the_horizon(browser, tmp_path):
    words = {"case": ("man", "men"), "positive": "cancer", "time": ("year", "years")}
    named = evaluate(OUTCOME, SCORES, Decision("10%..30%", words=words), rng=1)
    save_report(named, tmp_path / "report.html")
    watched = opened(browser, tmp_path / "report.html", viewport=WIDE)
    page = watched.page
    assert page.title() == "Which of 3 models for cancer within 5 years should decide?"
    risk = f"{100 * named.sample.follow_up.risk:.0f}%"
    assert f"{risk} of men have cancer within 5 years," in text_on(page, "#sentence")
    assert "300 men followed; within 5 years, " in text_on(page, ".sample")
    go_to(page, "prev=0.1")
    assert "10% of men have cancer within 5 years," in text_on(page, "#sentence")
    page.context.close()
    assert watched.problems == []


def test_follow_up_is_counted_at_every_decision(page, evaluation):
    found = evaluation.sample.follow_up
    for address in ("miss=3..9", "prev=0.1"):
        rows = dict(cells(page, "#followed table"))
        assert [rows[name] for name in ("followed", "had the event", "left before: unknown")] == [
            str(found.cases),
            str(found.positive),
            str(found.unknown),
        ]
        go_to(page, address)
    assert page.locator("#followed").is_visible()


def test_what_was_found_about_those_who_left_stays(open_file, tmp_path):
    rng = np.random.default_rng(3)
    score = rng.uniform(0.05, 0.9, 200)
    time = np.minimum(rng.exponential(4, 200), np.where(score > 0.5, rng.uniform(0, 3, 200), 6))
    found = evaluate(EventBy(time, rng.integers(0, 2, 200), 2.5), {"model": score}, "10%..30%", rng=1)
    kept = {"left-differ", "mostly-unknown", "horizon-far", "heavy-case", "near-horizon"}
    texts = [one.text for one in found.findings if one.kind in kept]
    assert "left-differ" in {one.kind for one in found.findings}
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    press(page, MOST, "ArrowRight")
    assert [one for one in findings_on(page) if one in texts] == texts


def test_groups_follow_the_costs_without_intervals(open_file, tmp_path):
    centre = np.where(np.arange(300) % 3 == 0, "north", "south")
    stated = evaluate(OUTCOME, SCORES, "10%..30%", group=centre, rng=1)
    save_report(stated, tmp_path / "report.html", embed="fine")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    assert page.locator("#panels .whisker").count() == 6
    go_to(page, "miss=3..19")
    shown = shown_on(page)
    moved = evaluate(OUTCOME, SCORES, decision_of(shown["decision"]), group=centre, rng=1)
    unit = in_the_unit_of(stated, moved).unit
    for name, group in moved.groups.items():
        panel = page.locator("#panels .panel", has_text=name)
        costs = dict(
            zip(panel.locator("tbody bdi").all_inner_texts(), panel.locator(".cost").all_inner_texts(), strict=True)
        )
        assert costs == {model: unit.number(group.regret[model].estimate) for model in SCORES}
    assert page.locator("#panels .whisker").count() == 0


# ------------------------------------------------------------------------------------------------- pooled rows


def test_pooled_rows_stand_for_five_people_and_count_all_of_them(evaluation):
    for table in evaluation.tables.values():
        small = pool_rows(table)
        assert small.heads.everyone.min() >= LEAST_CASES
        assert small.heads.total == len(YEARS)
        agree([small.positive_total, small.negative_total], [table.positive_total, table.negative_total])
        assert len(small) < len(table)
        up_to, below = np.cumsum(table.positive + table.negative), np.cumsum(small.positive + small.negative)[:-1]
        starts = np.searchsorted(up_to, below - 1e-9) + 1  # of the rows that each pooled one begins with, but the first
        agree([small.alarm_share(at) for at in small.score[1:]], [table.alarm_share(at) for at in table.score[starts]])


@pytest.mark.parametrize("address", ["miss=3..19", "prev=0.1", "cap=0.25", "cap=0.4&prec=0.4"])
def test_the_numbers_of_a_pooled_page_are_those_of_its_tables(open_file, evaluation, tmp_path, address):
    save_report(evaluation, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    held = page.evaluate(
        """() => Object.fromEntries(JSON.parse(document.getElementById("data").textContent).models.map(
             ({ key, ...columns }) => [key, stakes.plainColumns(columns)]))"""
    )
    tables = {name: held_table(columns) for name, columns in held.items()}
    go_to(page, address)
    shown = shown_on(page)
    check_download(shown, at_another(evaluation, decision_of(shown["decision"]), tables))


def held_table(columns):
    """Make a table of the columns that a page holds."""
    score, positive, negative, everyone = (np.array(columns[name]) for name in HELD)
    return ScoreTable(score, positive, negative, heads=Heads(score, positive, negative, everyone))


HELD = ("score", "positive", "negative", "everyone")


def test_the_tables_that_are_saved_count_everyone(page, evaluation):
    text = page.evaluate(
        """() => new Promise((done) => {
          const make = URL.createObjectURL;
          URL.createObjectURL = (blob) => {
            URL.createObjectURL = make;
            blob.text().then(done);
            return make.call(URL, blob);
          };
          document.querySelector("[data-download=tables]").click();
        })"""
    )
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["model"] == "new"]
    table = evaluation.tables["new"]
    assert [float(row["score"]) for row in rows] == np.union1d(table.score, table.heads.score).tolist()
    assert sum(float(row["everyone"]) for row in rows) == len(YEARS)
    agree(sum(float(row["positive"]) for row in rows), table.positive_total)
