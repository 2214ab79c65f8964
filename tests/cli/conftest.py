"""The command, run in this process as if it had been typed, and files to run it on."""

import contextlib
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from stakes.cli import main

CHANGING = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "STAKES_DEBUG")  # what is shown


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def stakes(capsys, monkeypatch):
    """Type a command and see what it prints; nothing is a terminal here."""
    for name in CHANGING:
        monkeypatch.delenv(name, raising=False)

    def type_in(*typed):
        capsys.readouterr()
        code = main([str(word) for word in typed])
        return Ran(code, *capsys.readouterr())

    return type_in


@pytest.fixture
def process(folder):
    """Start the command as a process of its own, as a shell would."""
    plain = {name: value for name, value in os.environ.items() if name not in CHANGING}
    running = contextlib.ExitStack()

    def start(*typed, stdout=subprocess.PIPE, **more):
        command = [sys.executable, "-m", "stakes", *map(str, typed)]
        settings = plain | {"PYTHONIOENCODING": "utf-8"} | more.pop("env", {})
        one = subprocess.Popen(command, env=settings, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", **more)
        running.enter_context(one)
        running.callback(one.kill)
        return one

    with running:
        yield start


@pytest.fixture
def refused(stakes):
    """Type something that cannot be used, and return the one sentence that says why."""

    def type_in(*typed):
        ran = stakes(*typed)
        assert ran.code == 2
        assert ran.out == ""
        assert ran.err.startswith("stakes: ")
        assert ran.err.endswith(".\n")
        assert ran.err.count("\n") == 1
        return ran.err.removeprefix("stakes: ").removesuffix("\n")

    return type_in


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Go to an empty folder and run the command there."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def sample():
    """Make columns of 120 cases: an outcome, two models, weights, groups and clusters."""
    rng = np.random.default_rng(7)
    risk = rng.beta(2, 5, 120).round(3)
    return {
        "died": (rng.random(120) < risk).astype(int).tolist(),
        "old": np.clip(risk + rng.normal(0, 0.2, 120), 0, 1).round(2).tolist(),
        "new": risk.tolist(),
        "w": rng.choice([0.0, 0.5, 2.0], 120).tolist(),
        "site": rng.choice(["north", "south"], 120).tolist(),
        "patient": rng.integers(0, 40, 120).tolist(),
    }


@pytest.fixture
def scores(folder, sample):
    """Write the same as a CSV file."""
    return write_csv(folder / "scores.csv", sample)


def write_csv(path, columns, delimiter=","):
    rows = [columns, *zip(*columns.values(), strict=True)]
    path.write_text("".join(delimiter.join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path
