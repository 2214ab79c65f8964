"""The page draws the pictures that Python draws: the same elements at the same places, to a tenth of a pixel."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.pages import CANCER, PREDICTIONS, TABLES
from report.watching import opened

from stakes import At, Cases, Decision, Limits, LogOddsUniform, Uniform, evaluate, score_table
from stakes.curves import regret_curve
from stakes.evaluation import Evaluation, evaluate_tables
from stakes.report import _cost_charts, _figures, _maps, save_report
from stakes.report._chart import Chart, Line, table_of
from stakes.report._chart_axis import ChartAxis
from stakes.report._drawing import draw
from stakes.report._models import Scene, models_of
from stakes.report._page_tables import page_tables
from stakes.report._payload import stated
from stakes.uncertainty import difference_band

DECISIONS = (
    Decision(Uniform(0.05, 0.2)),
    Decision(LogOddsUniform(0.02, 0.4), prevalence=LogOddsUniform(0.05, 0.3)),
    Decision(At(0.12), prevalence=At(0.3)),
    Decision(Uniform(0.1, 0.6), limits=Limits(capacity=0.25, min_precision=0.3)),
)
CHARTS = {
    "regret": _cost_charts.regret_chart,
    "benefit": _cost_charts.benefit_chart,
    "prevalence": _figures.prevalence_chart,
    "capacity": _figures.capacity_chart,
    "roc": _figures.roc_chart,
    "cost-map": _maps.cost_map,
}
FACETS = {"reliability": _figures.reliability_chart}

# The scene of a decision as the page sets it, its charts, and any picture as a list of its elements.
_DRAWN = """
({ decision, domain, key, width, model, pair, difference }) => {
  const page = JSON.parse(document.getElementById("data").textContent);
  page.models = page.models.map((one, k) => ({ ...one, css: `m${k}`, table: stakes.table(stakes.columns(one)) }));
  const { positiveTotal, negativeTotal } = page.models[0].table;
  page.references = page.references.map((name, k) => ({
    name, css: `r${k}`, reference: true, score: 1 - k,
    table: stakes.table({ score: [1 - k], positive: [positiveTotal], negative: [negativeTotal] }),
  }));
  Object.assign(page, { stated: decision, domain, difference });
  const scene = figures.sceneOf(page, decision);
  scene.pair = pair && pair.map((name) => scene.ways.find((way) => way.name === name));
  return flat(charts.draw(figures.makers[key](scene, width, scene.models[model])));
}
"""
_FLAT = """
function flat(picture) {
  return [picture, ...picture.querySelectorAll("*")].map((node) => [
    node.nodeName,
    Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]).sort()),
    node.children.length ? "" : node.textContent,
  ]);
}
"""


@pytest.fixture(scope="module")
def evaluations() -> dict[Decision, Evaluation]:
    return {decision: evaluate_tables(TABLES, decision) for decision in DECISIONS}


@pytest.fixture(scope="module")
def page(browser, evaluations, tmp_path_factory):
    path: Path = tmp_path_factory.mktemp("pictures") / "report.html"
    save_report(evaluations[DECISIONS[0]], path, embed="fine")
    watched = opened(browser, path)
    yield watched.page
    watched.page.context.close()
    assert watched.problems == []


def drawn_by_page(page: Any, scene: Scene, key: str, width: float, **more: Any) -> list[Any]:
    domain = {"cost": scene.costs, "prevalence": scene.prevalences}
    asked = {"decision": stated(scene.decision), "domain": domain, "key": key, "width": width, **more}
    return page.evaluate(f"(asked) => {{ {_FLAT} return ({_DRAWN})(JSON.parse(asked)); }}", json.dumps(asked))


def drawn_by_python(page: Any, picture: str) -> list[Any]:
    read = "(text) => flat(new DOMParser().parseFromString(text, 'text/html').querySelector('svg'))"
    return page.evaluate(f"(text) => {{ {_FLAT} return ({read})(text); }}", str(picture))


def same_picture(found: list[Any], wanted: list[Any]) -> None:
    """Compare two pictures: words alike, numbers within a tenth of a pixel or what rounding makes of it."""
    shapes, places = zip(*map(apart, found), strict=True)
    wanted_shapes, wanted_places = zip(*map(apart, wanted), strict=True)
    assert shapes == wanted_shapes
    for one, other in zip(places, wanted_places, strict=True):
        assert one == pytest.approx(other, abs=0.11)


def apart(node: list[Any]) -> tuple[tuple[Any, ...], list[float]]:
    """Return a node with its places left open, and the places."""
    tag, attributes, text = node
    fixed = {name: attributes.pop(name) for name in ("class", "role", "data-chart") if name in attributes}
    number = r"-?(?:\d+\.?\d*|\.\d+)"
    shape = {name: re.sub(number, "#", value) for name, value in attributes.items()}
    places = [float(found) for value in attributes.values() for found in re.findall(number, value)]
    attributes.update(fixed)
    return (tag, fixed, shape, text), places


# What a capacity changes is drawn where there is one.
DRAWN = [(decision, key) for decision in DECISIONS for key in CHARTS if decision.limits or key != "capacity"]


@pytest.mark.parametrize(("decision", "key"), DRAWN, ids=str)
def test_charts(page, evaluations, decision, key):
    scene = scene_of(evaluations[decision])
    chart = CHARTS[key](scene)
    same_picture(drawn_by_page(page, scene, key, chart.width), drawn_by_python(page, draw(chart)))


def scene_of(evaluation: Evaluation) -> Scene:
    tables, _ = page_tables(evaluation, pooled=False)
    return Scene.of(evaluation, *models_of(evaluation, tables))


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
@pytest.mark.parametrize("turned", [False, True], ids=["first two", "turned"])
def test_the_difference_of_the_first_two(page, decision, turned):
    found = evaluate(CANCER, PREDICTIONS, decision, rng=1)
    scene = scene_of(found)
    known = _cost_charts.known_difference(found, scene)
    assert bool(known.x) == (decision.limits is None and decision.prevalence is None)
    embedded = known.to_dict()
    if turned:  # a ranking that a control has turned round knows the same band, the other way up
        ends = {"lower": [-y for y in embedded["upper"]], "upper": [-y for y in embedded["lower"]]}
        known = replace(known, first=known.second, second=known.first, **ends)
    else:
        known = replace(known, lower=embedded["lower"], upper=embedded["upper"])
    chart = _cost_charts.difference_chart(scene, known)
    pair = [known.first.name, known.second.name]
    drawn = drawn_by_page(page, scene, "difference", chart.width, pair=pair, difference=embedded)
    same_picture(drawn, drawn_by_python(page, draw(chart)))


def test_the_band_of_the_difference_is_that_of_python(evaluations):
    found = evaluate(CANCER, PREDICTIONS, DECISIONS[0], rng=1)
    known = _cost_charts.known_difference(found, scene_of(found))
    cases, cost = Cases(CANCER, PREDICTIONS), np.array(known.x)
    band = difference_band(cases, known.first.key, known.second.key, x=cost)
    np.testing.assert_allclose(known.lower, (1 - cost) * band.lower_everywhere, rtol=1e-12)
    np.testing.assert_allclose(known.upper, (1 - cost) * band.upper_everywhere, rtol=1e-12)
    first, second = (regret_curve(cases.table(one.key)).at(cost) for one in (known.first, known.second))
    assert ((known.lower <= second - first) & (second - first <= known.upper)).all()


@given(st.integers(0, 2**32 - 1))
def test_a_difference_of_curves_is_that_of_their_values(seed):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, rng.integers(0, 2, 20)]
    one, other = (regret_curve(score_table(y, np.round(rng.random(22), 1))) for _ in range(2))
    found = _cost_charts.difference(one, other)
    places = np.r_[rng.random(20), np.round(rng.random(20), 1)]
    for side in ("before", "after"):
        wanted = getattr(other, side)(places) - getattr(one, side)(places)
        np.testing.assert_allclose(getattr(found, side)(places), wanted, atol=1e-12)


@pytest.mark.parametrize("decision", DECISIONS[:2], ids=str)
@pytest.mark.parametrize("key", FACETS)
def test_charts_of_one_model(page, evaluations, decision, key):
    scene = scene_of(evaluations[decision])
    for number, model in enumerate(scene.models):
        chart = FACETS[key](scene, model)
        same_picture(drawn_by_page(page, scene, key, chart.width, model=number), drawn_by_python(page, draw(chart)))


@pytest.mark.parametrize(("labels", "shown"), [("number", ["0.0", "\u22120.2"]), ("percent", ["0.0%", "\u221220.0%"])])
def test_the_table_of_a_chart_has_no_minus_before_a_zero(page, labels, shown):
    line, ends = Line([0.0, 1.0], [-1e-17, -0.2], "model", "model"), ChartAxis(0.0, 1.0)
    chart = Chart("loss", "", 400.0, 220.0, ends, ChartAxis(-1.0, 1.0, labels=labels), [line])
    on_page = {
        "x": {"low": 0, "high": 1},
        "y": {"labels": "" if labels == "number" else labels},
        "lines": [{"x": line.x, "y": line.y, "name": "model"}],
    }
    rows_of_both = table_of(chart)[1], page.evaluate("(chart) => charts.tableOf(chart)[1]", on_page)
    for rows in rows_of_both:
        assert [rows[0][1], rows[-1][1]] == shown
