"""What a reader takes away: a link, the answer, the ranking as a table, and the report as it is shown."""

import re
from pathlib import Path

import pytest
from report.pages import CANCER, PREDICTIONS, follow, go_to, shown_on, text_on
from report.watching import opened

from stakes import evaluate
from stakes.report import save_report

HOSTILE = "<b>&amp;</script>\t"

# Keeps what is copied, and the file that is saved, where no permission is needed.
KEPT = """() => {
  window.kept = {};
  navigator.clipboard.write = async ([item]) => {
    for (const type of item.types) window.kept[type] = await (await item.getType(type)).text();
  };
  HTMLAnchorElement.prototype.click = function () {
    window.kept.name = this.download;
  };
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => (blob.text().then((text) => (window.kept.file = text)), make.call(URL, blob));
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("shared") / "report.html"
    save_report(evaluate(CANCER, {**PREDICTIONS, HOSTILE: PREDICTIONS["age"]}, "5%..20%", rng=1), path, embed="strict")
    return path


@pytest.fixture
def page(open_file, report):
    page = open_file(report, viewport={"width": 1280, "height": 900})
    page.evaluate(KEPT)
    go_to(page, "miss=3..9&cap=0.3&pin=4")
    follow(page)
    return page


def taken(page, what, wanted):
    """Press a button of the menu and return what it gave."""
    if not page.locator("#share").evaluate("(menu) => menu.open"):
        page.locator("#share summary").click()
    page.locator(f"[data-share={what}]").click()
    page.wait_for_function("(key) => window.kept[key] !== undefined", arg=wanted)
    return page.evaluate("(key) => window.kept[key]", wanted)


def test_the_link_leads_to_what_is_shown(page, open_file):
    link = taken(page, "link", "text/plain")
    assert link.endswith("report.html#miss=3..9&cap=0.3" + ("&pin=4" if "pin" in link else ""))
    assert text_on(page, "#shared") == "Copied."


def test_the_answer_is_that_of_the_page(page):
    copied = taken(page, "sentence", "text/plain")
    assert copied == " ".join(text_on(page, part) for part in ("#sentence", "#headline", "#much"))


def test_the_ranking_is_a_table_of_what_stands_there(page):
    rows = [line.split("\t") for line in taken(page, "ranking", "text/plain").splitlines()]
    ranking = shown_on(page)["ranking"]
    assert [row[0] for row in rows[1:]] == [" ".join(one["model"].split()) for one in ranking]
    assert {len(row) for row in rows} == {7}
    written = page.locator("#ranking-table .regret").all_inner_texts()
    assert [row[1] for row in rows[1:]] == written
    table = page.evaluate(
        """() => [...new DOMParser().parseFromString(window.kept["text/html"], "text/html").querySelectorAll("tr")]
          .map((row) => [...row.cells].map((cell) => cell.textContent))"""
    )
    assert table == rows


def test_the_saved_report_begins_with_what_is_shown(page, browser, tmp_path):
    path = tmp_path / "again.html"
    path.write_text(taken(page, "report", "file"), encoding="utf-8")
    assert page.evaluate("() => window.kept.name") == "stakes-report-miss-3-9-cap-0.3.html"
    again = opened(browser, path, viewport={"width": 1280, "height": 900})
    follow(again.page)
    for part in ("#sentence", "#state-said", "#headline", "#much", "#first-ranking", "#people", "#ranking-table"):
        assert text_on(again.page, part) == text_on(page, part)
    assert shown_on(again.page) == shown_on(page)
    again.page.locator("#reset").click()
    follow(again.page)
    assert text_on(again.page, "#state-said") == "As stated."
    again.page.context.close()
    assert again.problems == []


def test_a_report_that_has_not_moved_is_saved_as_it_is(open_file, report):
    page = open_file(report, viewport={"width": 1280, "height": 900})
    page.evaluate(KEPT)
    saved, original = taken(page, "report", "file"), report.read_text(encoding="utf-8")
    for element in ("script", "style"):
        pattern = re.compile(f"<{element}>(.*?)</{element}>", re.DOTALL)
        assert pattern.findall(saved) == pattern.findall(original)
    assert "shown" not in re.search('id="data">(.*?)</script>', saved, re.DOTALL)[1].split('"evaluation"')[0]


def test_a_menu_closes_where_the_page_is_touched(page):
    for menu in ("#share", "#options"):
        page.locator(f"{menu} > summary").click()
        assert page.locator(menu).evaluate("(one) => one.open")
        page.locator("#findings, .following").first.evaluate(
            "(one) => one.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
        )
        assert not page.locator(menu).evaluate("(one) => one.open")
