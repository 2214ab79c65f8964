"""The charts of a page: names that never collide, one cursor, two zooms, little weight, no work out of sight."""

from pathlib import Path

import numpy as np
import pytest
from report.pages import CURSOR, MOST, follow, go_to, press, text_on
from report.watching import opened

from stakes import evaluate
from stakes.report import save_report

WIDTHS = (1440, 390)
SIZES = {1: 325_000, 3: 350_000, 12: 560_000, 40: 900_000}  # bytes of the page, by the number of models
CHARTS = ("regret", "difference", "benefit")
LANGUAGES = ("model", "نموذج التنبؤ", "Vorhersagemodell für Hochrisikopatienten")


def sample(models: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw cases and models that differ, with names in three languages."""
    rng = np.random.default_rng(models)
    cases = 750 if models <= 3 else 3000
    y = (rng.random(cases) < 0.14).astype(int)
    skill = np.linspace(0.9, 2.4, models)
    scores = [1 / (1 + np.exp(1.8 - s * (y - 0.14) - rng.normal(0, 1, cases))) for s in skill]
    return y, {f"{LANGUAGES[k % 3]} {k + 1}": np.round(score, 4) for k, score in enumerate(scores)}


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[int, Path]:
    """Save a report of each number of models."""
    paths = {}
    for models in SIZES:
        paths[models] = tmp_path_factory.mktemp(f"of{models}") / "report.html"
        y, predictions = sample(models)
        save_report(evaluate(y, predictions, "5%..20%", rng=1), paths[models])
    return paths


@pytest.fixture(scope="module")
def three(browser, reports):
    """One page of three models for all tests that put the numbers back."""
    watched = opened(browser, reports[3], viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    yield watched.page
    watched.page.context.close()
    assert watched.problems == []


def look_at(page, part: str) -> None:
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    page.locator(part).first.evaluate("(node) => node.scrollIntoView({ block: 'start', behavior: 'instant' })")
    follow(page)


# All pairs of texts in a chart whose boxes overlap by more than half a pixel; the names on a map, whose cells are its
# area, and what only a pointer shows are left out.
_OVERLAPS = """
() => [...document.querySelectorAll(".plot > svg")].flatMap((svg) => {
  const texts = [...svg.querySelectorAll("text:not(.cell-name)")];
  const boxes = texts.map((node) => [node.textContent, node.getBoundingClientRect()]);
  return boxes.flatMap(([text, a], k) => boxes.slice(k + 1).filter(([, b]) =>
    a.width && b.width && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5,
  ).map(([other]) => `${svg.dataset.chart}: ${text} / ${other}`));
})
"""
# Names of lines that begin inside the area of their chart, or end outside its picture.
_MISPLACED = """
() => [...document.querySelectorAll(".plot > svg")].flatMap((svg) => {
  const whole = svg.getBoundingClientRect(), rules = [...svg.querySelectorAll(".grid, .zero")];
  const right = Math.max(...rules.map((one) => one.getBoundingClientRect().right));
  return [...svg.querySelectorAll(".label")].map((node) => [node.textContent, node.getBoundingClientRect()])
    .filter(([, box]) => box.left < right - 0.5 || box.right > whole.right + 1)
    .map(([text]) => `${svg.dataset.chart}: ${text}`);
})
"""


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("models", SIZES)
def test_no_two_texts_of_a_chart_collide(open_file, reports, models, width):
    page = open_file(reports[models], viewport={"width": width, "height": 900})
    for zoom in ("range", "all"):
        page.evaluate("(zoom) => document.querySelector(`[data-zoom=${zoom}]`).click()", zoom)
        for part in ("#cost", "#calibration", "#world"):
            look_at(page, part)
            assert page.evaluate(_OVERLAPS) == []
            assert page.evaluate(_MISPLACED) == []


@pytest.mark.slow
@pytest.mark.parametrize("models", SIZES)
def test_a_page_weighs_little(reports, models):
    assert reports[models].stat().st_size <= SIZES[models]


def test_of_many_models_the_contenders_have_a_colour_and_the_others_none(open_file, reports):
    page = open_file(reports[12], viewport={"width": 1440, "height": 900})
    look_at(page, "#cost")
    drawn = page.locator("[data-figure=regret] .line").evaluate_all("(nodes) => nodes.map((one) => one.classList[1])")
    coloured = [css for css in drawn if css.startswith("m")]
    assert sorted(coloured) == ["m0", "m1", "m2", "m3"]
    assert drawn.count("other") == 8
    strip = text_on(page, "[data-strip=regret]")
    assert page.locator("[data-strip=regret] .value").count() == 4 + 2
    assert all(name in strip for name in ("act on everyone", "act on no one"))
    first = page.locator("#first-ranking tr:not(.reference) .swatch").evaluate_all("(n) => n.map((o) => o.className)")
    assert all("other" not in css for css in first[:2])


def test_a_pinned_model_has_a_colour_of_its_own_until_it_is_put_back(open_file, reports):
    page = open_file(reports[12], viewport={"width": 1440, "height": 900})
    pins = page.locator("#ranking-table .pin")
    assert pins.count() == 8
    for k in range(4):  # the fourth takes the place of the first
        pins.nth(k).click()
        follow(page)
    assert [one.get_attribute("aria-pressed") for one in pins.all()[:5]] == ["false", "true", "true", "true", "false"]
    look_at(page, "#cost")
    drawn = page.locator("[data-figure=regret] .line").evaluate_all("(nodes) => nodes.map((one) => one.classList[1])")
    assert sorted(css for css in drawn if css.startswith("m")) == [f"m{k}" for k in range(7)]
    assert page.locator("[data-strip=regret] .value").count() == 7 + 2
    assert page.evaluate(_OVERLAPS) == []
    page.wait_for_function("() => /^#pin=\\d+,\\d+,\\d+$/.test(location.hash)")
    address = page.url
    again = open_file(reports[12], viewport={"width": 1440, "height": 900})
    again.goto(address)
    again.reload()
    follow(again)
    assert again.locator("#ranking-table .pin[aria-pressed=true]").count() == 3
    assert not again.locator("#reset").is_visible()
    pins.nth(1).click()
    look_at(page, "#cost")
    assert page.locator("[data-strip=regret] .value").count() == 6 + 2


# ------------------------------------------------------------------------------------------------- one cursor


def value_of(page, key: str) -> str:
    return str(page.locator(f"[data-figure={key}]").get_attribute("aria-valuenow"))


def test_the_charts_share_one_cursor_by_keys_and_by_pointer(three):
    look_at(three, "#cost")
    press(three, CURSOR, "Home", "PageUp", "ArrowRight")
    values = {value_of(three, key) for key in ("regret", "difference")}
    assert len(values) == 1
    box = three.locator("[data-figure=difference]").bounding_box()
    three.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 100)
    follow(three)
    moved = {value_of(three, key) for key in ("regret", "difference")}
    assert len(moved) == 1
    assert moved != values
    look_at(three, "[data-figure=benefit]")
    assert value_of(three, "benefit") in moved
    at = text_on(three, "[data-strip=regret]").split(":", 2)
    assert all(text_on(three, f"[data-strip={key}]").startswith(":".join(at[:2])) for key in CHARTS)


def test_a_cursor_stops_at_the_ends_of_its_chart(three):
    look_at(three, "#cost")
    press(three, CURSOR, "Home")
    slider = three.locator("[data-figure=regret]")
    assert slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemin")
    press(three, CURSOR, "ArrowLeft")
    assert slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemin")
    press(three, CURSOR, "End")
    assert slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")


def test_the_cursor_changes_no_decision(three):
    look_at(three, "#cost")
    before = text_on(three, "#sentence"), text_on(three, "#headline")
    press(three, CURSOR, "PageUp", "PageUp")
    assert (text_on(three, "#sentence"), text_on(three, "#headline")) == before
    assert "=" not in three.evaluate("() => location.hash")


def test_the_charts_show_the_range_or_all_that_is_in_reach(three):
    look_at(three, "#cost")
    slider = three.locator("[data-figure=regret]")
    ends = [float(slider.get_attribute(f"aria-value{end}")) for end in ("min", "max")]
    three.locator("[data-zoom=all]").click()
    follow(three)
    wider = [float(slider.get_attribute(f"aria-value{end}")) for end in ("min", "max")]
    assert wider[0] < ends[0] < 5 < 20 < ends[1] < wider[1]
    assert three.locator("[data-zoom=all]").get_attribute("aria-pressed") == "true"
    three.locator("[data-zoom=range]").click()
    follow(three)
    assert [float(slider.get_attribute(f"aria-value{end}")) for end in ("min", "max")] == ends


def test_arrows_move_the_range_on_the_map(three):
    look_at(three, "#world")
    three.locator("[data-figure=cost-map]").press("ArrowLeft")
    follow(three)
    assert text_on(three, "#sentence").startswith("If a miss is as bad as 4 to 20 false alarms")
    three.locator("[data-figure=cost-map]").press("ArrowUp")
    follow(three)
    assert text_on(three, "#sentence").startswith("If a miss is as bad as 3 to 20 false alarms")
    three.locator("#reset").click()
    follow(three)


# ------------------------------------------------------------------------------------------ the difference


def test_the_band_of_the_difference_is_there_where_it_is_known(three):
    look_at(three, "#cost")
    band = three.locator("[data-figure=difference] .fill")
    said = "The band holds at all costs together, with 95% confidence."
    assert band.count() == 1
    assert said in text_on(three, "#difference-said")
    go_to(three, "miss=4..12")  # the costs alone: the same two, the same band
    assert band.count() == 1
    go_to(three, "prev=0.3")
    assert band.count() == 0
    assert said not in text_on(three, "#difference-said")
    ranked = three.locator("#first-ranking bdi").all_inner_texts()
    assert text_on(three, "#difference-title") == f"How much more {ranked[1]} costs than {ranked[0]}."
    three.locator("#reset").click()
    follow(three)


# -------------------------------------------------------------------------------------------- work and weight


def test_only_what_is_in_view_is_drawn(open_file, reports):
    page = open_file(reports[12], viewport={"width": 1440, "height": 900})
    follow(page)
    page.evaluate(
        """() => {
          window.drawn = [];
          const watch = new MutationObserver((changes) => changes.forEach(({ target }) => {
            const plot = target.closest?.(".plot");
            if (plot && target === plot) window.drawn.push(plot.dataset.figure);
          }));
          for (const plot of document.querySelectorAll(".plot")) watch.observe(plot, { childList: true });
        }"""
    )
    press(page, MOST, "ArrowRight")
    assert set(page.evaluate("() => window.drawn")) <= {"regret", "difference"}  # at the foot of the first screen
    page.evaluate("() => (window.drawn = [])")
    look_at(page, "#world")
    assert "cost-map" in page.evaluate("() => window.drawn")


def test_a_table_can_be_reached_by_the_keyboard_where_and_only_where_it_scrolls(open_file, reports):
    page = open_file(reports[3], viewport={"width": 390, "height": 844})
    look_at(page, "#policy")
    state = "(nodes) => nodes.map((one) => [one.scrollWidth > one.clientWidth + 1, one.tabIndex === 0])"
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        follow(page)
        found = page.locator(".scroll").evaluate_all(state)
        assert [pair for pair in found if pair[0] != pair[1]] == []
        assert any(wide for wide, _ in found) == (width == 390)
