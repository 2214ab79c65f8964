"""The columns of a file in a terminal: what they hold, what they could be, and the command to copy."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from stakes._wording import printable
from stakes.cli._show import say
from stakes.frames import ColumnSummary, DataFile, summarise_columns

Labels = Mapping[str, Mapping[float, str]]  # of codes, by column


# Labels that mean that something is the case, in the languages that files were seen in.
_YES = {"yes", "y", "true", "t", "positive", "pos", "case", "event", "dead", "died", "ill", "1", "fraud"}
_YES |= {"ja", "j", "wahr", "positiv", "tot", "krank", "oui", "vrai", "si", "sí", "sì", "sim"}


def show_columns(out: Console, file: DataFile, name: str, sheet: str | None = None) -> None:
    """Print the columns of a file, and a command that evaluates it, where its columns allow one."""
    found = summarise_columns(file)
    cases = found[0].cases if found else 0
    say(out, f"{name}: {file.format}, {_counted(cases, 'case')}, {_counted(len(file.columns), 'column')}")
    for sentence in file.notes:
        say(out, sentence)
    out.print()
    out.print(_table(found, file.value_labels))
    for one in found:
        if one.is_nearly_number:
            out.print()
            say(out, _nearly_number(one))
    for question in _questions(found):
        out.print()
        say(out, question)
    if typed := suggested(name, found, file.value_labels, sheet):
        out.print()
        say(out, "If these guesses are right, and the costs are yours:")
        out.print(Text(f"  {typed}"), soft_wrap=True)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _nearly_number(one: ColumnSummary) -> str:
    """Say what keeps a column from being numbers, and what to add if it marks missing values."""
    name, other = printable(one.name), printable(str(one.other))
    typed = printable(shlex.join(["--missing", str(one.other)]))
    but = f"All values of column {name} are numbers but {one.present - one.numbers:,}"
    return f"{but}: if {other} marks a missing value, add {typed}."


def _questions(found: Sequence[ColumnSummary]) -> list[str]:
    """Ask of columns that could be a time of follow-up or an amount, and say what to type if they are."""
    events = sorted((one for one in found if one.may_be_event), key=lambda one: not one.is_called_outcome)
    if not events:
        return []
    event, asked = events[0].name, []
    if time := next((one.name for one in found if one.is_called_time), None):
        typed = printable(shlex.join(["--time", time, "--event", event, "--horizon"]))
        asked.append(
            f"Does column {printable(time)} say how long each case was followed, and {printable(event)} how that "
            f"ended? Then type {typed} and a time in place of --outcome."
        )
    if amount := next((one.name for one in found if one.is_called_amount), None):
        typed = printable(shlex.join(["--false-negative-cost", amount, "--false-positive-cost"]))
        asked.append(
            f"Is column {printable(amount)} what is lost if a positive is left? "
            f"Then type {typed} and a number in place of --costs."
        )
    return asked


def _table(found: Sequence[ColumnSummary], labels: Labels) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for heading in ("column", "kind", "values", "missing", "could be"):
        table.add_column(heading, justify="right" if heading == "missing" else "left", overflow="fold")
    for one in found:
        missing = f"{one.missing:,}" if one.missing else ""
        codes = labels.get(one.name, {})
        role = one.role or ("group" if codes and 1 < one.distinct <= len(codes) else "")
        kind = "codes" if codes else one.kind
        table.add_row(*map(Text, (printable(one.name), kind, _values(one, codes), missing, role)))
    return table


def _values(one: ColumnSummary, codes: Mapping[float, str]) -> str:
    """Write the values of a column: both of two, the ends of numbers, how many labels."""
    if not one.present:
        return "none"
    if codes and one.distinct <= 2:
        both = dict.fromkeys((one.smallest, one.largest))
        return " and ".join(
            f"{_number(code)} ({printable(codes[code])})" if code in codes else _number(code) for code in both
        )
    if codes:
        return f"{one.distinct:,} codes, such as {printable(codes.get(one.smallest, _number(one.smallest)))}"
    if one.is_number:
        return f"{_number(one.smallest)} to {_number(one.largest)}" if one.distinct > 1 else _number(one.smallest)
    if one.distinct <= 2:
        return " and ".join(dict.fromkeys(printable(str(value)) for value in (one.smallest, one.largest)))
    return f"{one.distinct:,} labels"


def _number(value: float) -> str:
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:g}"


def suggested(name: str, found: Sequence[ColumnSummary], labels: Labels, sheet: str | None = None) -> str:
    """Return the command that evaluates a file, or nothing if it has no likely outcome or prediction."""
    outcomes = sorted((one for one in found if one.role == "outcome"), key=lambda one: not one.is_called_outcome)
    models = [one.name for one in found if one.role == "predictions"]
    if not (outcomes and models):
        return ""
    label = ["--pos-label", _positive(outcomes[0], labels)] if _needs_label(outcomes[0]) else []
    place = [name] if sheet is None else [name, "--sheet", sheet]
    typed = ["stakes", "evaluate", *place, "--outcome", outcomes[0].name, *label, "--predictions", *models]
    return printable(shlex.join([*typed, "--costs", "5%..20%"]))


def _needs_label(outcome: ColumnSummary) -> bool:
    """Whether an outcome has other values than 0 and 1, and true and false."""
    return outcome.kind == "text" or (outcome.is_number and not outcome.is_zero_or_one)


def _positive(outcome: ColumnSummary, labels: Labels) -> str:
    """Return the label of two that is likely to be the positive one; of codes without labels the larger."""
    values = (outcome.largest, outcome.smallest)
    if not outcome.is_number:
        shown = [*map(str, values)]
    elif outcome.name in labels:
        shown = [labels[outcome.name].get(value, _number(value)) for value in values]
    else:
        return _number(outcome.largest)
    return next((label for label in shown if label.strip().casefold() in _YES), shown[0])
