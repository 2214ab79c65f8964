"""The main job, as a person would run it, and what the README says of it."""

import subprocess
import sys
from pathlib import Path

import pytest

from stakes.__main__ import main

ROOT = Path(__file__).parents[1]


def test_the_readme_prints_what_the_main_job_prints(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_module_runs_as_a_command():
    ran = subprocess.run([sys.executable, "-m", "stakes", "1:9"], capture_output=True, text=True, check=True)
    assert "a false alarm weighs 1:9 of both mistakes together" in ran.stdout
    assert ran.stderr == ""


def test_help_says_what_a_cost_looks_like(capsys):
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: python -m stakes [COST]   for example 5%..20%")


@pytest.mark.parametrize("cost", ["nonsense", "20%..5%", "0", "120%"])
def test_a_bad_cost_is_one_sentence_and_exit_code_2(cost, capsys):
    assert main([cost]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("stakes: `")
    assert printed.err.endswith(".\n")
    assert printed.err.count("\n") == 1


def test_the_test_command_of_the_readme_is_what_ci_runs():
    command = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert command == "python3 dev.py test"
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_version_is_the_newest_of_the_changelog():
    from stakes import __version__

    headings = [line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## "]
    assert headings[0].split()[1] == __version__
