"""The main job, as a person would run it, and what the README says of it."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from stakes import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture
def typed(tmp_path):
    """Run the module as a command, in an empty folder and not on a terminal."""

    def run(*words):
        clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
        command = [sys.executable, "-m", "stakes", *words]
        settings = clean | {"PYTHONIOENCODING": "utf-8"}
        return subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, encoding="utf-8", check=False)

    return run


@pytest.mark.slow
def test_the_readme_prints_what_the_main_job_prints(typed):
    ran = typed("demo")
    assert (ran.returncode, ran.stderr) == (0, "")
    after_the_command = (ROOT / "README.md").read_text(encoding="utf-8").partition("dev.py demo")[2]
    assert re.search(r"```text\n(.*?)```", after_the_command, re.DOTALL)[1] == ran.stdout


@pytest.mark.slow
def test_the_main_job_leaves_a_report(typed, tmp_path):
    assert typed("demo", "1:9").stdout.startswith("Which of 3 models should decide, if a false alarm accounts for 10%")
    assert [path.name for path in tmp_path.iterdir()] == ["stakes-demo.html"]


@pytest.mark.slow
@pytest.mark.parametrize("cost", ["nonsense", "20%..5%", "0", "120%"])
def test_a_bad_cost_is_one_sentence_and_exit_code_2(cost, typed, tmp_path):
    ran = typed("demo", cost)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(r"stakes: .*`BELIEF`.*\.\n", ran.stderr)
    assert list(tmp_path.iterdir()) == []


def test_the_test_command_of_the_readme_is_what_ci_runs():
    command = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert command == "python3 dev.py test"
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_version_is_the_newest_of_the_changelog():
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## "]
    assert headings[0].split()[1] == __version__


@pytest.fixture(scope="module")
def dev():
    about = spec_from_file_location("dev", ROOT / "dev.py")
    module = module_from_spec(about)
    about.loader.exec_module(module)
    return module


def test_every_command_is_in_the_contributing_guide_and_every_benchmark_on_its_page(dev):
    guide, page = ((ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "docs/benchmarks.md"))
    assert [
        name for name in dev.COMMANDS if f"`python3 dev.py {name}" not in (page if name.startswith("bench ") else guide)
    ] == []


def test_every_script_of_a_command_is_there(dev):
    scripts = [part for *_, runs, _ in dev.COMMANDS.values() for run in runs for part in run if part.endswith(".py")]
    assert [name for name in scripts if not (ROOT / name).exists()] == []


def test_every_package_that_the_tests_need_has_a_version_and_hashes():
    pins = (ROOT / "requirements" / "test.txt").read_text(encoding="utf-8")
    told = {line.partition("==")[0]: "--hash=sha256:" in line for line in pins.replace("\\\n", "").splitlines()[2:]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"], *chain(*extras.values())]
    wanted += chain(*(groups[one["include-group"]] for one in groups["dev"]))
    assert {Requirement(line).name for line in wanted} - set(told) == {"stakes"}
    assert all(told.values())


def test_the_versions_name_no_address_and_no_torch():  # which would bring its own libraries for GPUs
    pins = (ROOT / "requirements" / "test.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|^--|^(torch|nvidia)", pins, re.MULTILINE)


def test_the_citation_is_of_this_version():
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {__version__}" in lines
