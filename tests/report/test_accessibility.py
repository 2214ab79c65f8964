"""Pages without a fault that axe-core finds, each of whose controls the keyboard reaches."""

import os
from pathlib import Path

import axe_playwright_python
import numpy as np
import pandas as pd
import pytest
from report.pages import CANCER, GROUP, MOST, PREDICTIONS, follow, press
from report.reading import missed_by_tab

from stakes import CaseCosts, Decision, EventBy, Limits, evaluate
from stakes.cli import main
from stakes.report import save_opening_page, save_report

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 320, "height": 740}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}  # the rules that colours can break

SIZE = 300
RNG = np.random.default_rng(5)
RISK = 1 / (1 + np.exp(2 - RNG.normal(size=SIZE)))
FRAME = pd.DataFrame(
    {
        "ill": (RNG.random(SIZE) < RISK).astype(int),
        "new": RISK,
        "old": np.clip(RISK + RNG.normal(size=SIZE) / 9, 0, 1),
        "part": np.repeat(list("abc"), SIZE // 3),
        "amount": np.exp(RNG.normal(4, 1, SIZE)),
    }
)
YEARS = RNG.exponential(8, SIZE)


def command(path: Path, verb: str, *typed: str) -> None:
    """Write a page by a command about the frame."""
    file = path.with_suffix(".csv")
    FRAME.to_csv(file, index=False)
    assert main([verb, str(file), "--outcome", "ill", *typed, "--html", str(path)]) == 0


def demo(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        assert main(["demo", "--quiet"]) == 0
    finally:
        os.chdir(before)
    (path.parent / "stakes-demo.html").rename(path)


def with_groups(path: Path) -> None:
    """Write a live page with groups, limits and a prevalence of its own."""
    decision = Decision("5%..20%", prevalence=0.1, limits=Limits(capacity=0.3))
    save_report(evaluate(CANCER, PREDICTIONS, decision, group=GROUP, rng=1), path, embed="live")


def money(path: Path) -> None:
    costs = CaseCosts(false_negative="0.75*amount", false_positive=5)
    decision = Decision("as stated", limits=Limits(capacity=0.1))
    save_report(evaluate("ill", ["new", "old"], decision, data=FRAME, case_costs=costs), path)


def followed(path: Path) -> None:
    models = {name: FRAME[name].to_numpy() for name in ("new", "old")}
    outcome = EventBy(np.minimum(YEARS, 9), (YEARS < 9).astype(int), 5)
    save_report(evaluate(outcome, models, "10%..30%", group=FRAME["part"].to_numpy(), rng=1), path)


def watch(path: Path) -> None:
    command(
        path, "watch", "--predictions", "new", "--costs", "10%", "--batch", "part", "--promised", "900 misses per 1000"
    )


def sites(path: Path) -> None:
    command(path, "evaluate", "--predictions", "new", "--costs", "10%..30%", "--site", "part")


PAGES = {
    "demo": demo,
    "groups": with_groups,
    "money": money,
    "followed": followed,
    "opening": save_opening_page,
    "watch": watch,
    "sites": sites,
}


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """Write each page once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def find(name: str) -> Path:
        if name not in made:
            made[name] = folder / f"{name}.html"
            PAGES[name](made[name])
        return made[name]

    return find


def opened_whole(open_file, path: Path, name: str, **options):
    """Open a page with all that can be opened in it; in the opening page the example."""
    page = open_file(path, **{"viewport": WIDE} | options)
    if name == "opening":
        page.locator("#example").click()
        page.wait_for_selector("#answer:not([hidden])")
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    follow(page)
    return page


def faults(page, rules: dict | None = None) -> list[str]:
    """Return what axe-core finds: the rule and the first elements that break it."""
    page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
    found = page.evaluate("(rules) => axe.run(document, { resultTypes: ['violations'], ...rules })", rules or {})
    return [f"{one['id']}: {[node['target'] for node in one['nodes'][:3]]}" for one in found["violations"]]


# What the page that opens a file has answered for; no other page has an opener.
_ANSWERED = "opener && JSON.stringify(opener.state.result.stated)"


def moved(page):
    """Move a number, where the page has one, and wait for the report that the page of a file then makes anew."""
    if page.locator("#sentence .number-control").count():
        before = page.evaluate(_ANSWERED)
        press(page, MOST, "ArrowLeft")
        if before is not None:
            page.wait_for_function(f"(before) => !opener.busy() && {_ANSWERED} !== before", arg=before)
            follow(page)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(open_file, page_of, name):
    page = opened_whole(open_file, page_of(name), name)
    assert faults(page) == []
    for media in ({"color_scheme": "dark"}, {"forced_colors": "active"}):
        page.emulate_media(**media)
        assert faults(page, COLOURS) == []
    page.emulate_media(color_scheme="light", forced_colors="none")
    assert faults(moved(page)) == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_a_phone(open_file, page_of, name):
    page = moved(opened_whole(open_file, page_of(name), name, viewport=PHONE))
    assert faults(page) == []


def test_axe_would_find_a_fault(open_file, page_of):
    page = opened_whole(open_file, page_of("watch"), "watch")
    page.evaluate("() => document.querySelector('h1').remove()")
    page.evaluate("() => document.querySelector('.scroll').removeAttribute('aria-label')")
    assert [one.partition(":")[0] for one in faults(page)] == ["page-has-heading-one"]


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_reaches_every_control(open_file, page_of, name):
    page = moved(opened_whole(open_file, page_of(name), name))
    assert missed_by_tab(page) == []
