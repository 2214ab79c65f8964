"""Layout of a text: its delimiter, its header, and the records above and below the cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from stakes.reading._notation import is_number
from stakes.reading._records import Record, split_fields

DELIMITERS = ",\t;|"

_MOST_TITLES = 20  # records above the header

_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)


# Words at the start of a line below the cases that sums them up, in the languages that spreadsheets were seen in.
_SUMS: tuple[str, ...] = ("sum", "total", "subtotal", "grand total", "mean", "average", "median", "count")
_SUMS += ("summe", "gesamt", "gesamtsumme", "gesamtergebnis", "insgesamt", "mittelwert", "durchschnitt", "anzahl")
_SUMS += ("somme", "moyenne", "suma", "media", "somma", "totale")


_COUNTED = re.compile(r"\(\d+ rows?( affected)?\)", re.IGNORECASE)  # what databases write below a table


@dataclass(frozen=True)
class Layout:
    """Where the header of a text is, and what its records have besides the columns."""

    delimiter: str
    header: int = 0  # records above it
    has_separator_line: bool = False
    columns: int = 0
    empty: int = 0  # fields at the end of every record that have no name and no value

    def fields(self, record: Record) -> list[str]:
        """Return the fields of a record, without those that are empty in every record."""
        found = record.fields(self.delimiter)
        is_padded = self.empty and len(found) == self.columns + self.empty and not _is_filled(found[self.columns :])
        return found[: self.columns] if is_padded else found


def layout_of(head: Sequence[Record], known: str = "") -> Layout:
    """Find the layout of a text in its first records; `known` is its delimiter, if that is known."""
    named = _SEPARATOR_LINE.fullmatch(head[0].text.strip()) if head and not known else None
    rest = head[1:] if named else head
    delimiter = known or (named[1] if named else _delimiter(rest))
    counts = Counter(len(split_fields(record.text, delimiter)) for record in rest if record.text.strip())
    usual = max(counts, key=lambda count: (counts[count], count), default=1)
    titles = _titles(rest, delimiter, usual)
    rows = [fields for record in rest[titles:] if (fields := record.fields(delimiter))]
    columns, empty = _empty_fields(rows)
    return Layout(delimiter, titles + (1 if named else 0), named is not None, columns, empty)


def _delimiter(head: Sequence[Record]) -> str:
    """Return the delimiter that splits most records in a row into equally many fields, at least two.

    Titles with a comma each, above numbers with a decimal comma each, are not in a row: the header is between them.
    """

    def agreement(delimiter: str) -> tuple[int, int, bool]:
        counts = (len(record.fields(delimiter)) for record in head if record.text.strip())
        runs = ((len(list(run)), count) for count, run in groupby(counts) if count > 1)
        return (*max(runs, default=(0, 0)), delimiter != ",")  # which may be a decimal comma

    best = max(DELIMITERS, key=agreement)
    return best if agreement(best)[0] else ","


def _titles(records: Sequence[Record], delimiter: str, usual: int) -> int:
    """Count the records above the header: comments, too few fields, or text in the first field alone."""
    if usual < 2:
        return 0
    for titles, record in enumerate(records[: _MOST_TITLES + 1]):
        fields = record.fields(delimiter)
        if not _is_title(fields, usual):
            return titles if _is_header(fields) else 0
    return 0


def _is_title(fields: Sequence[str], usual: int) -> bool:
    filled = [number for number, field in enumerate(fields) if field.strip()]
    if filled and fields[0].lstrip().startswith("#") and len(fields) != usual:  # a comment of a program
        return True
    return filled in ([], [0]) or (len(fields) < usual - 1 and not any(map(is_number, fields)))


def _is_header(fields: Sequence[str]) -> bool:
    filled = [field for field in fields if field.strip()]
    return len(filled) > 1 and not any(map(is_number, filled))


def _empty_fields(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Count the columns, and the fields after them that no name and no record fills.

    There are such fields where every record has as many more than the header, or where several names are empty.
    """
    if not rows:
        return 0, 0
    names, *cases = rows
    columns = len("".join("x" if name.strip() else " " for name in names).rstrip())
    width = max((len(row) for row in cases), default=0)
    is_padded = width > len(names) or (width == len(names) > columns + 1)
    all_empty = all(len(row) < columns or (len(row) == width and not _is_filled(row[columns:])) for row in cases)
    return (columns, width - columns) if columns and is_padded and all_empty else (len(names), 0)


def sum_word(fields: Sequence[str]) -> str:
    """Return the word for a sum that a record starts with; empty if it starts with none."""
    first = next((text for field in fields if (text := field.strip())), "")
    word = first.casefold().rstrip(":").rstrip()
    return word if word in _SUMS else ""


def is_below(fields: Sequence[str], columns: int, *, after_below: bool) -> bool:
    """Whether a record at the end of a text is empty, a sum, or a remark after one of these."""
    filled = [field.strip() for field in fields if field.strip()]
    if not filled or sum_word(fields):
        return True
    if len(filled) == 1 and _COUNTED.fullmatch(filled[0]):
        return True
    is_text = bool(fields[0].strip()) and not any(map(is_number, filled))
    return after_below and is_text and (len(filled) == 1 or len(fields) < columns)


def cases_of(each: Iterable[Record], layout: Layout) -> Iterator[tuple[bool, Record, list[str]]]:
    """Yield the records below the header, whether they are cases, and their fields.

    Blank lines are left out. What could be below the last case waits until another case comes. A word for a sum that
    comes twice is a label: operations may be total or subtotal.
    """
    waiting: list[tuple[Record, list[str]]] = []
    words: Counter[str] = Counter()
    after_below = False
    for record in each:
        fields = layout.fields(record)
        words.update([word] if (word := sum_word(fields)) else [])
        after_below = words[word] < 2 and is_below(fields, layout.columns, after_below=after_below)
        if len(fields) > 1 or _is_filled(fields) or layout.columns == 1:
            waiting.append((record, fields))
        if not after_below:
            yield from ((True, *one) for one in waiting)
            waiting = []
    yield from ((layout.columns == 1, *one) for one in waiting)


def _is_filled(fields: Sequence[str]) -> bool:
    return any(map(str.strip, fields))
