"""The process of the command: signals that end it, and standard streams that may be closed."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType

from stakes._errors import InputError

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

_MOMENT = 1.0  # seconds, in which a signal that comes again is not a second one

_STANDARD = 2  # the highest number of a standard stream

NO_MEMORY = "there is not enough memory."


# Texts of the loader, of engines and of threads that could not start; their types say nothing of memory.
_LACKS_MEMORY = ("failed to map segment", "cannot allocate memory", "bad_alloc", "can't start new thread")


class Ending:
    """The signal that ended the command, if any.

    As a handler it turns a signal into an exit, on whose way temporary files are removed. Where the exit is lost,
    since the signal came while an object was being removed, this still tells that there was one.
    """

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._since = 0.0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Leave by an exception.

        Further signals of the same moment are ignored, such as the second one of a terminal that closes: they would
        disturb the tidying. A later one ends the process at once.
        """
        if self.signal is None:
            self.signal, self._since = signal.Signals(number), monotonic()
            raise SystemExit(self.code)
        if monotonic() - self._since > _MOMENT:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    @property
    def code(self) -> int:
        """The exit code that shells give to a signal; that of an interrupt if there was none."""
        return 128 + (self.signal or signal.SIGINT)


@contextmanager
def orderly_end(*, own_process: bool) -> Iterator[Ending]:
    """Turn signals that would end the process at once into an exit.

    Signals that are ignored, or handled by others, stay so.
    In a process of its own, which ends after the command, they stay handled once one has come.
    """
    ending = Ending()
    if threading.current_thread() is not threading.main_thread():  # the only one that may change handlers
        yield ending
        return
    ours = [one for one in _ENDING if signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, ending)
    try:
        yield ending
    finally:
        if not (own_process and ending.signal):
            for one in ours:
                signal.signal(one, signal.SIG_DFL)


def keep_modules(*, own_process: bool) -> None:
    """Look for unused objects among those of the command alone, in a process that ends with it.

    Looking through every module that is loaded takes a seventh of the time of a command on a small file. What is loaded
    later is looked through at the end, since engines complain of objects that outlive them.
    """
    if own_process:
        gc.freeze()
        gc.enable()


class ClosedOutput(io.TextIOBase):
    """A standard output that is closed: printing to it, be it nothing, is an error."""

    def write(self, text: str) -> int:
        """Raise: there is nowhere to print to."""
        wanted, hint = "the standard output must be open", "`--quiet` with `--html` or `--json` needs none"
        raise InputError((), wanted, "a closed one", hint=hint)


@contextmanager
def standard_streams() -> Iterator[None]:
    """Replace closed standard streams, and reserve their numbers, which the next open file would get."""
    with contextlib.ExitStack() as until:
        if None in (sys.stdin, sys.stdout, sys.stderr):
            while (handle := os.open(os.devnull, os.O_RDWR)) <= _STANDARD:
                pass
            os.close(handle)
        if sys.stdout is None:
            until.enter_context(contextlib.redirect_stdout(ClosedOutput()))
        if sys.stderr is None:
            until.enter_context(contextlib.redirect_stderr(until.enter_context(Path(os.devnull).open("w"))))
        yield


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of Python, the system, a package or its loader is due to a lack of memory."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return any(text in str(error).lower() for text in _LACKS_MEMORY)
