"""Groups follow the costs, where the page holds tables of them; then their numbers are those of Python."""

import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from report.pages import CANCER, GROUP, MOST, PREDICTIONS, follow, go_to, press

from stakes import At, LogOddsUniform, Uniform, evaluate
from stakes.evaluation import Evaluation
from stakes.report import render, save_report

WIDE = {"width": 1280, "height": 900}
MANY = {"group": np.tile(GROUP, 4), "rng": 1}
Y, SCORES = np.tile(CANCER, 4), {name: np.tile(score, 4) for name, score in PREDICTIONS.items()}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(Y, SCORES, "5%..20%", **MANY)


@pytest.fixture(scope="module")
def report(evaluation, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(evaluation, path)
    return path


def panels_on(page) -> dict[str, dict[str, float]]:
    """Read what each model costs in each group, in the order shown."""
    return {
        panel.locator("figcaption bdi").inner_text(): {
            row.locator("bdi").inner_text(): float(row.locator(".cost").inner_text())
            for row in panel.locator("tr").all()[1:]
        }
        for panel in page.locator("#panels .panel").all()
    }


def tips_on(page, group: str, model: str) -> tuple[float, float]:
    """Read where the interval of a model in a group begins and ends, as shares of the picture."""
    row = page.locator(".panel", has_text=group).locator("tr", has_text=model)
    path = row.locator(".whisker").get_attribute("d")
    x, _, dx = (float(one) for one in re.findall(r"-?[\d.]+", path)[:3])
    return (x - 5) / 160, ((x + dx if "h" in path or "l" in path else dx) - 5) / 160


STATES = {
    "miss=2..7": Uniform(1 / 8, 1 / 3),
    "miss=9": At(0.1),
    "miss=5..30&law=logodds": LogOddsUniform(1 / 31, 1 / 6),
    "miss=4..12&prev=0.3": Uniform(1 / 13, 1 / 5),
}


@pytest.mark.parametrize(("address", "believed"), STATES.items(), ids=STATES)
def test_costs_by_group_are_those_of_python(open_file, report, address, believed):
    page = open_file(report, viewport=WIDE)
    go_to(page, address)
    exact = evaluate(Y, SCORES, believed, **MANY)
    unit, shown = exact.unit, panels_on(page)
    held = json.loads(re.search(r'id="data">(.*?)</script>', report.read_text()).group(1))["groups"]
    allowed = unit.value(held["bound"]) + 0.51
    assert held["bound"] > 0
    for name, group in exact.groups.items():
        for model, cost in shown[name].items():
            assert cost == pytest.approx(unit.value(group.regret[model].estimate), abs=allowed)
    if "prev" not in address:
        best = next(one for one in exact.ranking if not one.reference)
        gaps = [abs(shown[name][best.model] - unit.value(best.regret.estimate)) for name in shown]
        assert all(a >= b - 2 * allowed for a, b in pairwise(gaps))


def test_as_stated_the_panels_are_those_of_the_evaluation_and_come_back(open_file, report):
    page = open_file(report, viewport=WIDE)
    stated = page.locator("#panels").inner_html()
    press(page, MOST, "ArrowRight", "ArrowRight")
    assert page.locator("#panels").is_visible()
    assert page.locator("#panels").inner_html() != stated
    assert page.get_by_text("How models differ within groups, and why groups differ").is_visible()
    assert not page.locator(".gaps").is_visible()
    page.locator("#reset").click()
    follow(page)
    assert page.locator("#panels").inner_html() == stated


def test_intervals_by_group_are_near_those_of_python(open_file, report):
    page = open_file(report, viewport=WIDE)
    go_to(page, "miss=3..15")
    exact = evaluate(Y, SCORES, Uniform(1 / 16, 1 / 4), **MANY)
    widths = []
    for name, group in exact.groups.items():
        for model in ("marker", "age"):
            low, high = tips_on(page, name, model)
            widths.append((high - low, group.regret[model].upper - group.regret[model].lower))
    ratio = np.array([shown / known for shown, known in widths])
    assert ratio / np.median(ratio) == pytest.approx(1, abs=0.06)  # one scale for all


def test_weights_and_clusters_leave_groups_without_intervals(open_file, tmp_path):
    place = np.arange(len(Y))
    save_report(evaluate(Y, SCORES, "5%..20%", cluster=place % 600, **MANY), tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    assert page.locator("#panels .whisker").count() > 0
    press(page, MOST, "ArrowRight")
    assert page.locator("#panels .whisker").count() == 0
    assert page.locator("#panels .dot").count() > 0


@pytest.mark.slow
def test_a_strict_page_holds_no_tables_of_groups_and_a_live_one_no_row_of_fewer_than_five(evaluation):
    assert '"groups":null' in render(evaluation, embed="strict")
    page = render(evaluation, embed="live")
    assert "the same counts by score for the groups" in page
    assert "the same counts by score for the groups" not in render(evaluation, embed="strict")


def test_tables_of_groups_have_at_least_five_cases_a_row(open_file, report):
    page = open_file(report, viewport=WIDE)
    least = page.evaluate(
        """() => {
          const held = JSON.parse(document.getElementById("data").textContent).groups;
          const rows = held.tables.flatMap(({ models }) => models.map((one) => stakes.table(stakes.columns(one))));
          return Math.min(...rows.flatMap((one) => [...one.positive].map((count, k) => count + one.negative[k])));
        }"""
    )
    assert least >= 5
