"""An evaluation and a recommendation in a terminal: colour where there is one, plain text elsewhere."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stakes import _wording as words
from stakes._wording import printable
from stakes.evaluation import (
    HEADINGS,
    Decision,
    Evaluation,
    Recommendation,
    as_given,
    column_notes,
    costs,
    describe_sample,
    group_note,
    group_rows,
    question,
    row_cells,
    stacked,
)
from stakes.policy import Policy

_NAME = 24  # columns that names get before a column of numbers is left out


_LEFT_OUT_FIRST = ("recalibration gain", "skill", "acts on", "P(best)", "interval")


_GAP = 2


_MOST_THRESHOLDS = 8


def show(out: Console, evaluation: Evaluation, text: str = "") -> None:
    """Print the question, what is to be said of the sample, the ranking, groups and findings."""
    say(out, question(len(evaluation.tables), evaluation.decision), style="bold")
    say(out, describe_sample(evaluation))
    if text:
        say(out, text)
    out.print()
    _show_ranking(out, evaluation)
    if evaluation.groups:
        out.print()
        out.print(groups(evaluation, out.width))
        if note := group_note(evaluation):
            say(out, note, style="dim")
    if evaluation.decision.limits is not None and evaluation.best.model in evaluation.policies:
        _show_thresholds(
            out,
            evaluation.best.model,
            evaluation.policies[evaluation.best.model],
            evaluation.decision,
            evaluation.sample.prevalence,
        )
    if evaluation.findings:
        out.print()
    for number, finding in enumerate(evaluation.findings, 1):
        say(out, finding.text, indent=f"{number:2}. ", style="bold" if number == 1 else "")


def _show_ranking(out: Console, evaluation: Evaluation) -> None:
    """Print the ranked table, with as many columns as there is room for, and what these columns are."""
    headings, rows = _told(evaluation)
    kept = _fitting(headings, rows, out.width, [heading for heading in _LEFT_OUT_FIRST if heading in headings])
    table = _table([stacked(headings, rows)[k] for k in kept])
    for standing, row in zip(evaluation.ranking, rows, strict=True):
        style = "bold green" if standing is evaluation.best else "dim" if standing.reference else ""
        table.add_row(*(Text(row[k]) for k in kept), style=style)
    out.print(table)
    out.print()
    shown = {headings[k] for k in kept}
    notes = (note for heading, note in column_notes(evaluation).items() if heading in shown)
    say(out, " ".join(notes), style="dim")


def _told(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Return the ranking as words, without columns that say nothing of any model."""
    rows = [[*map(printable, row_cells(standing))] for standing in evaluation.ranking]
    told = [k for k in range(len(HEADINGS)) if any(row[k] != words.NOT_KNOWN for row in rows)]
    return [HEADINGS[k] for k in told], [[row[k] for k in told] for row in rows]


def groups(evaluation: Evaluation, width: int) -> Table:
    """Make the table of groups: what each model costs in each."""
    headings, *rows = ([*map(printable, row)] for row in group_rows(evaluation))
    kept = _fitting(headings, rows, width, headings[:3:-1])
    table = _table([stacked(headings, rows)[k] for k in kept])
    for row in rows:
        table.add_row(*(Text(row[k]) for k in kept))
    return table


def _show_thresholds(out: Console, model: str, policy: Policy, decision: Decision, sampled: float) -> None:
    """Print which thresholds to use, at most a few: limits move them away from the cost itself.

    They are for the scores of the file; a `policy` cuts scores that have been corrected for the stated prevalence.
    """
    steps = range(len(policy)) if len(policy) <= _MOST_THRESHOLDS else (0, len(policy) - 1)
    table = _table([f"act where {printable(words.name(model))}", "at costs", "alarms", "precision", "recall"])
    for step in steps:
        table.add_row(*map(Text, _of_step(policy, step, decision, sampled)))
    out.print()
    out.print(table)
    if len(steps) < len(policy):
        say(
            out,
            f"These are the first and last of {len(policy):,} thresholds; the report has them all.",
            style="dim",
        )
    if decision.prevalence is not None:
        say(out, "The thresholds apply to the scores as given, not corrected for that prevalence.", style="dim")


def _of_step(policy: Policy, step: int, decision: Decision, sampled: float) -> tuple[str, ...]:
    threshold, precision = as_given(float(policy.threshold[step]), decision, sampled), float(policy.precision[step])
    low, high = (words.percent(float(end[step])) for end in (policy.from_cost, policy.to_cost))
    return (
        "is anything (never act)" if math.isinf(threshold) else f"is at least {words.threshold(threshold)}",
        low if low == high else f"{low} to {high}",
        words.whole_percent(float(policy.alarms_per_thousand[step]) / 1000),
        words.NOT_KNOWN if math.isnan(precision) else words.whole_percent(precision),
        words.whole_percent(float(policy.recall[step])),
    )


def _table(headings: Sequence[str]) -> Table:
    """Make an empty table without lines: names to the left, numbers to the right."""
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, collapse_padding=True, header_style="bold")
    for number, heading in enumerate(headings):
        first = number == 0
        justify: Literal["left", "right"] = "left" if first else "right"
        table.add_column(Text(heading), justify=justify, vertical="bottom", no_wrap=not first, overflow="fold")
    return table


def _fitting(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int,
    left_out_first: Sequence[str],
) -> list[int]:
    """Return which columns to show: names need some room, and the least telling numbers make it."""
    columns = zip(stacked(headings, rows), *rows, strict=True)
    widths = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in columns]
    kept, names = list(range(len(headings))), min(widths[0], _NAME)
    for heading in left_out_first:
        if names + sum(widths[k] + _GAP for k in kept[1:]) <= width:
            break
        kept.remove(headings.index(heading))
    return kept


def show_recommendation(out: Console, decision: Decision, made: Recommendation) -> None:
    """Print which measure fits, why, and what others would assume."""
    say(out, f"If {costs(decision)}, use", style="bold")
    out.print()
    say(out, made.measure, indent="    ", style="green")
    out.print()
    say(out, made.reason)
    out.print()
    say(out, "The usual measures would silently assume something else:")
    for assumption in made.assumptions.values():
        say(out, assumption, indent="  - ")


PIPED_WIDTH = 100


def console(*, errors: bool = False) -> Console:
    """Return where to print: the standard output, or that of errors."""
    out = Console(file=sys.stderr if errors else sys.stdout, markup=False, highlight=False, emoji=False)
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out.width = PIPED_WIDTH
    return out


def say(out: Console, text: str, *, style: str = "", indent: str = "") -> None:
    """Print a sentence, wrapped; further lines start under the first word after `indent`."""
    room = max(20, out.width - len(indent))
    for number, line in enumerate(Text(printable(text), style=style).wrap(out, room)):
        line.rstrip()
        out.print(Text(indent if number == 0 else " " * len(indent)) + line, soft_wrap=True)


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Say what takes its time while it does, where someone can see it."""
    if not sys.stderr.isatty():
        yield
        return
    line = f"{printable(what)[:70]} ..."
    print(line, end="\r", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print(" " * len(line), end="\r", file=sys.stderr, flush=True)
