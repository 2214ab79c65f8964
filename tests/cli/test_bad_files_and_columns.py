"""Each kind of bad file or column gets one sentence, exit code 2, and no file is left."""

import bz2
import gzip
import lzma
import random

import pandas as pd
import pytest

from stakes._roles import DROP_HINT_TYPED as DROP

COST = ("--costs", "5%..20%")
MODELS = ("--outcome", "died", "--predictions", "old", "new")
READABLE = (
    "CSV or TSV text (plain, gz, zst, bz2 or xz), Parquet, Arrow IPC (Feather), an Excel or OpenDocument workbook, "
    "or a file of SPSS, Stata or SAS"
)


@pytest.fixture
def refused_file(refused, folder):
    """Type a command that writes a report and numbers; after the refusal nothing new is there."""

    def type_in(*typed):
        before = {path.name for path in folder.iterdir()}
        message = refused("evaluate", *typed, *COST, "--html", "report.html", "--json", "numbers.json")
        assert {path.name for path in folder.iterdir()} == before
        return message

    return type_in


@pytest.fixture
def with_value(folder, sample):
    """Make a file in which one value is another, or several are."""

    def make(column, value, rows=(16,), written="csv"):
        for row in rows:
            sample[column][row] = value
        frame = pd.DataFrame(sample)
        frame.to_csv(folder / "scores.csv", index=False) if written == "csv" else frame.to_parquet(
            folder / "scores.csv"
        )
        return folder / "scores.csv"

    return make


# ------------------------------------------------------------------------------------------- columns and values


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("column", "value", "rows", "message"),
    [
        ("died", 2, [16], "`--outcome` must be 0 or 1, got 2 at line 18."),
        ("died", None, [16], f"`--outcome` must not have missing values, got 1 missing value, at line 18; {DROP}."),
        (
            "died",
            None,
            [16, 20],
            f"`--outcome` must not have missing values, got 2 missing values, the first at line 18; {DROP}.",
        ),
        (
            "died",
            "yes",
            [0],
            "`--outcome` must be 0 or 1, got 'yes' at line 2; name the positive label with `--pos-label` "
            "(labels found: '0', '1', 'yes').",
        ),
        (
            "old",
            1.5,
            [16],
            "`--predictions old` must be a probability between 0 and 1, got 1.5 at line 18; divide percentages by 100.",
        ),
        ("old", 101, [16], "`--predictions old` must be a probability between 0 and 1, got 101 at line 18."),
        ("old", -0.5, [16], "`--predictions old` must be a probability between 0 and 1, got -0.5 at line 18."),
        ("old", "inf", [16], "`--predictions old` must be a probability between 0 and 1, got inf at line 18."),
        (
            "new",
            "high",
            [16],
            "scores.csv must have numbers in column `new`, got 'high' at line 18; "
            "if it marks a missing value, state it with `--missing`.",
        ),
        (
            "new",
            None,
            range(120),
            "`--predictions` must share at least one case that every model has a score for, got none.",
        ),
        ("w", -1.0, [16], "`--weight` must be finite and not negative, got -1 at line 18."),
        ("w", None, [16], f"`--weight` must not have missing values, got 1 missing value, at line 18; {DROP}."),
        ("w", 0.0, range(120), "`--weight` must not be zero for every case."),
        ("patient", None, [16], f"`--cluster` must not have missing values, got 1 missing value, at line 18; {DROP}."),
    ],
)
def test_a_bad_value_is_named_with_its_line(column, value, rows, message, with_value, refused_file):
    file = with_value(column, value, rows)
    assert refused_file(file, *MODELS, "--weight", "w", "--group", "site", "--cluster", "patient") == message


def test_in_a_file_without_lines_rows_count_from_0(with_value, refused_file):
    file = with_value("died", 2, written="parquet")
    assert refused_file(file, *MODELS) == "`--outcome` must be 0 or 1, got 2 at row 16."


def test_a_line_is_that_of_the_file_also_where_a_score_before_it_is_missing(with_value, refused_file):
    with_value("old", None, [3])
    assert refused_file(with_value("died", 2), *MODELS) == "`--outcome` must be 0 or 1, got 2 at line 18."


def test_missing_scores_hide_no_score_that_is_no_probability(with_value, refused_file):
    with_value("old", None, [3])
    message = "`--predictions old` must be a probability between 0 and 1, got 7 at line 18; divide percentages by 100."
    assert refused_file(with_value("old", 7.0), *MODELS) == message


@pytest.mark.parametrize(
    ("positive", "message"),
    [
        ("maybe", "`--pos-label` must be a label of `--outcome`, got 'maybe'; labels found: '0', '1'."),
        ("2", "`--pos-label` must be a label of `--outcome`, got '2'; labels found: '0', '1'."),
    ],
)
def test_the_positive_label_must_be_there(positive, message, scores, refused_file):
    assert refused_file(scores, *MODELS, "--pos-label", positive) == message


def test_there_must_be_two_labels(with_value, refused_file):
    message = "`--outcome` must have two labels, got 3: '0', '1', '2'; drop the cases with other labels."
    assert refused_file(with_value("died", 2), *MODELS, "--pos-label", "1") == message


def test_one_class_cannot_be_moved_to_another_prevalence(with_value, refused_file):
    message = "`--outcome` must have both classes, got no positives."
    assert refused_file(with_value("died", 0, range(120)), *MODELS, "--prevalence", "2%") == message


def test_too_many_groups_are_clusters(with_value, sample, refused_file):
    sample["site"] = list(range(120))
    message = "`--group` must hold at most 50 different labels, got 120; for clustered cases use `--cluster`."
    assert refused_file(with_value("w", 1.0), *MODELS, "--group", "site") == message


# ------------------------------------------------------------------------------------------- names of columns


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ["--outcome", "deid", "--predictions", "old"],
            "scores.csv: `--outcome` must be one of died, old, new, site, patient, w, got 'deid'.",
        ),
        (
            ["--outcome", "died", "--predictions", "old", "newer"],
            "scores.csv: `--predictions` must be one of new, w, died, site, patient, old, got 'newer'.",
        ),
        (
            [*MODELS, "--weight", "weight"],
            "scores.csv: `--weight` must be one of site, w, new, died, patient, old, got 'weight'.",
        ),
        (
            [*MODELS, "--group", "sites"],
            "scores.csv: `--group` must be one of site, died, patient, new, old, w, got 'sites'.",
        ),
        (
            [*MODELS, "--cluster", "Patient"],
            "scores.csv: `--cluster` must be one of patient, died, site, new, old, w, got 'Patient'.",
        ),
        (
            ["--predictions", "old"],
            "`--outcome` must name the column of scores.csv with the outcome, got none; "
            "its columns: died, old, new, w, site, patient.",
        ),
        (
            ["--outcome", "died", "--weight", "w"],
            "`--predictions` must name the columns of scores.csv with predicted probabilities, got none; "
            "columns with numbers: old, new, patient.",
        ),
        (
            ["--outcome", "died", "--predictions", "old", "old"],
            "`--predictions` must name a column of its own, got 'old' twice.",
        ),
        (
            ["--outcome", "died", "--predictions", "old", "died"],
            "`--predictions` must name a column of its own, got 'died' for `--outcome` too.",
        ),
        ([*MODELS, "--weight", "new"], "`--weight` must name a column of its own, got 'new' for `--predictions` too."),
    ],
)
def test_names_that_are_not_those_of_columns_are_answered_with_those_that_are(typed, message, scores, refused_file):
    assert refused_file(scores, *typed) == message


def test_without_a_file_it_says_where_to_put_it(refused_file):
    message = (
        "`FILE` must be the file with the predictions, got none; "
        "put it before `--predictions`, which takes every name up to the next option."
    )
    assert refused_file("--outcome", "died", "--predictions", "old", "scores.csv") == message


# ------------------------------------------------------------------------------------------- files

HEADER = b"died,old,new\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", f"scores.csv must be {READABLE}, got an empty file."),
        (
            b"PK\x03\x04rest",
            f"scores.csv must be {READABLE}, got a workbook or zip archive that is truncated or damaged.",
        ),
        (b'{"died": 1}', f"scores.csv must be {READABLE}, got JSON."),
        (HEADER, "scores.csv must hold at least one case, got none."),
        (
            HEADER + b"0,0.1,0.2\n1,0.4\n",
            "scores.csv must have as many fields in every line as in the first, got 3 there and 2 in line 3; "
            "remove lines that are not cases.",
        ),
        (
            HEADER + b"0,0.1,0.2\n1,0.4,\x81\n",
            "scores.csv must be text in Windows-1252, got something else at line 3; state its encoding.",
        ),
        (
            gzip.compress(HEADER + b"0,0.1,0.2\n" * 5000, mtime=0)[:60],
            "scores.csv must be a whole gzip file, got one that is truncated or damaged.",
        ),
        (b"PAR1 but not really PAR1", None),
        (
            b"0,0.1,0.2\n1,0.5,0.6\n",
            "scores.csv must have a first line with the names of its columns, got the numbers '0,0.1,0.2'.",
        ),
        (
            b"died,old,old\n0,0.1,0.2\n",
            "scores.csv must have a name of its own for every column, got 'old' 2 times.",
        ),
    ],
)
def test_a_bad_file_is_named_with_what_was_expected(content, message, folder, refused_file):
    (folder / "scores.csv").write_bytes(content)
    found = refused_file("scores.csv", *MODELS)
    if message is None:  # the engine's own words follow
        assert found.startswith("scores.csv must be a whole Parquet file, got one that the engine cannot read: ")
    else:
        assert found == message


def test_names_with_a_comma_between_them_are_told_apart_by_a_hint(refused, folder):
    (folder / "scores.csv").write_bytes(HEADER + b"0,0.1,0.2\n1,0.3,0.4\n")
    said = refused("evaluate", "scores.csv", "--outcome", "died", "--predictions", "old,new", "--costs", "10%")
    assert said.endswith("got 'old,new'; separate names by spaces.")


PACKED = {"gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("packing", PACKED)
def test_a_packed_file_that_ends_too_early_is_said_to(packing, folder, refused_file):
    rng = random.Random(1)
    text = "died,old,new\n" + "".join(f"{k % 2},{rng.random()},{rng.random()}\n" for k in range(5000))
    (folder / "scores.csv").write_bytes(PACKED[packing](text.encode())[:-2000])
    message = f"scores.csv must be a whole {packing} file, got one that is truncated or damaged."
    assert refused_file("scores.csv", *MODELS) == message


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("parquet", "scores must be a whole Parquet file, got one that the engine cannot read: "),
        ("feather", "scores must be a whole Arrow file, got one that is truncated or damaged."),
    ],
)
def test_a_table_that_ends_too_early_is_said_to(kind, message, folder, sample, refused_file):
    getattr(pd.DataFrame(sample), f"to_{kind}")(folder / "scores")
    (folder / "scores").write_bytes((folder / "scores").read_bytes()[:-50])
    assert refused_file("scores", *MODELS).startswith(message)


def test_text_in_another_encoding_than_stated_is_said_to_be(folder, refused_file):
    (folder / "scores.csv").write_text("died,old,new\n0,0.1,0.2\n", encoding="utf-16")
    said = refused_file("scores.csv", *MODELS, "--encoding", "utf-8")
    assert said == "scores.csv must be text in UTF-8, got something else at line 1; state its encoding."


def test_a_file_must_be_there(refused_file):
    assert refused_file("nowhere.csv", *MODELS) == "there is no file nowhere.csv."


def test_a_folder_is_no_file(folder, refused_file):
    (folder / "data").mkdir()
    assert refused_file("data", *MODELS) == "the path data must be a file, got a folder."
    assert refused_file(".", *MODELS) == "the path . must be a file, got a folder."


# ------------------------------------------------------------------------------------------- hostile names


def test_control_characters_in_a_name_reach_no_terminal(folder, refused):
    (folder / "scores.csv").write_text("died,\x1b[31mred,\x07bell\n0,0.1,0.2\n1,0.2,0.3\n")
    message = refused("evaluate", "scores.csv", "--outcome", "dead", "--predictions", "x", *COST)
    assert message == "scores.csv: `--outcome` must be one of died, [31mred, bell, got 'dead'."


def test_a_message_stays_short(folder, refused):
    (folder / "scores.csv").write_text(f"died,{'x' * 100_000}\n0,0.1\n")
    message = refused("evaluate", "scores.csv", "--outcome", "y", "--predictions", "x", *COST)
    assert message.startswith("scores.csv: `--outcome` must be one of died, xxx")
    assert message.endswith("xxx ... (shortened).")
    assert len(message) == 2000 + len(" ... (shortened).")
