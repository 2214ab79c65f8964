"""What is shown: as wide as there is room, plain where nobody looks, and quiet when told to stop."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from stakes import evaluate
from stakes._wording import printable

TYPED = ("evaluate", "scores.csv", "--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")
ESCAPE = "\x1b"


# ------------------------------------------------------------------------------------------- width


@pytest.mark.sample(4)
@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize("width", [60, 80, 100, 120])
@pytest.mark.parametrize(
    "typed",
    [
        (*TYPED, "--group", "site"),
        (*TYPED, "--capacity", "20%", "--min-precision", "30%"),
        ("beliefs", "5%..20%"),
        ("beliefs", "beta(2, 8)"),
        ("recommend", "--costs", "5%..20%", "--capacity", "10%"),
    ],
)
def test_no_line_is_wider_than_the_terminal(typed, width, stakes, scores, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    ran = stakes(*typed)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(cell_len, ran.out.splitlines())) <= width


@pytest.mark.sample(2)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_model_and_every_finding_is_shown_at_any_width(width, stakes, scores, sample, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    shown = " ".join(stakes(*TYPED).out.split())
    found = evaluate(sample["died"], {name: sample[name] for name in ("old", "new")}, "5%..20%")
    for standing in found.ranking:
        assert f"{standing.model} {found.unit.number(standing.regret.estimate)}" in shown
    for number, finding in enumerate(found.findings, 1):
        assert f"{number}. {finding.text}" in shown


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (120, ["cost", "interval", "best", "P(best)", "skill", "acts on", "gain"]),
        (80, ["cost", "interval", "best", "P(best)", "skill", "acts on"]),
        (60, ["cost", "interval", "best", "P(best)"]),
        (40, ["cost", "best"]),
    ],
)
def test_the_least_telling_columns_make_room(width, headings, stakes, scores, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    above, below, *_ = stakes(*TYPED).out.partition("\n\n")[2].splitlines()
    assert above.split()[:2] == ["expected", "vs"]
    assert re.split(r"\s{2,}", below.strip()) == headings


def test_names_that_are_twice_as_wide_as_they_are_long_are_shown_whole_or_not_at_all(
    stakes, folder, sample, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "80")
    models = {f"模型{number}的预测结果": sample["new"] for number in "甲乙丙"}
    pd.DataFrame({"died": sample["died"], "site": sample["site"]} | models).to_csv("scores.csv", index=False)
    ran = stakes(
        "evaluate", "scores.csv", "--outcome", "died", "--predictions", *models, "--costs", "10%", "--group", "site"
    )
    heading = next(line for line in ran.out.splitlines() if line.startswith("expected cost by group"))
    shown = heading.partition("positive")[2].split()
    assert shown == list(models)[:2]


@pytest.mark.slow
def test_only_columns_that_are_shown_are_explained(stakes, scores, monkeypatch):
    assert "Recalibration gain: what" in " ".join(stakes(*TYPED).out.split())
    monkeypatch.setenv("COLUMNS", "60")
    assert "Recalibration gain: what" not in " ".join(stakes(*TYPED).out.split())


def test_elsewhere_than_in_a_terminal_lines_are_a_hundred_wide(stakes, scores):
    assert 90 <= max(map(cell_len, stakes(*TYPED).out.splitlines())) <= 100


# ------------------------------------------------------------------------------------------- colour


def in_terminal(*typed, **settings):
    """Type a command in a real terminal of 90 columns; return what it shows."""
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "90", "LINES": "40"} | settings
    command = [sys.executable, "-m", "stakes", *typed]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as running:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # Linux says so when the other end is closed, other systems send nothing
            while more := os.read(ours, 1 << 16):
                shown += more
    os.close(ours)
    assert running.returncode == 0
    return shown.decode()


@pytest.mark.slow
@pytest.mark.usefixtures("scores")
def test_a_terminal_gets_colours():
    assert f"{ESCAPE}[1;32mnew" in in_terminal(*TYPED, "--json", "numbers.json")


@pytest.mark.slow
@pytest.mark.usefixtures("scores")
def test_a_terminal_whose_owner_wants_no_colours_gets_none():
    shown = in_terminal(*TYPED, NO_COLOR="1")
    assert not re.search(rf"{ESCAPE}\[[\d;]*3\dm", shown)
    assert "new" in shown


def test_elsewhere_there_is_neither(stakes, scores):
    ran = stakes(*TYPED)
    assert ESCAPE not in ran.out
    assert ran.err == ""


@pytest.mark.slow
def test_letters_that_the_output_does_not_know_become_question_marks(process, scores):
    out, err = (running := process(*TYPED, env={"PYTHONIOENCODING": "ascii"})).communicate()
    assert (running.returncode, err) == (0, "")
    assert out.isascii()
    assert re.search(r"^\S.* \?$", out, re.MULTILINE)  # the dash of what is not known, at the end of a row


@pytest.mark.slow
def test_where_there_are_no_blocks_a_picture_is_drawn_with_plain_characters(process):
    out, _ = process("beliefs", "10%..20%", env={"PYTHONIOENCODING": "ascii"}).communicate()
    assert "?" not in out
    assert re.search(r"^ +#+$", out, re.MULTILINE)


# ------------------------------------------------------------------------------------------- names from anywhere


@given(st.text(max_size=40))
def test_what_is_printable_is_one_line_without_control_characters(text):
    shown = printable(text)
    assert shown.isprintable()
    assert printable(shown) == shown
    assert [*shown] == [one for one in shown if one in text or one == " "]


HOSTILE = [
    "<script>alert(1)</script>",
    "[bold red]x[/]",
    f"{ESCAPE}]0;title\x07{ESCAPE}[31m",
    "模型" * 40,
    "a" * 100_000,
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", HOSTILE, ids=["HTML", "markup", "control", "wide", "long"])
def test_a_hostile_name_of_a_model_is_shown_as_text_and_shortened(name, stakes, folder, sample):
    rows = zip(sample["died"], sample["new"], strict=True)
    (folder / "scores.csv").write_text(f'died,"{name}"\n' + "".join(f"{y},{score}\n" for y, score in rows))
    command = [
        "evaluate",
        "scores.csv",
        "--outcome",
        "died",
        "--predictions",
        name,
        "--costs",
        "10%",
        "--html",
        "r.html",
    ]
    ran = stakes(*command)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(cell_len, ran.out.splitlines())) <= 100
    assert ESCAPE not in ran.out
    assert printable(name)[:10] in ran.out
    assert "<script>alert(1)" not in (folder / "r.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>.csv", f"{ESCAPE}[31m.csv", "-.csv", "[a-z]*.csv", "a'b\"c"]
)
def test_a_hostile_name_of_a_file_is_shown_as_text(name, stakes, folder, scores):
    scores.rename(folder / name)
    ran = stakes("evaluate", f"./{name}", *TYPED[2:], "--html", "report.html")
    assert (ran.code, ran.err) == (0, "")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page
    assert ESCAPE not in page + ran.out


@pytest.mark.slow
def test_a_name_that_is_no_text_is_read_too(stakes, folder, scores):
    name = os.fsdecode(b"scores-\xff.csv")
    scores.rename(folder / name)
    ran = stakes("evaluate", name, *TYPED[2:], "--html", "report.html", "--json", "numbers.json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads((folder / "numbers.json").read_text(encoding="utf-8"))["call"].startswith(
        "stakes evaluate 'scores-?.csv' --outcome died"
    )


# ------------------------------------------------------------------------------------------- told to stop


def listening():
    """Listen to interrupts, which a shell tells what runs in the background not to."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_an_interrupt_is_one_sentence_and_leaves_nothing(process, folder):
    os.mkfifo(folder / "scores.csv")
    running = process(*TYPED, "--html", "report.html", preexec_fn=listening)
    with (folder / "scores.csv").open("wb"):  # opens when the command does: now it waits for what will not come
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out) == (130, "")
    assert err == "\nstakes: interrupted; nothing was left half written.\n"
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("typed", [TYPED, ("--help",), (*TYPED, "--json", "-")])
def test_a_reader_who_has_gone_is_no_reason_to_complain(typed, process, scores):
    running = process(*typed)
    running.stdout.close()
    assert running.stderr.read() == ""
    assert running.wait() == 1


def test_what_should_not_happen_is_a_sentence_too(stakes, scores, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("sum of parts\nis no whole")

    monkeypatch.setattr("stakes.cli._commands.evaluate_source", broken)
    message = "internal error: RuntimeError: sum of parts is no whole; set STAKES_DEBUG=1 for the traceback."
    assert stakes(*TYPED) == (1, "", f"stakes: {message}\n")
    monkeypatch.setenv("STAKES_DEBUG", "1")
    with pytest.raises(RuntimeError, match="is no whole"):
        stakes(*TYPED)


def test_an_interrupt_that_reaches_the_engine_first_is_one_too(stakes, scores, monkeypatch):
    def interrupted(*_, **__):
        raise RuntimeError("Query interrupted")  # as DuckDB says it

    monkeypatch.setattr("stakes.cli._reading.read_roles", interrupted)
    assert stakes(*TYPED) == (130, "", "stakes: interrupted; nothing was left half written.\n")


def test_too_little_memory_is_a_sentence_too(stakes, scores, monkeypatch):
    def broken(*_, **__):
        raise MemoryError

    monkeypatch.setattr("stakes.cli._commands.evaluate_source", broken)
    assert stakes(*TYPED) == (1, "", "stakes: there is not enough memory.\n")


# ------------------------------------------------------------------------------------------- starting


@pytest.mark.slow
def test_help_waits_for_no_engine_and_no_report(folder):
    shown = "import sys; from stakes.cli import main; main(['--help']); print('\\n'.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.splitlines())
    assert "stakes.cli._app" in loaded
    waiting = {"duckdb", "jinja2", "matplotlib", "narwhals", "numba", "pandas", "pyarrow", "rich.console"}
    assert loaded & (waiting | {"stakes.report", "stakes.cli._commands"}) == set()
