"""Any frame as narwhals sees it, and how its answers are collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stakes import _check
from stakes._errors import Argument, InputError, InputTypeError
from stakes._optional import needed
from stakes.frames._data_file import DataFile

if TYPE_CHECKING:
    import narwhals as nw

    NarwhalsFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]

_ACCEPTED = "pandas, polars, PyArrow, DuckDB, Dask, PySpark or another that narwhals knows"


@dataclass(frozen=True)
class Parts:
    """The names of the columns by what they are for; `scores` maps each model to its column."""

    outcome: str
    scores: dict[str, str]
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None
    pos_label: object = None
    called: dict[str, str] = field(default_factory=dict)  # what the user calls an argument, where it differs

    @property
    def labels(self) -> dict[str, str]:
        """The columns whose values are names."""
        named = {"group": self.group, "cluster": self.cluster}
        return {part: column for part, column in named.items() if column is not None}

    @property
    def numbers(self) -> list[str]:
        """The columns whose values are numbers, whatever the outcome is."""
        return [*self.scores.values(), *([] if self.weight is None else [self.weight])]

    def argument(self, part: str, model: str | None = None) -> Argument:
        """Return what a message about a column is about: its role, the model it is of, and its name."""
        columns = {"outcome": self.outcome, "weight": self.weight, "group": self.group, "cluster": self.cluster}
        return Argument(self.called.get(part, part), model, columns[part] if model is None else self.scores[model])

    def judged(self, frame: DataFile | NarwhalsFrame) -> None:
        """Refuse names that are not those of columns, listing those that are."""
        columns = frame.columns if isinstance(frame, DataFile) else tuple(frame.collect_schema().names())
        asked = {"outcome": [self.outcome], "scores": self.scores.values(), "weight": [self.weight]}
        asked |= {part: [column] for part, column in self.labels.items()}
        for part, names in asked.items():
            for name in names:
                if name is not None:
                    _known(self.called.get(part, part), name, columns, frame)


def _known(argument: str, name: object, columns: tuple[str, ...], frame: object) -> None:
    if not isinstance(name, str):
        raise InputTypeError(argument, "be the name of a column", _check.shown(name))
    if isinstance(frame, DataFile):
        frame.known(argument, name)
    _check.known(argument, name, map(str, columns))


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


def arrived(frame: object) -> DataFile | NarwhalsFrame:
    """Return what arrived as a file or as a narwhals frame; its engine is there already, since the frame is."""
    if isinstance(frame, DataFile):
        return frame
    nw = needed("narwhals", "frames", "to read data frames")
    if _is_arrow_source(frame):
        return nw.from_native(_streamed(frame))  # type: ignore[no-any-return]
    try:
        found = nw.from_native(frame)
    except TypeError:
        hint = "`stakes.frames.open_file` opens a file" if isinstance(frame, str) or hasattr(frame, "open") else ""
        raise InputTypeError("frame", f"be a data frame ({_ACCEPTED})", type(frame).__name__, hint=hint) from None
    if not hasattr(found, "collect_schema"):
        raise InputTypeError("frame", f"be a data frame ({_ACCEPTED})", type(frame).__name__)
    return found  # type: ignore[no-any-return]


def _is_arrow_source(frame: object) -> bool:
    kinds = {(kind.__module__, kind.__name__) for kind in type(frame).__mro__}
    return ("pyarrow._dataset", "Dataset") in kinds or ("pyarrow.lib", "RecordBatchReader") in kinds


def _streamed(source: object) -> Any:
    """Let DuckDB stream a PyArrow dataset, batch by batch: PyArrow's own tables must fit in memory."""
    return needed("duckdb", "files", "to stream a PyArrow dataset").from_arrow(source)
