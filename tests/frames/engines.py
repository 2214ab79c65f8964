"""The same columns in every engine: how each makes a data frame of them."""

import atexit
import os
import sys
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import dataset, parquet

from stakes.frames import open_file

SPARK_SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "OFF",
    "spark.sql.adaptive.enabled": "false",  # what follows makes small frames quick
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@cache
def spark(master="local[2,4]"):
    """Return a real Spark on this machine; a task may fail three times in ``local[2,4]``."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("stakes")
    for name, value in SPARK_SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@cache
def dask_client():
    """Return a real Dask cluster of two worker processes."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")
    client = Client(cluster)
    atexit.register(lambda: (client.close(), cluster.close()))
    return client


def arrow(columns):
    return pa.table(
        {name: values if isinstance(values, pa.Array) else pa.array(values) for name, values in columns.items()}
    )


def _pandas(columns):
    return pd.DataFrame(
        {name: column.to_pandas() for name, column in zip(columns, arrow(columns).columns, strict=True)}
    )


def _dask(columns):
    import dask.dataframe as dd

    dask_client()
    return dd.from_pandas(_pandas(columns), npartitions=3)


def write_parts(columns, folder, parts=3):
    """Write columns as several Parquet files, each with some of the rows."""
    table = arrow(columns)
    ends = [len(table) * part // parts for part in range(parts + 1)]
    for part, (start, end) in enumerate(pairwise(ends)):
        parquet.write_table(table.slice(start, end - start), Path(folder) / f"{part}.parquet")


@cache
def _folder():
    """Return a folder that is gone at the end."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


def _written(columns, parts):
    folder = _folder() / str(len(list(_folder().iterdir())))
    folder.mkdir()
    write_parts(columns, folder, parts)
    return folder


def _spark(columns):
    return spark().read.parquet(str(_written(columns, 3)))


ENGINES = {
    "pandas": _pandas,
    "pandas, nullable": lambda columns: arrow(columns).to_pandas(types_mapper=_NULLABLE.get),
    "pandas, PyArrow": lambda columns: arrow(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda columns: pl.from_arrow(arrow(columns)),
    "polars, lazy": lambda columns: pl.from_arrow(arrow(columns)).lazy(),
    "PyArrow": arrow,
    "PyArrow dataset": lambda columns: dataset.dataset(arrow(columns)),
    "DuckDB": lambda columns: duckdb.from_arrow(arrow(columns)),
    "Dask": _dask,
    "Spark": _spark,
}
FILES = {"Parquet file": lambda columns: open_file(_written(columns, 1) / "0.parquet")}  # bad rows have a place there
_NULLABLE = {
    pa.int64(): pd.Int64Dtype(),
    pa.float32(): pd.Float32Dtype(),
    pa.float64(): pd.Float64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(),
}
