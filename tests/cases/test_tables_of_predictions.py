"""Predictions may be a table of pandas, polars or PyArrow, with a column per model."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stakes import Cases, evaluate
from stakes._errors import InputError
from stakes.frames import DroppedRowsWarning

Y = [0, 1, 1, 0, 1, 0]
SCORES = {"old": [0.2, 0.3, 0.6, 0.5, 0.4, 0.1], "new": [0.1, 0.7, 0.9, 0.2, 0.6, 0.3]}
TABLES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "batch": pa.RecordBatch.from_pydict,
    "chunks": lambda columns: pa.concat_tables(
        [pa.table({k: v[:2] for k, v in columns.items()}), pa.table({k: v[2:] for k, v in columns.items()})]
    ),
}
every_table = pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)


@every_table
def test_cases_of_a_table_are_those_of_its_columns(make):
    plain, framed = Cases(Y, SCORES), Cases(Y, make(SCORES))
    assert framed.models == plain.models
    for model in plain.models:
        assert framed.table(model) == plain.table(model)
        assert np.array_equal(framed.rows(model), plain.rows(model))


@every_table
def test_an_evaluation_of_a_table_is_that_of_its_columns(make):
    assert evaluate(Y, make(SCORES), "20%..50%").to_dict() == evaluate(Y, SCORES, "20%..50%").to_dict()


@every_table
def test_a_score_that_a_table_does_not_have_drops_its_case(make):
    gaps = SCORES | {"old": [0.2, None, *SCORES["old"][2:]]}
    with pytest.warns(DroppedRowsWarning):
        assert evaluate(Y, make(gaps), "20%..50%", on_missing="drop").sample.without_score == 1


def test_a_table_with_the_same_name_twice_is_refused():
    table = pa.Table.from_arrays([pa.array(SCORES["old"]), pa.array(SCORES["new"])], names=["one", "one"])
    with pytest.raises(InputError) as raised:
        Cases(Y, table)
    assert str(raised.value) == "`predictions` must have each name once, got 'one' 2 times."


def test_a_lazy_frame_is_no_table_of_predictions():
    with pytest.raises(TypeError) as raised:
        Cases(Y, pl.LazyFrame(SCORES))
    assert str(raised.value).startswith("`predictions` must map names of models to scores, got LazyFrame")
