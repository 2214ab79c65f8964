"""Every chart can be saved, as it is shown: an SVG that needs nothing else, and a PNG of twice the size."""

import base64
import struct
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page
from report.pages import CANCER, MOST, PREDICTIONS, follow, press, text_on

from stakes import evaluate
from stakes.report import save_report

SVG = "{http://www.w3.org/2000/svg}"

# What a button would save: the name of the file and what it holds, without a download.
SAVED = """(button) => new Promise((done) => {
  const make = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
  let blob;
  URL.createObjectURL = (given) => make.call(URL, (blob = given));
  HTMLAnchorElement.prototype.click = function () {
    URL.createObjectURL = make;
    HTMLAnchorElement.prototype.click = click;
    const reader = new FileReader();
    reader.onload = () => done([this.download, blob.type, reader.result.split(",")[1]]);
    reader.readAsDataURL(blob);
  };
  button.click();
})"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "report.html"
    save_report(evaluate(CANCER, {**PREDICTIONS, "<b>&": PREDICTIONS["age"]}, "9%..20%", rng=1), path)
    return path


def saved(figure: Locator, kind: str) -> tuple[str, str, bytes]:
    name, media, held = figure.locator(".save button", has_text=kind).evaluate(SAVED)
    return name, media, base64.b64decode(held)


def with_chart(page: Page, key: str) -> Locator:
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    plot = page.locator(f".plot[data-figure={key}]").first
    plot.scroll_into_view_if_needed()
    plot.locator("svg").wait_for()
    follow(page)  # opening may have made it narrower
    return page.locator("figure").filter(has=page.locator(f".plot[data-figure={key}]")).first


def words_of(svg: bytes) -> str:
    root = ElementTree.fromstring(svg)
    return " ".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


def test_every_chart_can_be_saved_and_says_for_which_decision_it_holds(open_file, report):
    page = open_file(report)
    keys = set(page.locator(".plot").evaluate_all("(all) => all.map((one) => one.dataset.figure)"))
    hidden = {"capacity"}  # without a limit
    for key in sorted(keys - hidden):
        name, media, held = saved(with_chart(page, key), "SVG")
        assert (name.removesuffix("-1.svg").removesuffix(".svg"), media) == (f"stakes-{key}", "image/svg+xml")
        said = words_of(held)
        assert text_on(page, "#sentence") in said
        assert said.endswith("As stated.")


def test_charts_of_single_models_are_told_apart_by_name(open_file, report):
    page = open_file(report)
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    labels = page.locator(".save button").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert len(set(labels)) == len(labels)
    assert "SVG: reliability of <b>&" in labels


def test_a_saved_chart_brings_its_own_looks(open_file, report):
    page = open_file(report)
    root = ElementTree.fromstring(saved(with_chart(page, "regret"), "SVG")[2])
    drawn = [node for node in root.iter() if node.tag in {f"{SVG}path", f"{SVG}text"}]
    assert not [node for node in drawn if node.get("fill") is None]
    assert not [node for node in root.iter() if node.get("class") is not None]
    lines = {node.get("stroke") for node in drawn} - {None, "none"}
    colour = "(node) => getComputedStyle(node).stroke"
    assert page.locator(".plot[data-figure=regret] path.line.m0").first.evaluate(colour) in lines


def test_once_moved_name_and_caption_follow(open_file, report):
    page = open_file(report)
    press(page, MOST, "ArrowRight")
    name, _, held = saved(with_chart(page, "difference"), "SVG")
    said = words_of(held)
    assert name.startswith("stakes-difference-miss-")
    assert name.endswith(".svg")
    assert text_on(page, "#sentence") in said
    assert text_on(page, "#headline") in said
    assert said.endswith(text_on(page, "#state-said"))


def test_a_png_has_twice_the_size(open_file, report):
    page = open_file(report)
    figure = with_chart(page, "regret")
    name, media, held = saved(figure, "PNG")
    root = ElementTree.fromstring(saved(figure, "SVG")[2])
    assert (name, media, held[:8]) == ("stakes-regret.png", "image/png", b"\x89PNG\r\n\x1a\n")
    sides = [float(root.get(side)) for side in ("width", "height")]
    assert struct.unpack(">II", held[16:24]) == tuple(-int(-2 * side // 1) for side in sides)
    assert len(held) > 10_000  # drawn, not blank
