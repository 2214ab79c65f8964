"""Any frame as narwhals sees it, and how its answers are collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from stakes._errors import InputError, InputTypeError
from stakes._optional import import_optional
from stakes._roles import Roles
from stakes.frames._data_file import DataFile

if TYPE_CHECKING:
    import narwhals as nw

    NarwhalsFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]

_ACCEPTED = "pandas, polars, PyArrow, DuckDB, Dask, PySpark or another that narwhals knows"


def check_roles(roles: Roles, frame: DataFile | NarwhalsFrame, called: Mapping[str, str]) -> None:
    """Raise unless every name is that of a column, listing those that are."""
    if not isinstance(frame, DataFile):
        return roles.check(frame.collect_schema().names(), called)
    for argument, column in roles:
        if isinstance(column, str):  # what is not is refused next
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


def arrived(frame: object, called: str = "frame") -> DataFile | NarwhalsFrame:
    """Return what arrived as a file or as a narwhals frame; its engine is there already, since the frame is."""
    if isinstance(frame, DataFile):
        return frame
    nw = import_optional("narwhals", "frames", "to read data frames")
    if _is_arrow_source(frame):
        return nw.from_native(_streamed(frame))  # type: ignore[no-any-return]
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


def _streamed(source: object) -> Any:
    """Let DuckDB stream a PyArrow dataset, batch by batch: PyArrow's own tables must fit in memory."""
    return import_optional("duckdb", "files", "to stream a PyArrow dataset").from_arrow(source)
