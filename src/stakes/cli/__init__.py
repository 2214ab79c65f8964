"""The command ``stakes``: from a file of predictions to a ranked table, findings and a report."""

from __future__ import annotations

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
        What was typed after ``stakes``; that of this process unless given.

    Returns
    -------
    int
        The exit code: 0 when all went well, 2 for bad input, 1 for anything else, 130 when it was interrupted.

    Examples
    --------
    >>> from stakes.cli import main
    >>> main(["--version"])  # doctest: +ELLIPSIS
    stakes ...
    0
    """
    typed = sys.argv[1:] if arguments is None else list(arguments)
    try:
        for package in ("click", "rich"):
            import_optional(package, "command", "to use the command")
        from stakes.cli._run import run
    except MissingPackageError as error:
        print(f"stakes: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # before there is a command that could say so
        return 130
    return run(typed)
