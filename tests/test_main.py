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


def test_the_readme_prints_what_the_main_job_prints(typed):
    ran = typed("demo")
    assert (ran.returncode, ran.stderr) == (0, "")
    after_the_command = (ROOT / "README.md").read_text(encoding="utf-8").partition("dev.py demo")[2]
    assert re.search(r"```text\n(.*?)```", after_the_command, re.DOTALL)[1] == ran.stdout


def test_the_main_job_leaves_a_report(typed, tmp_path):
    assert typed("demo", "1:9").stdout.startswith("Which of 3 models should decide, if a false alarm accounts for 10%")
    assert [path.name for path in tmp_path.iterdir()] == ["stakes-demo.html"]


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


def test_every_command_and_every_benchmark_is_on_the_development_page(dev):
    page = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    commands = [*dev.COMMANDS, *(f"bench {name}" for name in (*dev.BENCHMARKS, "gpu"))]
    assert [name for name in commands if f"`python3 dev.py {name}" not in page] == []


def test_every_benchmark_is_there(dev):
    assert [name for name in dev.BENCHMARKS if not (ROOT / "benchmarks" / f"{name}.py").exists()] == []


def test_every_package_that_the_tests_need_has_a_version(dev):
    told = {Requirement(line).name for line in dev.VERSIONS.read_text(encoding="utf-8").splitlines()[1:]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"], *chain(*extras.values())]
    for group in ("test", "lint", "docs"):
        wanted += groups[group]
    assert {Requirement(line).name for line in wanted} - told == {"stakes", "torch"}  # dev.py has that of torch
