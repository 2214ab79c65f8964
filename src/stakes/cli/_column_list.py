"""The columns of a file in a terminal: what they hold, what they could be, and the command to copy."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from stakes._wording import printable
from stakes.cli._guessed_commands import Labels, guesses, shown_number
from stakes.cli._show import say
from stakes.frames import ColumnSummary, DataFile, summarise_columns


def show_columns(out: Console, file: DataFile, name: str, sheet: str | None = None) -> None:
    """Print the columns of a file, and a command that evaluates it, where its columns allow one."""
    found = summarise_columns(file)
    cases = found[0].cases if found else 0
    say(out, f"{name}: {file.format}, {_count(cases, 'case')}, {_count(len(file.columns), 'column')}")
    for sentence in file.notes:
        say(out, sentence)
    out.print()
    out.print(_table(found, file.value_labels))
    for one in found:
        if one.is_nearly_number:
            out.print()
            say(out, _nearly_number(one))
    for guess in guesses([name] if sheet is None else [name, "--sheet", sheet], found, file.value_labels):
        out.print()
        say(out, guess.sentence)
        if guess.typed:
            out.print(Text(f"  {printable(shlex.join(guess.typed))}"), soft_wrap=True)


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _nearly_number(one: ColumnSummary) -> str:
    """Say what keeps a column from being numbers, and what to add if it marks missing values."""
    name, other = printable(one.name), printable(str(one.other))
    typed = printable(shlex.join(["--missing", str(one.other)]))
    but = f"All values of column {name} are numbers but {one.present - one.numbers:,}"
    return f"{but}: if {other} marks a missing value, add {typed}."


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
            f"{shown_number(code)} ({printable(codes[code])})" if code in codes else shown_number(code) for code in both
        )
    if codes:
        return f"{one.distinct:,} codes, such as {printable(codes.get(one.smallest, shown_number(one.smallest)))}"
    if one.is_number:
        return (
            f"{shown_number(one.smallest)} to {shown_number(one.largest)}"
            if one.distinct > 1
            else shown_number(one.smallest)
        )
    if one.distinct <= 2:
        return " and ".join(dict.fromkeys(printable(str(value)) for value in (one.smallest, one.largest)))
    return f"{one.distinct:,} labels"
