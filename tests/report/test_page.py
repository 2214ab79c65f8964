"""The report opens anywhere, asks no one, believes no name, and can be read by everyone."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from report.pages import (
    CANCER,
    CAPACITY,
    COMMON,
    CURSOR,
    FEWEST,
    GROUP,
    LAW,
    MOST,
    PREDICTIONS,
    cells,
    choose,
    follow,
    go_to,
    press,
    ranking_of,
    ranking_on,
    text_on,
    tick,
)
from report.reading import CONTROLS, NAMED, heard, tabbed, too_pale
from report.watching import opened

from stakes import Beta, Decision, Limits, Uniform, _wording, evaluate
from stakes.evaluation._text import group_note
from stakes.frames import DroppedRowsWarning
from stakes.report import render, save_report

# A phone, and what 400% of a window of 1280 leave.
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 320, "height": 740}


@pytest.fixture(scope="module")
def evaluation():
    """Evaluate the cohort with groups: every section of the report has something to say."""
    return evaluate(CANCER, PREDICTIONS, "5%..20%", group=GROUP, rng=1)


@pytest.fixture(scope="module")
def report(evaluation, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(evaluation, path, title="Who should have a biopsy?", source="cohort.csv")
    return path


@pytest.fixture(scope="module")
def limited(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("limited") / "report.html"
    decision = Decision(Uniform(0.05, 0.2), prevalence=0.1, limits=Limits(capacity=0.3, min_precision=0.2))
    save_report(evaluate(CANCER, PREDICTIONS, decision, rng=1), path)
    return path


def scroll_through(page) -> None:
    """Look at the whole page, so that every picture is drawn."""
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for place in range(0, page.evaluate("() => document.documentElement.scrollHeight"), 900):
        page.evaluate(f"() => scrollTo({{ top: {place}, behavior: 'instant' }})")
        follow(page)


def use_everything(page) -> None:
    """Touch every control."""
    choose(page, LAW, "uniform in log-odds")
    choose(page, LAW, "one value")
    choose(page, LAW, "uniform")
    press(page, MOST, "ArrowLeft")
    choose(page, COMMON, "a range")
    choose(page, COMMON, "one value")
    tick(page, "Alarms at most")
    tick(page, "Precision at least")
    press(page, CAPACITY, "ArrowRight")
    page.evaluate("() => (document.getElementById('policy-behind').open = true)")
    page.locator("#policy-model").select_option(index=1)
    press(page, CURSOR, "ArrowRight", "End")
    page.locator("[data-zoom=all]").click()
    scroll_through(page)


# ------------------------------------------------------------------------------------------------ alone and safe


def test_it_opens_from_disk_and_works_without_an_error_or_a_request(open_file, report):
    page = open_file(report, viewport=WIDE)
    use_everything(page)
    assert page.locator("#reset").is_visible()


@pytest.mark.slow
def test_its_policy_allows_its_own_scripts_and_styles_by_hash_and_nothing_else(report):
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', report.read_text(encoding="utf-8"))
    parts = dict(part.strip().split(" ", 1) for part in policy.replace("&#39;", "'").split(";"))
    assert set(parts) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert parts["img-src"] == "data:"  # pictures that the page makes of its charts
    assert {parts[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}
    assert all(
        re.fullmatch(r"'sha256-[\w+/]+='", part) for part in f"{parts['script-src']} {parts['style-src']}".split()
    )


@pytest.mark.parametrize(
    "attempt",
    [
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hit = 1' }))",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hit = 1\">')",
        "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">styled</p>')",
        "fetch('http://127.0.0.1:9/').then(() => (window.hit = 1), () => {})",
        "Object.assign(new Image(), { src: 'http://127.0.0.1:9/picture.png', onload: () => (window.hit = 1) })",
        "document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://127.0.0.1:9/' }))",
    ],
)
def test_what_a_stranger_would_try_is_refused(browser, report, attempt):
    watched = opened(browser, report)
    with watched.page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        watched.page.evaluate(f"() => {{ {attempt}; }}")
    assert watched.page.evaluate("() => window.hit") is None
    watched.page.context.close()


HOSTILE = (
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    '"><img src=x onerror="window.hit = 1">',
    "' onmouseover='window.hit = 1",
    "__proto__",
    "constructor",
    "{{ 7 * 7 }}{% raw %}",
    "<!--",
    "act on everyone",
    "a\u202eb\x00c\n\td&amp;",
    "\ud800",
    "",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """Save a report whose every name is an attack, in a file whose name is one too."""
    rng = np.random.default_rng(5)
    predictions = {name: np.clip(PREDICTIONS["marker"] + rng.normal(0, 0.05, 750), 0, 1) for name in HOSTILE}
    predictions |= {"x" * 100_000: PREDICTIONS["age"], "x" * 100_001: PREDICTIONS["bold"]}
    group = np.array([HOSTILE[k % 3] for k in range(750)])
    path = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(1)> \"'#?%41.html"
    save_report(evaluate(CANCER, predictions, "5%..20%", group=group, rng=1), path, title=HOSTILE[2], source=HOSTILE[0])
    return path


def test_hostile_names_stay_text_and_do_nothing(open_file, hostile):
    page = open_file(hostile, viewport=WIDE)
    tags = "() => [...document.querySelectorAll('script, img, iframe, object, embed, base')].map((one) => one.nodeName)"
    before = page.evaluate(tags)
    assert set(before) == {"SCRIPT"}
    use_everything(page)
    assert page.evaluate(tags) == before
    assert page.evaluate("() => window.hit") is None
    assert page.evaluate("() => document.querySelectorAll('[onerror], [onmouseover], [onload]').length") == 0
    assert page.evaluate("() => ({}).polluted ?? Object.keys(Object.prototype).length") == 0


def test_hostile_names_are_shown_as_they_are_shortened_and_told_apart(open_file, hostile):
    page = open_file(hostile, viewport=WIDE)
    shown = [line.name for line in ranking_on(page)]
    assert len(set(shown)) == len(shown) == len(HOSTILE) + 4
    known = {_wording.name(name) for name in HOSTILE if _wording.name(name).isascii() and _wording.name(name)} - {
        "act on everyone"
    }
    assert known <= set(shown)
    assert {"act on everyone", "act on everyone (reference)", "(no name)"} <= set(shown)
    assert max(map(len, shown)) <= 64
    assert page.locator(".eyebrow").inner_text() == HOSTILE[2]
    assert page.locator(".facts bdi").inner_text() == HOSTILE[0]
    assert {row[0].split("  ")[0] for row in cells(page, ".gaps")} <= set(HOSTILE[:3])


def test_a_hostile_name_in_a_csv_file_is_no_formula(open_file, tmp_path):
    found = evaluate(CANCER, {"=1+1": PREDICTIONS["age"], 'a "b", c': PREDICTIONS["bold"]}, "5%..20%", rng=1)
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", accept_downloads=True)
    with page.expect_download() as download:
        page.get_by_role("button", name="Tables of scores (CSV)").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "'=1+1," in text
    assert '"a ""b"", c",' in text


def test_everything_that_was_computed_can_be_downloaded(open_file, report, evaluation):
    page = open_file(report, accept_downloads=True)
    with page.expect_download() as download:
        page.get_by_role("button", name="Ranking (CSV)").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines] == ["model", *(one.model for one in evaluation.ranking)]
    assert float(lines[1].split(",")[2]) == evaluation.best.regret.estimate


# -------------------------------------------------------------------------------------- without scripts, on paper


def test_without_scripts_the_numbers_and_the_pictures_are_there(open_file, report, evaluation):
    page = open_file(report, java_script_enabled=False, viewport=WIDE)
    assert ranking_on(page) == ranking_of(evaluation)
    assert text_on(page, "#much") == evaluation.findings[0].text
    assert text_on(page, "#sentence") == "If a miss is as bad as 4 to 19 false alarms, and 14% of cases are positive,"
    assert text_on(page, "#headline").endswith("act from 10%.")
    assert page.locator(".crowd .person").count() == 4
    assert page.locator(".plot:visible").count() == page.locator(".plot:visible > svg").count() == 5 + 4
    assert not page.locator("#options").is_visible()
    assert not any(button.is_visible() for button in page.get_by_role("button").all())
    assert page.locator("noscript").inner_text().startswith("The raw numbers are in this file")


def test_it_prints_with_the_values_written_out_and_the_controls_left_out(open_file, report):
    page = open_file(report, viewport=WIDE)
    press(page, MOST, "ArrowRight")
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert 4 <= len(pages) <= 12
    page.emulate_media(media="print")
    assert not any(page.locator(part).is_visible() for part in ("#options", "#reset", "#bar", "#hint"))
    assert text_on(page, "#sentence").startswith("If a miss is as bad as 4 to 20 false alarms")
    assert text_on(page, "#state-said") == "Stated: 4 to 19, 14%."


def test_on_paper_tables_are_tables_and_nothing_is_behind_a_button(open_file, report):
    page = open_file(report, viewport={"width": 688, "height": 1000})  # A4 between its margins
    page.emulate_media(media="print")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    follow(page)
    assert page.locator("#ranking-table thead").is_visible()
    assert page.locator("#policy-table").is_visible()
    shown = "(node) => getComputedStyle(node).display"
    assert page.locator("#ranking-table tbody tr").first.evaluate(shown) == "table-row"
    assert not any(button.is_visible() for button in page.locator("button").all())
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 688
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert not page.locator("#policy-behind").evaluate("(node) => node.open")


COLOURS = r"\b(red|green|blue|orange|purple|grey|gray|dark(er)?|light(er)?|pale(r)?|black|white)\b"


def test_no_word_names_a_colour_that_the_dark_page_does_not_have(open_file, report):
    page = open_file(report, viewport=WIDE)
    scroll_through(page)
    assert re.findall(COLOURS, page.locator(".live").inner_text(), re.I) == []


def test_with_forced_colours_lines_differ_by_their_dashes(open_file, report):
    page = open_file(report, viewport=WIDE, forced_colors="active")
    page.locator("#cost").evaluate("(node) => node.scrollIntoView({ behavior: 'instant' })")
    follow(page)
    dashes = page.locator("[data-figure=regret] .line").evaluate_all(
        "(nodes) => nodes.map((one) => getComputedStyle(one).strokeDasharray)"
    )
    assert len(set(dashes)) == len(dashes) >= 5


def test_on_paper_every_picture_is_there_even_those_that_were_never_seen(open_file, report):
    page = open_file(report, viewport=WIDE)
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    drawn = "() => [...document.querySelectorAll('.plot > svg')].every((one) => one.getAttribute('width') < 340)"
    assert page.evaluate(drawn)
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert not page.evaluate(drawn)


# -------------------------------------------------------------------------------------------------- for everyone


@pytest.mark.parametrize("scripts", [True, False], ids=["live", "without scripts"])
@pytest.mark.parametrize("which", ["report", "limited", "hostile"])
def test_on_a_phone_the_page_is_not_wider_than_the_screen(open_file, request, which, scripts):
    page = open_file(request.getfixturevalue(which), viewport=PHONE, java_script_enabled=scripts)
    if scripts:
        page.locator("#options > summary").click()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        scroll_through(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


TABLES_THAT_SCROLL = ("#policy-table", "#readout", ".gaps")


def edges_on(page, table: str) -> tuple[bytes, bytes]:
    """Look at the left and the right edge of what scrolls a table, above its first line of text."""
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    scroller = page.locator(".scroll", has=page.locator(table))
    scroller.evaluate("(node) => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = scroller.bounding_box()
    places = (box["x"] + 1, box["x"] + box["width"] - 3)
    left, right = (page.screenshot(clip={"x": x, "y": box["y"] + 1, "width": 2, "height": 2}) for x in places)
    return left, right


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("table", TABLES_THAT_SCROLL)
def test_an_edge_of_a_table_looks_unlike_the_page_where_and_only_where_it_hides_something(
    open_file, report, table, scheme
):
    page = open_file(report, viewport=WIDE, color_scheme=scheme)
    blank, right = edges_on(page, table)
    assert right == blank
    page.set_viewport_size({"width": 400, "height": 800})
    left, right = edges_on(page, table)
    assert (left == blank, right == blank) == (True, False)
    page.locator(".scroll", has=page.locator(table)).evaluate("(node) => (node.scrollLeft = node.scrollWidth)")
    left, right = edges_on(page, table)
    assert (left == blank, right == blank) == (False, True)


@pytest.mark.parametrize("place", ["#sentence [role=slider]", "[data-figure=regret]", "[data-figure=cost-map]"])
def test_a_swipe_scrolls_the_page_and_changes_nothing(open_file, report, place):
    page = open_file(report, viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator(place).first.evaluate("(node) => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    follow(page)
    box, start = page.locator(place).first.bounding_box(), page.evaluate("() => scrollY")
    x, y, session = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, page.context.new_cdp_session(page)
    for step in range(8):
        kind = "touchStart" if step == 0 else "touchEnd" if step == 7 else "touchMove"
        places = [] if kind == "touchEnd" else [{"x": x, "y": y - 10 * step}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
        follow(page)
    page.wait_for_function("(start) => scrollY > start + 20", arg=start)
    assert text_on(page, "#sentence") == "If a miss is as bad as 4 to 19 false alarms, and 14% of cases are positive,"
    assert page.locator("input.typed").count() == 0


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_first_screen_has_the_answer_the_ranking_and_the_people(open_file, report, size):
    page = open_file(report, viewport={"width": size[0], "height": size[1]})
    bottoms = [page.locator(part).bounding_box() for part in ("#headline", "#first-ranking")]
    assert max(box["y"] + box["height"] for box in bottoms) <= size[1]
    assert page.locator("#people-picture").bounding_box()["y"] < size[1]


def test_names_that_have_room_are_whole(open_file, report):
    page = open_file(report, viewport=WIDE)
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    cut = """() => [...document.querySelectorAll("tbody th, tbody th bdi")]
      .filter((node) => getComputedStyle(node).overflow === "hidden" && node.scrollWidth > node.clientWidth + 1)
      .map((node) => node.textContent)"""
    assert page.evaluate(cut) == []


def test_on_a_phone_nothing_of_our_own_is_cut_or_too_small_to_read(open_file, report):
    page = open_file(report, viewport={"width": 390, "height": 844})
    cut = "(nodes) => nodes.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    assert page.locator("#first-ranking th, #readout tbody th, #parts thead").evaluate_all(cut) == []
    assert page.locator("#calibration .scroll:has(#parts)").evaluate_all(cut) == []
    sizes = page.locator(".card svg:visible").evaluate_all(
        "(nodes) => nodes.map((one) => 12 * one.getBoundingClientRect().width / one.viewBox.baseVal.width)"
    )
    assert sizes
    assert min(sizes) > 11
    assert "`" not in page.locator("main").inner_text()


def test_everything_has_a_name_that_can_be_heard(open_file, report):
    page = open_file(report, viewport=WIDE)
    scroll_through(page)
    page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")  # where the bar has nothing to repeat
    page.wait_for_function("() => !document.querySelector('.bar.shown')")
    found = heard(page)
    assert {"slider", "checkbox", "combobox", "button", "link", "image", "table"} <= {role for role, _ in found}
    assert [(role, name) for role, name in found if role in NAMED - {"table"} and not name.strip()] == []
    names = [name for role, name in found if role in CONTROLS - {"link"}]
    assert len(set(names)) == len(names)


def test_tables_have_headings_for_every_column_and_every_row(open_file, report):
    page = open_file(report, viewport=WIDE)
    scroll_through(page)
    wrong = page.evaluate(
        """() => [...document.querySelectorAll("table")].flatMap((table) => [
          ...[...table.querySelectorAll("th")].filter((one) => !one.scope || !one.textContent.trim()),
          ...[...table.rows].filter((row) => !row.querySelector("th")),
        ]).map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert wrong == []


def test_pictures_say_what_they_show_or_stay_silent_beside_their_numbers(open_file, report):
    page = open_file(report, viewport=WIDE)
    scroll_through(page)
    silent = page.evaluate(
        """() => [...document.querySelectorAll("svg")].filter((one) => {
          const told = one.getAttribute("role") === "img" && one.querySelector(":scope > title")?.textContent.trim();
          return !told && one.getAttribute("aria-hidden") !== "true";
        }).length"""
    )
    assert silent == 0


def test_it_has_landmarks_and_headings_in_order_and_its_links_lead_somewhere(open_file, report):
    page = open_file(report, viewport=WIDE)
    outline = page.evaluate(
        """() => ({
          lang: document.documentElement.lang, title: document.title,
          landmarks: ["header", "main", "footer"].map((tag) => document.querySelectorAll(`body > ${tag}`).length),
          levels: [...document.querySelectorAll("h1, h2, h3, h4")].map((one) => Number(one.nodeName[1])),
          lost: [...document.querySelectorAll("a[href]")].map((one) => one.getAttribute("href"))
            .filter((one) => one[0] !== "#" || !document.getElementById(one.slice(1))),
          twice: [...document.querySelectorAll("[id]")].map((one) => one.id)
            .filter((one, k, all) => all.indexOf(one) !== k),
        })"""
    )
    levels = outline.pop("levels")
    assert outline == {
        "lang": "en",
        "title": "Who should have a biopsy?",
        "landmarks": [1, 1, 1],
        "lost": [],
        "twice": [],
    }
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_tab_reaches_every_control_and_shows_where_it_is(open_file, report):
    page = open_file(report, viewport=WIDE)
    tick(page, "Alarms at most")
    tick(page, "Precision at least")
    page.evaluate("() => (document.getElementById('policy-behind').open = true)")
    found = tabbed(page)
    wanted = {MOST, FEWEST, "prevalence", CAPACITY, "smallest share of alarms that are right", "cost-kind"}
    wanted |= {"capacity-on", "precision-on", "reset", CURSOR, "policy-model", "copy-policy", "Everything (JSON)"}
    assert wanted <= {name for name, _ in found}
    assert [name for name, outline in found if outline != "solid 3"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["report", "limited"])
def test_every_text_stands_out_from_what_is_behind_it(open_file, request, which, scheme):
    page = open_file(request.getfixturevalue(which), viewport=WIDE, color_scheme=scheme)
    scroll_through(page)
    assert too_pale(page) == []
    press(page, MOST, "ArrowLeft")
    scroll_through(page)
    assert too_pale(page) == []


def test_light_and_dark_follow_the_reader(open_file, report):
    shades = {}
    for scheme in ("light", "dark"):
        page = open_file(report, color_scheme=scheme)
        colour = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        shades[scheme] = sum(map(int, re.findall(r"\d+", colour)[:3]))
    assert shades["light"] == 3 * 255
    assert shades["dark"] < 100


def test_rows_change_places_without_motion_where_the_reader_prefers_none(open_file, report):
    watch = "() => { window.moves = 0; Element.prototype.animate = () => { window.moves += 1; }; }"
    for preference, moving in (("reduce", False), ("no-preference", True)):
        page = open_file(report, viewport=WIDE, reduced_motion=preference)
        page.evaluate(watch)
        go_to(page, "miss=100..190")
        assert (page.evaluate("() => window.moves") > 0) == moving


def test_a_new_answer_is_announced_at_rest(open_file, report):
    page = open_file(report, viewport=WIDE)
    page.wait_for_timeout(600)
    go_to(page, "miss=9..19")
    page.locator("#announcement").filter(has_text="use marker: it costs least in this sample. Act from").wait_for(
        state="attached"
    )


# --------------------------------------------------------------------------------------------- unusual decisions

UNUSUAL = {
    "all costs": Decision(Uniform(0, 1)),
    "costs from none": Decision(Uniform(0, 0.2)),
    "a belief the page does not know": Decision(Beta(2, 8)),
    "a prevalence the page does not know": Decision(Uniform(0.05, 0.2), prevalence=Beta(2, 8)),
    "a range of prevalences": Decision(Uniform(0.05, 0.2), prevalence=Uniform(0.05, 0.3)),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_decisions_are_shown_and_can_be_moved(open_file, tmp_path, name):
    found = evaluate(CANCER, PREDICTIONS, UNUSUAL[name], rng=1)
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    assert ranking_on(page) == ranking_of(found)
    use_everything(page)
    choose(page, LAW, "uniform in log-odds")
    assert not re.search(r"\b(NaN|undefined|null|Infinity)\b", page.locator("main").inner_text())


@pytest.mark.parametrize("outcome", [0, 1])
def test_a_sample_of_one_class_is_shown(open_file, tmp_path, outcome):
    found = evaluate([outcome] * 12, {"model": np.linspace(0.1, 0.9, 12)}, "5%..20%", rng=1)
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE)
    unseen = "every case is positive, so false alarms" if outcome else "every case is negative, so misses"
    for moved in (False, True):
        if moved:
            press(page, MOST, "ArrowLeft")
        assert page.locator("#headline").inner_text() == f"there is no answer: {unseen} cannot be assessed."
        assert page.locator("#much").inner_text() == found.findings[0].text
        assert not page.locator("#people").is_visible()
        assert page.locator("#policy").inner_text().split("\n")[1:] == [
            "",
            "No threshold can be recommended from cases of one class.",
        ]
        assert page.locator("#bar-answer").text_content() == ""
    scroll_through(page)
    shown = page.locator("main").inner_text()
    assert not re.search(r"\b(NaN|null|Infinity)\b|worth using|does as well|twice as (bad|wide)", shown)


def test_where_limits_are_left_aside_the_captions_say_so(open_file, report, limited):
    page = open_file(limited, viewport=WIDE)
    captions = page.locator("figcaption", has_text="Threshold at the cost itself, ignoring your limits.")
    assert [text.split(".")[0] for text in captions.all_inner_texts()] == [
        "Decision curves",
        "Expected cost by prevalence",
    ]
    page = open_file(report, viewport=WIDE)
    aside = page.get_by_text("Threshold at the cost itself, ignoring your limits.")
    assert not any(one.is_visible() for one in aside.all())
    tick(page, "Precision at least")
    assert [one.is_visible() for one in aside.all()] == [True, True]


@pytest.mark.slow
@pytest.mark.usefixtures("few_replicates")
def test_how_groups_are_judged_is_said_as_in_the_text():
    decision = Decision(Uniform(0.05, 0.2), limits=Limits(capacity=0.3))
    found = evaluate(CANCER, PREDICTIONS, decision, group=GROUP, rng=1)
    assert group_note(found)
    assert group_note(found) in render(found)


def test_the_report_names_its_measure_its_call_its_versions_and_its_sources(evaluation):
    text = render(evaluation)
    for part in (
        "expected_regret(table, Uniform(low=0.05, high=0.2))",
        "group=group",
        "numpy ",
        "TRIPOD+AI",
        "Schervish",
    ):
        assert part in text.replace("&#39;", "'")
    items = re.findall(r'<tr><th scope="row">(\d\d\w?)</th>', text)
    assert items == ["10", "12e", "12f", "12g", "13", "14", "15", "20a", "23a", "23b"]


@pytest.mark.parametrize(("call", "option"), [("stakes evaluate scores.csv", "--group"), ("", "group=")])
def test_without_groups_the_checklist_says_so_and_links_nowhere(call, option):
    text = render(replace(evaluate(CANCER, {"marker": PREDICTIONS["marker"]}, "5%..20%", rng=1), call=call))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r'\bid="([^"]+)"', text))
    rows = dict(re.findall(r'<tr><th scope="row">(14|23a|23b)</th><td>[^<]*</td><td>(.*?)</td>', text))
    options = {"14": option, "23a": option, "23b": "--site" if call else option}
    assert all(f"evaluate with {options[item]}." in row for item, row in rows.items())
    assert set(rows) == set(options)
    assert rows["14"].strip() == f"Not here: evaluate with {option}."
    assert 'href="#ranking"' in rows["23a"]


def test_dropped_cases_are_where_the_checklist_says():
    scores = np.where(np.arange(len(CANCER)) < 7, np.nan, PREDICTIONS["marker"])
    with pytest.warns(DroppedRowsWarning):
        found = evaluate(CANCER, {"marker": scores}, "5%..20%", on_missing="drop", rng=1)
    text = render(found)
    assert "dropped cases, if any, are among the findings and in the method." in text
    findings, method = text.split('<section id="method">')
    assert "7 cases without a score from at least one model" in findings
    assert re.search(r"<dt>Dropped</dt>\s*<dd>7</dd>", method)


FOR_THE_MEAN = (
    "It is the threshold for the mean of your costs, as is best for calibrated scores, rounded to a number that "
    "does as well in this sample."
)
MEAN_MOVED = "As scores are as given, that mean was moved from the prevalence you state to that of the sample."
FEASIBLE = (
    "It is the best threshold in this sample that meets your limits, for the mean of your costs, rounded to a number "
    "that does as well."
)


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(
    ("limits", "prevalence", "advice"),
    [
        (None, None, f"{FOR_THE_MEAN} The thresholds below, which a policy file holds, are the best in this sample"),
        (None, "5%", f"{FOR_THE_MEAN} {MEAN_MOVED} The thresholds below, which a policy file holds, are the best"),
        (Limits(capacity="20%"), None, f"{FEASIBLE} The thresholds below meet your limits."),
        (Limits(capacity="20%"), "5%", f"{FEASIBLE} The thresholds below meet your limits."),
    ],
)
@pytest.mark.usefixtures("few_replicates")
def test_the_advice_says_what_the_thresholds_are_best_for(open_file, tmp_path, limits, prevalence, advice, scripts):
    found = evaluate(CANCER, PREDICTIONS, Decision("10%", limits=limits, prevalence=prevalence), rng=1)
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE, java_script_enabled=scripts)
    said = " ".join(page.locator("#policy").inner_text().split()).replace("Copy as a rule ", "")
    assert f"{found.recommended_threshold.threshold * 100:.10g}%. {advice}" in said
    assert said.count("for the mean of your costs") == 1


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("capacity", "prevalence"), [("10%", None), ("10%", "20%")])
@pytest.mark.usefixtures("few_replicates")
def test_under_limits_thresholds_are_those_of_the_policies(open_file, tmp_path, capacity, prevalence, scripts):
    decision = Decision("5%..20%", limits=Limits(capacity=capacity), prevalence=prevalence)
    found = evaluate(CANCER, PREDICTIONS, decision, rng=1)
    save_report(found, tmp_path / "report.html")
    page = open_file(tmp_path / "report.html", viewport=WIDE, java_script_enabled=scripts)
    share = CANCER.mean() if prevalence is None else 0.2
    shown = {row[0]: row[1:] for row in cells(page, "#readout")}
    for name, score in PREDICTIONS.items():
        policy = found.policy(name)
        threshold = policy.threshold[int(np.argmax(policy.to_cost >= 0.1))]
        acted = score >= threshold
        hits, needless = 1000 * share * acted[CANCER].mean(), 1000 * (1 - share) * acted[~CANCER].mean()
        misses = 1000 * share - hits
        counts = [hits + needless, hits, needless, misses, 1000 * (1 - share) - needless, misses + needless / 9]
        assert shown[name][0] == _wording.threshold(threshold)
        assert [float(one.replace(",", "")) for one in shown[name][1:]] == pytest.approx(counts, abs=0.0501)


@pytest.mark.usefixtures("few_replicates")
def test_thresholds_of_pooled_scores_are_about_right_and_say_so(open_file, tmp_path):
    found = evaluate(CANCER, PREDICTIONS, Decision("5%..20%", limits=Limits(capacity="10%")), rng=1)
    for embed, mark in (("strict", "about 0."), ("fine", "0.")):
        save_report(found, tmp_path / f"{embed}.html", embed=embed)
        page = open_file(tmp_path / f"{embed}.html", viewport=WIDE)
        page.evaluate("() => (document.getElementById('policy-behind').open = true)")
        stated = [row[2] for row in cells(page, "#policy-table")]
        assert all(one.startswith("0.") for one in stated)
        go_to(page, "cap=0.12")
        rows = {row[0]: row[1] for row in cells(page, "#readout")}
        said = [rows[name] for name in PREDICTIONS]
        assert all(one.startswith((mark, "never act")) for one in said)
        assert sum(one.startswith(mark) for one in said) >= 2
        assert all(row[2].startswith(mark) for row in cells(page, "#policy-table"))
