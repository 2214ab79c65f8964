"""A file of predictions: from its name and those of its columns to an evaluation."""

from __future__ import annotations

import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stakes import _check
from stakes.cli._columns import Found, in_the_words_of, judged
from stakes.cli._terminal import doing
from stakes.cli._typed import BadInput
from stakes.decision import Decision, Evaluation, evaluate
from stakes.frames import DataFile, open_file, read_columns


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A file, and which column of it plays which part."""

    file: str | None
    outcome: str | None
    models: tuple[str, ...]
    positive: str | None = None
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None

    @property
    def labels(self) -> dict[str, str]:
        """The columns whose values are names, by the option that names them."""
        named = {"--group": self.group, "--cluster": self.cluster}
        return {option: column for option, column in named.items() if column is not None}


def evaluated(asked: Asked, decision: Decision, *, level: float, seed: int, folds: int | None) -> Evaluation:
    """Read the columns that were asked for, judge them, and rank the models."""
    with _local(asked.file) as path:
        file = open_file(path)
        _judge_names(file, asked)
        with doing(f"reading {path.name}"):
            found = _read(file, asked)
    with in_the_words_of(file):
        columns = judged(found, asked.positive)
        cases, models = f"{len(columns['y']):,} cases", len(asked.models)
        with doing(f"comparing {models} models on {cases}" if models > 1 else f"judging a model on {cases}"):
            return evaluate(**columns, decision=decision, level=level, rng=seed, folds=folds)


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
def _local(name: str | None) -> Iterator[Path]:
    """Give the path of a file; what can be read only once, such as the standard input, is copied first."""
    if name is None:
        hint = "put it before `--models`, which takes every name up to the next option"
        raise BadInput(f"`FILE` must be the file with the predictions, got none; {hint}.")
    if name != "-" and not _flows(Path(name)):
        yield Path(name)
        return
    with tempfile.TemporaryDirectory(prefix="stakes-") as folder:
        path = Path(folder) / ("standard input" if name == "-" else Path(name).name)
        with (
            path.open("wb") as copy,
            open(sys.stdin.fileno() if name == "-" else name, "rb", closefd=name != "-") as source,
        ):
            shutil.copyfileobj(source, copy)
        yield path


def _flows(path: Path) -> bool:
    """Whether a path is a pipe: what has been read from it is gone."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False  # refused where it is opened


def _judge_names(file: DataFile, asked: Asked) -> None:
    """Refuse names that are missing, not those of columns, or in two places."""
    name = file.path.name
    if asked.outcome is None:
        listed = ", ".join(file.columns)
        raise BadInput(f"`--outcome` must name the column of {name} with the outcome, got none; its columns: {listed}.")
    if not asked.models:
        numbers = [c for c in file.columns if file.kinds[c] == "number" and c not in (asked.outcome, asked.weight)]
        listed = ", ".join(numbers) or "none"
        raise BadInput(
            f"`--models` must name the columns of {name} with predicted probabilities, got none; "
            f"columns with numbers: {listed}."
        )
    parts = [("--outcome", asked.outcome), *(("--models", model) for model in asked.models)]
    parts += [("--weight", asked.weight)] if asked.weight is not None else []
    for option, column in [*parts, *asked.labels.items()]:
        file.known(option, column)
    _judge_apart(parts)


def _judge_apart(parts: Sequence[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for option, column in parts:
        if column in seen:
            other = "twice" if seen[column] == option else f"for `{seen[column]}` too"
            raise BadInput(f"`{option}` must name a column of its own, got {_check._shown(column)} {other}.")
        seen[column] = option
