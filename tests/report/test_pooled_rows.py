"""The tables in a report hold no single case, and the page says how far that can move a number."""

import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.agreement import untied
from report.pages import CANCER, LAW, MOST, ONE, PREDICTIONS, TABLES, choose, press, ranking_on, stated_on
from strategies import tables

from stakes import At, Decision, Uniform, at_prevalence, evaluate, expected_regret, score_table
from stakes.evaluation import evaluate_tables
from stakes.report import render, save_report
from stakes.report._method import precise
from stakes.report._page_tables import page_tables
from stakes.report._pooling import LEAST_CASES, MOST_ROWS, change, pool_rows


@given(table=tables(max_size=60))
def test_every_row_stands_for_enough_cases(table):
    small = pool_rows(table)
    assert small.total == pytest.approx(table.total)
    assert small.positive_total == pytest.approx(table.positive_total)
    assert len(small) == 1 or (small.positive + small.negative).min() >= LEAST_CASES * (1 - 1e-9)


def test_there_are_few_rows_however_many_cases():
    assert len(pool_rows(untied(30_000, 1))) <= MOST_ROWS


def test_rows_that_are_large_enough_stay_as_they_are():
    table = score_table([0, 1] * 10, [0.1] * 10 + [1 / 3] * 10)
    assert pool_rows(table) is table


@given(table=tables(max_size=60), cost=st.floats(0, 1))
def test_no_regret_at_any_cost_moves_by_more_than_the_bound(table, cost):
    small = pool_rows(table)
    moved = abs(expected_regret(table, At(cost)) - expected_regret(small, At(cost))) if 0 < cost < 1 else 0.0
    assert moved <= change(table, small).regret + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_reached_somewhere(seed):
    table = untied(200, seed)
    small = pool_rows(table)
    thresholds = np.union1d(table.score, small.score)
    near = np.concatenate([thresholds, np.nextafter(thresholds, 2)])
    moved = [abs(expected_regret(table, At(c)) - expected_regret(small, At(c))) for c in near if 0 < c < 1]
    assert max(moved) == pytest.approx(change(table, small).regret, rel=1e-6)


@pytest.mark.parametrize("end", ["lowest", "highest"])
def test_changes_are_those_at_every_threshold_of_a_long_table(end):
    row = np.arange(40_000)
    runs = row < 2_000 if end == "lowest" else row >= 38_000  # of outcomes, which move the regret within a pooled row
    y = np.where(runs, row // 8 % 2, row % 2)
    tied = np.where(row % 20_000 < 100, row // 20_000 * 20_000, row)  # whose row of the small table is theirs alone
    table = score_table(y, 0.3 + tied / 1e5)
    small = pool_rows(table)
    knots, found = np.union1d(table.score, small.score), change(table, small)
    moved = np.array([[share(table, *at) - share(small, *at) for at in classes_at(knots, side)] for side in SIDES])
    regret = knots * moved[:, 0] - (1 - knots) * moved[:, 1]
    largest = [np.abs(one).max() for one in (regret, moved[:, 0], moved[:, 1])]
    assert [found.regret, found.false_alarms, found.misses] == pytest.approx(largest, rel=1e-9)


SIDES = ("left", "right")  # acting from a threshold on, or above it


def classes_at(thresholds, side):
    return [("negative", thresholds, side), ("positive", thresholds, side)]


def share(table, label, thresholds, side):
    """Return the share of all cases that have an outcome and are acted on, at each threshold."""
    below = np.cumsum([0.0, *getattr(table, label)])[np.searchsorted(table.score, thresholds, side=side)]
    return (getattr(table, f"{label}_total") - below) / table.total


@given(share=st.floats(0, 1))
def test_a_bound_is_rounded_up(share):
    assert float(precise(1000 * share)) >= 1000 * share * (1 - 1e-12)


def test_the_page_says_that_whole_tables_are_whole():
    assert "rows of people in all but name" in render(evaluate_tables(TABLES, "5%..20%"), embed="fine")
    small = {"model": score_table([0, 1] * 10, [0.1] * 10 + [0.4] * 10)}
    assert "No score had to be pooled" in render(evaluate_tables(small, "5%..20%"))


# ------------------------------------------------------------------------------------------------- in the browser


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("pooled") / "report.html"
    save_report(evaluate(CANCER, PREDICTIONS, "5%..20%", rng=1), path)
    return path


def said(page) -> float:
    """Read the bound that the page states for what follows a control."""
    (found,) = re.findall(r"by more than ([\d.]+) misses per 1,000", page.locator("#about").inner_text())
    return float(found)


MOVES = (
    lambda page: press(page, MOST, "ArrowLeft"),
    lambda page: choose(page, LAW, "one value"),
    lambda page: press(page, ONE, "PageDown"),
    lambda page: press(page, "prevalence", "PageDown", "ArrowLeft"),
    lambda page: press(page, "prevalence", "PageUp", "PageUp"),
)


def test_numbers_that_follow_a_control_keep_to_the_bound_that_is_said(open_file, report):
    page = open_file(report)
    for move in MOVES:
        move(page)
        exact = evaluate_tables(TABLES, stated_on(page))
        bound = said(page)
        for line in ranking_on(page):
            printed, digits = float(line.regret.replace(",", "")), len(line.regret.partition(".")[2])
            cost = 1000 * exact.unit.factor * exact.intervals[line.name].estimate
            assert abs(printed - cost) <= bound + 0.5 * 10**-digits + 1e-9
            assert digits == 0 or 10**-digits >= 2 * (bound - 0.1)  # no more digits than are known


@pytest.mark.parametrize("key", ["Home", "End"])
def test_the_bound_that_is_said_holds_at_every_cost_where_the_condition_is_rare_or_common(open_file, report, key):
    page = open_file(report)
    press(page, "prevalence", key)
    decision = stated_on(page)
    moved = partial(at_prevalence, prevalence=decision.prevalence.value)
    tables, _ = page_tables(evaluate(CANCER, PREDICTIONS, "5%..20%", rng=1), pooled=True)
    worst = [change(moved(table), moved(tables[name])).regret for name, table in TABLES.items()]
    assert 1000 * max(worst) / (1 - decision.costs.mean) <= said(page)


def test_as_stated_numbers_are_exact_and_the_bound_of_the_pooled_ones_holds():
    found, ranked = evaluate_tables(TABLES, "5%..20%"), partial(expected_regret, costs=Uniform(0.05, 0.2))
    text = re.sub(r"\s+", " ", render(found))
    (bound,) = re.findall(r"the ranked number of no model by more than ([\d.]+) misses per 1,000", text)
    tables, _ = page_tables(found, pooled=True)
    moved = [abs(ranked(table) - ranked(tables[name])) for name, table in TABLES.items()]
    assert 0 < 1000 * max(moved) / (1 - 0.125) <= float(bound)
    best = found.unit.number(found.best.regret.estimate)
    assert f'class="number regret">{best}<' in text


@pytest.mark.slow
@pytest.mark.parametrize("decision", [Decision(Uniform(0.05, 0.2)), Decision(At(0.1), prevalence=At(0.02))])
def test_a_report_of_many_cases_stays_small(decision):
    rng = np.random.default_rng(3)
    y = rng.random(20_000) < 0.1
    models = {f"model {k}": score_table(y, rng.beta(1 + y, 8)) for k in range(5)}
    assert len(render(evaluate_tables(models, decision)).encode()) < 3_000_000
