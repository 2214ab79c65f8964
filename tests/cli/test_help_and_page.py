"""What teaches is true: the examples of `--help` run, and the page about the command shows what it prints."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stakes.cli._app import app
from stakes.cli._sections import SECTIONS

DOCS = Path(__file__).parents[2] / "docs"

# ------------------------------------------------------------------------------------------- help


def examples(out):
    """Return the commands under "Examples" and "Start here", with lines that go on joined."""
    listed = re.search(r"(?:Examples|Start here):\n(.*?)\n\n", out, re.DOTALL)[1]
    joined = re.sub(r"\\\n\s*", "", listed)
    return [line.strip().partition("   ")[0] for line in joined.splitlines()]


@pytest.fixture
def files_of_examples(folder):
    """Write the files that the examples read."""
    rng = np.random.default_rng(3)
    risk = rng.beta(2, 6, 200)
    happened = (rng.random(200) < risk).astype(int)
    pd.DataFrame({"died": happened, "old": np.clip(risk + 0.1, 0, 1), "new": risk}).to_csv("scores.csv", index=False)
    pd.DataFrame({"sepsis": happened, "old": np.sqrt(risk), "new": risk}).to_csv("er.csv", index=False)
    years = np.where(happened == 1, 4 * risk, 6.0)
    pd.DataFrame({"years": years, "status": happened, "risk5": risk}).to_csv("followed.csv", index=False)
    frauds = {"fraud": happened, "gbm": risk, "amount": np.exp(rng.normal(6, 1, 200))}
    pd.DataFrame(frauds).to_parquet("scores.parquet")
    visits = {"ill": np.where(happened, "yes", "no"), "risk": risk, "sex": rng.choice(["f", "m"], 200)}
    pd.DataFrame(visits | {"patient": rng.integers(0, 80, 200)}).to_csv("visits.csv.gz", index=False)


@pytest.mark.sample(4)
@pytest.mark.parametrize("command", [(), ("demo",), ("evaluate",), ("beliefs",), ("recommend",)])
@pytest.mark.usefixtures("files_of_examples")
def test_every_example_of_help_runs(command, stakes):
    taught = examples(stakes(*command, "--help").out)
    assert len(taught) >= 3
    for example in taught:
        name, *typed = shlex.split(example.partition(" | ")[0])
        assert name == "stakes"
        ran = stakes(*typed)
        assert (ran.code, ran.err) == (0, ""), example
        assert ran.out


def test_every_option_is_explained(stakes):
    for command in ("demo", "evaluate", "recommend"):
        asked = ("--help", "all") if command == "evaluate" else ("--help",)
        listed = stakes(command, *asked).out.partition("Options:\n")[2]
        for option in re.split(r"\n  (?=-)", re.sub(r"\nOptions, \w+:", "", listed)):
            assert re.search(r"\S\s{2,}\w", option), option


def test_every_option_of_evaluate_has_its_section():
    names = [name for names in SECTIONS.values() for name in names]
    assert len(names) == len(set(names))
    assert {param.name for param in app.commands["evaluate"].params} - {"file"} <= set(names)


def test_help_shows_the_basic_options_and_names_the_sections(stakes):
    plain = stakes("evaluate", "--help").out
    assert "--outcome" in plain
    assert "--miss-cost COST" not in plain
    for section in ("data", "censored", "money", "limits", "output"):
        assert f"\n  --help {section}" in plain
        one = stakes("evaluate", "--help", section).out
        assert f"Options, {section}:" in one
        assert "Examples:" not in one
    assert "--false-negative-cost, --miss-cost COST" in stakes("evaluate", "-h", "money").out
    ran = stakes("evaluate", "scores.csv", "--help", "mony")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("stakes: `--help` must be one of money, ")


# ------------------------------------------------------------------------------------------- the page

BLOCKS = re.findall(r"```console\n(.*?)```", (DOCS / "command.md").read_text(encoding="utf-8"), re.DOTALL)
SHOWN = [one for block in BLOCKS for one in re.findall(r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE)]


def test_the_page_shows_every_command():
    shown = {typed.split()[1] for typed, _ in SHOWN}
    assert shown == {"beliefs", "evaluate", "recommend"}  # what the demo prints stands in the README
    assert len(SHOWN) >= 10


@pytest.mark.sample(3)
@pytest.mark.parametrize(("typed", "printed"), SHOWN, ids=[typed[:60] for typed, _ in SHOWN])
def test_the_page_shows_what_the_command_prints(typed, printed, stakes, folder):
    shutil.copy(DOCS / "biopsies.csv", folder)
    ran = stakes(*shlex.split(typed)[1:])
    assert doctest.OutputChecker().check_output(printed, ran.out + ran.err, doctest.ELLIPSIS), ran.out + ran.err


def test_every_option_of_evaluate_is_on_the_page(stakes):
    listed = stakes("evaluate", "--help", "all").out.partition("Options:\n")[2]
    page = (DOCS / "command.md").read_text(encoding="utf-8")
    options = re.findall(r"^  (--[a-z-]+)", listed, re.MULTILINE)
    assert len(options) > 15
    assert [option for option in options if f"`{option}`" not in page] == []


def test_help_and_page_say_alike_where_your_words_are_used(stakes):
    where = (
        "the report uses them everywhere except under method; a report without controls keeps most of the usual words"
    )
    assert where in " ".join(stakes("evaluate", "--help", "output").out.split()).lower()
    assert where in (DOCS / "command.md").read_text(encoding="utf-8").lower()
