"""Any frame as narwhals sees it, and arrays collected from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes._errors import InputError, InputTypeError, UnreadableFrameError
from stakes._optional import import_optional
from stakes._roles import Roles, explaining_costs
from stakes.frames._data_file import DataFile
from stakes.frames._file_formats import raised_in

if TYPE_CHECKING:
    import narwhals as nw

    NarwhalsFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]

Arrays = dict[str, npt.NDArray[Any]]

_ACCEPTED = "pandas, polars, PyArrow, DuckDB, Dask, PySpark or another that narwhals knows"


def check_roles(roles: Roles, frame: DataFile | NarwhalsFrame, called: Mapping[str, str]) -> None:
    """Raise unless every role names a column of the frame."""
    if not isinstance(frame, DataFile):
        return roles.check(frame.collect_schema().names(), called)
    for argument, column in roles:
        if isinstance(column, str):  # `roles.check` raises for the others
            with explaining_costs(argument.role):
                frame.known(called.get(argument.role, argument.role), column)
    return roles.check(frame.columns, called)


def model_columns(argument: str, scores: object) -> dict[str, str]:
    """Return the column of each model: a list of columns, or a mapping from models to columns."""
    if isinstance(scores, str) or not isinstance(scores, Mapping | Iterable):
        text = isinstance(scores, str)
        got, hint = (repr(scores), f"for one model write [{scores!r}]") if text else (type(scores).__name__, "")
        raise InputTypeError(argument, "be a list of columns, or map models to columns", got, hint=hint)
    named = dict(scores) if isinstance(scores, Mapping) else {column: column for column in scores}
    if not named:
        raise InputError(argument, "name the column of at least one model", "none")
    return named


def as_frame(frame: object, called: str = "frame") -> DataFile | NarwhalsFrame:
    """Return a file as it is, and any other frame as a narwhals frame."""
    if isinstance(frame, DataFile):
        return frame
    nw = import_optional("narwhals", "frames", "to read data frames")
    if _is_arrow_source(frame):
        return nw.from_native(_stream(frame))  # type: ignore[no-any-return]
    try:
        found = nw.from_native(frame)
    except TypeError:
        hint = "`stakes.frames.open_file` opens a file" if isinstance(frame, str) or hasattr(frame, "open") else ""
        raise InputTypeError(called, f"be a data frame ({_ACCEPTED})", type(frame).__name__, hint=hint) from None
    if not hasattr(found, "collect_schema"):
        raise InputTypeError(called, f"be a data frame ({_ACCEPTED})", type(frame).__name__)
    return found  # type: ignore[no-any-return]


def _is_arrow_source(frame: object) -> bool:
    kinds = {(kind.__module__, kind.__name__) for kind in type(frame).__mro__}
    return ("pyarrow._dataset", "Dataset") in kinds or ("pyarrow.lib", "RecordBatchReader") in kinds


def _stream(source: object) -> Any:
    """Stream a PyArrow dataset with DuckDB, since tables of PyArrow must fit in memory."""
    return import_optional("duckdb", "files", "to stream a PyArrow dataset").from_arrow(source)


# ------------------------------------------------------------------------------------------- collecting


def apply_stage(frame: NarwhalsFrame, stage: Callable[[NarwhalsFrame], NarwhalsFrame]) -> NarwhalsFrame:
    """Apply a stage to a frame, on Dask by partition: else it reads a column for every constant."""
    import narwhals as nw

    if not frame.implementation.is_dask():
        return stage(frame)
    found: NarwhalsFrame = nw.from_native(frame.to_native().map_partitions(_on_partition, stage))
    return found


def _on_partition(part: Any, stage: Callable[[NarwhalsFrame], NarwhalsFrame]) -> Any:
    import narwhals as nw

    return stage(nw.from_native(part)).to_native()


def unpivot(
    frame: NarwhalsFrame, on: list[str], index: list[str], variable_name: str, value_name: str
) -> NarwhalsFrame:
    """Stack columns without gaps; on DuckDB by the frame's own connection, which narwhals loses."""
    import narwhals as nw

    if not frame.implementation.is_duckdb():
        return frame.unpivot(on=on, index=index, variable_name=variable_name, value_name=value_name)
    columns = ", ".join(f'"{column}"' for column in on)
    query = f'unpivot wide on {columns} into name "{variable_name}" value "{value_name}"'
    long: NarwhalsFrame = nw.from_native(frame.to_native().query("wide", query))
    return long.select(*index, variable_name, value_name)


def collect(frame: NarwhalsFrame) -> Arrays:
    """Execute a plan and return its columns, with missing numbers as nan and other values as None."""
    import narwhals as nw

    if isinstance(frame, nw.DataFrame):
        return _eager_arrays(frame)
    if frame.implementation.is_duckdb():
        # Without pyarrow, which other ways of fetching need.
        return {name: _fill_masked(column) for name, column in frame.to_native().fetchnumpy().items()}
    if frame.implementation.is_polars():
        return _eager_arrays(nw.from_native(frame.to_native().collect(engine="streaming"), eager_only=True))
    return _eager_arrays(frame.collect())


def _eager_arrays(frame: nw.DataFrame[Any]) -> Arrays:
    return {name: _series_array(frame[name]) for name in frame.columns}


def _series_array(column: nw.Series[Any]) -> npt.NDArray[Any]:
    array = column.to_numpy()
    if array.dtype == object and column.dtype.is_numeric():  # a pandas column with gaps
        return np.array([np.nan if value is None or value != value else value for value in column.to_list()], float)
    return array


def _fill_masked(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if not isinstance(column, np.ma.MaskedArray):
        return column
    if column.dtype.kind == "f":
        return np.asarray(column.filled(np.nan))
    objects = np.asarray(column.data).astype(object)
    objects[np.ma.getmaskarray(column)] = None
    return objects


@contextmanager
def reading(engine: str, called: str = "frame") -> Iterator[None]:
    """Turn any error of an engine into one sentence, with the original error as its cause."""
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
    """Whether an error was raised by this package, here or on a worker, rather than by an engine."""
    if isinstance(error, InputError):
        return True
    kind = type(error).__module__.partition(".")[0]
    return raised_in(error) == "stakes" and kind in ("builtins", "stakes")  # compiled engines leave no trace


def codes(labels: npt.NDArray[Any]) -> tuple[dict[Any, int], npt.NDArray[np.intp]]:
    """Return the number of each distinct label, in order of appearance, and that of each row."""
    seen: dict[Any, int] = {}  # with None for nan, which is not equal to itself
    numbers = [seen.setdefault(label if label == label else None, len(seen)) for label in labels.tolist()]
    return seen, np.array(numbers, dtype=np.intp)
