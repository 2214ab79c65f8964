"""Run the command: an exit code and, where something is wrong, one sentence; never a traceback."""

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


_ENGINE_INTERRUPTED = "Query interrupted"  # what DuckDB makes of an interrupt


def run(typed: Sequence[str]) -> int:
    """Do what was typed and return the exit code."""
    _replace_what_cannot_be_written()
    try:
        code = app.main(list(typed), prog_name="stakes", standalone_mode=False, obj=tuple(typed))
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code)
    except SystemExit:  # who reads the output has gone, says click or rich
        return FAILED
    except InputError as error:
        return _say(error.say(name_of, typed=True), BAD_INPUT)
    except (MissingPackageError, NotEnoughRoomError) as error:
        return _say(str(error), BAD_INPUT)
    except OSError as error:
        return _of_the_system(error)
    except MemoryError as error:
        ours = isinstance(error, NotEnoughMemoryError)
        return _say(str(error) if ours else "there is not enough memory for that.", FAILED)
    except Exception as error:
        return _interrupted() if str(error) == _ENGINE_INTERRUPTED else _unexpected(error)
    return code if isinstance(code, int) else OK


def _interrupted() -> int:
    return _say("interrupted; nothing was left half written.", INTERRUPTED)


def _of_the_system(error: OSError) -> int:
    """Say what the system refused; where it is the output, try no further."""
    if error.errno is None:
        return _unexpected(error)
    if error.filename is not None:
        return _say(f"{str(error.filename)!r} could not be read or written: {reason(error)}.", FAILED)
    _write_nowhere()
    if error.errno == errno.EPIPE:
        return FAILED
    return _say(f"the output, or a temporary file, could not be written: {reason(error)}.", FAILED)


def _write_nowhere() -> None:
    """Let what is left to write go nowhere: at its end, Python tries again to write it."""
    with contextlib.suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception) -> int:
    if os.environ.get("STAKES_DEBUG"):
        raise error
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _say(f"this should not have happened: {what}. With STAKES_DEBUG=1 it says where.", FAILED)


def _say(message: str, code: int) -> int:
    """Write one line to where errors go."""
    line = printable(message)
    shown = line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ... (shortened)."
    print(f"stakes: {shown}", file=sys.stderr)
    return code


def _replace_what_cannot_be_written() -> None:
    """Let old terminals show a question mark for a letter they do not know, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
