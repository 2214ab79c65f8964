"""The process of the command: signals, closed streams, odd terminals and too little memory."""

import contextlib
import errno
import io
import os
import signal
import stat
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from stakes.cli import main
from stakes.cli._process import Ending
from stakes.evaluation import evaluate_source
from stakes.frames import open_file

TYPED = ("evaluate", "scores.csv", "--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")
FROM_INPUT = ("evaluate", "-", *TYPED[2:])
PATIENCE = 600  # seconds that what must happen may take, on a busy machine
CLOSED = "stakes: the standard output must be open, got a closed one; `--quiet` with `--html` or `--json` needs none.\n"


# ------------------------------------------------------------------------------------------- signals


def wait_for(happens):
    """Wait for something that must happen, however busy the machine is."""
    until = time.monotonic() + PATIENCE
    while not (found := happens()):
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


def listen():
    """Undo what a `nohup` around the tests does."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_one_sentence_and_leaves_no_copy_of_the_data(number, process, folder, tmp_path_factory):
    temporary = tmp_path_factory.mktemp("temporary")
    given = {"stdin": subprocess.PIPE, "env": {"TMPDIR": str(temporary)}, "preexec_fn": listen}
    running = process(*FROM_INPUT, "--html", "report.html", **given)
    running.stdin.write("died,old,new\n" + "0,0.25,0.5\n" * 100_000)
    running.stdin.flush()  # and the rest never comes
    (copy,) = wait_for(lambda: [path for path in temporary.rglob("*") if path.is_file() and path.stat().st_size])
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    running.send_signal(number)
    assert running.wait(timeout=PATIENCE) == 128 + number
    assert (running.stdout.read(), running.stderr.read()) == (
        "",
        f"stakes: ended by {number.name}; nothing was left half written.\n",
    )
    assert [*temporary.iterdir(), *folder.iterdir()] == []


def test_a_signal_that_reaches_the_engine_first_is_one_too(stakes, scores, monkeypatch):
    def interrupted(*_, **__):
        try:
            signal.raise_signal(signal.SIGTERM)
        except SystemExit:
            raise RuntimeError("Query interrupted") from None  # as DuckDB says it

    monkeypatch.setattr("stakes.cli._commands.evaluate_source", interrupted)
    assert stakes(*TYPED) == (143, "", "stakes: ended by SIGTERM; nothing was left half written.\n")
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


class Removed:
    """An object that ends the process while it is removed, when Python drops exceptions."""

    def __del__(self):
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_whose_exception_is_lost_is_no_success(stakes, scores, monkeypatch):
    def evaluates(*given, **named):
        Removed()
        return evaluate_source(*given, **named)

    monkeypatch.setattr("stakes.cli._commands.evaluate_source", evaluates)
    ran = stakes(*TYPED)
    assert ran.code == 143
    assert ran.err.endswith("stakes: ended by SIGTERM; nothing was left half written.\n")


def deadly(ending, number):
    """Whether one more signal would end the process at once; it does not here."""
    before = [signal.signal(one, ending) for one in (signal.SIGTERM, signal.SIGHUP)]
    raised = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stakes.cli._process.signal.raise_signal", raised.append)
        try:
            os.kill(os.getpid(), number)
            assert raised == [number] * (signal.getsignal(number) is signal.SIG_DFL)
            return bool(raised)
        finally:
            for one, was in zip((signal.SIGTERM, signal.SIGHUP), before, strict=True):
                signal.signal(one, was)


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("later", "ends"), [(0.0, False), (0.5, False), (1.5, True), (3600.0, True)])
def test_a_signal_of_the_same_moment_disturbs_nothing_and_a_later_one_ends_all(second, later, ends, monkeypatch):
    clock, ending = [100.0], Ending()
    monkeypatch.setattr("stakes.cli._process.monotonic", lambda: clock[0])
    with pytest.raises(SystemExit) as left:
        ending(signal.SIGHUP, None)
    assert left.value.code == 129
    clock[0] += later
    assert deadly(ending, second) == ends
    assert (ending.signal, ending.code) == (signal.SIGHUP, 129)


def test_a_signal_that_is_ignored_stays_ignored(stakes, scores, monkeypatch):
    def hung_up(*_, **__):
        signal.raise_signal(signal.SIGHUP)
        raise MemoryError

    monkeypatch.setattr("stakes.cli._commands.evaluate_source", hung_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        assert stakes(*TYPED).err == "stakes: there is not enough memory.\n"
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_library_handles_no_signals(scores):
    before = [signal.getsignal(number) for number in signal.valid_signals()]
    file = open_file(scores)
    assert len(file.relation(numbers=["new"])) == 120
    assert [signal.getsignal(number) for number in signal.valid_signals()] == before


# ------------------------------------------------------------------------------------------- closed streams


def close_all():
    """Close the standard streams, as ``<&- >&- 2>&-`` does."""
    for number in range(3):
        os.close(number)


@pytest.mark.slow
def test_what_is_asked_for_files_alone_needs_no_streams(process, folder, scores):
    running = process(*TYPED, "--quiet", "--html", "r.html", "--json", "n.json", stdout=None, preexec_fn=close_all)
    assert running.wait() == 0
    assert (folder / "r.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert (folder / "n.json").read_text(encoding="utf-8").startswith("{")
    assert sorted(path.name for path in folder.iterdir()) == ["n.json", "r.html", "scores.csv"]


@pytest.mark.parametrize(
    "typed",
    [
        TYPED,
        (*TYPED, "--html", "report.html"),
        (*TYPED, "--quiet", "--json", "-"),
        ("demo",),
        ("--help",),
        ("--version",),
        ("beliefs", "10%"),
        ("recommend", "--costs", "10%"),
    ],
)
def test_a_closed_output_is_one_sentence(typed, folder, scores, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    assert main(typed) == 2
    assert capsys.readouterr().err == CLOSED
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]  # it is noticed before any work


def test_where_errors_cannot_be_said_the_exit_code_says_them(scores, monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    assert main(TYPED) == 2
    assert main([*TYPED, "--quiet"]) == 0


def test_a_closed_input_is_one_sentence(refused, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert refused(*FROM_INPUT) == "`FILE` must be a file, or - with an open standard input, got - with a closed one."


# ------------------------------------------------------------------------------------------- odd terminals


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", ["0", "-3", "abc", "", "1e3", "\u00b2", "9" * 5000])
def test_a_size_that_is_none_is_no_size(name, value, stakes, monkeypatch):
    usual = stakes("beliefs", "5%..20%")
    monkeypatch.setenv(name, value)
    assert stakes("beliefs", "5%..20%") == usual


@given(width=st.integers(1, 10_000))
def test_whatever_the_width_everything_is_shown(width):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        shown = printed("recommend", "--costs", "5%..20%")
    assert max(map(cell_len, shown.splitlines())) <= max(width, 40)
    assert "The usual measures would silently assume something else:" in " ".join(shown.split())


def printed(*typed):
    """Return what a command prints; a fixture would last for many examples."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(typed) == 0
    return out.getvalue()


@pytest.mark.parametrize("value", ["dumb", "nonsense", ""])
def test_any_terminal_will_do(value, stakes, monkeypatch):
    usual = stakes("beliefs", "5%..20%")
    monkeypatch.setenv("TERM", value)
    assert stakes("beliefs", "5%..20%") == usual


# ------------------------------------------------------------------------------------------- too little memory


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("/lib/solver.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
        RuntimeError("std::bad_alloc"),
    ],
)
def test_too_little_memory_is_one_sentence_whoever_notices(error, stakes, scores, folder, monkeypatch):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr("stakes.cli._commands.evaluate_source", broken)
    assert stakes(*TYPED, "--html", "report.html") == (1, "", "stakes: there is not enough memory.\n")
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]


def test_so_it_is_where_not_even_the_command_can_be_loaded(stakes, monkeypatch):
    def broken(*_, **__):
        raise ImportError("/lib/solver.so: failed to map segment from shared object")

    monkeypatch.setattr("stakes.cli.import_optional", broken)
    assert stakes("--help") == (1, "", "stakes: there is not enough memory.\n")


# ------------------------------------------------------------------------------------------- odd command lines

ODD = [
    ("evaluate",),
    ("evaluate", ""),
    ("evaluate", "."),
    ("evaluate", "/dev/null"),
    ("evaluate", "scores.csv\n"),
    ("evaluate", "a\tb.csv"),
    ("evaluate", "x" * 5000),
    ("evaluate", "\udcff.csv"),
    ("evaluate", "scores.csv", "--outcome"),
    ("evaluate", "scores.csv", "--outcome", "died"),
    ("evaluate", "scores.csv", "--predictions"),
    ("evaluate", "scores.csv", "--outcome", "died", "--predictions", "died", "--costs", "10%"),
    ("evaluate", "scores.csv", "--outcome", "new", "--predictions", "old", "--costs", "10%"),
    ("evaluate", "scores.csv", "--outcome", "died", "--predictions", "site", "--costs", "10%"),
    ("evaluate", "scores.csv", "--outcome", "site", "--predictions", "old", "--costs", "10%", "--pos-label", ""),
    (*TYPED, "--weight", "site"),
    (*TYPED, "--weight", "died"),
    (*TYPED, "--group", "new"),
    (*TYPED, "--cluster", "site"),
    (*TYPED, "--group", "site", "--cluster", "site", "--weight", "w", "--capacity", "0", "--min-precision", "100%"),
    (*TYPED, "--key", "nothing"),
    (*TYPED, "--level", "1e-9"),
    (*TYPED, "--level", "99.9999999%"),
    (*TYPED, "--seed", "9" * 400),
    (*TYPED, "--seed", "\u0663"),
    (*TYPED, "--folds", "120"),
    (*TYPED, "--folds", "10000000"),
    (*TYPED, "--in-memory", "0"),
    (*TYPED, "--in-memory", "0", "--folds", "3"),
    (*TYPED, "--prevalence", "0.0000001%"),
    (*TYPED, "--prevalence", "beta(1, 1000000)"),
    (*TYPED, "--capacity", "1/0"),
    (*TYPED, "--title", "\x00\n" * 50, "--html", "r.html"),
    (*TYPED, "--json", "n.json", "--html", "./n.json"),
    (*TYPED, "--html", "\x00"),
    (*TYPED, "--master", "spark://nowhere"),
    (*TYPED, "--engine", "polars", "--folds", "2"),
    (*TYPED, "--engine", "duckdb", "--capacity", "10%"),
    ("evaluate", "scores.txt", *TYPED[2:], "--engine", "duckdb"),
    ("demo", "0%"),
    ("demo", "100%", "--json", "n.json"),
    ("demo", "0%..100%", "--quiet"),
    ("demo", "beta(0.001, 1000)"),
    ("demo", "logodds 0.0000001%..99.9999999%", "--quiet"),
    ("beliefs",),
    ("beliefs", "0"),
    ("beliefs", "1e-300..1e-299"),
    ("beliefs", "0:0"),
    ("beliefs", "beta(1e-9, 1e9)"),
    ("recommend", "--costs", "nan"),
    ("recommend", "--costs", "inf:1", "--prevalence", "1:inf"),
    ("--html",),
    ("\x1b[31m",),
    ("",),
]


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.sample(18)
@pytest.mark.parametrize("typed", ODD, ids=lambda typed: " ".join(typed)[:40].encode("ascii", "replace").decode())
def test_no_odd_command_line_is_an_internal_error(typed, stakes, scores):
    ran = stakes(*typed)
    assert ran.code in (0, 1, 2)
    assert sum(line.startswith("stakes: ") for line in ran.err.splitlines()) == (ran.code != 0)
    assert "internal error" not in ran.err
