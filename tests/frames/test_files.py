"""Files of predictions: every format gives the same columns, and what is no table is refused in a sentence."""

import bz2
import gzip
import lzma
from itertools import cycle

import numpy as np
import pyarrow as pa
import pytest
from frames.columns import read_columns
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from pyarrow import feather, parquet

from stakes import frames, score_table
from stakes.frames import open_file

TEXT = "died,risk,site\n0,0.25,north\n1,0.5,\n0,,south\n"
TABLE = pa.table({"died": [0, 1, 0], "risk": [0.25, 0.5, None], "site": ["north", None, "south"]})
READABLE = (
    "CSV or TSV text (plain, gz, zst, bz2 or xz), Parquet, Arrow IPC (Feather), an Excel or OpenDocument workbook, "
    "or a file of SPSS, Stata or SAS"
)


def _compressed(codec):
    return lambda path: path.write_bytes(pa.compress(TEXT.encode(), codec=codec, asbytes=True))


def _streamed_zstd(path):
    with pa.CompressedOutputStream(str(path), "zstd") as out:
        out.write(TEXT.encode())


WRITTEN = {
    "CSV": lambda path: path.write_text(TEXT),
    "TSV": lambda path: path.write_text(TEXT.replace(",", "\t")),
    "semicolons and decimal commas": lambda path: path.write_text(TEXT.replace(",", ";").replace("0.", "0,")),
    "bars": lambda path: path.write_text(TEXT.replace(",", "|")),
    "lines that end as on Windows": lambda path: path.write_bytes(TEXT.replace("\n", "\r\n").encode()),
    "a byte order mark": lambda path: path.write_text(TEXT, encoding="utf-8-sig"),
    "quoted": lambda path: path.write_text(TEXT.replace("north", '"north"').replace("site", '"site"')),
    "gzip": lambda path: path.write_bytes(gzip.compress(TEXT.encode())),
    "bz2": lambda path: path.write_bytes(bz2.compress(TEXT.encode())),
    "xz": lambda path: path.write_bytes(lzma.compress(TEXT.encode())),
    "zstd": _compressed("zstd"),
    "zstd, streamed": _streamed_zstd,
    "Parquet": lambda path: parquet.write_table(TABLE, path),
    "Arrow": lambda path: feather.write_feather(TABLE, str(path)),
}


@pytest.mark.parametrize("format_", WRITTEN)
def test_every_format_gives_the_same_columns(format_, tmp_path):
    path = tmp_path / "scores"  # its name says nothing
    WRITTEN[format_](path)
    file = open_file(path)
    assert file.kinds == {"died": "number", "risk": "number", "site": "text"}
    found = read_columns(file, numbers=["died", "risk"], labels=["site"])
    assert_array_equal(found["died"], [0.0, 1.0, 0.0])
    assert_array_equal(found["risk"], [0.25, 0.5, np.nan])
    assert found["site"].tolist() == ["north", None, "south"]


@settings(max_examples=15)  # each opens a file
@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=30))
def test_the_table_of_a_text_file_is_that_of_its_columns(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("texts") / "scores.csv"
    path.write_text("died,risk\n" + "".join(f"{int(died)},{risk!r}\n" for died, risk in rows))
    assert frames.score_table(open_file(path), "died", "risk") == score_table(*zip(*rows, strict=True))


def test_a_file_in_a_folder_with_an_odd_name_is_read(tmp_path):
    path = tmp_path / 'it\'s [a] "folder"?*' / "scores.csv"
    path.parent.mkdir()
    path.write_text('died,"risk, in %"\n1,0.5\n')
    assert read_columns(open_file(path), numbers=["risk, in %"])["risk, in %"].tolist() == [0.5]


def test_capital_and_small_letters_are_different_columns(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("died,Risk,risk\n1,0.5,0.75\n")
    assert read_columns(open_file(path), numbers=["risk"])["risk"].tolist() == [0.75]


@pytest.mark.parametrize("format_", ["csv", "parquet", "feather"])
def test_models_whose_names_differ_in_capitals_have_their_own_numbers(format_, tmp_path):
    columns, path = (
        {"died": [1, 0], "Risk": [0.5, 0.25], "risk": [0.75, 0.125], "RISK": [0.0, 1.0]},
        tmp_path / "scores",
    )
    {
        "csv": lambda: path.write_text("died,Risk,risk,RISK\n1,0.5,0.75,0.0\n0,0.25,0.125,1.0\n"),
        "parquet": lambda: parquet.write_table(pa.table(columns), path),
        "feather": lambda: feather.write_feather(pa.table(columns), str(path)),
    }[format_]()
    found = frames.score_tables(open_file(path), "died", ["risk", "Risk", "RISK"], group="RISK")
    assert {model: table.score.tolist() for model, table in found.items()} == {
        model: sorted(columns[model]) for model in ("risk", "Risk", "RISK")
    }


def test_cases_of_a_file_keep_their_order(tmp_path):
    path = tmp_path / "scores.parquet"
    score = np.random.default_rng(1).random(300_000)
    parquet.write_table(pa.table({"died": score > 0.5, "risk": score}), path, row_group_size=10_000)
    cases = frames.cases(open_file(path), "died", ["risk"])
    assert_array_equal(cases.table("risk").score[cases.rows("risk")], score)


NO_TABLES = {
    "an empty file": (b"", f"scores must be {READABLE}, got an empty file."),
    "JSON": (b'{"died": 1}', f"scores must be {READABLE}, got JSON."),
    "a workbook": (
        b"PK\x03\x04 and more",
        f"scores must be {READABLE}, got a workbook or zip archive that is truncated or damaged.",
    ),
    "a pickle": (b"\x80\x04\x95 and more", f"scores must be {READABLE}, got a Python pickle."),
    "no header": (
        b"0,0.25\n1,0.5\n",
        "scores must have a first line with the names of its columns, got the numbers '0,0.25'.",
    ),
    "an empty header": (
        b"\n1,0.5\n",
        "scores must have a first line with the names of its columns, got an empty line.",
    ),
    "one name twice": (
        b"died,risk,risk\n1,0.5,0.5\n",
        "scores must have a name of its own for every column, got 'risk' 2 times.",
    ),
    "a cut off bz2": (
        bz2.compress(TEXT.encode())[:-9],
        "scores must be a whole bz2 file, got one that is truncated or damaged.",
    ),
    "a cut off xz": (
        lzma.compress(TEXT.encode())[:-9],
        "scores must be a whole xz file, got one that is truncated or damaged.",
    ),
    "a cut off zstd": (
        pa.compress(TEXT.encode(), codec="zstd", asbytes=True)[:-3],
        "scores must be a whole zstd file, got one that is truncated or damaged.",
    ),
    "a cut off Arrow file": (
        b"ARROW1\0\0 and",
        "scores must be a whole Arrow file, got one that is truncated or damaged.",
    ),
}


@pytest.mark.parametrize("case", NO_TABLES)
def test_what_is_no_table_is_refused_when_it_is_opened(case, tmp_path):
    content, message = NO_TABLES[case]
    (tmp_path / "scores").write_bytes(content)
    with pytest.raises(ValueError, match="must") as caught:
        open_file(tmp_path / "scores")
    assert str(caught.value) == message


@pytest.mark.slow
def test_an_arrow_file_with_one_byte_changed_is_read_or_refused_in_a_sentence(tmp_path):
    path = tmp_path / "scores"
    feather.write_feather(TABLE, str(path), compression="uncompressed")
    whole, refused = path.read_bytes(), set()
    for place, value in zip(range(8, len(whole), 5), cycle([255, 7, 0])):  # after the mark that tells what it is
        path.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
        try:
            read_columns(open_file(path), numbers=["risk"])
        except ValueError as error:
            refused.add(str(error))
    assert "scores must be a whole Arrow file, got one that is truncated or damaged." in refused
    assert all(message.startswith("scores") and message.endswith(".") for message in refused)


BAD_LINES = {
    "a word for a number": (
        "died,risk\n0,0.2\n1,high\n",
        "must have numbers in column `risk`, got 'high' at line 3; "
        "if it marks a missing value, state it with `missing`",
    ),
    "a percent sign": (
        "died,risk\n0,0.2\n1,30%\n",
        "must have numbers in column `risk`, got '30%' at line 3; write a percent sign in all of its rows, or in none",
    ),
    "a line too long": (
        "died,risk\n0,0.2\n1,0.3,4\n",
        "must have as many fields in every line as in the first, got 2 there and 3 in line 3; "
        "name every column, and put text that holds a delimiter in quotation marks "
        "(in R, `row.names = FALSE` leaves out the one that has no name)",
    ),
    "an open quotation mark": (
        'died,risk\n0,0.2\n1,"0.3\n',
        "must close every quotation mark, got one in line 3 that stays open",
    ),
}


@pytest.mark.parametrize("case", BAD_LINES)
def test_a_bad_line_is_named_with_its_number(case, tmp_path):
    text, message = BAD_LINES[case]
    (tmp_path / "scores.csv").write_text(text)
    with pytest.raises(ValueError, match="must") as caught:
        frames.score_table(open_file(tmp_path / "scores.csv"), "died", "risk")
    assert str(caught.value) == f"scores.csv {message}."


def test_a_bad_value_is_named_with_its_line(tmp_path):
    (tmp_path / "scores.csv").write_text("died,risk\n0,0.2\n2,0.4\n1,\n3,0.1\n")
    with pytest.raises(ValueError, match="must") as caught:
        frames.score_table(open_file(tmp_path / "scores.csv"), "died", "risk", on_missing="error")
    assert str(caught.value) == (
        "`risk` must not have missing values, got 1 missing value, at line 4; "
        'write `on_missing="drop"` to drop such rows.'
    )


def test_a_name_with_spaces_that_was_not_quoted_is_known(tmp_path):
    (tmp_path / "scores.csv").write_text("died,old score\n0,0.2\n1,0.4\n")
    with pytest.raises(ValueError, match="must be one of") as caught:
        frames.score_table(open_file(tmp_path / "scores.csv"), "died", "old")
    assert str(caught.value) == (
        "scores.csv: `score` must be one of old score, died, got 'old'; put 'old score' in quotation marks."
    )


def test_an_unknown_column_of_a_file_is_refused_with_the_known_ones(tmp_path):
    (tmp_path / "scores.csv").write_text(TEXT)
    with pytest.raises(ValueError, match="must be one of") as caught:
        frames.score_table(open_file(tmp_path / "scores.csv"), "died", "riks")
    assert str(caught.value) == "scores.csv: `score` must be one of risk, died, site, got 'riks'."


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("nothing.csv", FileNotFoundError, "there is no file {folder}/nothing.csv."),
        (".", IsADirectoryError, "the path {folder} must be a file, got a folder."),
        ("x" * 300, OSError, "{folder}/" + "x" * 300 + " must be a file that can be read: File name too long."),
    ],
)
def test_what_is_no_file_is_refused(path, error, message, tmp_path):
    with pytest.raises(error) as caught:
        open_file(tmp_path / path)
    assert str(caught.value) == message.format(folder=tmp_path)


def test_a_limit_on_memory_that_is_no_size_is_refused(tmp_path):
    (tmp_path / "scores.csv").write_text(TEXT)
    with pytest.raises(ValueError, match="memory_limit") as caught:
        open_file(tmp_path / "scores.csv", memory_limit="much")
    assert str(caught.value) == "`memory_limit` must be a size such as '1GB', got 'much'."


def test_what_was_unpacked_is_gone_with_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "unpacked"))
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "scores.csv.bz2").write_bytes(bz2.compress(TEXT.encode()))
    file = open_file(tmp_path / "scores.csv.bz2")
    assert len(list((tmp_path / "unpacked").glob("*.csv"))) == 1
    del file
    assert list((tmp_path / "unpacked").iterdir()) == []
