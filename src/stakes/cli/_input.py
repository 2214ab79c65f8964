"""A file of predictions: from its name and those of its columns to an evaluation."""

from __future__ import annotations

import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stakes.cli._asked import Asked, judge_apart, judge_given, judge_names
from stakes.cli._columns import Found, in_the_words_of, judged
from stakes.cli._engines import CLUSTERS, opened
from stakes.cli._streamed import streamed
from stakes.cli._terminal import doing
from stakes.cli._typed import BadInput
from stakes.decision import Decision, Evaluation, evaluate
from stakes.frames import DataFile, open_file, read_columns

_STREAMED = "The file was streamed, a piece at a time"


@dataclass(frozen=True, kw_only=True)
class How:
    """How to evaluate: by which engine, up to how many cases in memory, and how sure to be."""

    engine: str | None = None
    master: str | None = None
    in_memory: int
    level: float
    seed: int
    folds: int | None = None


def evaluated(asked: Asked, decision: Decision, how: How) -> tuple[Evaluation, str]:
    """Rank the models of a file; return also what is to be said of the way it was read, if anything."""
    if asked.file is None:
        hint = "put it before `--models`, which takes every name up to the next option"
        raise BadInput(f"`FILE` must be the file with the predictions, got none; {hint}.")
    if how.engine is not None:
        return _by_engine(asked, asked.file, how.engine, decision, how)
    if how.master is not None:
        raise BadInput(f"`--master` must come with `--engine {' or '.join(CLUSTERS)}`, got no engine.")
    with _local(asked.file) as path:
        file = open_file(path)
        judge_names(file, asked)
        if _cases(file) > how.in_memory:
            return _streamed(file, asked, decision, how), f"{_STREAMED}: it has more than {how.in_memory:,} cases."
        with doing(f"reading {path.name}"):
            found = _read(file, asked)
    with in_the_words_of(file):
        columns = judged(found, asked.positive)
        cases, models = f"{len(columns['y']):,} cases", len(asked.models)
        with doing(f"comparing {models} models on {cases}" if models > 1 else f"judging a model on {cases}"):
            made = evaluate(**columns, decision=decision, level=how.level, rng=how.seed, folds=how.folds)
    return made, ""


def _by_engine(asked: Asked, name: str, engine: str, decision: Decision, how: How) -> tuple[Evaluation, str]:
    judge_given(asked, name)
    judge_apart(asked.apart)
    with opened(engine, how.master, name) as frame:
        return _streamed(frame, asked, decision, how), f"The file was read by {engine}."


def _streamed(frame: Any, asked: Asked, decision: Decision, how: How) -> Evaluation:
    if how.folds is not None:
        hint = "with more cases than `--in-memory` allows" if how.engine is None else "with `--engine`"
        raise BadInput(f"`--folds` must be left out {hint}, got {how.folds}.")
    with doing("comparing models where the cases are"):
        return streamed(frame, asked, decision, in_memory=how.in_memory, level=how.level, seed=how.seed)


def _cases(file: DataFile) -> int:
    """Count the cases of a file, without reading what they are."""
    with file.reading():
        return len(file.relation(labels=file.columns[:1]))


def _read(file: DataFile, asked: Asked) -> Found:
    """Read the columns that were asked for: numbers as numbers, and names, words for outcomes included, as written."""
    assert asked.outcome is not None  # judged by now
    in_words = asked.positive is not None or file.kinds[asked.outcome] == "text"
    words = [*asked.labels.values(), *([asked.outcome] if in_words else [])]
    numbers = [*asked.models, *filter(None, [asked.weight, None if in_words else asked.outcome])]
    found, labels = read_columns(file, numbers=numbers), {}
    if words:
        labels = read_columns(file, labels=dict.fromkeys(words))  # apart: one column may be both
    return Found(
        outcome=labels[asked.outcome] if in_words else found[asked.outcome],
        models={model: found[model] for model in asked.models},
        weight=None if asked.weight is None else found[asked.weight],
        labels={option: labels[column] for option, column in asked.labels.items()},
    )


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
