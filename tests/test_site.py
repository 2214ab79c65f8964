"""The documentation: it is built without a warning, leaves no name out and no link dangling, and shows what is true."""

import doctest
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stakes

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for folder in (".", "how-to") for path in DOCS.glob(f"{folder}/*.md"))
HOMES = sorted(page.stem for page in (DOCS / "reference").glob("*.rst") if page.stem not in ("index", "errors"))
FENCE = re.compile(r"^```(\S+).*?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PAPER = re.compile(r"https://(doi\.org/10\.\d{4,5}/[^\s()]+|arxiv\.org/abs/\d{4}\.\d{5}|[\w.]+/[\w./?=&-]+)")
WITHOUT_A_LINK = ("H. Raiffa and R. Schlaifer (1961)", "J. Hernández-Orallo, P. Flach and C. Ferri (2011)")
PEERS = [
    "briertools",
    "CalibrationCurves",
    "dcurves",
    "empulse",
    "hazardous",
    "hmeasure",
    "metafor",
    "metamisc",
    "model-diagnostics",
    "NannyML",
    "partial-VOROS",
    "pmsampsize",
    "pmvalsampsize",
    "predtools",
    "bayesDCA",
    "pROC",
    "prodlim",
    "ResourceSelection",
    "riskRegression",
    "river",
    "rmda",
    "rms",
    "rtichoke",
    "scikit-learn",
    "scikit-survival",
    "statkit",
    "survex",
    "survival",
    "SurvivalEVAL",
    "timeROC",
    "torchmetrics",
    "torchsurv",
]


def read(page):
    return (DOCS / page).read_text(encoding="utf-8")


def public(home):
    return sorted(importlib.import_module(f"stakes.{home}").__all__)


def entries(page):
    """Return what a page of the reference documents, as (module, name)."""
    text = read(f"reference/{page}.rst")
    found = re.findall(r"^\.\. py:data:: (\S+)\.(\w+)$", text, re.MULTILINE)
    for module, listed in re.findall(r"^\.\. names:: (\S+)\n((?:\n|   .*\n)*)", text, re.MULTILINE):
        found += [(module, name) for name in listed.split() or functions_and_classes(module)]
    return found


def functions_and_classes(module):
    home = importlib.import_module(module)
    return [name for name in home.__all__ if callable(getattr(home, name))]


def test_every_home_has_a_page():
    package = Path(stakes.__file__).parent
    modules = {path.stem for path in package.glob("*.py")} | {
        path.parent.name for path in package.glob("*/__init__.py")
    }
    homes = {name for name in modules if not name.startswith("_")}
    assert homes - {"cli", "reading"} == set(HOMES)  # which offer nothing to import


@pytest.mark.parametrize("home", HOMES)
def test_the_page_of_a_home_documents_each_of_its_names_once_and_nothing_else(home):
    assert sorted(entries(home)) == [(f"stakes.{home}", name) for name in public(home)]


def test_every_name_at_the_top_has_one_home_or_is_an_error():
    for name in stakes.__all__:
        homes = [
            home
            for home in HOMES
            if getattr(importlib.import_module(f"stakes.{home}"), name, None) is getattr(stakes, name)
        ]
        assert sum(name in public(home) for home in homes) == 1 or ("stakes", name) in entries("errors")


def test_the_index_of_the_reference_leads_to_every_page():
    assert sorted(re.findall(r"<(\w+)>`", read("reference/index.rst"))) == sorted([*HOMES, "errors"])


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_of_a_page_points_to_something(page):
    targets = [target.partition("#")[0] for target in LINK.findall(FENCE.sub("", read(page))) if "://" not in target]
    assert [target for target in targets if target and not (DOCS / page).parent.joinpath(target).exists()] == []


def test_every_work_of_the_bibliography_has_a_link():
    works = [line[2:] for line in read("bibliography.md").splitlines() if line.startswith("- ")]
    unlinked = [work for work in works if not LINK.search(work)]
    assert [work for work in unlinked if not work.startswith(WITHOUT_A_LINK)] == []
    assert len(unlinked) == len(WITHOUT_A_LINK)
    assert [link for link in LINK.findall("\n".join(works)) if not PAPER.fullmatch(link)] == []


@pytest.mark.parametrize("peer", PEERS)
def test_every_package_compared_with_has_a_link(peer):
    compared = read("bibliography.md").partition("## Packages compared with")[2]
    links = dict(re.findall(r"([\w-]+) \(?\[(?:R|Python)\]\((\S+?)\)", compared))
    links |= dict(re.findall(r"\[([\w-]+)\]\((https://\S+?)\)", compared))
    assert peer in links
    assert re.fullmatch(r"https://[\w.-]+(/[\w./?=-]+)?", links[peer])


@pytest.mark.parametrize("page", PAGES)
def test_every_example_of_a_page_is_run_unless_it_needs_a_place_that_is_not_here(page):
    prompts = {"python": ">>> ", "py": ">>> ", "pycon": ">>> ", "console": "$ "}
    unrun = [code for language, code in FENCE.findall(read(page)) if not code.startswith(prompts.get(language, ""))]
    assert [code for code in unrun if "://" not in code] == []
    for code in unrun:
        compile(code, page, "exec")


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if "\n```console\n" in read(page) and page != "command.md"])
def test_the_commands_of_a_page_print_what_it_shows(page, tmp_path):  # those of command.md are run with the command
    for offered in DOCS.glob("*.csv"):
        shutil.copy(offered, tmp_path)
    for language, block in FENCE.findall(read(page)):
        if language == "console":
            for command, shown in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                printed = typed(command, tmp_path)
                assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS), printed


def typed(command, folder):
    """Return what a command prints when a reader types it, not on a terminal."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    ran = subprocess.run(
        command,
        cwd=folder,
        shell=True,
        env=clean | {"PATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout
