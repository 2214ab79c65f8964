"""The same columns in every engine: how each makes a data frame of them."""

import atexit
import os
import sys
from functools import cache

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import dataset

SPARK_TYPES = {
    pa.bool_(): "boolean",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
}


@cache
def spark(master="local[2,4]", **settings):
    """Return a real Spark on this machine; a task may fail three times in ``local[2,4]``."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("stakes")
    defaults = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3", "spark.log.level": "OFF"}
    for name, value in {**defaults, "spark.ui.showConsoleProgress": "false", **settings}.items():
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


def _spark(columns):
    table = arrow(columns)
    schema = ", ".join(f"`{field.name}` {SPARK_TYPES[field.type]}" for field in table.schema)
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return spark().createDataFrame(spark().sparkContext.parallelize(rows, 3), schema)


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
_NULLABLE = {
    pa.int64(): pd.Int64Dtype(),
    pa.float32(): pd.Float32Dtype(),
    pa.float64(): pd.Float64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(),
}
