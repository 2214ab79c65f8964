"""What is shown in a terminal: colour and its width where there is one, plain text of a fixed width elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from stakes.cli._plain import printable

PIPED_WIDTH = 100
_NO_BREAK = "\ue000"  # stands for a space where a line must not end, since wrapping ends lines at every kind of space


def console(*, errors: bool = False) -> Console:
    """Return where to print: the standard output, or that of errors."""
    out = Console(file=sys.stderr if errors else sys.stdout, markup=False, highlight=False, emoji=False)
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out.width = PIPED_WIDTH
    return out


def say(out: Console, text: str, *, style: str = "", indent: str = "") -> None:
    """Print a sentence, wrapped; further lines start under the first word after `indent`."""
    room = max(20, out.width - len(indent))
    together = printable(text).replace(" %", f"{_NO_BREAK}%")
    for number, line in enumerate(Text(together, style=style).wrap(out, room)):
        line.rstrip()
        line.plain = line.plain.replace(_NO_BREAK, " ")
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
