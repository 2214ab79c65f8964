"""The report that the page of a CSV file shows and saves is the one that the command writes for the same file."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from report.pages import CANCER, GROUP, PREDICTIONS, findings_on, follow, go_to, shown_on, text_on
from report.test_opening_page import DONE, Opener, same_value
from report.watching import opened

from stakes.cli import main
from stakes.report import save_opening_page

WIDE = {"width": 1280, "height": 900}
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
# What the page does not say as the command does: its call, what computed, how much more cases would help, the band of
# the difference, and by how much each model of a group costs more than the best.
_TEXTS = """() => {
  const elsewhere = "script, style, svg, #call + p, #call + p + h3 + p, #policy ~ *, table.groups";
  for (const node of document.querySelectorAll(elsewhere)) node.remove();
  document.querySelector("#difference-said")?.remove();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) found.push(walker.currentNode.data);
  const text = found.join(" ").split(/\\s+/).filter(Boolean).join(" ");
  return text.replaceAll("; below, the threshold probability", ""); // which a narrow chart leaves out
}"""


def columns() -> dict[str, list[str]]:
    """Return the cohort with four models as columns of text."""
    numbers = {"cancer": CANCER.astype(int), **PREDICTIONS}
    return {
        **{name: list(map(repr, np.asarray(one).tolist())) for name, one in numbers.items()},
        "age group": list(GROUP),
    }


@pytest.fixture(scope="module")
def files(browser, tmp_path_factory) -> dict[str, Path]:
    """Save the report of one file by the page and by the command."""
    return saved_twice(browser, tmp_path_factory.mktemp("opened"), ["saved", "limited"], "en")


def saved_twice(browser, folder, names, lang) -> dict[str, Path]:
    cells = columns()
    rows = [",".join(cells), *map(",".join, zip(*cells.values(), strict=True))]
    (folder / "cohort.csv").write_text("\n".join(rows), encoding="utf-8")
    save_opening_page(folder / "page.html", lang=lang)
    watched = opened(browser, folder / "page.html", viewport=WIDE, accept_downloads=True)
    opener = Opener(watched.page)
    opener.open((folder / "cohort.csv").read_bytes(), "cohort.csv")
    for name in PREDICTIONS:
        watched.page.select_option(f"#columns th:has(bdi:text-is('{name}')) select", "model")
        watched.page.wait_for_selector(DONE)
    assert opener.cost(4.0, 19.0)[0] == ""
    for name in names:
        if name == "limited":
            go_to(watched.page, "cap=0.1&prev=0.2")
            watched.page.wait_for_function(
                "() => document.querySelector('#command').textContent.includes('--capacity')"
            )
        with watched.page.expect_download() as download:
            watched.page.click("#save")
        download.value.save_as(folder / f"{name}.html")
        assert download.value.suggested_filename == "cohort-report.html"
    watched.page.context.close()
    assert watched.problems == []
    how = ["--costs", "1:19..1:4", "--group", "age group", "--quiet", "--embed", "strict", "--lang", lang]
    roles = ["--outcome", "cancer", "--predictions", *PREDICTIONS]
    main(["evaluate", str(folder / "cohort.csv"), *roles, *how, "--html", str(folder / "command.html")])
    return {name: folder / f"{name}.html" for name in (*names, "command")}


def without_scripts(browser, path):
    watched = opened(browser, path, viewport=WIDE, java_script_enabled=False)
    text = watched.page.evaluate(_TEXTS)
    watched.page.context.close()
    assert watched.problems == []
    return text


def test_without_scripts_the_saved_report_reads_as_that_of_the_command(browser, files):
    saved, command = (without_scripts(browser, files[name]) for name in ("saved", "command"))
    assert saved == command
    assert len(saved) > 10_000


def test_a_german_page_saves_the_german_report_of_the_command(browser, tmp_path):
    files = saved_twice(browser, tmp_path, ["saved"], "de")
    saved, command = (without_scripts(browser, files[name]) for name in ("saved", "command"))
    assert saved == command
    assert "Welches von 4 Modellen soll entscheiden?" in files["saved"].read_text("utf-8")
    assert '<html lang="de">' in files["saved"].read_text("utf-8")
    found, wanted = data_of(files["saved"]), data_of(files["command"])
    for name in ("answers", "evidence", "stated_said", "unit_said"):
        assert found[name] == wanted[name], name
    said = {kind: text for kind, text in wanted["templates"].items() if kind not in NEVER}
    assert said.items() <= found["templates"].items()


def data_of(path):
    return json.loads(DATA.search(path.read_text(encoding="utf-8"))[1])


def test_the_saved_report_holds_what_that_of_the_command_holds(files):
    saved, command = data_of(files["saved"]), data_of(files["command"])
    assert set(saved) == set(command)
    assert set(command["evaluation"]) - set(saved["evaluation"]) == {"question", "answer"}
    for name in ("ranking", "references", "stated", "positive_said", "baseline", "colours", "answers", "evidence"):
        assert saved[name] == command[name], name
    for name in ("stated_said", "unit_said", "words", "groups"):
        assert saved[name] == command[name], name
    for name in ("domain", "bound"):
        same_value(saved[name], command[name], name)
    assert set(command["templates"]) - NEVER <= set(saved["templates"])
    assert [len(one) for one in saved["live"]["single"]] == [len(one) for one in command["live"]["single"]]
    for found, wanted in zip(saved["live"]["single"], command["live"]["single"], strict=True):
        assert found == pytest.approx(wanted, rel=1.01e-3)  # four digits, the last of which may round otherwise


# Of evaluations that the page never makes.
NEVER = {"baseline", "baseline-close", "baseline-unsure", "baseline-tied", "fit-unchanged"}


def test_tables_of_the_saved_report_are_those_of_the_command_in_every_bit(browser, files):
    tables = []
    for name in ("saved", "command"):
        watched = opened(browser, files[name], viewport=WIDE)
        held = "page => page.models.map((one) => [one.key, one.name, stakes.plainColumns(one)])"
        tables.append(watched.page.evaluate(f"(() => ({held})(JSON.parse(document.querySelector('#data').text)))()"))
        watched.page.context.close()
    assert tables[0] == tables[1]
    assert [key for key, _, _ in tables[0]] == list(PREDICTIONS)


STATES = ("", "miss=3..12", "miss=9", "miss=2..12&law=logodds", "prev=0.05", "prev=0.05..0.2", "cap=0.1&prec=0.3")


def test_moved_the_saved_report_shows_what_that_of_the_command_shows(open_file, files):
    saved, command = (open_file(files[name], viewport=WIDE) for name in ("saved", "command"))
    for address in STATES:
        found, wanted = [], []
        for page, told in ((saved, found), (command, wanted)):
            if address:
                go_to(page, address)
            follow(page)
            told += [shown_on(page), text_on(page, "#headline"), findings_on(page), text_on(page, "#people")]
            told += [text_on(page, "#ranking-table"), text_on(page, "#parts-block"), text_on(page, "#policy-table")]
        same_value(found[0]["decision"], wanted[0]["decision"], address)
        for line, other in zip(found[0]["ranking"], wanted[0]["ranking"], strict=True):
            for key in ("model", "regret", "acts_mean", "skill", "lower", "upper"):
                same_value(line[key], other[key], (address, key), within=1e-4 if key in ("lower", "upper") else 1e-9)
        assert found[1:] == wanted[1:], address


def test_what_had_moved_when_it_was_saved_is_shown_first(open_file, files):
    page = open_file(files["limited"], viewport=WIDE)
    decision = shown_on(page)["decision"]
    assert (decision["capacity"], decision["prevalence"]["low"]) == (0.1, 0.2)
    page.locator("#reset").click()
    follow(page)
    assert shown_on(page)["decision"] == data_of(files["saved"])["stated"]
    assert without_scripts_text(files["limited"]) == without_scripts_text(files["saved"])


def without_scripts_text(path):
    """Return a file without the decision that it shows first, and the time it was written."""
    return re.sub(r',"shown":\{[^}]*\}[^}]*\}[^}]*\}', "", path.read_text(encoding="utf-8"))


def test_the_saved_report_has_the_scripts_and_the_policy_of_any_other(open_file, files):
    scripts = [re.findall("<script>.*?</script>", files[one].read_text("utf-8"), re.DOTALL) for one in files]
    assert [re.search("<details[^>]* open", files[one].read_text("utf-8")) for one in files] == [None] * 3
    assert scripts[0] == scripts[1] == scripts[2]
    policies = []
    for name in ("saved", "command"):
        page = open_file(files[name])
        policies.append(page.get_attribute('meta[http-equiv="Content-Security-Policy"]', "content"))
    assert policies[0] == policies[1]
