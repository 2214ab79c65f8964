"""The law of doors: one file has the same numbers, or the same refusal, whichever way it is read."""

from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from frames.engines import spark
from frames.odd_files import DIED, ODD, RISK
from pyarrow import parquet

from stakes import InputError, frames
from stakes._errors import UnreadableFileError
from stakes.cli._reading import RunOptions, open_source
from stakes.frames import open_file

MANY = 1_000_000
PLAIN = {"risk": (RISK, [float(died) for died in DIED], [1.0 - died for died in DIED])}
DOORS = {
    "in memory": {"in_memory": MANY},
    "streamed": {"in_memory": 0},
    "polars": {"in_memory": 0, "engine": "polars"},
    "polars, in memory": {"in_memory": MANY, "engine": "polars"},
    "DuckDB": {"in_memory": 0, "engine": "duckdb"},
    "Dask": {"in_memory": 0, "engine": "dask"},
    "Spark": {"in_memory": 0, "engine": "spark"},
}
QUICK = ("streamed", "polars")
# What has the numbers of the plain file, and what must not be read, even if all doors agree on something else.
SAME = ("plain", "bars", "tabs", "commas", "decimal", "a byte order", "as on Windows", "no end of", "lines at the end")
SAME += ("quoted", "of 200,000", ", packed", "two members", "a file called", "truth values", "unsigned", "an index")
SAME += ("many row groups", "in capitals")
OTHER = ("flipped", "as scores", "as groups")
REFUSED = ("with a flipped bit", "another checksum", ", cut", "more behind", "without its end", "in name only", " MB")


def options_for(path):
    """Return the role of each column that an odd file has."""
    try:
        known = open_file(path).columns
    except InputError:
        known = ()
    optional = {"weight": "w", "group": "site"}
    named = {role: column if column in known else None for role, column in optional.items()}
    return {"outcome": "died", "predictions": ["risk"], "cluster": None, "key": None, "pos_label": None} | named


def through(path, door, options):
    """Return the numbers of a file, to the last bit, or its refusal."""
    try:
        with open_source(str(path), options, RunOptions(seed=1, **DOORS[door])) as (source, _):
            return numbers(source), {name: numbers(group) for name, group in source.groups().items()}
    except InputError as error:
        return refusal(error)


def numbers(source):
    """Return the tables of a sample, and its size."""
    tables = {m: (t.score.tolist(), t.positive.tolist(), t.negative.tolist()) for m, t in source.tables.items()}
    return tables, source.facts.cases, source.facts.without_score


def refusal(error):
    """Return the kind of an error, and the file or the argument, the column and the line that it names."""
    if isinstance(error, UnreadableFileError):
        return type(error).__name__, Path(error.path).name, error.wanted, error.line
    return type(error).__name__, error.argument.role, error.argument.item, error.line


@pytest.mark.sample(36)
@pytest.mark.parametrize("file", ODD)
def test_a_file_is_the_same_through_every_door(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = ODD[file](tmp_path)
    options = options_for(path)
    wanted = through(path, "in memory", options)
    assert {door: through(path, door, options) for door in QUICK} == dict.fromkeys(QUICK, wanted)
    if any(sign in file for sign in REFUSED):
        assert wanted[0] == "UnreadableFileError"
    elif any(sign in file for sign in SAME) and not any(sign in file for sign in OTHER):
        assert wanted[0] == (PLAIN, len(RISK), 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, in what Dask calls
@pytest.mark.parametrize("file", ODD)
def test_a_file_is_the_same_through_every_other_door(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = ODD[file](tmp_path)
    options = options_for(path)
    others = [door for door in DOORS if door not in ("in memory", "Spark", *QUICK)]
    wanted = through(path, "in memory", options)
    assert {door: through(path, door, options) for door in others} == dict.fromkeys(others, wanted)


@pytest.mark.cluster
@pytest.mark.parametrize("file", ["decimal commas", "a weight 'NA'", "floats as groups", "missing and nan"])
def test_a_file_of_each_kind_is_the_same_through_spark(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(type(spark()), "__exit__", lambda *_: None)  # other tests use the same one
    path = ODD[file](tmp_path)
    options = options_for(path)
    assert through(path, "Spark", options) == through(path, "in memory", options)


def test_every_mark_of_a_missing_score_is_one(tmp_path):
    path = ODD["every mark of a missing score"](tmp_path)
    (tables, cases, without), _ = through(path, "in memory", options_for(path))
    assert (tables["risk"][0], cases, without) == ([0.5], 1, 7)


@pytest.mark.sample(10)
@pytest.mark.parametrize("label", ["1.0", "YES"])
@pytest.mark.parametrize(
    "file",
    [
        "plain",
        "outcomes in words",
        "outcomes true and false",
        "dates as outcomes",
        "truth values",
        "categories as outcomes",
    ],
)
def test_a_positive_label_is_the_same_through_every_door(file, label, tmp_path):
    path = ODD[file](tmp_path)
    options = options_for(path) | {"pos_label": label}
    wanted = through(path, "in memory", options)
    assert {door: through(path, door, options) for door in QUICK} == dict.fromkeys(QUICK, wanted)


@pytest.mark.sample(6)
@pytest.mark.parametrize("role", ["group", "cluster"])
@pytest.mark.parametrize("column", ["died", "risk"])
@pytest.mark.parametrize("file", ["plain", "single precision"])
def test_a_column_may_be_a_number_and_a_label_through_every_door(file, column, role, tmp_path):
    path = ODD[file](tmp_path)
    options = options_for(path) | {role: column}
    wanted = through(path, "in memory", options)
    assert isinstance(wanted[0], tuple)
    assert {door: through(path, door, options) for door in QUICK} == dict.fromkeys(QUICK, wanted)


FRAMES = {
    "pandas": lambda path: pd.read_parquet(path).reset_index(),
    "polars": pl.read_parquet,
    "PyArrow": lambda path: parquet.ParquetFile(path).read(),
}
TYPED = [
    name
    for name in ("half precision", "single precision", "decimals", "categories", "truth values", "many row groups")
    if name in ODD
] + [
    "truth values as scores",
    "dates as groups",
    "integers beyond 2^53 as weights",
    "unsigned bytes",
    "an index of pandas",
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("file", TYPED)
def test_a_frame_that_users_read_themselves_has_the_table_of_the_file(file, tmp_path):
    path = ODD[file](tmp_path)
    wanted = frames.score_table(open_file(path), "died", "risk")
    assert {name: frames.score_table(read(path), "died", "risk") for name, read in FRAMES.items()} == dict.fromkeys(
        FRAMES, wanted
    )


@pytest.mark.parametrize(
    ("file", "outcome", "score"),
    [
        ("dates as typed outcomes", "died", "risk"),
        ("structures as outcomes", "died", "risk"),
        ("bytes as outcomes", "died", "risk"),
        ("lists as scores", "died", "risk"),
        ("text as scores", "died", "risk"),
    ],
)
def test_a_column_of_a_type_that_cannot_have_its_role_is_refused_in_a_frame_too(file, outcome, score, tmp_path):
    path = ODD[file](tmp_path)
    for read in (open_file, *FRAMES.values()):
        with pytest.raises(InputError):
            frames.score_table(read(path), outcome, score)
