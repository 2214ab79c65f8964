"""A table as a file: every digit comes back, and what is not such a file is refused by name."""

import math
import os
import stat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import samples, weights

from stakes import InputError, Policy, ScoreTable, load_table, merge, recalibrate, save_table, score_table
from stakes.monitoring import Watch
from stakes.sites import SiteSummary

START = "site.csv must be a file written by `save_table`: "
FIRST, HEADER = "# stakes score table, format 1, rows 2\n", "score,positive,negative\n"
WHOLE = FIRST + HEADER + "0.2,0.0,1.0\n0.7,1.0,0.0\n"
EXTREMES = [-math.inf, -1e300, -5e-324, 0.0, 5e-324, 1e-300, 0.1, 1 / 3, math.nextafter(1, 0), 1.0, 1e300, math.inf]


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("tables") / "site.csv"


def message_for(file: Path, content: str | bytes) -> str:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=START) as caught:
        load_table(file)
    return str(caught.value)


@given(
    samples(
        one_class=True,
        score=st.floats(allow_nan=False) | st.sampled_from(EXTREMES),
        weight=st.floats(5e-324, 1e300) | weights(),
    )
)
def test_a_saved_table_comes_back_digit_for_digit(file, sample):
    table = score_table(*sample)
    save_table(table, file)
    assert load_table(file) == table


def test_extreme_scores_and_weights_come_back_digit_for_digit(file):
    positive = np.resize([5e-324, 1e-300, 0.1, 1e300], len(EXTREMES))
    table = ScoreTable.from_counts(EXTREMES, positive, positive[::-1])
    save_table(table, file)
    again = load_table(file)
    assert again == table
    assert again.score.tolist() == EXTREMES


def test_a_loaded_table_is_read_only(file):
    file.write_text(WHOLE)
    with pytest.raises(ValueError, match=r"^assignment destination is read-only$"):
        load_table(file).positive[0] = 3.0


def test_a_saved_table_is_plain_text_with_a_header(file):
    save_table(score_table([0, 1], [0.2, 0.7]), file)
    assert file.read_bytes() == WHOLE.encode("ascii")


def test_tables_of_two_sites_merge_into_the_table_of_all_their_cases(tmp_path):
    north, south = ([0, 1, 1], [0.2, 0.2, 0.8]), ([1, 0], [0.8, 0.1])
    for name, sample in {"north.csv": north, "south.csv": south}.items():
        save_table(score_table(*sample), tmp_path / name)
    pooled = merge(*(load_table(tmp_path / name) for name in ("north.csv", "south.csv")))
    assert pooled == score_table(north[0] + south[0], north[1] + south[1])


def test_paths_may_be_strings(tmp_path):
    table = recalibrate(score_table([0, 1, 0, 1], [1, 2, 3, 4]))
    save_table(table, str(tmp_path / "t.csv"))
    assert load_table(str(tmp_path / "t.csv")) == table


def test_line_ends_of_another_system_are_read(file):
    file.write_bytes(WHOLE.replace("\n", "\r\n").encode())
    assert load_table(file) == score_table([0, 1], [0.2, 0.7])


def test_a_file_that_is_there_is_replaced(tmp_path):
    for score in (0.3, 0.6):
        save_table(score_table([1], [score]), tmp_path / "t.csv")
    assert load_table(tmp_path / "t.csv").score.tolist() == [0.6]
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_saved_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    save_table(score_table([0, 1], [0.2, 0.7]), tmp_path / "t.csv")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "t.csv")}
    assert len(modes) == 1


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path):
    file = tmp_path / ("n" * 251 + ".csv")
    save_table(score_table([0, 1], [0.2, 0.7]), file)
    assert load_table(file) == score_table([0, 1], [0.2, 0.7])


# ----------------------------------------------------------------------------------------- writing that fails


def test_saving_into_a_missing_folder_leaves_nothing(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        save_table(score_table([0, 1], [0.2, 0.7]), tmp_path / "missing" / "t.csv")
    assert str(caught.value) == f"`path` must be in a folder that exists, got '{tmp_path / 'missing' / 't.csv'}'."
    assert list(tmp_path.iterdir()) == []


def test_saving_over_a_folder_leaves_nothing_behind(tmp_path):
    (tmp_path / "t.csv").mkdir()
    message = r"^`path` must be a file to write to, got '.*t\.csv', which is not a regular file\.$"
    with pytest.raises(ValueError, match=message):
        save_table(score_table([0, 1], [0.2, 0.7]), tmp_path / "t.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    assert list((tmp_path / "t.csv").iterdir()) == []


class FullDisk:
    """A number that cannot be written."""

    def __repr__(self):
        raise OSError("No space left on device")


class Unwritable:
    """A table whose second line cannot be written."""

    score = positive = negative = np.array([0.1, FullDisk()], dtype=object)
    positive_total = 1.0
    heads = None

    def __len__(self):
        return 2


@pytest.mark.parametrize("before", [None, WHOLE])
def test_a_write_that_fails_halfway_leaves_what_was_there(tmp_path, before):
    file = tmp_path / "t.csv"
    if before:
        file.write_text(before)
    with pytest.raises(OSError, match=r"^No space left on device$"):
        save_table(Unwritable(), file)
    assert [path.read_text() for path in tmp_path.iterdir()] == ([before] if before else [])


def test_a_rename_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def refuse(self, target):
        raise PermissionError("in use")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError, match=r"^in use$"):
        save_table(score_table([0, 1], [0.2, 0.7]), tmp_path / "t.csv")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------ what is not such a file


@pytest.mark.parametrize(
    "load", [load_table, Policy.load, Watch.load, SiteSummary.load], ids=lambda load: load.__qualname__
)
def test_a_missing_file_is_named(load, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        load(tmp_path / "t.csv")
    assert isinstance(caught.value, InputError)
    assert str(caught.value) == f"there is no file {tmp_path / 't.csv'}."
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"the path {tmp_path} must be a file, got a folder."


NOT_A_TABLE = START + "its first two lines are not those of a score table, format 1 or 2."
NOT_NUMBERS = START + "line {} does not hold three numbers."
NOT_ASCENDING = START + "its scores are not ascending and distinct."
ROWS = FIRST + HEADER


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", START + "it is not plain text."),
        (WHOLE.replace("0.7", "0,7é"), START + "it is not plain text."),
        ("", NOT_A_TABLE),
        (HEADER + "0.2,0.0,1.0\n", NOT_A_TABLE),
        (WHOLE.replace("format 1", "format 3"), NOT_A_TABLE),
        (WHOLE.replace("rows 2", "rows two"), NOT_A_TABLE),
        (WHOLE.replace("rows 2", "rows 0"), NOT_A_TABLE),
        (WHOLE.replace("rows 2", "rows " + "9" * 5000), NOT_A_TABLE),
        (FIRST + "score;positive;negative\n", NOT_A_TABLE),
        (FIRST, NOT_A_TABLE),
        (FIRST + HEADER, START + "it says 2 rows and has 0."),
        (WHOLE[:-5], START + "it says 2 rows and has 1 and part of one."),
        (WHOLE[:-1], START + "it says 2 rows and has 1 and part of one."),
        (WHOLE[: -len("0.7,1.0,0.0\n")], START + "it says 2 rows and has 1."),
        (WHOLE + "0.9,1.0,0.0\n", START + "it says 2 rows and has 3."),
        (WHOLE + "0.9", START + "it says 2 rows and has 2 and part of one."),
        (ROWS + "0.2,0.0,1.0\n0.7,1.0\n", NOT_NUMBERS.format(4)),
        (ROWS + "0.2,0.0,1.0,5\n0.7,1.0,0.0,5\n", NOT_NUMBERS.format(3)),
        (ROWS + "0.2\n0.7\n", NOT_NUMBERS.format(3)),
        (ROWS + "0.2,0.0,1.0\n0.7,one,0.0\n", NOT_NUMBERS.format(4)),
        (ROWS + "0.2,0.0,1.0\n\n", NOT_NUMBERS.format(4)),
        (ROWS + "0.7,1.0,0.0\n0.2,0.0,1.0\n", NOT_ASCENDING),
        (ROWS + "0.7,1.0,0.0\n0.7,0.0,1.0\n", NOT_ASCENDING),
        (WHOLE.replace("rows 2", "rows 3") + "0.4,1.0,0.0\n", NOT_ASCENDING),
        (ROWS + "-0.0,1.0,0.0\n0.0,0.0,1.0\n", NOT_ASCENDING),
        (ROWS + "0.2,0.0,1.0\n0.7,0.0,0.0\n", START + "a score has neither positives nor negatives."),
        (
            ROWS + "0.2,0.0,0.0\n0.7,0.0,0.0\n",
            START + "`positive` and `negative` must not both be zero for every score.",
        ),
        (
            ROWS + "0.2,0.0,1.0\n0.7,-1.0,0.0\n",
            START + "`positive` must be finite and not negative, got -1 at row 1.",
        ),
        (
            ROWS + "0.2,0.0,inf\n0.7,1.0,0.0\n",
            START + "`negative` must be finite and not negative, got inf at row 0.",
        ),
        (ROWS + "0.2,0.0,1.0\nnan,1.0,0.0\n", NOT_NUMBERS.format(4)),
        (ROWS + "0.2,0.0,nan\n0.7,1.0,nan\n", NOT_NUMBERS.format(3)),
    ],
)
def test_what_is_not_a_whole_table_is_refused(file, content, message):
    assert message_for(file, content) == message


@pytest.mark.parametrize("length", range(1, len(WHOLE)))
def test_a_file_cut_short_anywhere_is_refused(file, length):
    assert message_for(file, WHOLE[:length]).startswith(START)


@pytest.mark.parametrize("number", ["1_0", "nan", "0x1p3", " 1.0", "+1.0", "1.", "1e", "Infinity", ""])
def test_what_is_never_written_as_a_number_is_refused(file, number):
    assert message_for(file, WHOLE.replace("0.7,1.0", f"0.7,{number}")) == NOT_NUMBERS.format(4)


def test_a_number_too_large_for_a_float_is_refused(file):
    assert message_for(file, WHOLE.replace("0.7,", "1e999,")) == START + "a number is too large for a float."
