"""A page in the words of a user says them everywhere but in its method, as written and once a number has moved."""

import re
from pathlib import Path

import pytest
from report.pages import CANCER, GROUP, PREDICTIONS, follow, go_to, text_on
from report.watching import opened

from stakes import Decision, evaluate
from stakes.report import save_report

WORDS = {
    "case": ("person", "people"),
    "positive": "cancer",
    "miss": "missed cancer",
    "false alarm": "needless biopsy",
    "act": "biopsy",
}
# Words that hold the usual ones must not be said twice, and the names of models stay as they are.
SLY = {"miss": "miss of a case", "case": ("case file", "case files")}
USUAL = re.compile(r"\b(cases?|miss(es)?|false alarms?|act on|acting on|are positive)\b")
NAMES = {"never miss one": PREDICTIONS["marker"], "cases of 2020": PREDICTIONS["bold"], "age": PREDICTIONS["age"]}


@pytest.fixture(scope="module")
def pages(browser, tmp_path_factory):
    """Open a page in own words, and the same in sly ones."""
    found = []
    for name, (words, models) in {"own": (WORDS, PREDICTIONS), "sly": (SLY, NAMES)}.items():
        path: Path = tmp_path_factory.mktemp(name) / "report.html"
        decision = Decision("5%..20%", words=words)
        save_report(evaluate(CANCER, models, decision, group=GROUP, rng=1), path)
        found.append(opened(browser, path, viewport={"width": 1280, "height": 900}))
    yield [one.page for one in found]
    for one in found:
        one.page.context.close()
        assert one.problems == []


def spoken(page) -> str:
    """Read what is seen and heard of the page, but not its method."""
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    return page.evaluate(
        """() => {
          const silent = "#method, code, script, style, noscript, option";
          const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
          while (walker.nextNode()) {
            const node = walker.currentNode, place = node.nodeType === 3 ? node.parentElement : node;
            if (place.closest(silent)) continue;
            if (node.nodeType === 3) texts.push(node.data);
            else for (const name of ["title", "aria-label", "aria-valuetext", "data-label"]) {
              if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
            }
          }
          return texts.join("\\n");
        }"""
    )


@pytest.mark.parametrize("address", ["", "miss=3..12", "miss=9&prev=0.2&cap=0.3"])
def test_no_usual_word_is_left(pages, address):
    page = pages[0]
    if address:
        go_to(page, address)
    follow(page)
    assert [line for line in spoken(page).splitlines() if USUAL.search(line)] == []
    assert "% of people have cancer" in text_on(page, "#sentence")
    assert {"biopsy everyone", "biopsy no one"} & set(page.locator("#first-ranking bdi").all_inner_texts())


def test_the_sentence_is_that_of_the_reader(pages):
    go_to(pages[0], "miss=4..18")
    said = "If a missed cancer is as bad as 4 to 18 needless biopsies, and 14% of people have cancer,"
    assert text_on(pages[0], "#sentence") == said
    assert text_on(pages[0], ".sample") == "750 people, 105 with cancer"


@pytest.mark.parametrize("address", ["", "miss=3..12"])
def test_words_are_said_once_and_names_stay_as_they_are(pages, address):
    page = pages[1]
    if address:
        go_to(page, address)
    follow(page)
    text = spoken(page)
    assert "a miss of a case is as bad as" in text_on(page, "#sentence")
    assert "of a case of a case" not in text
    assert "case file file" not in text
    shown = set(page.locator("#ranking-table bdi").all_inner_texts())
    assert set(NAMES) <= shown


def test_without_scripts_the_page_has_the_same_words(browser, tmp_path):
    save_report(evaluate(CANCER, PREDICTIONS, Decision("5%..20%", words=WORDS), rng=1), tmp_path / "report.html")
    watched = opened(browser, tmp_path / "report.html", java_script_enabled=False)
    sentence = "If a missed cancer is as bad as 4 to 19 needless biopsies, and 14% of people have cancer,"
    assert text_on(watched.page, "#sentence") == sentence
    assert USUAL.search(watched.page.locator("#answer").inner_text()) is None
    watched.page.context.close()
