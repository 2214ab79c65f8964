"""Run the command; an error becomes an exit code and one sentence, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence

import click

from stakes._errors import InputError, MissingPackageError, NotEnoughMemoryError, NotEnoughRoomError
from stakes._wording import printable, reason
from stakes.cli._app import app
from stakes.cli._options import name_of

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


_LONGEST = 2000  # characters of a message


_ENGINE_INTERRUPTED = "Query interrupted"  # the message of DuckDB


def run(typed: Sequence[str]) -> int:
    """Run the command line and return the exit code."""
    _replace_unencodable()
    try:
        code = app.main(list(typed), prog_name="stakes", standalone_mode=False, obj=tuple(typed))
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        return _report_interrupt()
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code)
    except SystemExit:  # click or rich: the reader of the output has gone
        return FAILED
    except InputError as error:
        return _say(error.say(name_of, typed=True), BAD_INPUT)
    except (MissingPackageError, NotEnoughRoomError) as error:
        return _say(str(error), BAD_INPUT)
    except OSError as error:
        return _report_os_error(error)
    except MemoryError as error:
        ours = isinstance(error, NotEnoughMemoryError)
        return _say(str(error) if ours else "there is not enough memory.", FAILED)
    except Exception as error:
        return _report_interrupt() if str(error) == _ENGINE_INTERRUPTED else _report_unexpected(error)
    return code if isinstance(code, int) else OK


def _report_interrupt() -> int:
    return _say("interrupted; nothing was left half written.", INTERRUPTED)


def _report_os_error(error: OSError) -> int:
    """Report an error of the operating system; if the output failed, discard the rest of it."""
    if error.errno is None:
        return _report_unexpected(error)
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
    print(f"stakes: {shown}", file=sys.stderr)
    return code


def _replace_unencodable() -> None:
    """Print a question mark for each character that the terminal cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
