"""Any frame as one with known columns: fault, outcome, weight, labels and scores of each row."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes._cost_columns import columns_among
from stakes._errors import Argument
from stakes._roles import FollowRoles, Roles
from stakes._spellings import other_spellings
from stakes.frames import _faults
from stakes.frames._data_file import DataFile
from stakes.frames._faults import Fault, number_faults
from stakes.frames._file_roles import name_event_labels, place_follow, place_roles, scan_roles
from stakes.frames._frame import apply_stage, as_frame, check_roles, reading
from stakes.frames._one_spelling import Spellings, spell_alike, spelling_notes, spellings_of
from stakes.frames._outcome_labels import outcome_labels, positive_label
from stakes.frames._typed_columns import (
    cost_columns,
    follow_columns,
    group_column,
    is_text,
    label_column,
    number_column,
    raw_outcome,
)

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame


@dataclass(frozen=True)
class PreparedFrame:
    """A frame with columns ``fault``, ``value`` (to show), ``outcome``, ``weight``, labels and scores.

    The scores of the models are called 0, 1, ... in the order of the roles, and the label of
    clusters or cases ``unit``.
    `called` maps roles to the names of the arguments of a function, where they differ.
    """

    frame: NarwhalsFrame
    roles: Roles
    faults: tuple[Fault, ...]
    source: DataFile | NarwhalsFrame
    called: Mapping[str, str]
    labels_read: tuple[str, ...] = ()  # how, a sentence for each column with several spellings of a label
    is_staked: bool = False  # scores are adjusted to the costs of each case, and there are columns of its stake
    further: tuple[str, ...] = ()  # models that have scores, but no column

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return [*self.roles.predictions, *self.further]

    @property
    def scores(self) -> list[str]:
        """The names of the columns of scores."""
        return [str(i) for i in range(len(self.models))]

    def reading(self) -> AbstractContextManager[None]:
        """Turn errors of the engine into one sentence."""
        return _reading(self.source, self.called)

    def usable(self, *labels: str) -> NarwhalsFrame:
        """Return the outcome, weight (1 by default), scores and these labels of the rows without a fault."""
        import narwhals as nw

        weight = nw.lit(1.0).alias("weight") if self.roles.weight is None else nw.col("weight")
        scores = (nw.col(name).cast(nw.Float64) for name in self.scores)
        good = nw.col("fault") == 0
        if self.roles.weight is not None:  # a case without weight is absent, and its score may be in no table
            good &= nw.col("weight") > 0
        stakes = ("stake", "side") if self.is_staked else ()
        return self.frame.filter(good).select("outcome", weight, *stakes, *scores, *labels)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on how the file is written, and on its labels."""
        return (*(self.source.notes if isinstance(self.source, DataFile) else ()), *self.labels_read)

    def line(self, row: int) -> int | None:
        """Return the line of a row, in a file that has lines."""
        return self.source.line(row) if isinstance(self.source, DataFile) else None

    def first_row(self, number: int) -> int | None:
        """Return the first row with a fault, in a file; frames have no order of rows."""
        if not isinstance(self.source, DataFile):
            return None
        rows = self.frame.select("fault").to_native()
        query = f"select min(row) from (select row_number() over () - 1 as row, fault from f) where fault = {number}"
        ((row,),) = rows.query("f", query).fetchall()
        return int(row)

    @cached_property
    def labels(self) -> list[Any]:
        """The labels of the outcome, sorted; those of codes, where a file has any."""
        codes = self.source.value_labels.get(self.roles.outcome, {}) if isinstance(self.source, DataFile) else {}
        return [codes.get(label, label) for label in outcome_labels(self.frame)]


def prepare(
    frame: object, roles: Roles, called: Mapping[str, str] | None = None, drop: Collection[str] = ()
) -> PreparedFrame:
    """Select the columns, check their types, and number the faults of each row."""
    called = {} if called is None else called
    source = as_frame(frame, called.get("frame", "frame"))
    with _reading(source, called):
        check_roles(roles, source, called)
        roles = name_event_labels(roles, source) if isinstance(source, DataFile) else roles
        placed = place_roles(roles) if isinstance(source, DataFile) else roles
        typed = _frame_of_roles(source, roles)
        schema = typed.collect_schema()
        _select(placed, schema, called)  # checks the types, before a worker would
        faults = _possible_faults(roles, placed, schema)
        raw, text = typed.select(raw=raw_outcome(placed, schema)), is_text(schema[placed.outcome])
        labels = outcome_labels(raw) if text or roles.pos_label is not None else []
        is_grouped = placed.group is not None and is_text(schema[placed.group])
        spellings = {
            "outcome": other_spellings(labels),
            "group": spellings_of(typed, placed.group) if is_grouped else {},
        }
        kept = [label for label in labels if label not in spellings["outcome"]]
        positive = 1.0 if roles.follow is not None else positive_label(roles, kept, raw, text, source, drop)
        stage = partial(_prepare_rows, roles=placed, schema=schema, positive=positive, spellings=spellings)
        notes = spelling_notes(roles, spellings)
        return PreparedFrame(apply_stage(typed, stage), roles, faults, source, called, notes)


def _prepare_rows(
    frame: NarwhalsFrame, roles: Roles, schema: nw.Schema, positive: float | str, spellings: Spellings
) -> NarwhalsFrame:
    """Select the columns and number the faults of every row, on any engine."""
    import narwhals as nw

    chosen = spell_alike(frame.select(**_select(roles, schema, {})), spellings)
    fault, value = _faults.number_faults(_possible_faults(roles, roles, schema))
    if roles.pos_label is None:
        return chosen.with_columns(fault=fault, value=value, outcome=nw.col("raw"))
    outcome = nw.when(nw.col("raw") == positive).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    return chosen.with_columns(fault=fault, value=value, outcome=outcome)


def _reading(source: DataFile | NarwhalsFrame, called: Mapping[str, str]) -> AbstractContextManager[None]:
    if isinstance(source, DataFile):
        return source.reading()
    return reading(source.implementation.value, called.get("frame", "frame"))


def _frame_of_roles(source: DataFile | NarwhalsFrame, roles: Roles) -> NarwhalsFrame:
    """Return the frame; of a file only the columns that have a role, called by it."""
    import narwhals as nw

    if not isinstance(source, DataFile):
        return _without_objects(source, roles)
    found: NarwhalsFrame = nw.from_native(scan_roles(source, roles))
    return found


def _without_objects(frame: NarwhalsFrame, roles: Roles) -> NarwhalsFrame:
    """Convert pandas columns of Python objects: integers with gaps, or truth values."""
    import narwhals as nw

    schema = frame.collect_schema()
    wanted = {roles.outcome, *roles.numbers, *roles.labels.values(), *roles.further.values()}
    objects = [column for column in wanted if schema[column] == nw.Object]
    if not objects or not frame.implementation.is_pandas_like():
        return frame
    native = frame.to_native()
    with np.errstate(invalid="ignore"):
        converted = native.assign(**{column: _convert(native[column]) for column in objects})
    found: NarwhalsFrame = nw.from_native(converted)
    return found


def _convert(column: Any) -> Any:
    """Convert a pandas column of Python objects; decimals, which pandas keeps as they are, to floats."""
    found = column.dropna()
    is_decimal = len(found) and all(isinstance(value, Decimal) for value in found)
    return column.astype(float) if is_decimal else column.convert_dtypes()


# ------------------------------------------------------------------------------------------- columns


def _select(roles: Roles, schema: nw.Schema, called: Mapping[str, str]) -> dict[str, nw.Expr]:
    """Return the columns under internal names and with the types of a prepared frame."""
    import narwhals as nw

    chosen = {"raw": raw_outcome(roles, schema)}
    if roles.weight is not None:
        chosen["weight"] = number_column("weight", roles.weight, schema).cast(nw.Float64)
    for role, column in roles.labels.items():
        chosen[_LABELS[role]] = (group_column if role == "group" else label_column)(column, schema)
    if roles.follow is not None:
        chosen |= follow_columns(roles.follow, schema)
    chosen |= cost_columns(roles.costs, schema)
    scores = called.get("predictions", "predictions")
    return chosen | {
        str(i): number_column(scores, column, schema) for i, column in enumerate(roles.predictions.values())
    }


# Internal names of the columns of labels, by role.
_LABELS = {"group": "group", "cluster": "unit", "key": "unit", "repeat": "repeat", "site": "site"}


def _possible_faults(roles: Roles, placed: Roles, schema: nw.Schema) -> tuple[Fault, ...]:
    """List the possible faults of a row, missing values first; the schema has the names of `placed`."""
    text, outcome = is_text(schema[placed.outcome]), roles.outcome_argument
    scores = [Argument("predictions", model, column) for model, column in roles.predictions.items()]
    absent = [_faults.missing("raw", outcome, floats=not text)]
    any_labels = text or roles.pos_label is not None or roles.follow is not None
    wrong = [] if any_labels else [_faults.not_binary("raw", outcome)]
    if roles.follow is not None:
        absent += _missing_follow_up(roles.follow, schema, placed)
    if roles.weight is not None:
        weight = Argument("weight", column=roles.weight)
        absent.append(_faults.missing("weight", weight, floats=True))
        wrong.append(_faults.not_a_weight("weight", weight))
    for role, column in roles.labels.items():
        if role == "group":  # without a label it is a group of its own
            continue
        argument = Argument(role, column=column)
        floats = schema[placed.labels[role]].is_float()
        absent.append(_faults.missing(_LABELS[role], argument, floats=floats))
    for name, cost in columns_among(roles.costs).items():
        absent.append(_faults.missing(name, Argument(name, column=cost.column), floats=True))
        wrong.append(_faults.not_finite(name, Argument(name, column=cost.column)))
    absent += [_faults.missing(str(i), score, floats=True) for i, score in enumerate(scores)]
    wrong += [_faults.not_finite(str(i), score) for i, score in enumerate(scores)]
    return (*absent, *wrong)


def _missing_follow_up(follow: FollowRoles, schema: nw.Schema, placed: Roles) -> list[Fault]:
    """List what a row may miss of its follow-up; wrong values are found where the outcome is made."""
    names, columns = place_follow(follow).columns.values(), placed.further.values()
    floats = [column in placed.numbers or schema[column].is_float() for column in columns]
    return [
        _faults.missing(name, argument, floats=is_float)
        for name, argument, is_float in zip(names, follow.columns, floats, strict=True)
    ]


def probabilities(prepared: PreparedFrame) -> PreparedFrame:
    """Return the frame with one more fault per model: a score that is not a probability."""
    named = zip(prepared.scores, prepared.roles.predictions.items(), strict=True)
    more = tuple(_not_a_probability(name, Argument("predictions", *of)) for name, of in named)
    stage = partial(_with_probabilities, known=len(prepared.faults), scores=prepared.scores)
    return replace(prepared, frame=apply_stage(prepared.frame, stage), faults=(*prepared.faults, *more))


def _not_a_probability(name: str, argument: Argument) -> Fault:
    import narwhals as nw

    wrong = (nw.col(name) < 0) | (nw.col(name) > 1)
    return Fault(argument, "be a probability between 0 and 1", wrong, nw.col(name).cast(nw.Float64))


def _with_probabilities(frame: NarwhalsFrame, known: int, scores: list[str]) -> NarwhalsFrame:
    """Add the new faults, numbered after the `known` ones, to rows that have none yet."""
    import narwhals as nw

    number, value = number_faults(tuple(_not_a_probability(name, Argument("predictions")) for name in scores))
    here = (nw.col("fault") == 0) & (number > 0)
    return frame.with_columns(
        fault=nw.when(here).then(number + known).otherwise(nw.col("fault")),
        value=nw.when(here).then(value).otherwise(nw.col("value")),
    )
