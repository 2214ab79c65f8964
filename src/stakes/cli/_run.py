"""Run the command; an error becomes an exit code and one sentence, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence

import click

from stakes._errors import InputError, MissingPackageError, NotEnoughMemoryError, NotEnoughRoomError
from stakes._input_warning import InputWarning
from stakes._wording import printable, reason
from stakes.cli._app import app
from stakes.cli._money_options import by_typed_names
from stakes.cli._options import name_of
from stakes.cli._process import NO_MEMORY, Ending, is_out_of_memory, keep_modules, orderly_end, standard_streams

OK, FAILED, BAD_INPUT = 0, 1, 2

_LONGEST = 2000  # characters of a message

_ENGINE_INTERRUPTED = "Query interrupted"  # the message of DuckDB


def run(typed: Sequence[str], *, own_process: bool = False) -> int:
    """Run the command line and return the exit code; after it the process may end, if it is its own."""
    keep_modules(own_process=own_process)
    with standard_streams(), orderly_end(own_process=own_process) as ending, _warnings_said():
        _replace_unencodable()
        try:
            code = app.main(list(typed), prog_name="stakes", standalone_mode=False, obj=tuple(typed))
            sys.stdout.flush()
        except BaseException as error:
            return _report(error, ending, typed)
        if ending.signal is not None:  # its exception was lost
            return _report_interrupt(ending)
        return code if isinstance(code, int) else OK


@contextlib.contextmanager
def _warnings_said() -> Iterator[None]:
    """Say each warning in one line at the end, without the place in the code that it came from."""
    with warnings.catch_warnings(record=True) as raised:
        try:
            yield
        finally:
            for text in dict.fromkeys(_as_typed(one.message) for one in raised):
                _say(text, OK)


def _as_typed(warning: Warning | str) -> str:
    """Return the text of a warning, with arguments named as options."""
    return warning.say(name_of, typed=True) if isinstance(warning, InputWarning) else str(warning)


def _report(error: BaseException, ending: Ending, typed: Sequence[str]) -> int:
    """Report an error by its kind, and return the exit code."""
    if ending.signal is not None:
        return _report_interrupt(ending)
    match error:
        case click.Abort() | KeyboardInterrupt():
            return _report_interrupt(ending)
        case click.ClickException():
            return _say(error.format_message(), error.exit_code)
        case SystemExit():  # click or rich: the reader of the output has gone
            return FAILED
        case InputError():
            return _say(by_typed_names(error.say(name_of, typed=True), typed), BAD_INPUT)
        case MissingPackageError() | NotEnoughRoomError():
            return _say(str(error), BAD_INPUT)
        case NotEnoughMemoryError():
            return _say(str(error), FAILED)
        case OSError() if error.errno not in (None, errno.ENOMEM):
            return _report_os_error(error)
        case Exception():
            return _report_other(error, ending)
    raise error


def _report_other(error: Exception, ending: Ending) -> int:
    """Report errors of packages that only their texts tell apart, and unexpected ones."""
    if str(error) == _ENGINE_INTERRUPTED:
        return _report_interrupt(ending)
    if is_out_of_memory(error):
        return _say(NO_MEMORY, FAILED)
    return _report_unexpected(error)


def _report_interrupt(ending: Ending) -> int:
    what = "interrupted" if ending.signal is None else f"ended by {ending.signal.name}"
    return _say(f"{what}; nothing was left half written.", ending.code)


def _report_os_error(error: OSError) -> int:
    """Report an error of the operating system; if the output failed, discard the rest of it."""
    if error.filename is not None:
        return _say(f"{str(error.filename)!r} could not be read or written: {reason(error)}.", FAILED)
    _discard_output()
    if error.errno == errno.EPIPE:
        return FAILED
    return _say(f"the output, or a temporary file, could not be written: {reason(error)}.", FAILED)


def _discard_output() -> None:
    """Redirect the standard output to nowhere, because Python would flush it once more on exit."""
    with contextlib.suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_unexpected(error: Exception) -> int:
    if os.environ.get("STAKES_DEBUG"):
        raise error
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _say(f"internal error: {what}; set STAKES_DEBUG=1 for the traceback.", FAILED)


def _say(message: str, code: int) -> int:
    """Print one line to the standard error."""
    line = printable(message)
    shown = line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ... (shortened)."
    with contextlib.suppress(OSError):  # a terminal that was closed, or a full disk
        print(f"stakes: {shown}", file=sys.stderr, flush=True)
    return code


def _replace_unencodable() -> None:
    """Print a question mark for each character that the terminal cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
