"""What each command does; loaded when one is run, so that help does not wait for it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from stakes._errors import Argument, InputError
from stakes._roles import FrameColumns
from stakes.cli._options import Typed, belief, stated
from stakes.cli._outputs import Outputs
from stakes.cli._reading import RunOptions, source_of
from stakes.cli._show import console, doing, say, show, show_recommendation
from stakes.evaluation import CaseSource, Evaluation, Source, evaluate_source, recommend
from stakes.table import Recalibration, score_table

_OWN = "stakes evaluate FILE --outcome COLUMN --models COLUMN... --cost 5%..20% --html report.html"


_TITLE = "Who should have a biopsy?"


_WORLD = ("costs", "prevalence", "capacity", "min_precision")


_SHOWN = ("quiet", "title", "coarsen")


_HOW = ("engine", "master", "in_memory", "seed")


def rank_cohort(typed: Sequence[str], costs: Typed, *, html: str, json: str | None, coarsen: bool, quiet: bool) -> None:
    """Rank the models of the bundled cohort."""
    outputs = Outputs.judged(html=html, json=json)
    evaluation = evaluate_source(_cohort(), stated(costs), call=_call(typed))
    _answer(evaluation, outputs, quiet=quiet, title=_TITLE, coarsen=coarsen)
    if not (quiet or outputs.prints_json):
        click.echo(f"\nYour own file:\n  {_OWN}")


def _cohort() -> CaseSource:
    """Return the models of the cohort and its cases."""
    from stakes.datasets import load_cohort

    cohort = load_cohort()
    cancer = cohort["cancer"]
    group = -np.searchsorted(["high", "intermediate", "low"], cohort["risk_group"])
    models = {
        "prediction model": cohort["cancerpredmarker"],
        "recalibrated risk group": Recalibration.of(score_table(cancer, group))(group),
        "family history": cohort["famhistory"],
    }
    return CaseSource.of_arrays(FrameColumns(outcome=cancer, predictions=models))


def rank_file(typed: Sequence[str], *, file: str | None, level: float, folds: int | None, **options: Any) -> None:
    """Rank the models of a file."""
    world, shown, how = ({name: options.pop(name) for name in names} for names in (_WORLD, _SHOWN, _HOW))
    decision = stated(**world)
    outputs = Outputs.judged(html=options.pop("html"), json=options.pop("json"), source=file)
    run = RunOptions(**how, resampled=decision.limits is not None)
    if run.engine is not None and folds is not None:
        raise InputError("folds", ("be left out with ", Argument("engine")), str(folds))
    with source_of(file, options, run) as (source, text), doing(_doing(source)):
        evaluation = evaluate_source(source, decision, level=level, folds=folds, rng=run.seed, call=_call(typed))
    _answer(evaluation, outputs, **shown, source=file, text=text)


def _doing(source: Source) -> str:
    if not isinstance(source, CaseSource):
        return "comparing models where the cases are"
    cases, models = f"{len(source.columns):,} cases", len(source.columns.predictions)
    return f"comparing {models} models on {cases}" if models > 1 else f"judging a model on {cases}"


def _call(typed: Sequence[str]) -> str:
    """Return what was typed, in one line; the name of a file may be anything."""
    call = shlex.join(["stakes", *typed])
    return "".join(one if one.isprintable() else "?" for one in call)


def explain_belief(words: Sequence[str]) -> None:
    """Show what a belief means."""
    from stakes.cli._picture import show_belief

    show_belief(console(), belief("BELIEF", " ".join(words)))


def recommend_measure(**world: Any) -> None:
    """Say which measure fits a decision."""
    decision = stated(**world)
    show_recommendation(console(), decision, recommend(decision))


def _answer(
    evaluation: Evaluation,
    outputs: Outputs,
    *,
    quiet: bool,
    title: str | None,
    coarsen: bool,
    source: str | None = None,
    text: str = "",
) -> None:
    """Write what was asked for, and show the evaluation: also where a file cannot be written, or nobody reads on."""
    name = None if source is None else "standard input" if source == "-" else Path(source).name
    try:
        with doing("writing"):
            written = outputs.write(evaluation, title=title, coarsen=coarsen, source=name)
    finally:
        if not (quiet or outputs.prints_json):
            show(console(), evaluation, text)
    if written and not quiet:
        out = console(errors=outputs.prints_json)
        out.print()
        for line in written:
            say(out, line)
