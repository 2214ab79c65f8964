"""Names and numbers as every SQL database reads them."""

from __future__ import annotations

import math
from fractions import Fraction

from stakes import _check
from stakes._errors import InputError

# Words of PostgreSQL or DuckDB that are not the name of a column unless in quotation marks. Other names stay as they
# are: in quotation marks, some dialects tell capitals apart, and some take them for text.
_WORDS = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast
    check collate collation column concurrently constraint create cross current_catalog current_date
    current_role current_schema current_time current_timestamp current_user default deferrable desc describe
    distinct do else end except false fetch for foreign freeze from full glob grant group having ilike in
    initially inner intersect into is isnull join lambda lateral leading left like limit localtime
    localtimestamp natural not notnull null offset on only or order outer overlaps pivot pivot_longer
    pivot_wider placing positional primary qualify references returning right select semi session_user show
    similar some summarize symmetric table tablesample then to trailing true union unique unpack unpivot user
    using variadic verbose when where window with
"""
_RESERVED = frozenset(_WORDS.split())


def sql_name(column: str) -> str:
    """Return a plain name as it is, and any other, or a reserved word, in quotation marks."""
    escaped = column.replace('"', '""')
    plain = column.isidentifier() and column.isascii() and column.casefold() not in _RESERVED
    return column if plain else f'"{escaped}"'


def score_name(score: str) -> str:
    """Return the name of a column of scores as a query writes it."""
    _check.check_type(str, "score", score)
    if not score.strip():
        raise InputError("score", "name a column", repr(score))
    return sql_name(score)


def sql_number(value: float) -> str:
    """Write a number that every database reads as it is.

    Without an exponent it would be a decimal, which some round. Its shortest digits may lie halfway to another number,
    all but a little, where SQLite takes the wrong one; then there are more.
    """
    digits = repr(value)
    apart = abs(Fraction(digits) - Fraction(value)) / Fraction(math.ulp(value))
    if apart > 0.49:
        return f"{value:.17e}"
    return digits if "e" in digits else f"{digits}e0"
