"""Reports and numbers are written whole or not at all, and never in the place of something else."""

import os
import resource
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from stakes import Policy
from stakes._whole_file import write_whole

TYPED = ("evaluate", "scores.csv", "--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")
NOBODY = 65534


@pytest.fixture
def refused_unread(refused, folder):
    """Type outputs that cannot be written; they are refused before the file is read, which is not even there."""

    def type_in(*typed):
        before = sorted(folder.rglob("*"))
        message = refused(*TYPED, *typed)
        assert sorted(folder.rglob("*")) == before
        return message

    return type_in


@pytest.mark.parametrize("option", ["--html", "--json", "--policy"])
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "must be a file to write to, got ''."),
        ("reports", "must be a file to write to, got the folder 'reports'."),
        ("nowhere/report", "must be in a folder that exists, got 'nowhere/report'."),
        ("afile/report", "must be in a folder that exists, got 'afile/report'."),
        ("x" * 300, f"must be a file to write to, got '{'x' * 56}...: file name too long."),
    ],
)
def test_a_file_that_cannot_be_is_refused_before_any_work(option, target, message, folder, refused_unread):
    (folder / "reports").mkdir()
    (folder / "afile").touch()
    assert refused_unread(option, target) == f"`{option}` {message}"


def test_thresholds_are_written_to_act_by(folder, scores, stakes):
    ran = stakes(*TYPED, "--policy", "policy.json")
    assert ran.code == 0
    said = " ".join(ran.out.split())
    assert said.endswith(
        "Thresholds of new: policy.json They are the best in this sample; the threshold in the answer is that for "
        "the mean of the costs, as is best for calibrated scores, rounded to a number that does as well in this sample."
    )
    policy = Policy.load(folder / "policy.json")
    assert (policy.model, policy.scale) == ("new", "cost proportion")
    assert policy.act([0.0, 1.0], cost="10%").tolist() == [False, True]


@pytest.mark.parametrize("rows", ["1,0.2,0.9\n0,0.8,0.05\n", "1,0.1,0.1\n0,0.9,0.05\n"])
@pytest.mark.parametrize("limits", [(), ("--capacity", "60%")])
def test_two_thresholds_are_told_apart_where_there_are_two(folder, stakes, rows, limits):
    (folder / "scores.csv").write_text("died,old,new\n" + rows * 40)
    asked = ("--outcome", "died", "--predictions", "old", "new", "--costs", "10%")
    ran = stakes("evaluate", "scores.csv", *asked, "--policy", "policy.json", *limits)
    assert ran.code == 0
    assert "Act from 10%." in ran.out or limits
    assert Policy.load(folder / "policy.json").threshold[0] == float(rows[6:9])
    assert ("for calibrated scores" in " ".join(ran.out.split())) == (rows[6:9] != "0.1" and not limits)


def test_a_threshold_for_another_prevalence_says_that_the_mean_was_moved(folder, scores, stakes):
    ran = stakes(*TYPED, "--policy", "policy.json", "--prevalence", "5%")
    assert " ".join(ran.out.split()).endswith(
        "rounded to a number that does as well in this sample. As scores are as given, that mean was moved from the "
        "stated prevalence to that of the sample."
    )


def test_thresholds_of_a_model_that_no_one_should_use_say_so(folder, stakes):
    (folder / "scores.csv").write_text("died,old,new\n" + "1,0.01,0.1\n0,0.9,0.8\n" * 40)
    ran = stakes(*TYPED, "--policy", "policy.json")
    assert "Use no model: act on everyone" in ran.out
    assert ran.out.endswith("\nThresholds of new, which is not recommended: policy.json\n")


def test_a_report_is_not_printed(refused_unread):
    assert refused_unread("--html", "-") == "`--html` must be a file to write to, got '-'."


def test_a_device_is_left_in_its_place(refused_unread):
    got = "must be a file to write to, got the device or pipe '/dev/null'"
    assert refused_unread("--html", "/dev/null") == f"`--html` {got}."
    assert refused_unread("--json", "/dev/null") == f"`--json` {got}; write - for the standard output."
    assert Path("/dev/null").is_char_device()


def test_a_pipe_is_left_in_its_place(folder, refused_unread):
    os.mkfifo(folder / "pipe")
    message = "`--html` must be a file to write to, got the device or pipe 'pipe'."
    assert refused_unread("--html", "pipe") == message


@pytest.mark.slow
def test_the_standard_output_has_a_name_of_its_own(process, folder, scores):
    with (folder / "printed").open("w") as printed:
        running = process(*TYPED, "--json", "/dev/stdout", stdout=printed)
        message = "got the standard output '/dev/stdout'; write - for the standard output.\n"
        assert running.communicate()[1] == f"stakes: `--json` must be a file to write to, {message}"
    assert running.returncode == 2


def test_two_outputs_are_two_files(refused_unread):
    message = "`--html` and `--json` must be two files, got 'out' for both."
    assert refused_unread("--html", "out", "--json", "./out") == message
    assert refused_unread("--html", "out", "--policy", "./out") == message.replace("--json", "--policy")


@pytest.mark.parametrize("option", ["--html", "--json"])
def test_the_file_that_is_read_is_not_written(option, scores, folder, refused_unread):
    before = scores.read_bytes()
    (folder / "link").symlink_to("scores.csv")
    assert refused_unread(option, "link") == f"`{option}` must not be the file that is read, got 'link'."
    assert scores.read_bytes() == before


# ------------------------------------------------------------------------------------------- permissions


@pytest.fixture
def someone_else():
    """Go to a folder as someone who may not do everything: the system lets its administrator write anywhere."""
    here, place = Path.cwd(), Path(tempfile.mkdtemp())
    place.chmod(0o777)
    os.chdir(place)
    administrator = os.geteuid() == 0
    if administrator:
        os.seteuid(NOBODY)
    yield place
    if administrator:
        os.seteuid(0)
    os.chdir(here)
    shutil.rmtree(place)


def test_a_folder_must_allow_to_write(someone_else, refused):
    (someone_else / "closed").mkdir(mode=0o555)
    message = "`--html` must be in a folder that can be written to, got 'closed/report.html'."
    assert refused(*TYPED, "--html", "closed/report.html") == message


def test_a_file_must_allow_to_write(someone_else, refused):
    (someone_else / "kept.json").write_text("mine")
    (someone_else / "kept.json").chmod(0o444)
    assert refused(*TYPED, "--json", "kept.json") == "`--json` must be a file that can be written to, got 'kept.json'."
    assert (someone_else / "kept.json").read_text() == "mine"


def test_a_folder_must_allow_to_look(someone_else, refused):
    (someone_else / "secret").mkdir(mode=0o000)
    message = "`--html` must be a file to write to, got 'secret/report.html': permission denied."
    assert refused(*TYPED, "--html", "secret/report.html") == message


def test_a_file_must_allow_to_read(someone_else, refused):
    (someone_else / "scores.csv").touch(mode=0o000)
    assert refused(*TYPED) == "scores.csv must be a file that can be read: Permission denied."


# ------------------------------------------------------------------------------------------- whole, or not at all


def test_both_are_written_and_named(stakes, scores, folder):
    ran = stakes(*TYPED, "--html", "report.html", "--json", "numbers.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n\nNumbers: numbers.json\nReport: report.html (open it in a browser)\n")
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert sorted(path.name for path in folder.iterdir()) == ["numbers.json", "report.html", "scores.csv"]


def test_what_was_there_is_written_over(stakes, scores, folder):
    (folder / "numbers.json").write_text("of last week")
    assert stakes(*TYPED, "--json", "numbers.json").code == 0
    assert (folder / "numbers.json").read_text(encoding="utf-8").startswith('{\n "schema": 4,')


def test_a_link_stays_a_link(stakes, scores, folder):
    (folder / "kept").mkdir()
    (folder / "newest.json").symlink_to("kept/numbers.json")
    assert stakes(*TYPED, "--json", "newest.json").code == 0
    assert (folder / "newest.json").is_symlink()
    assert (folder / "kept" / "numbers.json").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(("option", "name"), [("--html", "report.html"), ("--json", "numbers.json")])
def test_a_disk_without_room_leaves_what_was_there_and_still_shows_the_answer(option, name, process, scores, folder):
    def with_little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    (folder / name).write_text("of last week")
    settings = {"PYTHONDONTWRITEBYTECODE": "1"}  # Python itself would leave modules cut short
    out, err = (running := process(*TYPED, option, name, env=settings, preexec_fn=with_little_room)).communicate()
    assert running.returncode == 1
    assert err == f"stakes: `{option}` could not be written to '{name}': file too large.\n"
    assert out.startswith("Which of 2 models should decide")
    assert (folder / name).read_text() == "of last week"
    assert sorted(path.name for path in folder.iterdir()) == sorted([name, "scores.csv"])


@pytest.mark.slow
@pytest.mark.parametrize("typed", [("--help",), ("beliefs", "10%"), TYPED, (*TYPED, "--json", "-")])
def test_a_full_standard_output_is_one_sentence(typed, process, scores):
    with Path("/dev/full").open("w") as full:
        running = process(*typed, stdout=full)
        message = "stakes: the output, or a temporary file, could not be written: the disk is full.\n"
        assert running.communicate()[1] == message
    assert running.returncode == 1


def test_quiet_prints_nothing_but_writes(stakes, scores, folder):
    assert stakes(*TYPED, "--quiet", "--html", "report.html") == (0, "", "")
    assert (folder / "report.html").exists()


@pytest.mark.slow
def test_numbers_on_the_standard_output_stand_there_alone(stakes, scores):
    ran = stakes(*TYPED, "--json", "-", "--html", "report.html")
    assert ran.code == 0
    assert ran.out.startswith('{\n "schema": 4,')
    assert ran.out.endswith("}\n")
    assert ran.err == "\nReport: report.html (open it in a browser)\n"


@pytest.mark.slow
def test_the_report_says_where_the_cases_came_from_and_how_it_was_made(stakes, scores, folder):
    assert stakes(*TYPED, "--html", "report.html", "--title", "Who needs intensive care?").code == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<title>Who needs intensive care?" in page
    assert page.count("scores.csv") > 1  # beside the call
    assert "stakes evaluate scores.csv --outcome died --predictions old new --costs 5%..20% --html report.html" in page


@pytest.mark.slow
def test_a_coarse_report_is_smaller(stakes, scores, folder):
    assert stakes(*TYPED, "--html", "coarse.html").code == 0
    assert stakes(*TYPED, "--html", "whole.html", "--embed", "fine").code == 0
    coarse, whole = ((folder / name).stat().st_size for name in ("coarse.html", "whole.html"))
    assert coarse < whole


# ------------------------------------------------------------------------------------------- permissions, and the disk


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o200])
def test_a_file_that_is_replaced_keeps_its_permissions(mode, stakes, scores, folder):
    for name in ("report.html", "numbers.json"):
        (folder / name).touch()
        (folder / name).chmod(mode)
    assert stakes(*TYPED, "--html", "report.html", "--json", "numbers.json").code == 0
    for name in ("report.html", "numbers.json"):
        found = (folder / name).stat()
        assert stat.S_IMODE(found.st_mode) == mode
        assert found.st_size > 0


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_permissions_of_any_other(umask, mode, stakes, scores, folder):
    before = os.umask(umask)
    try:
        assert stakes(*TYPED, "--json", "numbers.json").code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "numbers.json").stat().st_mode) == mode


def test_what_will_replace_a_private_file_is_private_while_it_is_written(folder):
    target, modes = folder / "private", []
    target.touch(0o600)

    def lines():
        (draft,) = folder.glob(".*.part")
        modes.append(stat.S_IMODE(draft.stat().st_mode))
        yield "line\n"

    write_whole(target, lines())
    assert (modes, target.read_text()) == ([0o600], "line\n")


def test_a_file_is_on_the_disk_before_it_has_its_name(folder, monkeypatch):
    done, fsync, replace = [], os.fsync, Path.replace

    def noted_fsync(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"{os.fstat(handle).st_size} bytes")
        fsync(handle)

    def noted_replace(self, target):
        done.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_whole(folder / "whole", ["one\n", "two\n"])
    assert done == ["8 bytes", "rename", "folder"]
