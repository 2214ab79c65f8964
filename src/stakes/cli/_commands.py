"""What each command does, once its options are read; loaded when one is run, so that help does not wait for it."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from stakes.cli import _demo
from stakes.cli._asked import Asked
from stakes.cli._input import How, evaluated
from stakes.cli._output import Outputs
from stakes.cli._picture import show_belief
from stakes.cli._show import show, show_recommendation
from stakes.cli._terminal import console, doing, say
from stakes.cli._typed import Typed, belief, stated
from stakes.decision import Evaluation, recommend

_OWN = "stakes evaluate FILE --outcome COLUMN --models COLUMN... --cost 5%..20% --html report.html"
_WORLD = ("cost", "prevalence", "capacity", "min_precision")
_SHOWN = ("quiet", "title", "coarsen")
_HOW = ("engine", "master", "in_memory", "level", "seed", "folds")


def rank_cohort(typed: Sequence[str], cost: Typed, *, html: str, json: str | None, coarsen: bool, quiet: bool) -> None:
    """Rank the models of the bundled cohort."""
    outputs = Outputs.judged(html=html, json=json)
    _answer(typed, _demo.evaluated(stated(cost)), outputs, quiet=quiet, title=_demo.TITLE, coarsen=coarsen)
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
