"""From any frame to one with known columns: the fault of each row, its outcome, weight, labels and scores."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check, _columns
from stakes._errors import Argument, InputError, InputTypeError
from stakes.frames import _faults
from stakes.frames._collect import collected, reading, staged
from stakes.frames._data_file import DataFile
from stakes.frames._faults import Fault, numbered
from stakes.frames._frame import Parts, arrived

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame

_MOST_LABELS = 1000  # of an outcome; only to be listed in a message


@dataclass(frozen=True)
class Prepared:
    """A frame with the columns ``fault``, ``value`` (shown for the fault), ``outcome``, ``weight``, labels and scores.

    The scores of the models are called 0, 1, ... in the order of the parts.
    """

    frame: NarwhalsFrame
    parts: Parts
    faults: tuple[Fault, ...]
    source: DataFile | NarwhalsFrame

    @property
    def scores(self) -> list[str]:
        """The names of the columns of scores."""
        return [str(i) for i in range(len(self.parts.scores))]

    def reading(self) -> AbstractContextManager[None]:
        """Say in words what an engine says when it cannot read on."""
        return _reading(self.source)

    def usable(self, *labels: str) -> NarwhalsFrame:
        """Return the rows without a fault: outcome, weight (1 where none is given), scores, and labels as asked for."""
        import narwhals as nw

        weight = nw.lit(1.0).alias("weight") if self.parts.weight is None else nw.col("weight")
        scores = (nw.col(name).cast(nw.Float64) for name in self.scores)
        good = nw.col("fault") == 0
        if self.parts.weight is not None:  # a case without weight is absent, and its score may be in no table
            good &= nw.col("weight") > 0
        return self.frame.filter(good).select("outcome", weight, *scores, *labels)

    def line(self, row: int) -> int | None:
        """Return the line of a row, in a file that has lines."""
        return self.source.line(row) if isinstance(self.source, DataFile) else None

    def first_row(self, number: int) -> int | None:
        """Find the first row with a fault; rows have no place but in a file."""
        if not isinstance(self.source, DataFile):
            return None
        rows = self.frame.select("fault").to_native()
        query = f"select min(row) from (select row_number() over () - 1 as row, fault from f) where fault = {number}"
        ((row,),) = rows.query("f", query).fetchall()
        return int(row)

    @cached_property
    def labels(self) -> list[Any]:
        """The labels of the outcome, sorted."""
        return found_labels(self.frame)


def prepare(frame: object, parts: Parts) -> Prepared:
    """Choose the columns, judge their types, and number the faults of each row."""
    source = arrived(frame)
    with _reading(source):
        parts.judged(source)
        typed = _typed(source, parts)
        schema = typed.collect_schema()
        _chosen(parts, schema)  # judges the types, before a worker would
        faults = _faults_of(parts, schema)
        stage = partial(_with_faults, parts=parts, schema=schema, positive=_positive(parts, typed, schema))
        return Prepared(staged(typed, stage), parts, faults, source)


def _with_faults(frame: NarwhalsFrame, parts: Parts, schema: nw.Schema, positive: float | str) -> NarwhalsFrame:
    """Choose and judge: what every engine does with every row."""
    import narwhals as nw

    chosen = frame.select(**_chosen(parts, schema))
    fault, value = _faults.numbered(_faults_of(parts, schema))
    if parts.pos_label is None:
        return chosen.with_columns(fault=fault, value=value, outcome=nw.col("raw"))
    outcome = nw.when(nw.col("raw") == positive).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    return chosen.with_columns(fault=fault, value=value, outcome=outcome)


def _reading(source: DataFile | NarwhalsFrame) -> AbstractContextManager[None]:
    return source.reading() if isinstance(source, DataFile) else reading(source.implementation.value)


def _typed(source: DataFile | NarwhalsFrame, parts: Parts) -> NarwhalsFrame:
    """Return the frame; of a file the columns that are needed, read as what they are needed for."""
    import narwhals as nw

    if not isinstance(source, DataFile):
        return _without_objects(source, parts)
    numeric = source.kinds[parts.outcome] != "text" and not isinstance(parts.pos_label, str)
    numbers, labels = parts.numbers, list(parts.labels.values())
    (numbers if numeric else labels).append(parts.outcome)
    found: NarwhalsFrame = nw.from_native(source.relation(numbers=numbers, labels=labels))
    return found


def _without_objects(frame: NarwhalsFrame, parts: Parts) -> NarwhalsFrame:
    """Find out what a pandas column of Python objects holds: whole numbers with gaps, or truth values."""
    import narwhals as nw

    schema = frame.collect_schema()
    wanted = {parts.outcome, *parts.numbers, *parts.labels.values()}
    objects = [column for column in wanted if schema[column] == nw.Object]
    if not objects or not frame.implementation.is_pandas_like():
        return frame
    native = frame.to_native()
    with np.errstate(invalid="ignore"):
        converted = native.assign(**{column: native[column].convert_dtypes() for column in objects})
    found: NarwhalsFrame = nw.from_native(converted)
    return found


# ------------------------------------------------------------------------------------------- columns


def _chosen(parts: Parts, schema: nw.Schema) -> dict[str, nw.Expr]:
    """Return the columns under our names, of the types that we work with."""
    import narwhals as nw

    chosen = {"raw": _raw(parts, schema)}
    if parts.weight is not None:
        chosen["weight"] = _number("weight", parts.weight, schema).cast(nw.Float64)
    chosen |= {part: _label(column, schema) for part, column in parts.labels.items()}
    called = parts.called.get("scores", "scores")
    return chosen | {str(i): _number(called, column, schema) for i, column in enumerate(parts.scores.values())}


def _raw(parts: Parts, schema: nw.Schema) -> nw.Expr:
    """Return the outcome as it is, a number or text."""
    import narwhals as nw

    dtype = schema[parts.outcome]
    if dtype.is_numeric() or dtype == nw.Boolean:
        return nw.col(parts.outcome).cast(nw.Float64)
    if _is_text(dtype):
        return nw.col(parts.outcome).cast(nw.String)
    raise InputTypeError(parts.argument("outcome"), "be a column of numbers, truth values or text", _kind(dtype))


def _number(part: str, column: str, schema: nw.Schema) -> nw.Expr:
    import narwhals as nw

    dtype = schema[column]
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise InputTypeError(part, "name a column of numbers", f"{column!r}, a column of {_kind(dtype)}")
    return nw.col(column) if dtype in (nw.Float32, nw.Float64) else nw.col(column).cast(nw.Float64)


def _label(column: str, schema: nw.Schema) -> nw.Expr:
    import narwhals as nw

    dtype = schema[column]
    as_it_is = dtype.is_integer() or dtype.is_float() or dtype in (nw.String, nw.Boolean)
    return nw.col(column) if as_it_is else nw.col(column).cast(nw.String)


def _is_text(dtype: nw.dtypes.DType) -> bool:
    import narwhals as nw

    return isinstance(dtype, nw.String | nw.Categorical | nw.Enum)


def _kind(dtype: nw.dtypes.DType) -> str:
    return type(dtype).__name__


def _faults_of(parts: Parts, schema: nw.Schema) -> tuple[Fault, ...]:
    """List what may be wrong with a row, what is missing first."""
    text = _is_text(schema[parts.outcome])
    scores = {str(i): parts.argument("scores", model) for i, model in enumerate(parts.scores)}
    outcome, weight = parts.argument("outcome"), parts.argument("weight")
    absent = [_faults.missing("raw", outcome, floats=not text)]
    wrong = [] if text or parts.pos_label is not None else [_faults.not_binary("raw", outcome)]
    if parts.weight is not None:
        absent.append(_faults.missing("weight", weight, floats=True))
        wrong.append(_faults.not_a_weight("weight", weight))
    for part, column in parts.labels.items():
        absent.append(_faults.missing(part, parts.argument(part), floats=schema[column].is_float()))
    absent += [_faults.missing(name, score, floats=True) for name, score in scores.items()]
    wrong += [_faults.not_finite(name, score) for name, score in scores.items()]
    return (*absent, *wrong)


# ------------------------------------------------------------------------------------------- the outcome


def _positive(parts: Parts, typed: NarwhalsFrame, schema: nw.Schema) -> float | str:
    """Return the positive label; labels other than 0 and 1 are looked up first, since two of them must be there."""
    raw = _raw(parts, schema)
    text = _is_text(schema[parts.outcome])
    if not text and parts.pos_label is None:
        return 1.0
    labels = found_labels(typed.select(raw=raw))
    if parts.pos_label is None:
        got, hint = (_check.shown(labels[0]), _columns.label_hint(labels)) if labels else ("no value at all", "")
        raise InputError(parts.argument("outcome"), "be 0 or 1", got, hint=hint)
    if labels:  # where every row misses it, it is refused for that
        _columns.outcome(parts.argument("outcome"), np.array(labels, dtype=object), parts.pos_label)
    return str(parts.pos_label) if text else float(parts.pos_label)  # type: ignore[arg-type]


def found_labels(chosen: NarwhalsFrame) -> list[Any]:
    """Return the different labels of the outcome, sorted; not all of them where they are very many."""
    rows = collected(chosen.select("raw").drop_nulls().unique().head(_MOST_LABELS))
    return _columns.labels_of(rows["raw"][rows["raw"] == rows["raw"]])


def probabilities(prepared: Prepared) -> Prepared:
    """Find one more fault in a row that has none: a score that is not a probability."""
    called = [prepared.parts.argument("scores", model) for model in prepared.parts.scores]
    more = tuple(map(_not_a_probability, prepared.scores, called))
    stage = partial(_with_probabilities, known=len(prepared.faults), scores=prepared.scores)
    return replace(prepared, frame=staged(prepared.frame, stage), faults=(*prepared.faults, *more))


def _not_a_probability(name: str, called: Argument) -> Fault:
    import narwhals as nw

    wrong = (nw.col(name) < 0) | (nw.col(name) > 1)
    return Fault(called, "be a probability between 0 and 1", wrong, nw.col(name).cast(nw.Float64))


def _with_probabilities(frame: NarwhalsFrame, known: int, scores: list[str]) -> NarwhalsFrame:
    """Give the faults that are found now the numbers after the `known` ones."""
    import narwhals as nw

    number, value = numbered(tuple(_not_a_probability(name, Argument(name)) for name in scores))
    here = (nw.col("fault") == 0) & (number > 0)
    return frame.with_columns(
        fault=nw.when(here).then(number + known).otherwise(nw.col("fault")),
        value=nw.when(here).then(value).otherwise(nw.col("value")),
    )
