"""A source of cases from a file and the names of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from stakes import _check, _columns
from stakes._arrays import Column, settle
from stakes._cost_columns import filled
from stakes._errors import Argument, InputError
from stakes._facts import SampleFacts
from stakes._roles import FrameColumns, Roles, at_horizons, droppable, explaining_costs
from stakes._spellings import same_label
from stakes.case_costs import CaseCosts
from stakes.cli._follow_up_option import FOLLOW, follow_roles, followed_roles, read_follow_up
from stakes.cli._progress import progress
from stakes.cli._repeatable import repeatable
from stakes.evaluation import CaseSource, Source, as_source, given_rows, source_of_columns, without_missing
from stakes.frames import (
    CLUSTERS,
    UNSTATED,
    DataFile,
    TextOptions,
    in_one_spelling,
    name_event_labels,
    name_positive_label,
    open_files,
    open_with,
    place_roles,
    read_roles,
    scan_roles,
    text_options,
)

# What is read into memory unless a number is stated: about 80 bytes are needed for each score.
SCORES_IN_MEMORY, CASES_OF_AN_ENGINE = 24_000_000, 1_000_000


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Engine, memory limit and seed of a run; whether it resamples, and whether it is silent."""

    engine: str | None = None
    master: str | None = None
    in_memory: int | None
    seed: int
    resampled: bool = False
    text: TextOptions = UNSTATED
    quiet: bool = False
    drop: tuple[str, ...] = ("predictions",)  # the roles in which a missing value drops its case

    def most_cases(self, roles: Roles) -> int:
        """Return the largest number of cases to read into memory."""
        if self.in_memory is not None:
            return self.in_memory
        return CASES_OF_AN_ENGINE if self.engine is not None else SCORES_IN_MEMORY // len(roles.predictions)


@contextmanager
def open_source(name: str | None, options: Mapping[str, Any], run: RunOptions) -> Iterator[tuple[Source, str]]:
    """Open the cases of a file; yield them with a note on how they are read, if any."""
    if name is None:
        hint = "put it before `--predictions`, which takes every name up to the next option"
        raise InputError("file", "be the file with the predictions", "none", hint=hint)
    if run.engine is not None:
        roles = named_roles(options, name)
        with (
            _add_place(name, roles, run),
            open_with(run.engine, run.master, name, roles, run.text) as (frame, called, notes),
        ):
            yield _frame_source(frame, called, run), " ".join([*notes, f"The file was read by {run.engine}."])
        return
    if run.master is not None:
        raise InputError("master", f"come with `--engine {' or '.join(CLUSTERS)}`", "no engine")
    with repeatable(name) as path:
        (file,) = open_files([path], run.text)
        roles = named_roles(options, file.path.name, file)
        if _count_cases(file, roles) > (most := run.most_cases(roles)):
            text = f"The file was streamed, a piece at a time: it has more than {most:,} cases."
            yield _frame_source(file, roles, run), text
            return
        with progress(f"reading {path.name}", quiet=run.quiet):
            columns = read_columns(file, roles)
    with add_line(file), progress("sorting scores", quiet=run.quiet):
        source = source_in_memory(columns, run, file.value_labels.get(roles.outcome, {}))
    yield source, ""


def read_cases(file: str | None, options: Mapping[str, Any], *, quiet: bool = False) -> CaseSource:
    """Read all cases of a file into memory, without those that have no score or that options drop."""
    columns, run = columns_and_run(options, quiet=quiet)
    with open_source(file, columns, run) as (source, _):
        if not isinstance(source, CaseSource):
            raise InputError("file", "be small enough to be read into memory", _check.show(file))
        return source


def plain_facts(facts: SampleFacts | None, notes: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what reading left out and noted as plain values, named as `stakes evaluate --json` does."""
    own = () if facts is None else facts.reading_notes
    return {
        "dropped": 0 if facts is None else facts.without_score,
        "dropped_by_role": {} if facts is None else facts.dropped_by_role,
        "reading_notes": list(own if notes is None else notes),
    }


def columns_and_run(options: Mapping[str, Any], *, quiet: bool = False) -> tuple[dict[str, Any], RunOptions]:
    """Return the columns that options name, and how to read them into memory."""
    asked: dict[str, Any] = dict.fromkeys(_COLUMNS) | dict(options)
    text = text_options(*(asked.pop(role) for role in ("encoding", "missing", "sheet")))
    on_missing = asked.pop("on_missing")
    drop = ("predictions",) if on_missing is None else droppable(on_missing)
    return asked, RunOptions(in_memory=None, seed=0, text=text, quiet=quiet, drop=drop)


_COLUMNS = ("weight", "group", "cluster", "key", "repeat", "site")  # that not every command has an option for


# ------------------------------------------------------------------------------------------- the columns


def named_roles(options: Mapping[str, Any], name: str, file: DataFile | None = None) -> Roles:
    """Return the role of each column; raise if a name is missing, unknown, or has two roles."""
    follow = follow_roles(options)
    if options["outcome"] is None and follow is None:
        hint = "" if file is None else f"its columns: {', '.join(file.columns)}"
        raise InputError("outcome", f"name the column of {name} with the outcome", "none", hint=hint)
    if not options["predictions"]:
        hint = "" if file is None else f"columns with numbers: {_number_columns(file, options)}"
        raise InputError("predictions", f"name the columns of {name} with predicted probabilities", "none", hint=hint)
    others = {role: given for role, given in options.items() if role not in FOLLOW}
    others["predictions"] = {column: column for column in options["predictions"]}
    roles = Roles(**others) if follow is None else followed_roles(follow, others)
    if file is not None:
        for argument, column in roles:
            with explaining_costs(argument.role):
                file.known(argument.role, column)
    listed = dict.fromkeys(roles.predictions.values()) if roles.at_horizons else options["predictions"]
    models = [("predictions", column) for column in listed]
    columns = [(one.role, column) for one, column in roles if one.role in _APART]
    _check_apart([*columns, *models, *([] if roles.weight is None else [("weight", roles.weight)])])
    return roles if file is None else name_event_labels(name_positive_label(roles, file), file)


_APART = ("outcome", "time", "event", "entry")  # columns that have one role, as those of models


def _number_columns(file: DataFile, options: Mapping[str, Any]) -> str:
    taken = [options.get(role) for role in ("outcome", "weight", "time", "event", "entry")]
    return ", ".join(c for c in file.columns if file.kinds[c] == "number" and c not in taken) or "none"


def _check_apart(columns: Sequence[tuple[str, str]]) -> None:
    """Raise if a column has two roles."""
    seen: dict[str, str] = {}
    for role, column in columns:
        if column in seen:
            shown, other = _check.show(column), Argument(seen[column])
            got = f"{shown} twice" if other.role == role else (f"{shown} for ", other, " too")
            raise InputError(role, "name a column of its own", got)
        seen[column] = role


def _count_cases(file: DataFile, roles: Roles) -> int:
    """Count the cases of a file; columns that cannot have their role are refused first."""
    with file.reading():
        return len(scan_roles(file, roles))


def read_columns(file: DataFile, roles: Roles) -> FrameColumns:
    """Read numbers as numbers, and labels, including those of outcomes, as text, in one scan."""
    found, placed = read_roles(file, replace(roles, key=None)), place_roles(roles)
    labels, notes = in_one_spelling(found, roles)
    followed = zip(roles.further, placed.further.values(), strict=True)
    return FrameColumns(
        outcome=labels["outcome"],
        predictions={model: settle(found[name]) for model, name in placed.predictions.items()},
        weight=found.get("weight"),
        pos_label=roles.pos_label,
        group=labels["group"],
        cluster=found.get("cluster"),
        notes=(*file.notes, *notes),
        repeat=found.get("repeat"),
        site=labels["site"],
        follow=roles.follow,
        at_horizons=roles.at_horizons,
        costs=roles.costs,
        further={argument: found[name] for argument, name in followed},
    )


def source_in_memory(columns: FrameColumns, run: RunOptions, codes: Mapping[float, str]) -> Source:
    """Drop cases that miss a value, and check the others; errors name a row of the file."""
    kept, here = without_missing(columns, run.drop)
    with given_rows(here):
        return source_of_columns(_check_columns(kept, codes))


def _check_columns(columns: FrameColumns, codes: Mapping[float, str]) -> FrameColumns:
    """Check the columns by the rules of files, and return outcomes as 0 and 1; `codes` have labels."""
    if columns.follow is not None:
        columns = read_follow_up(columns)
        outcome = columns.outcome
    elif columns.outcome.dtype == object:
        outcome = _outcome_from_labels(columns)
    else:
        outcome = _outcome_from_numbers(columns.outcome, codes)
    for model, column in columns.predictions.items():
        check_scores(model, column)
    _columns.weights("weight", columns.weight)
    arrays = {argument.role: column for argument, column in columns.further.items()}
    costs = CaseCosts(**filled(columns.costs, arrays)) if columns.costs else None
    scores = at_horizons(columns.predictions, columns.at_horizons)
    return replace(columns, outcome=outcome, predictions=scores, pos_label=None, further={}, case_costs=costs)


def _outcome_from_labels(columns: FrameColumns) -> Column:
    """Return labels of outcomes as 0 and 1, matching the positive label as `same_label` does."""
    text = np.array([None if label is None else str(label) for label in columns.outcome], dtype=object)
    positive = columns.pos_label
    if positive is not None:
        positive = str(same_label(str(positive), {label for label in text if label is not None}))
    return _columns.outcome("outcome", text, positive)


def _outcome_from_numbers(column: Column, codes: Mapping[float, str]) -> Column:
    """Return outcomes that are 0 and 1; else name the labels of codes, where the file has any."""
    try:
        return _columns.outcome("outcome", column)
    except InputError as error:
        if not (codes and error.hint):
            raise
        labels = [codes.get(code, code) for code in _columns.distinct_labels(column)]
        raise error.but(hint=_columns.label_hint(labels)) from None


def check_scores(model: str, column: Column) -> None:
    """Raise unless scores are probabilities, with what to do about percentages."""
    try:
        _columns.probabilities(Argument("predictions", model), column)
    except InputError as error:
        in_percent = float(column.min()) >= 0 and float(column.max()) <= 100
        raise error.but(hint_typed=_columns.PERCENT_HINT if in_percent else "") from None


@contextmanager
def add_line(file: DataFile) -> Iterator[None]:
    """Add the line of the file to an error that names a row."""
    try:
        yield
    except InputError as error:
        raise error if error.row is None else error.but(line=file.line(error.row)) from None


@contextmanager
def _add_place(name: str, roles: Roles, run: RunOptions) -> Iterator[None]:
    """Raise errors in the cases as they are found by reading the file itself; engines know no lines."""
    try:
        yield
    except InputError as error:
        if error.argument is not None and error.row is None and Path(name).is_file():
            (file,) = open_files([Path(name)], run.text)
            _frame_source(file, name_positive_label(roles, file), replace(run, in_memory=0)).tables  # noqa: B018 -- raises the other
        raise


# ------------------------------------------------------------------------------------------- cases of a frame


def _frame_source(frame: Any, roles: Roles, run: RunOptions) -> Source:
    """Return the cases of a file or frame as a source; more than `in_memory` stay where they are."""
    labelled = roles if roles.pos_label is None else replace(roles, pos_label=_positive_label(frame, roles))
    return as_source(
        frame,
        labelled,
        drop=run.drop,
        in_memory=run.most_cases(roles),
        resampled=run.resampled,
        rng=run.seed,
    )


def _positive_label(frame: Any, roles: Roles) -> object:
    """Return the label of the frame that matches the positive label as `same_label` does."""
    from stakes.frames import as_frame, outcome_labels

    outcome = roles.outcome
    column = as_frame(frame.relation(labels=[outcome]) if isinstance(frame, DataFile) else frame)
    assert not isinstance(column, DataFile)
    if not isinstance(frame, DataFile):
        roles.check(column.collect_schema().names(), {})
    labels = outcome_labels(column.select(outcome).rename({outcome: "raw"}))
    return same_label(str(roles.pos_label), labels)
