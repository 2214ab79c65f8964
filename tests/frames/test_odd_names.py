"""Names of columns are data: whatever they hold, they are names and nothing else."""

import csv

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from stakes.frames import open_file

NAMES = ['di"ed', 'x" , 42 as "z', "o'k", 'q""q']


def in_text(path, columns):
    """Write columns with every name in quotation marks."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([columns, *zip(*columns.values(), strict=True)])


WRITE = {
    "csv": in_text,
    "parquet": lambda path, columns: parquet.write_table(pa.table(columns), path),
    "arrow": lambda path, columns: feather.write_feather(pa.table(columns), str(path)),
}


def assert_read_as_named(path, name):
    """Read a column by its name, next to another one."""
    relation = open_file(path).relation(labels=[name], numbers=["risk"])
    assert relation.columns == ["risk", name]
    assert relation.fetchall() == [(0.5, "yes"), (0.25, "no")]


@pytest.mark.parametrize("format_", WRITE)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_adds_no_column_and_breaks_no_query(name, format_, tmp_path):
    WRITE[format_](tmp_path / "scores", {name: ["yes", "no"], "risk": [0.5, 0.25]})
    assert_read_as_named(tmp_path / "scores", name)


@settings(max_examples=10)  # each opens a file
@given(name=st.text("\"'\\,;.$?{}()- abAB*%#", min_size=1).filter(lambda name: name.strip()))
def test_any_name_is_a_name(name, tmp_path_factory):
    path = tmp_path_factory.mktemp("names") / "scores"
    in_text(path, {name: ["yes", "no"], "risk": [0.5, 0.25]})
    assert_read_as_named(path, name)
