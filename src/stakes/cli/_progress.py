"""Progress of long work, named on the standard error from two seconds on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock, Timer
from typing import TYPE_CHECKING

from stakes._wording import printable
from stakes.cli._show import console

if TYPE_CHECKING:
    from rich.live import Live

PATIENCE = 2.0  # seconds


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Name the work, if it takes longer than two seconds.

    In a terminal a line moves while it lasts, elsewhere a plain line stays. ``STAKES_PROGRESS=no`` in the environment
    silences both.
    """
    if quiet or os.environ.get("STAKES_PROGRESS") == "no":
        yield
        return
    notice = Notice(what)
    timer = Timer(PATIENCE, notice.show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        notice.end()


def _spinner(text: str) -> Live:
    """Return a line that moves on the standard error, and redirects nothing."""
    from rich.live import Live
    from rich.spinner import Spinner

    moving, out = Spinner("dots", text), console(errors=True)
    return Live(moving, console=out, transient=True, redirect_stdout=False, redirect_stderr=False)


class Notice:
    """A line on the standard error that a timer shows, unless what it speaks of has ended."""

    def __init__(self, what: str) -> None:
        self._what = printable(what)[:70]
        self._lock, self._shown, self._ended = Lock(), ExitStack(), False

    def show(self) -> None:
        """Show the line; a standard error that is closed gets none."""
        with self._lock, suppress(OSError, ValueError):
            if self._ended:
                return
            if sys.stderr.isatty():
                self._shown.enter_context(_spinner(f"{self._what} ..."))
            else:
                print(f"stakes: {self._what} ...", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Remove the line from a terminal."""
        with self._lock, suppress(OSError, ValueError):
            self._ended = True
            self._shown.close()
