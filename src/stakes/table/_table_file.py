"""A table as a CSV file, so that sites can merge tables without exchanging cases."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, UnreadableFileError
from stakes._whole_file import opening_error, write_whole
from stakes.table._heads import Heads, pooled_heads
from stakes.table._score_table import ScoreTable

# Nothing else that Python reads as a number, such as 1_000 or nan, is ever written.
_NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf)"
_HEADER = "score,positive,negative\n"
_HEADER_WITH_HEADS = "score,positive,negative,positive_cases,negative_cases,everyone\n"
_FIRST_LINE = rf"# stakes score table, format 1, rows ([1-9]\d{{0,14}})\n{_HEADER}"
_MONEY = rf"floor ({_NUMBER}) ({_NUMBER}), crossed ({_NUMBER}) ({_NUMBER}), swapped ({_NUMBER})"
_FIRST_LINE_WITH_HEADS = rf"# stakes score table, format 2, rows ([1-9]\d{{0,14}})(?:, {_MONEY})?\n{_HEADER_WITH_HEADS}"


def save_table(table: ScoreTable, path: str | os.PathLike[str]) -> None:
    """Write a table to a CSV file without loss of precision.

    The first line holds the format and the number of rows; the header ``score,positive,negative`` and one
    line per distinct score follow, ascending, with numbers in the shortest decimal form that reads back as
    the same float64. The file is written whole or not at all. A table with heads is written in format 2, with the
    columns ``positive_cases,negative_cases,everyone`` beside them and its floor in the first line.

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
    if table.heads is not None:
        write_whole(target, _lines_with_heads(table, table.heads))
        return
    columns = (column.tolist() for column in (table.score, table.positive, table.negative))
    lines = (f"{score!r},{positive!r},{negative!r}\n" for score, positive, negative in zip(*columns, strict=True))
    write_whole(target, chain([f"# stakes score table, format 1, rows {len(table)}\n{_HEADER}"], lines))


def _lines_with_heads(table: ScoreTable, heads: Heads) -> Iterator[str]:
    """Yield a file of format 2: a line for each score of a row or of a head."""
    score = np.union1d(table.score, heads.score)
    columns = [np.zeros(len(score)) for _ in range(5)]
    for own, names in ((table, ("positive", "negative")), (heads, ("positive", "negative", "everyone"))):
        for name in names:
            column = columns[("positive", "negative").index(name) if own is table else 2 + names.index(name)]
            column[np.searchsorted(score, own.score)] = getattr(own, name)
    money = ""
    if heads.floor is not None:
        pairs = f"floor {heads.floor[0]!r} {heads.floor[1]!r}, crossed {heads.crossed[0]!r} {heads.crossed[1]!r}"
        money = f", {pairs}, swapped {heads.swapped!r}"
    yield f"# stakes score table, format 2, rows {len(score)}{money}\n{_HEADER_WITH_HEADS}"
    for line in zip(score.tolist(), *(column.tolist() for column in columns), strict=True):
        yield ",".join(map(repr, line)) + "\n"


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
    except OSError as error:
        raise opening_error(source, error) from None
    first = re.match(_FIRST_LINE, text) or re.match(_FIRST_LINE_WITH_HEADS, text)
    if first is None:
        raise _unreadable(source, "its first two lines are not those of a score table, format 1 or 2")
    columns = _columns(source, text[first.end() :], int(first[1]), 3 if first.re.pattern == _FIRST_LINE else 6)
    if not np.all(columns[0][1:] > columns[0][:-1]):
        raise _unreadable(source, "its scores are not ascending and distinct")
    try:
        table = ScoreTable.from_counts(*columns[:3])
        heads = None if len(columns) == 3 else _heads(first, ScoreTable.from_counts, *columns)
    except InputError as error:
        raise _unreadable(source, error.clause()) from None
    if np.any(sum(columns[1:]) == 0):
        raise _unreadable(source, "a score has neither positives nor negatives")
    return table if heads is None else replace(table, heads=heads)


def _heads(first: re.Match[str], check: Callable[..., object], score: FloatArray, *columns: FloatArray) -> Heads:
    """Return the heads of a file of format 2, counts checked as those of a table are."""
    *_, positive, negative, everyone = columns
    check(score, positive + negative, everyone)
    found = pooled_heads(score, positive, negative, everyone)
    if first[2] is None:
        return found
    numbers = [float(text) for text in first.groups()[1:]]
    return replace(found, floor=(numbers[0], numbers[1]), crossed=(numbers[2], numbers[3]), swapped=numbers[4])


def _columns(source: Path, body: str, rows: int, width: int) -> list[FloatArray]:
    # A complete file ends with a line break; in a truncated one part of a line follows the last.
    *lines, rest = body.split("\n")
    if len(lines) != rows or rest:
        raise _unreadable(source, f"it says {rows:,} rows and has {len(lines):,}{' and part of one' if rest else ''}")
    numbers = re.compile(",".join([_NUMBER] * width))
    wrong = next((number for number, line in enumerate(lines, 3) if not numbers.fullmatch(line)), None)
    if wrong is not None:
        raise _unreadable(source, f"line {wrong:,} does not hold {'three' if width == 3 else 'six'} numbers")
    columns = list(np.array([line.split(",") for line in lines], dtype=np.float64).T)
    if np.count_nonzero(np.isinf(columns)) != body.count("inf"):
        raise _unreadable(source, "a number is too large for a float")
    return columns


def _unreadable(source: Path, reason: str) -> UnreadableFileError:
    return UnreadableFileError(source, f"be a file written by `save_table`: {reason}")
