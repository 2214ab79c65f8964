"""What those are told who wait: what is being done, once two seconds have passed."""

import io
import re
import time
from contextlib import redirect_stderr

import pytest

from stakes.cli import _commands, _progress, _reading
from stakes.cli._progress import Notice, progress


class Errors(io.StringIO):
    """A standard error, which may be a terminal."""

    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


def plain(text):
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", text)


@pytest.fixture(autouse=True)
def talkative(monkeypatch):
    monkeypatch.delenv("STAKES_PROGRESS", raising=False)


@pytest.fixture(params=[False, True])
def errors(request, monkeypatch):
    for name, value in {"TERM": "xterm", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    return Errors(request.param)


def test_long_work_is_named_while_it_lasts(errors, monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    with redirect_stderr(errors), progress("counting sheep"):
        while "counting sheep ..." not in plain(errors.getvalue()):
            time.sleep(0.001)
    if not errors.terminal:
        assert errors.getvalue() == "stakes: counting sheep ...\n"


def test_progress_can_be_silenced(errors, monkeypatch):
    monkeypatch.setenv("STAKES_PROGRESS", "no")
    monkeypatch.setattr(_progress, "Timer", None)  # none is started, which would be an error
    with redirect_stderr(errors), progress("counting sheep"):
        pass
    assert errors.getvalue() == ""


def test_short_work_is_not_named(errors, monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 1e6)
    with redirect_stderr(errors), progress("counting sheep"):
        pass
    assert errors.getvalue() == ""


def test_what_has_ended_is_not_named_any_more(errors):
    notice = Notice("counting sheep")
    notice.end()
    with redirect_stderr(errors):
        notice.show()
    assert errors.getvalue() == ""


def test_silent_work_is_not_named(monkeypatch):
    monkeypatch.setattr(_progress, "Timer", None)
    with progress("counting sheep", quiet=True):
        pass


def test_a_closed_standard_error_stops_nothing():
    closed = Errors(terminal=False)
    closed.close()
    with redirect_stderr(closed):
        Notice("counting sheep").show()


def test_what_is_printed_meanwhile_goes_where_it_would(capsys):
    notice = Notice("counting sheep")
    with redirect_stderr(Errors(terminal=True)):
        notice.show()
        print("sheep")
        notice.end()
    assert capsys.readouterr().out == "sheep\n"


@pytest.mark.slow
def test_every_stage_of_a_file_says_what_it_does(stakes, scores, monkeypatch):
    said = []

    def noted(what, *, quiet):
        said.append((what, quiet))
        return progress(what, quiet=True)

    monkeypatch.setattr(_commands, "progress", noted)
    monkeypatch.setattr(_reading, "progress", noted)
    typed = ("evaluate", scores, "--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")
    stages = ["reading scores.csv", "sorting scores", "comparing 2 models on 120 cases"]
    stages += ["looking for what matters most", "writing"]
    for more, quiet in (((), False), (("--quiet", "--json", "x.json"), True)):
        said.clear()
        assert stakes(*typed, *more).code == 0
        assert said == [(stage, quiet) for stage in stages]
