"""From an engine to arrays: where lazy plans are executed, and what they answer is fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes._errors import InputError, UnreadableFrameError

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame

Arrays = dict[str, npt.NDArray[Any]]


def staged(frame: NarwhalsFrame, stage: Callable[[NarwhalsFrame], NarwhalsFrame]) -> NarwhalsFrame:
    """Put a frame through a stage; Dask does so partition by partition, as it would read a column for each constant."""
    import narwhals as nw

    if not frame.implementation.is_dask():
        return stage(frame)
    found: NarwhalsFrame = nw.from_native(frame.to_native().map_partitions(_on_partition, stage))
    return found


def _on_partition(part: Any, stage: Callable[[NarwhalsFrame], NarwhalsFrame]) -> Any:
    import narwhals as nw

    return stage(nw.from_native(part)).to_native()


def unpivoted(
    frame: NarwhalsFrame, on: list[str], index: list[str], variable_name: str, value_name: str
) -> NarwhalsFrame:
    """Put columns without gaps one under the other; on DuckDB by the frame's own connection, which narwhals loses."""
    import narwhals as nw

    if not frame.implementation.is_duckdb():
        return frame.unpivot(on=on, index=index, variable_name=variable_name, value_name=value_name)
    columns = ", ".join(f'"{column}"' for column in on)
    query = f'unpivot wide on {columns} into name "{variable_name}" value "{value_name}"'
    long: NarwhalsFrame = nw.from_native(frame.to_native().query("wide", query))
    return long.select(*index, variable_name, value_name)


def collected(frame: NarwhalsFrame) -> Arrays:
    """Execute a plan and return its columns; a missing number is nan, another missing value none."""
    import narwhals as nw

    if isinstance(frame, nw.DataFrame):
        return _of_eager(frame)
    if frame.implementation.is_duckdb():
        return {name: _filled(column) for name, column in frame.to_native().fetchnumpy().items()}  # without pyarrow
    if frame.implementation.is_polars():
        return _of_eager(nw.from_native(frame.to_native().collect(engine="streaming"), eager_only=True))
    return _of_eager(frame.collect())


def _of_eager(frame: nw.DataFrame[Any]) -> Arrays:
    return {name: _of_series(frame[name]) for name in frame.columns}


def _of_series(column: nw.Series[Any]) -> npt.NDArray[Any]:
    array = column.to_numpy()
    if array.dtype == object and column.dtype.is_numeric():  # a pandas column with gaps
        return np.array([np.nan if value is None or value != value else value for value in column.to_list()], float)
    return array


def _filled(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if not isinstance(column, np.ma.MaskedArray):
        return column
    if column.dtype.kind == "f":
        return np.asarray(column.filled(np.nan))
    objects = np.asarray(column.data).astype(object)
    objects[np.ma.getmaskarray(column)] = None
    return objects


@contextmanager
def reading(engine: str, called: str = "frame") -> Iterator[None]:
    """Say on every engine alike that a frame could not be read to its end; what the engine said stays with it."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        if _is_ours(error):
            raise
        said = " ".join(str(error).split())
        said = said if len(said) <= 200 else f"{said[:197]}..."
        got = f"an error of {engine}: {said.rstrip('.')}"
        raise UnreadableFrameError(called, "be readable to its end", got) from error


def _is_ours(error: Exception) -> bool:
    """Whether an error was raised by this package itself, here or on a worker, and not by an engine below it."""
    if isinstance(error, InputError):
        return True
    kind = type(error).__module__.partition(".")[0]
    return raised_in(error) == "stakes" and kind in ("builtins", "stakes")  # compiled engines leave no trace


def raised_in(error: Exception) -> str:
    """Return the package that an error comes from."""
    trace, module = error.__traceback__, ""
    while trace is not None:
        module, trace = trace.tb_frame.f_globals.get("__name__", ""), trace.tb_next
    return module.partition(".")[0]


def codes(labels: npt.NDArray[Any]) -> tuple[dict[Any, int], npt.NDArray[np.intp]]:
    """Return labels numbered in the order they appear, and the number of each row."""
    seen: dict[Any, int] = {}
    numbers = [seen.setdefault(label, len(seen)) for label in labels.tolist()]
    return seen, np.array(numbers, dtype=np.intp)
