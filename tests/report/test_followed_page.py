"""What the page of cases that were not all followed says, before any script has run."""

import json
import re
from html import unescape

import numpy as np
import pytest

from stakes import Decision, EventBy, Limits, evaluate
from stakes.evaluation import in_own_words
from stakes.outcome import CensoringBy, CoxCensoring, GivenCensoring
from stakes.report import render, save_report
from stakes.report._followed_view import follow_up_rows
from stakes.report._page_tables import page_tables

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


@pytest.mark.slow
def test_the_first_line_states_risk_and_unknown(page, evaluation):
    found = evaluation.sample.follow_up
    free = f"{found.event_free} are known to be free of it, {found.unknown} left before: unknown"
    assert f"{found.risk:.0%} of men have cancer by 5," in shown(page)
    assert f"240 men followed; by 5, {found.positive} had cancer ({found.risk:.0%}, Aalen-Johansen)" in shown(page)
    assert free in shown(page)
    assert "followed.csv" in shown(page)


@pytest.mark.slow
def test_the_title_of_a_page_without_one_names_event_and_horizon(evaluation):
    assert "<title>Which of 2 models for cancer by 5 should decide?</title>" in render(evaluation)


def test_every_finding_and_every_standing_is_on_the_page(page, evaluation):
    text = shown(page)
    for finding in evaluation.findings:
        assert finding.kind.startswith(("one-threshold", "plateau")) or in_own_words(evaluation, finding.text) in text
    for standing in evaluation.ranking:
        assert evaluation.unit.number(standing.regret.estimate) in text


def test_alarms_and_true_and_false_ones_are_those_of_everyone_and_of_the_known(page, evaluation):
    table, policy = evaluation.tables[evaluation.best.model], evaluation.policies[evaluation.best.model]
    rows = re.search(r'id="policy-table".*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1].split("</tr>")
    for row, threshold in zip(rows, policy.threshold, strict=False):
        *_, alarms, found, needless, missed, _ = re.findall(r"<td[^>]*>(.*?)</td>", row)
        assert alarms == f"{1000 * np.mean(SCORES[evaluation.best.model] >= threshold):,.0f}"
        here = table.score >= threshold
        known = [table.positive[here].sum(), table.negative[here].sum(), table.positive[~here].sum()]
        assert [found, needless, missed] == [f"{1000 * weight / table.total:.1f}" for weight in known]
    assert "The number of alarms counts everyone, known or not" in shown(page)


def test_names_are_text_and_numbers_are_inside(page, evaluation):
    assert "<b>old</b>" not in page
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert data["evaluation"] == json.loads(evaluation.to_json())
    assert data["positive_said"] == "have cancer by 5"


def test_the_page_says_how_far_they_were_followed_and_what_it_holds(page, evaluation):
    text, found = shown(page), evaluation.sample.follow_up
    assert f"followed {found.cases} had the event {found.positive} another event first {found.competing}" in text
    assert f"left before: unknown {found.unknown} risk of the event {found.risk:.0%} (Aalen-Johansen)" in text
    assert (
        f"leaving is assumed to depend on nothing lowest chance of still being followed {found.least_probability:.0%}"
        in text
    )
    checks = " and ".join(f"{model} p = {found.score_checks[model]:.3f}" for model in SCORES)
    assert f"whether those who left differ in their scores from those who stayed: {checks}." in text
    assert 'href="#followed"' in page
    assert f"With the event {found.positive} seen, a risk of {found.risk:.0%}" in text
    assert "each row stands for at least 5 cases, their outcomes known or not," in text
    assert "This page is strict (embed): it does not hold who left when" in text
    assert "While a number is moved there are none: they depend on who left when" in text
    assert "They allow for chances of still being followed that were estimated from the same cases." in text


@pytest.mark.slow
def test_a_fine_page_says_that_it_holds_everyone(evaluation):
    text = shown(render(evaluation, embed="fine"))
    assert "with the weights of its positives and of its negatives and its number of cases, as requested" in text
    assert (
        "it holds every score, and how the scores of the models vary together and how weights depend on who left"
        in text
    )
    assert "times the ratio of the standard errors, in which those who left count by a few columns of numbers" in text
    assert "While a number is moved there are none" not in text


@pytest.mark.slow
def test_late_entry_is_weighed_and_rows_still_stand_for_five_people():
    entry = np.where(np.arange(240) % 2, YEARS / 2, 0.0)
    late = evaluate(EventBy(YEARS, STATUS, 5, entry=entry), SCORES, "10%..30%", group=np.arange(240) % 2, rng=1)
    assert late.tables["new"].heads is None
    text = shown(render(late))
    assert "Shares acted on and limits are by these weights." in text
    assert "counts everyone, known or not" not in text
    assert "what the Aalen-Johansen estimate gives them, in which a case is at risk from its entry to its end." in text
    assert "by one over their chance of still being followed" not in text
    assert "lowest chance of being under observation" in text
    assert "entered too late" not in text
    assert "A chi-squared test" not in text
    assert "they depend on who left when" in text
    tables, _ = page_tables(late, pooled=True)
    assert "It also holds the same counts by score for the groups" not in shown(render(late, embed="live"))
    assert "with the weights of its positives and of its negatives, as requested" in shown(render(late, embed="fine"))
    for name, table in tables.items():
        whole = late.tables[name]
        up_to, below = (np.cumsum(one.positive + one.negative) for one in (whole, table))
        edges = [0.0, *whole.score[np.searchsorted(up_to, below[:-1] - 1e-9) + 1], 2.0]
        assert np.histogram(SCORES[name], edges)[0].min() >= 5


def test_chances_that_are_given_are_taken_as_known():
    given = EventBy(YEARS, STATUS, 5, censoring=GivenCensoring(np.full(240, 0.7)))
    text = shown(render(evaluate(given, SCORES, "10%..30%", rng=1)))
    assert "They take the chances of still being followed as known." in text
    assert "by one over their chance of still being followed, as it was given." in text
    assert "leaving is assumed to depend on whatever the given chances depend on" in text


@pytest.mark.parametrize(
    ("censoring", "assumed"),
    [
        (
            CensoringBy(np.arange(240) % 2),
            "Aalen-Johansen in each stratum) leaving is assumed to depend on the stratum",
        ),
        (
            CoxCensoring(HAZARD),
            "weighted by a Cox model of leaving) leaving is assumed to depend on covariates, by a Cox model",
        ),
    ],
)
def test_the_page_says_on_what_leaving_may_depend(censoring, assumed):
    found = evaluate(EventBy(YEARS, STATUS, 5, censoring=censoring), SCORES, Decision("10%", words={"time": "years"}))
    assert dict(follow_up_rows(found))["by the horizon"] == "5 years"
    assert assumed in " ".join(" ".join(row) for row in follow_up_rows(found))


def test_those_who_came_too_late_have_a_row_of_their_own():
    late = evaluate(EventBy(YEARS + 3, STATUS, 5, entry=np.where(np.arange(240) % 5, 0.0, YEARS + 2)), SCORES, "10%")
    rows = dict(follow_up_rows(late))
    assert int(rows["entered too late: unknown"]) == np.count_nonzero((np.arange(240) % 5 == 0) & (YEARS >= 3))
    counted = (
        "had the event",
        "another event first",
        "free of it",
        "left before: unknown",
        "entered too late: unknown",
    )
    assert sum(int(rows[name]) for name in counted) == 240


def test_everybody_known_has_the_live_page():
    known = EventBy(np.where(STATUS == 0, 9.0, YEARS), STATUS, 5)
    text = shown(render(evaluate(known, SCORES, "10%..30%")))
    assert "of cases have the event by 5," in text
    assert "left before: unknown 0" in text
    assert "who left when" not in text
    assert "counts everyone, known or not" not in text


@pytest.mark.slow
def test_a_page_is_saved_whole(evaluation, tmp_path):
    evaluation.save_html(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


def test_several_horizons_have_the_page_that_save_report_writes(tmp_path):
    risks = {"new": np.column_stack([1 - np.exp(-year * HAZARD) for year in (2, 5)])}
    several = evaluate(EventBy(YEARS, STATUS, [2, 5]), risks, "10%..30%", rng=1)
    several.save_html(tmp_path / "a.html", title="When?")
    save_report(several, tmp_path / "b.html", title="When?")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "b.html").read_text(encoding="utf-8")
    assert "At each horizon" in shown(page)
    assert "This page has no controls: the ranking is a mean over horizons" in shown(page)
    assert "left before: unknown" in shown(page)
    for horizon in several.horizons.values():
        cost = horizon.regret["new"]
        ends = several.unit.interval(cost.estimate, cost.lower, cost.upper)
        assert f"{several.unit.number(cost.estimate)} ({ends})" in shown(page)
