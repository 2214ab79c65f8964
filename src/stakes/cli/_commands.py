"""What each command does; loaded when one is run, so that help does not wait for it."""

from __future__ import annotations

import dataclasses
import shlex
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from stakes._errors import InputError
from stakes.cli._asked import Asked, judge_apart, judge_given, judge_names
from stakes.cli._columns import Found, judged, same_label
from stakes.cli._engines import CLUSTERS, opened
from stakes.cli._options import Typed, belief, stated
from stakes.cli._outputs import Outputs
from stakes.cli._picture import show_belief
from stakes.cli._show import console, doing, say, show, show_recommendation
from stakes.datasets import load_cohort
from stakes.evaluation import Decision, Evaluation, evaluate, recommend
from stakes.frames import DataFile, DroppedRows, arrived, evaluate_frame, found_labels, open_file, read_columns
from stakes.table import Recalibration, score_table

_OWN = "stakes evaluate FILE --outcome COLUMN --models COLUMN... --cost 5%..20% --html report.html"


_WORLD = ("cost", "prevalence", "capacity", "min_precision")


_SHOWN = ("quiet", "title", "coarsen")


_HOW = ("engine", "master", "in_memory", "level", "seed", "folds")


def rank_cohort(typed: Sequence[str], cost: Typed, *, html: str, json: str | None, coarsen: bool, quiet: bool) -> None:
    """Rank the models of the bundled cohort."""
    outputs = Outputs.judged(html=html, json=json)
    _answer(typed, demo_evaluation(stated(cost)), outputs, quiet=quiet, title=TITLE, coarsen=coarsen)
    if not (quiet or outputs.prints_json):
        click.echo(f"\nYour own file:\n  {_OWN}")


def rank_file(typed: Sequence[str], **options: Any) -> None:
    """Rank the models of a file."""
    world, shown, how = ({name: options.pop(name) for name in names} for names in (_WORLD, _SHOWN, _HOW))
    decision = stated(**world)
    outputs = Outputs.judged(html=options.pop("html"), json=options.pop("json"), source=options["file"])
    found, said = evaluated(Asked(**options), decision, How(**how))
    _answer(typed, found, outputs, **shown, source=options["file"], said=said)


def explain_belief(words: Sequence[str]) -> None:
    """Show what a belief means."""
    show_belief(console(), belief("BELIEF", " ".join(words)))


def recommend_measure(**world: Any) -> None:
    """Say which measure fits a decision."""
    decision = stated(**world)
    show_recommendation(console(), decision, recommend(decision))


def _answer(
    typed: Sequence[str],
    found: Evaluation,
    outputs: Outputs,
    *,
    quiet: bool,
    title: str | None,
    coarsen: bool,
    source: str | None = None,
    said: str = "",
) -> None:
    """Write what was asked for, and show the evaluation: also where a file cannot be written, or nobody reads on."""
    call = shlex.join(["stakes", *typed])
    visible = "".join(one if one.isprintable() else "?" for one in call)  # a file's name may be anything
    evaluation = dataclasses.replace(found, call=visible)
    name = None if source is None else "standard input" if source == "-" else Path(source).name
    try:
        with doing("writing"):
            written = outputs.write(evaluation, title=title, coarsen=coarsen, source=name)
    finally:
        if not (quiet or outputs.prints_json):
            show(console(), evaluation, said)
    if written and not quiet:
        out = console(errors=outputs.prints_json)
        out.print()
        for line in written:
            say(out, line)


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
        raise InputError("FILE", "be the file with the predictions", "none", hint=hint)
    if how.engine is not None:
        return _by_engine(asked, asked.file, how.engine, decision, how)
    if how.master is not None:
        raise InputError("--master", f"come with `--engine {' or '.join(CLUSTERS)}`", "no engine")
    with _local(asked.file) as path:
        file = open_file(path)
        judge_names(file, asked)
        if _cases(file) > how.in_memory:
            return _streamed(file, asked, decision, how), f"{_STREAMED}: it has more than {how.in_memory:,} cases."
        with doing(f"reading {path.name}"):
            found = _read(file, asked)
    with _in_lines_of(file):
        columns = judged(found, asked.positive)
        cases, models = f"{len(columns['y']):,} cases", len(asked.models)
        with doing(f"comparing {models} models on {cases}" if models > 1 else f"judging a model on {cases}"):
            made = evaluate(**columns, decision=decision, level=how.level, rng=how.seed, folds=how.folds)
    return made, ""


@contextmanager
def _in_lines_of(file: DataFile) -> Iterator[None]:
    """Add the line of the file to an error that knows a row."""
    try:
        yield
    except InputError as error:
        raise error if error.row is None else error.but(line=file.line(error.row)) from None


def _by_engine(asked: Asked, name: str, engine: str, decision: Decision, how: How) -> tuple[Evaluation, str]:
    judge_given(asked, name)
    judge_apart(asked.apart)
    with opened(engine, how.master, name) as frame:
        return _streamed(frame, asked, decision, how), f"The file was read by {engine}."


def _streamed(frame: Any, asked: Asked, decision: Decision, how: How) -> Evaluation:
    if how.folds is not None:
        where = "with more cases than `--in-memory` allows" if how.engine is None else "with `--engine`"
        raise InputError("folds", f"be left out {where}", str(how.folds))
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
        labels={role: labels[column] for role, column in asked.labels.items()},
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


def streamed(frame: Any, asked: Asked, decision: Decision, *, in_memory: int, level: float, seed: int) -> Evaluation:
    """Rank the models on the cases of a file or of an engine's data frame, wherever these are."""
    assert asked.outcome is not None  # judged by now
    with _scores_alone_missing(asked):
        return evaluate_frame(
            frame,
            asked.outcome,
            asked.models,
            decision,
            weight=asked.weight,
            group=asked.group,
            cluster=asked.cluster,
            key=asked.key,
            in_memory=in_memory,
            on_missing="drop",
            pos_label=None if asked.positive is None else _positive(frame, asked.outcome, asked.positive),
            level=level,
            rng=seed,
        )


def _positive(frame: Any, outcome: str, typed: str) -> object:
    """Return the label of the frame that was typed, perhaps in another way to write it."""
    column = arrived(frame.relation(labels=[outcome]) if isinstance(frame, DataFile) else frame)
    assert not isinstance(column, DataFile)
    labels = found_labels(column.select(outcome).rename({outcome: "raw"}))
    return same_label(typed, labels)


@contextmanager
def _scores_alone_missing(asked: Asked) -> Iterator[None]:
    """Refuse rows that miss anything but a score; those are left out, and the evaluation says how many."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def judge(message: Warning | str, *more: Any, **named: Any) -> None:
            if not isinstance(message, DroppedRows):
                return show(message, *more, **named)
            for column, count in message.by_column.items():
                if column not in asked.models:
                    got = "1 missing value" if count == 1 else f"{count:,} missing values"
                    raise InputError(asked.argument(column), "not have missing values", got)
            return None

        warnings.simplefilter("always", DroppedRows)
        warnings.showwarning = judge
        yield


TITLE = "Who should have a biopsy?"


def demo_evaluation(decision: Decision) -> Evaluation:
    """Rank the models of the cohort."""
    cohort = load_cohort()
    cancer = cohort["cancer"]
    group = -np.searchsorted(["high", "intermediate", "low"], cohort["risk_group"])
    models = {
        "prediction model": cohort["cancerpredmarker"],
        "recalibrated risk group": Recalibration.of(score_table(cancer, group))(group),
        "family history": cohort["famhistory"],
    }
    return evaluate(cancer, models, decision)
