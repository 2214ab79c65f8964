"""Add up over all rows of a frame, where the rows are: on the workers of a cluster, or batch by batch."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._groups import group_name
from stakes._optional import import_optional
from stakes.frames._frame import Arrays, codes, collect

if TYPE_CHECKING:
    from stakes.frames._frame import NarwhalsFrame

    Stage = Callable[[NarwhalsFrame], NarwhalsFrame]

OfRows = Callable[[Arrays], FloatArray]  # some rows to an array, which adds over rows

Merge = Callable[[Iterable[FloatArray]], FloatArray]  # the arrays of some rows and of others to that of all

_FAN_IN = 16  # results that one task adds up

_BATCH = 1 << 17  # rows


def add_up(frame: NarwhalsFrame, of_rows: OfRows) -> FloatArray:
    """Return the sum of `of_rows` over all rows; it must be importable, since it travels.

    Those of its numbers of which it is the largest that counts are marked by its `largest`.
    """
    merge: Merge = partial(total, largest=getattr(of_rows, "largest", None))
    if frame.implementation.is_dask():
        found: FloatArray = _tree(frame.to_native(), partial(_rows_of_part, of_rows), merge)
        return found
    if frame.implementation.is_spark_like():
        return _on_spark(frame.to_native(), of_rows, merge)
    if frame.implementation.is_duckdb():
        return merge(map(of_rows, batches(frame.to_native())))
    return of_rows(collect(frame))


@dataclass(frozen=True)
class ByGroup:
    """A worker's task per group: apply another function to the rows of each, and concatenate the sums."""

    groups: Mapping[str, OfRows]

    @property
    def largest(self) -> BoolArray | None:
        """Which numbers are not sums, but the largest of their kind; None if all are sums."""
        marked = [task.largest for task in self.groups.values() if hasattr(task, "largest")]
        return np.concatenate(marked) if len(marked) == len(self.groups) else None

    def __call__(self, rows: Arrays) -> FloatArray:
        """Return the sums of these rows."""
        labels, numbers = codes(rows["group"])
        at = {group_name(label): number for label, number in labels.items()}
        return np.concatenate([self._of(name, rows, numbers == at.get(name, -1)) for name in self.groups])

    def _of(self, name: str, rows: Arrays, here: BoolArray) -> FloatArray:
        return self.groups[name]({column: values[here] for column, values in rows.items() if column != "group"})


def total(arrays: Iterable[FloatArray], largest: BoolArray | None = None) -> FloatArray:
    """Add arrays up, one at a time, or keep the `largest`; none at all add up to an empty one."""
    result = np.zeros(0)
    for array in arrays:
        if not result.size:
            result = np.array(array)
        elif array.size:
            result = result + array if largest is None else np.where(largest, np.maximum(result, array), result + array)
    return result


def batches(relation: Any, rows: int = _BATCH) -> Iterator[Arrays]:
    """Execute a relation of DuckDB, and hand over its rows some at a time."""
    import_optional("pyarrow", "files", "to read batches of rows")
    reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch  # the name it had before
    for batch in reader(rows):
        yield _of_batch(batch)


def _of_batch(batch: Any) -> Arrays:
    return {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}


# ------------------------------------------------------------------------------------------- Dask


def by_partition(frame: NarwhalsFrame, stage: Stage, added_up: Stage) -> Arrays:
    """Apply a stage to each partition of a Dask frame and sum it in one task; then sum a few at a time."""
    found: Arrays = _tree(frame.to_native(), partial(_staged_part, stage, added_up), partial(_of_parts, added_up))
    return found


def _tree(frame: Any, of_part: Callable[[Any], Any], of_results: Callable[[list[Any]], Any]) -> Any:
    """Compute something of every partition, and reduce a few results at a time to one."""
    dask = import_optional("dask", "frames", "to compute with a Dask data frame")
    first, further = dask.delayed(of_part, pure=True), dask.delayed(of_results, pure=True)
    results = [first(part) for part in frame.to_delayed()]
    while True:
        results = [further(results[at : at + _FAN_IN]) for at in range(0, len(results), _FAN_IN)]
        if len(results) == 1:
            return dask.compute(results[0])[0]


def _staged_part(stage: Stage, added_up: Stage, part: Any) -> Arrays:
    import narwhals as nw

    return collect(added_up(stage(nw.from_native(part))))


def _rows_of_part(of_rows: OfRows, part: Any) -> FloatArray:
    import narwhals as nw

    return of_rows(collect(nw.from_native(part)))


def _of_parts(added_up: Stage, results: list[Arrays]) -> Arrays:
    """Add up the sums of several partitions."""
    import narwhals as nw

    columns = {name: np.concatenate([result[name] for result in results]) for name in results[0]}
    return collect(added_up(nw.from_dict(columns, backend="pandas")))


# ------------------------------------------------------------------------------------------- Spark


def _on_spark(frame: Any, of_rows: OfRows, merge: Merge) -> FloatArray:
    """Collect one array of bytes from each partition; many of them are first added up on the workers."""
    import_optional("pyarrow", "files", "on the driver and on the workers of Spark")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)  # none is used
        found = frame.mapInArrow(partial(_of_batches, of_rows, merge), "sums binary")
        parts = _partitions(frame)
        if parts > _FAN_IN**2:
            found = found.repartition(math.ceil(parts / _FAN_IN)).mapInArrow(partial(_of_sums, merge), "sums binary")
    return merge(array for row in found.toLocalIterator() if (array := _sent(row.sums)).size)


def _partitions(frame: Any) -> int:
    """Return the number of partitions of a frame; 0 for Spark Connect, whose clients do not know it."""
    return 0 if "connect" in type(frame).__module__ else int(frame.rdd.getNumPartitions())


def _of_batches(of_rows: OfRows, merge: Merge, batches: Iterable[Any]) -> Iterator[Any]:
    """Send the sum of a partition, batch by batch."""
    yield _as_batch(merge(of_rows(_of_batch(batch)) for batch in batches if batch.num_rows))


def _of_sums(merge: Merge, batches: Iterable[Any]) -> Iterator[Any]:
    """Send the sum of what several partitions have sent."""
    yield _as_batch(merge(_sent(sums) for batch in batches for sums in batch.column("sums").to_pylist() if sums))


def _sent(sums: bytes) -> FloatArray:
    return np.frombuffer(sums, dtype=np.float64)


def _as_batch(sums: FloatArray) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_arrays([pyarrow.array([sums.tobytes()], pyarrow.binary())], names=["sums"])
