"""The command ``stakes``, which ranks the models of a file and writes a report."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from stakes._errors import MissingPackageError
from stakes._optional import import_optional

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after ``stakes``; those of this process by default.

    Returns
    -------
    int
        Exit code: 0 for success, 2 for invalid input, 1 for any other error, 130 if interrupted, 128 plus the number
        of a signal that ended it.

    Examples
    --------
    >>> from stakes.cli import main
    >>> main(["--version"])  # doctest: +ELLIPSIS
    stakes ...
    0
    """
    typed = sys.argv[1:] if arguments is None else list(arguments)
    if arguments is None:
        gc.disable()  # until the modules are loaded, none of which goes away
    try:
        for package in ("click", "rich"):
            import_optional(package, "command", "to use the command")
        from stakes.cli._run import run
    except MissingPackageError as error:
        print(f"stakes: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # before `run` can report it
        return 130
    except (ImportError, MemoryError) as error:
        from stakes.cli._process import NO_MEMORY, is_out_of_memory

        if not is_out_of_memory(error):
            raise
        print(f"stakes: {NO_MEMORY}", file=sys.stderr)
        return 1
    return run(typed, own_process=arguments is None)
