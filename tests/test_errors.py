"""Errors of input hold facts: they travel, and are said in the words of whoever reads them."""

import pickle
from pathlib import Path

import cloudpickle
import numpy as np
import pandas as pd
import pytest

import stakes
from stakes import InputError, _errors
from stakes._errors import Argument, InputTypeError, Spelling, UnreadableFileError
from stakes.cli import main

ERRORS = [
    InputError("score", "be a number", "'a'"),
    InputError(("y", "score"), "have the same length", "3 and 4"),
    InputError("weight", "not be zero for every case"),
    InputError("y", "be 0 or 1", "2", row=7, hint=("name it with ", Argument("pos_label")), hint_typed="no"),
    InputError(Argument("predictions", "old", "p_old"), "be finite", "inf in 2 rows", 4, first=True, line=6),
    InputTypeError((), "`merge` needs at least one table", "none"),
    _errors.UnreadableFrameError("frame", "be readable to its end", "an error of Dask: no"),
    UnreadableFileError("/data/scores.csv", "have numbers in column `risk`", "'x'", 3, "leave it out"),
    _errors.MissingFileError("/data/scores.csv", ""),
    _errors.MissingFileError("/data/scores.csv", "stay where it is while it is read", "nothing of that name"),
    _errors.FolderError("/data", "be a file", "a folder"),
    _errors.ForbiddenFileError("/data/scores.csv", "be a file that can be read: Permission denied"),
    _errors.MissingFolderError("path", "be in a folder that exists", "'/none/a.csv'"),
    _errors.NotEnoughMemoryError("/data/scores.csv", "no more than 1 MB"),
    _errors.NotEnoughRoomError("/data/scores.csv", "the disk is full"),
    _errors.MissingPackageError("duckdb", "'stakes[files]'", "to read files"),
    _errors.MissingPackageError("pandas", "pandas", user="`to_frame`"),
]


@pytest.mark.parametrize("tool", [pickle, cloudpickle])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_the_way_from_a_worker(error, tool):
    arrived = pickle.loads(tool.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert arrived.__dict__ == error.__dict__


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (("pandas", "pandas"), "`pandas` must be installed: pip install pandas."),
        (("pandas", "pandas", "to read"), "`pandas` must be installed to read: pip install pandas."),
        (("pandas", "pandas", "", "`f`"), "`f` needs pandas: install it with `pip install pandas`."),
        (("pandas", "pandas", "to read", "`f`"), "`f` needs pandas to read: install it with `pip install pandas`."),
    ],
)
def test_a_missing_package_says_what_it_is_for(facts, message):
    assert str(_errors.MissingPackageError(*facts)) == message


def raised_by(function, *arguments, **named):
    with pytest.raises(InputError) as caught:
        function(*arguments, **named)
    return caught.value


def test_errors_that_are_raised_survive_too():
    for error in (
        raised_by(stakes.score_table, [0, 1, 3], [0.1, 0.2, 0.3]),
        raised_by(stakes.score_table, ["a", "b"], [0.1, 0.2]),
        raised_by(stakes.score_table, [0, 1], [0.1, np.nan]),
        raised_by(stakes.Cases, [0, 1], {"old": [0.1, 0.2, 0.3]}),
        raised_by(stakes.Uniform, 0.2, 0.2),
        raised_by(stakes.expected_regret, 3, stakes.At(0.1)),
        raised_by(stakes.frames.score_table, pd.DataFrame({"y": [0, 2], "s": [0.1, 0.2]}), "y", "s"),
    ):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_users_may_catch_what_they_would_catch_anyway():
    assert issubclass(InputError, ValueError)
    assert not issubclass(InputError, TypeError)
    assert issubclass(InputTypeError, InputError | TypeError | ValueError)
    assert issubclass(_errors.MissingFileError, FileNotFoundError)
    assert issubclass(_errors.MissingPackageError, ImportError)
    with pytest.raises(TypeError, match=r"^`low` must be a number, got 'a'\.$"):
        stakes.Uniform("a", 0.2)
    with pytest.raises(ValueError, match=r"^`low` must lie between 0 and 1, got 5; 5% is 0\.05\.$"):
        stakes.Uniform(5, 20)


def test_the_facts_are_fields():
    error = raised_by(stakes.Cases, [0, 1, 1], {"old": [0.1, None, None]})
    assert str(error) == "`predictions['old']` must not have missing values, got 2 missing values, the first at row 1."
    assert error.argument == Argument("predictions", "old")
    assert (error.wanted, error.got, error.row, error.first) == ("not have missing values", "2 missing values", 1, True)


def test_of_several_arguments_each_is_a_field():
    error = raised_by(stakes.score_table, [0, 1], [0.1, 0.2, 0.3], [1, 1])
    assert str(error) == "`y`, `score` and `weight` must have the same length, got 2, 3 and 2."
    assert [argument.role for argument in error.arguments] == ["y", "score", "weight"]
    assert error.argument == Argument("y")


def test_the_reader_may_have_other_names_and_places():
    error = InputError(
        Argument("predictions", "old"),
        ("lie below ", Argument("weight"), ", such as ", Spelling("`At(0.1)`", "10%")),
        "3",
        row=4,
        hint="use `At(0.3)`",
        hint_typed="write 30%",
    )
    assert (
        str(error) == "`predictions['old']` must lie below `weight`, such as `At(0.1)`, got 3 at row 4; use `At(0.3)`."
    )
    said = error.say(lambda argument: f"--{argument.role}", lambda row: f"record {row + 1}", typed=True)
    assert said == "--predictions must lie below --weight, such as 10%, got 3 at record 5; write 30%."


def test_a_hint_that_helps_nobody_who_types_is_left_out():
    error = InputError("score", "be a number", "x", hint="call `float`", hint_typed="")
    assert error.say() == "`score` must be a number, got x; call `float`."
    assert error.say(typed=True) == "`score` must be a number, got x."


@pytest.mark.parametrize(
    ("first", "where"), [(None, "got 2 at row 3"), (True, "got 2, the first at row 3"), (False, "got 2, at row 3")]
)
def test_a_row_is_that_of_the_value_or_of_what_is_counted(first, where):
    assert str(InputError("y", "be 0 or 1", "2", row=3, first=first)) == f"`y` must be 0 or 1, {where}."


def test_the_line_of_a_file_is_said_before_the_row():
    error = InputError("y", "be 0 or 1", "2", row=3)
    assert str(error.but(line=5)) == "`y` must be 0 or 1, got 2 at line 5."
    assert str(error) == "`y` must be 0 or 1, got 2 at row 3."


def test_a_file_that_cannot_be_read_says_which():
    error = UnreadableFileError(Path("data") / "scores.csv", "be text", "a picture")
    assert str(error) == "scores.csv must be text, got a picture."
    assert Path(error.path) == Path("data") / "scores.csv"


def test_a_changed_error_keeps_its_other_fields_and_its_kind():
    error = InputTypeError("text", "be a string", "3", row=1, hint="quote it")
    changed = error.but(argument="costs")
    assert type(changed) is InputTypeError
    assert str(changed) == "`costs` must be a string, got 3 at row 1; quote it."
    file = UnreadableFileError("scores.csv", "be text", "a picture")
    assert str(file.but(hint="look again")) == "scores.csv must be text, got a picture; look again."


def test_a_label_that_reads_like_a_row_is_itself_in_python():
    said = str(raised_by(stakes.score_table, ["row 3", "row 4"], [0.1, 0.2]))
    assert said == (
        "`y` must be 0 or 1, got 'row 3' at row 0; "
        "name the positive label with `pos_label` (labels found: 'row 3', 'row 4')."
    )


@pytest.mark.parametrize("in_memory", ["1000", "0"])
def test_a_label_that_reads_like_a_row_is_itself_in_the_command(in_memory, tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_text("died,risk\nrow 3,0.1\nrow 4,0.2\n")
    typed = [
        "evaluate",
        str(path),
        "--outcome",
        "died",
        "--predictions",
        "risk",
        "--costs",
        "10%",
        "--in-memory",
        in_memory,
    ]
    assert main(typed) == 2
    said = capsys.readouterr().err
    assert "name the positive label with `--pos-label` (labels found: 'row 3', 'row 4')." in said
    assert "got 'row 3'" in said
    assert main([*typed, "--pos-label", "row 5"]) == 2
    said = capsys.readouterr().err
    assert said == (
        "stakes: `--pos-label` must be a label of `--outcome`, got 'row 5'; labels found: 'row 3', 'row 4'.\n"
    )


@pytest.mark.parametrize("in_memory", ["1000", "0"])
def test_a_column_called_like_an_argument_is_itself_in_the_command(in_memory, tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_text("weight,group\n0,0.1\n1,2\n0,0.3\n")
    typed = [
        "evaluate",
        str(path),
        "--outcome",
        "weight",
        "--predictions",
        "group",
        "--costs",
        "10%",
        "--in-memory",
        in_memory,
    ]
    assert main(typed) == 2
    said = capsys.readouterr().err
    assert said.startswith("stakes: `--predictions group` must be a probability between 0 and 1, got 2 ")
    assert "at line 3" in said
