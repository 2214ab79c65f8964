"""A table as a CSV file, so that sites can merge tables without exchanging cases."""

from __future__ import annotations

import os
import re
from itertools import chain
from pathlib import Path

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, UnreadableFileError
from stakes._whole_file import write_whole
from stakes.table._score_table import ScoreTable

_FIRST_LINE = re.compile(r"# stakes score table, format 1, rows ([1-9]\d{0,14})\n")


# Nothing else that Python reads as a number, such as 1_000 or nan, is ever written.
_NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf)"
_LINE = re.compile(f"{_NUMBER},{_NUMBER},{_NUMBER}")


_HEADER = "score,positive,negative\n"


def save_table(table: ScoreTable, path: str | os.PathLike[str]) -> None:
    """Write a table to a CSV file without loss of precision.

    The first line holds the format and the number of rows; the header ``score,positive,negative`` and one
    line per distinct score follow, ascending, with numbers in the shortest decimal form that reads back as
    the same float64. The file is written whole or not at all.

    Parameters
    ----------
    table : ScoreTable
        The table. If scores are not tied, it has one row per person: `coarsen` it before sharing it.
    path : str or path-like
        File to write; an existing one is replaced.

    Returns
    -------
    None
        The file is the result.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes import load_table, save_table, score_table
    >>> table = score_table(y=[0, 1], score=[0.2, 0.7])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_table(table, Path(folder) / "site.csv")
    ...     print((Path(folder) / "site.csv").read_text())
    ...     load_table(Path(folder) / "site.csv") == table
    # stakes score table, format 1, rows 2
    score,positive,negative
    0.2,0.0,1.0
    0.7,1.0,0.0
    <BLANKLINE>
    True
    """
    _check.check_tables("table", table)
    target = _check.path("path", path)
    columns = (column.tolist() for column in (table.score, table.positive, table.negative))
    lines = (f"{score!r},{positive!r},{negative!r}\n" for score, positive, negative in zip(*columns, strict=True))
    write_whole(target, chain([f"# stakes score table, format 1, rows {len(table)}\n{_HEADER}"], lines))


def load_table(path: str | os.PathLike[str]) -> ScoreTable:
    """Read a table written by `save_table`.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    ScoreTable
        The table, identical to the one saved.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes import load_table, merge, save_table, score_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for site, y in {"north": [0, 1], "south": [1, 1]}.items():
    ...         save_table(score_table(y, score=[0.2, 0.7]), Path(folder) / f"{site}.csv")
    ...     merge(*(load_table(Path(folder) / f"{site}.csv") for site in ("north", "south")))
    ScoreTable(2 scores, weight 4, prevalence 0.75)
    """
    source = _check.path("path", path)
    try:
        text = source.read_text(encoding="ascii")
    except UnicodeDecodeError:
        raise _unreadable(source, "it is not plain text") from None
    first = _FIRST_LINE.match(text)
    if first is None or not text[first.end() :].startswith(_HEADER):
        raise _unreadable(source, "its first two lines are not those of a score table, format 1")
    score, positive, negative = _columns(source, text[first.end() + len(_HEADER) :], int(first[1]))
    try:
        table = ScoreTable.from_counts(score, positive, negative)
    except InputError as error:
        raise _unreadable(source, error.clause()) from None
    if not np.all(score[1:] > score[:-1]):
        raise _unreadable(source, "its scores are not ascending and distinct")
    if len(table) < len(score):
        raise _unreadable(source, "a score has neither positives nor negatives")
    return table


def _columns(source: Path, body: str, rows: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    # A complete file ends with a line break; in a truncated one part of a line follows the last.
    *lines, rest = body.split("\n")
    if len(lines) != rows or rest:
        raise _unreadable(source, f"it says {rows:,} rows and has {len(lines):,}{' and part of one' if rest else ''}")
    wrong = next((number for number, line in enumerate(lines, 3) if not _LINE.fullmatch(line)), None)
    if wrong is not None:
        raise _unreadable(source, f"line {wrong:,} does not hold three numbers")
    score, positive, negative = np.array([line.split(",") for line in lines], dtype=np.float64).T
    if np.count_nonzero(np.isinf((score, positive, negative))) != body.count("inf"):
        raise _unreadable(source, "a number is too large for a float")
    return score, positive, negative


def _unreadable(source: Path, reason: str) -> UnreadableFileError:
    return UnreadableFileError(source, f"be a file written by `save_table`: {reason}")
