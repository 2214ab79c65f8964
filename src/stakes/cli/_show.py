"""Evaluations and recommendations in a terminal, with colour where it is supported."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Sequence
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stakes import _wording as words
from stakes._wording import printable
from stakes.evaluation import (
    Decision,
    Evaluation,
    Recommendation,
    action_note,
    action_rows,
    as_given,
    costs,
    describe_sample,
    group_difference_note,
    group_difference_rows,
    group_note,
    group_rows,
    horizon_note,
    horizon_rows,
    in_own_words,
    note,
    question,
    ranking_rows,
    stacked,
)
from stakes.policy import Policy

_NAME = 24  # width of names before a column of numbers is dropped

_DROPPED_FIRST = ("recalibration gain", "skill", "acts on", "P(best)", "interval")

_GAP = 2

_MOST_THRESHOLDS = 8

_STAKE_ADJUSTED = f"{words.STAKE_ADJUSTED} --policy writes the rule."


def show(out: Console, evaluation: Evaluation, text: str = "") -> None:
    """Print the question, the sample, the ranking, groups, thresholds and findings."""
    say(out, question(evaluation), style="bold")
    say(out, describe_sample(evaluation))
    if text:
        say(out, text)
    if evaluation.answer:
        say(out, evaluation.answer, style="bold")
    out.print()
    _show_ranking(out, evaluation)
    _show_groups(out, evaluation)
    if evaluation.decision.limits is not None and evaluation.best.model in evaluation.policies:
        _show_thresholds(out, evaluation, evaluation.policies[evaluation.best.model])
    if evaluation.findings:
        out.print()
    for number, finding in enumerate(evaluation.findings, 1):
        say(out, in_own_words(evaluation, finding.text), indent=f"{number:2}. ", style="bold" if number == 1 else "")


def _show_ranking(out: Console, evaluation: Evaluation) -> None:
    """Print the ranked table, with as many columns as fit, and a note on each of them."""
    headings, written = ranking_rows(evaluation)
    rows = [[*map(printable, row)] for row in written]
    kept = _fitting(headings, rows, out.width, [heading for heading in _DROPPED_FIRST if heading in headings])
    table = _table([stacked(headings, rows)[k] for k in kept])
    for standing, row in zip(evaluation.ranking, rows, strict=True):
        style = "bold green" if standing is evaluation.best else "dim" if standing.reference else ""
        table.add_row(*(Text(row[k]) for k in kept), style=style)
    out.print(table)
    out.print()
    say(out, note(evaluation, [headings[k] for k in kept]), style="dim")


def _show_groups(out: Console, evaluation: Evaluation) -> None:
    """Print shares by action, costs and differences by group, and costs by horizon, as far as known."""
    use = evaluation.actions
    parts = (
        ([] if use is None else action_rows(use), action_note(evaluation)),
        (group_rows(evaluation) if evaluation.groups else [], group_note(evaluation)),
        (group_difference_rows(evaluation), group_difference_note(evaluation)),
        (horizon_rows(evaluation) if evaluation.horizons else [], horizon_note()),
    )
    for rows, said in parts:
        if rows:
            out.print()
            out.print(_group_table(rows, out.width))
            if said:
                say(out, said, style="dim")


def show_rows(out: Console, written: Sequence[Sequence[str]]) -> None:
    """Print rows of text as a table, headings first, with as many columns as fit."""
    out.print()
    out.print(_group_table(written, out.width))


def _group_table(written: Sequence[Sequence[str]], width: int) -> Table:
    headings, *rows = ([*map(printable, row)] for row in written)
    kept = _fitting(headings, rows, width, headings[:3:-1])
    table = _table([stacked(headings, rows)[k] for k in kept])
    for row in rows:
        table.add_row(*(Text(row[k]) for k in kept))
    return table


def _show_thresholds(out: Console, evaluation: Evaluation, policy: Policy) -> None:
    """Print the thresholds to use, at most a few; under limits they differ from the cost itself.

    They apply to the scores of the file; those of `policy` apply to scores corrected for the stated prevalence.
    """
    steps = range(len(policy)) if len(policy) <= _MOST_THRESHOLDS else (0, len(policy) - 1)
    staked = bool(evaluation.sample.case_costs)
    what = ("the stake-adjusted score of " if staked else "") + printable(words.name(evaluation.best.model))
    table = _table([f"act where {what}", "at costs", "alarms", "precision", "recall"])
    for step in steps:
        table.add_row(*map(Text, _threshold_row(evaluation, policy, step)))
    out.print()
    out.print(table)
    if len(steps) < len(policy):
        say(
            out,
            f"These are the first and last of {len(policy):,} thresholds; the report has them all.",
            style="dim",
        )
    if staked:
        say(out, _STAKE_ADJUSTED, style="dim")
    if evaluation.decision.prevalence is not None:
        say(out, "The thresholds apply to the scores as given, not corrected for that prevalence.", style="dim")


def _threshold_row(evaluation: Evaluation, policy: Policy, step: int) -> tuple[str, ...]:
    threshold = as_given(float(policy.threshold[step]), evaluation.decision, evaluation.sample.prevalence)
    precision = float(policy.precision[step])
    staked = bool(evaluation.sample.case_costs)
    written = words.multiplier if staked else words.percent
    low, high = (written(float(end[step])) for end in (policy.from_cost, policy.to_cost))
    return (
        "never" if math.isinf(threshold) else f"is at least {words.threshold(threshold)}",
        low if low == high else f"{low} to {high}",
        (words.fine_percent if staked else words.whole_percent)(float(policy.alarms_per_thousand[step]) / 1000),
        words.NOT_KNOWN if math.isnan(precision) else words.whole_percent(precision),
        words.whole_percent(float(policy.recall[step])),
    )


def _table(headings: Sequence[str]) -> Table:
    """Return an empty table without borders, names to the left and numbers to the right."""
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
    dropped_first: Sequence[str],
) -> list[int]:
    """Return the columns to show: the least informative ones make room for names."""
    columns = zip(stacked(headings, rows), *rows, strict=True)
    widths = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in columns]
    kept, names = list(range(len(headings))), min(widths[0], _NAME)
    for heading in dropped_first:
        if names + sum(widths[k] + _GAP for k in kept[1:]) <= width:
            break
        kept.remove(headings.index(heading))
    return kept


def show_recommendation(out: Console, decision: Decision, recommendation: Recommendation) -> None:
    """Print the recommended measure, the reason, and the assumptions of other measures."""
    say(out, f"If {costs(decision)}, use", style="bold")
    out.print()
    say(out, recommendation.measure, indent="    ", style="green")
    out.print()
    say(out, recommendation.reason)
    out.print()
    say(out, "The usual measures would silently assume something else:")
    for assumption in recommendation.assumptions.values():
        say(out, assumption, indent="  - ")


PIPED_WIDTH, _NARROWEST, _WIDEST = 100, 40, 1000  # narrower, a table would lose its first column


def console(*, errors: bool = False) -> Console:
    """Return a console of the standard output, or of the standard error.

    Its width is `COLUMNS`, if that is a number above 0, else that of the terminal.
    """
    size = shutil.get_terminal_size((PIPED_WIDTH, 25))  # rich would fail on some values of COLUMNS, or print nothing
    return Console(
        file=sys.stderr if errors else sys.stdout,
        width=min(max(size.columns, _NARROWEST), _WIDEST),
        height=size.lines,
        markup=False,
        highlight=False,
        emoji=False,
    )


def say(out: Console, text: str, *, style: str = "", indent: str = "") -> None:
    """Print a sentence, wrapped, with further lines indented as far as the first."""
    room = max(20, out.width - len(indent))
    for number, line in enumerate(Text(printable(text), style=style).wrap(out, room)):
        line.rstrip()
        out.print(Text(indent if number == 0 else " " * len(indent)) + line, soft_wrap=True)
