"""From a file and the columns that were typed to a source of cases."""

from __future__ import annotations

import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from stakes import _check, _columns
from stakes._arrays import Column
from stakes._errors import Argument, InputError
from stakes._roles import FrameColumns, Roles
from stakes.cli._show import doing
from stakes.evaluation import CaseSource, Source, as_source
from stakes.frames import CLUSTERS, DataFile, arrived, found_labels, open_file, open_with, read_columns


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What reads the file, up to how many cases are held in memory, and whether measures are to be resampled."""

    engine: str | None = None
    master: str | None = None
    in_memory: int
    seed: int
    resampled: bool = False


@contextmanager
def source_of(name: str | None, options: Mapping[str, Any], how: RunOptions) -> Iterator[tuple[Source, str]]:
    """Give the cases of a file, and what is to be said of the way it is read, if anything."""
    if name is None:
        hint = "put it before `--models`, which takes every name up to the next option"
        raise InputError("file", "be the file with the predictions", "none", hint=hint)
    if how.engine is not None:
        roles = _roles(options, name)
        with open_with(how.engine, how.master, name) as frame:
            yield _where_they_are(frame, roles, how), f"The file was read by {how.engine}."
        return
    if how.master is not None:
        raise InputError("master", f"come with `--engine {' or '.join(CLUSTERS)}`", "no engine")
    with _local(name) as path:
        file = open_file(path)
        roles = _roles(options, file.path.name, file)
        if _cases(file) > how.in_memory:
            text = f"The file was streamed, a piece at a time: it has more than {how.in_memory:,} cases."
            yield _where_they_are(file, roles, how), text
            return
        with doing(f"reading {path.name}"):
            columns = _read(file, roles)
    with _in_lines_of(file):
        source = CaseSource.of_arrays(_checked(columns))
    yield source, ""


# ------------------------------------------------------------------------------------------- the columns


def _roles(options: Mapping[str, Any], name: str, file: DataFile | None = None) -> Roles:
    """Return which column plays which part; raise where names are missing, unknown, or in two places."""
    if options["outcome"] is None:
        hint = "" if file is None else f"its columns: {', '.join(file.columns)}"
        raise InputError("outcome", f"name the column of {name} with the outcome", "none", hint=hint)
    if not options["predictions"]:
        hint = "" if file is None else f"columns with numbers: {_numbers(file, options)}"
        raise InputError("predictions", f"name the columns of {name} with predicted probabilities", "none", hint=hint)
    roles = Roles(**{**options, "predictions": {column: column for column in options["predictions"]}})
    if file is not None:
        for argument, column in roles:
            file.known(argument.role, column)
    models = [("predictions", column) for column in options["predictions"]]
    _check_apart([("outcome", roles.outcome), *models, *([] if roles.weight is None else [("weight", roles.weight)])])
    return roles


def _numbers(file: DataFile, options: Mapping[str, Any]) -> str:
    taken = (options["outcome"], options["weight"])
    return ", ".join(c for c in file.columns if file.kinds[c] == "number" and c not in taken) or "none"


def _check_apart(columns: Sequence[tuple[str, str]]) -> None:
    """Raise if a column is in two places."""
    seen: dict[str, str] = {}
    for role, column in columns:
        if column in seen:
            shown, other = _check.show(column), Argument(seen[column])
            got = f"{shown} twice" if other.role == role else (f"{shown} for ", other, " too")
            raise InputError(role, "name a column of its own", got)
        seen[column] = role


def _cases(file: DataFile) -> int:
    """Count the cases of a file, without reading what they are."""
    with file.reading():
        return len(file.relation(labels=file.columns[:1]))


def _read(file: DataFile, roles: Roles) -> FrameColumns:
    """Read the columns: numbers as numbers, and labels, words for outcomes included, as written."""
    in_words = roles.pos_label is not None or file.kinds[roles.outcome] == "text"
    named = [column for column in (roles.group, roles.cluster) if column is not None]
    found = read_columns(file, numbers=[*roles.numbers, *([] if in_words else [roles.outcome])])
    words = [*named, *([roles.outcome] if in_words else [])]
    labels = read_columns(file, labels=dict.fromkeys(words)) if words else {}  # apart: one column may be both
    return FrameColumns(
        outcome=labels[roles.outcome] if in_words else found[roles.outcome],
        predictions={model: found[column] for model, column in roles.predictions.items()},
        weight=None if roles.weight is None else found[roles.weight],
        pos_label=roles.pos_label,
        group=None if roles.group is None else labels[roles.group],
        cluster=None if roles.cluster is None else labels[roles.cluster],
    )


def _checked(columns: FrameColumns) -> FrameColumns:
    """Return columns as arrays of cases, or say which row is wrong, while rows are those of the file."""
    in_words = columns.outcome.dtype == object
    outcome = _in_words(columns) if in_words else _columns.outcome("outcome", columns.outcome)
    for model, column in columns.predictions.items():
        _check_scores(model, column)
    _columns.weights("weight", columns.weight)
    for role, labels in (("group", columns.group), ("cluster", columns.cluster)):
        if labels is not None:
            _columns.check_no_missing(role, np.array([label is None for label in labels]))
    return replace(columns, outcome=outcome, pos_label=None)


def _in_words(columns: FrameColumns) -> Column:
    """Return outcomes that are words; the positive one may be typed in another way."""
    text = np.array([None if label is None else str(label) for label in columns.outcome], dtype=object)
    positive = columns.pos_label
    if positive is not None:
        positive = str(_same_label(str(positive), {label for label in text if label is not None}))
    return _columns.outcome("outcome", text, positive)


def _check_scores(model: str, column: Column) -> None:
    """Raise for scores that are no probabilities; the cases of missing ones are dropped later, for all models."""
    try:
        _columns.probabilities(Argument("predictions", model), np.where(np.isnan(column), 0.0, column))
    except InputError as error:
        in_percent = float(np.nanmin(column)) >= 0 and float(np.nanmax(column)) <= 100
        raise error.but(hint_typed=_columns.PERCENT_HINT if in_percent else "") from None


@contextmanager
def _in_lines_of(file: DataFile) -> Iterator[None]:
    """Add the line of the file to an error that knows a row."""
    try:
        yield
    except InputError as error:
        raise error if error.row is None else error.but(line=file.line(error.row)) from None


# ------------------------------------------------------------------------------------------- cases that stay


def _where_they_are(frame: Any, roles: Roles, how: RunOptions) -> Source:
    """Return the cases of a file or of an engine's data frame, which stay where they are if they are many."""
    labelled = roles if roles.pos_label is None else replace(roles, pos_label=_positive(frame, roles))
    return as_source(
        frame,
        labelled,
        drop=("predictions",),
        in_memory=how.in_memory,
        resampled=how.resampled,
        rng=how.seed,
    )


def _positive(frame: Any, roles: Roles) -> object:
    """Return the label of the frame that was typed, perhaps in another way."""
    outcome = roles.outcome
    column = arrived(frame.relation(labels=[outcome]) if isinstance(frame, DataFile) else frame)
    assert not isinstance(column, DataFile)
    if not isinstance(frame, DataFile):
        roles.check(column.collect_schema().names(), {})
    labels = found_labels(column.select(outcome).rename({outcome: "raw"}))
    return _same_label(str(roles.pos_label), labels)


def _same_label(typed: str, labels: Iterable[object]) -> object:
    """Return the label that was typed, matching 1 to 1.0 and True to TRUE; what was typed where there is none."""
    exact_first = sorted(labels, key=lambda label: str(label) != typed)
    return next((label for label in exact_first if _plain(str(label)) == _plain(typed)), typed)


def _plain(label: str) -> str | float:
    try:
        return float(label)
    except ValueError:
        return label.strip().casefold()


# ------------------------------------------------------------------------------------------- the file


@contextmanager
def _local(name: str) -> Iterator[Path]:
    """Give the path of a file that can be read again and again, and whose name is text."""
    path, shown = Path(name), name.encode(errors="replace").decode()
    if name != "-" and not _flows(path) and (name == shown or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="stakes-") as folder:
        stand_in = Path(folder) / ("standard input" if name == "-" else Path(shown).name)
        if name == "-" or _flows(path):
            _copy(name, stand_in)
        else:
            stand_in.symlink_to(path.absolute())
        yield stand_in


def _copy(name: str, target: Path) -> None:
    """Copy what can be read only once."""
    standard = name == "-"
    with (
        target.open("wb") as copy,
        open(sys.stdin.fileno() if standard else name, "rb", closefd=not standard) as source,
    ):
        shutil.copyfileobj(source, copy)


def _flows(path: Path) -> bool:
    """Whether a path is a pipe: what has been read from it is gone."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False  # refused where it is opened
