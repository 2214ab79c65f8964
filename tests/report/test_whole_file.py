"""A report appears whole or not at all: an error on the way leaves no file, and one that was there as it was."""

import re
import resource
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from report.pages import TABLES

from stakes import InputError
from stakes.beliefs import EveryLogOdds
from stakes.evaluation import evaluate_tables
from stakes.report import _pictures, save_report

BEFORE = "what was there before"


@pytest.fixture(scope="module")
def evaluation():
    return evaluate_tables(TABLES, "5%..20%")


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is nearly full."""
    before, writes = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # Python would leave modules cut short
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = writes


@pytest.fixture(params=["new", "there before"])
def path(request, tmp_path) -> Path:
    """Return a place for the report, free or taken."""
    if request.param == "there before":
        (tmp_path / "report.html").write_text(BEFORE, encoding="utf-8")
    return tmp_path / "report.html"


def found_in(path: Path) -> dict[str, str]:
    """Return all that is in the folder of a file."""
    return {one.name: one.read_text(encoding="utf-8") for one in path.parent.iterdir()}


def test_a_report_is_the_only_file_that_is_left(evaluation, path):
    save_report(evaluation, path)
    (name, text), *others = found_in(path).items()
    assert (name, others) == ("report.html", [])
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")


def test_a_disk_that_fills_up_leaves_everything_as_it_was(evaluation, path):
    before = found_in(path)
    with largest_file(50_000), pytest.raises(OSError, match="File too large"):
        save_report(evaluation, path)
    assert found_in(path) == before


def test_an_error_while_drawing_leaves_everything_as_it_was(evaluation, path, monkeypatch):
    def fail(chart):
        raise RuntimeError("no more ink")

    monkeypatch.setattr(_pictures, "draw", fail)
    before = found_in(path)
    with pytest.raises(RuntimeError, match="no more ink"):
        save_report(evaluation, path)
    assert found_in(path) == before


def test_an_interruption_just_before_the_end_leaves_everything_as_it_was(evaluation, path, monkeypatch):
    def interrupt(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    before = found_in(path)
    with pytest.raises(KeyboardInterrupt):
        save_report(evaluation, path)
    assert found_in(path) == before


def test_until_it_is_whole_the_old_report_can_be_read(evaluation, path, monkeypatch):
    seen = []
    replace = Path.replace

    def look(self, target):
        seen.append((self.name, path.read_text(encoding="utf-8") if path.exists() else None))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", look)
    before = found_in(path).get("report.html")
    save_report(evaluation, path)
    ((name, old),) = seen
    assert (name != "report.html", old) == (True, before)


def test_a_report_may_be_read_by_whom_any_new_file_may_be(evaluation, tmp_path):
    save_report(evaluation, tmp_path / "report.html")
    (tmp_path / "other").touch()
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("report.html", "other")}
    assert len(modes) == 1


def test_a_folder_that_is_not_there_is_an_error_that_repeats_the_path(evaluation, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = re.escape("`path` must be in a folder that exists, got 'nodir/x.html'.")
    with pytest.raises(FileNotFoundError, match=f"^{said}$"):
        save_report(evaluation, "nodir/x.html")
    assert list(tmp_path.iterdir()) == []


def test_a_very_long_file_name_is_no_obstacle(evaluation, tmp_path):
    path = tmp_path / f"{'r' * 250}.html"
    save_report(evaluation, path)
    assert list(tmp_path.iterdir()) == [path]


def test_costs_of_infinite_mass_are_named_before_anything_is_written(path):
    there = path.exists()
    wanted = (
        "`costs` must have a finite mass, to write a report, got EveryLogOdds(); "
        "state a range instead, such as 'logodds 0.1%..99.9%'."
    )
    with pytest.raises(InputError, match=f"^{re.escape(wanted)}$"):
        save_report(evaluate_tables(TABLES, EveryLogOdds()), path)
    assert path.exists() == there
    assert not there or path.read_text(encoding="utf-8") == BEFORE
