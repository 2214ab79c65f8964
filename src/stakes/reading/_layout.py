"""Layout of a text: its delimiter, its header, and the records above and below the cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from stakes.reading._notation import is_number
from stakes.reading._records import Record, split_fields

DELIMITERS = ",\t;|"


_MOST_TITLES = 20  # records above the header


_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)


# Words at the start of a line below the cases that sums them up, in the languages that spreadsheets were seen in.
_SUMS: tuple[str, ...] = ("sum", "total", "subtotal", "grand total", "mean", "average", "median", "count")
_SUMS += ("summe", "gesamt", "gesamtsumme", "gesamtergebnis", "insgesamt", "mittelwert", "durchschnitt", "anzahl")
_SUMS += ("somme", "moyenne", "suma", "media", "somma", "totale")


@dataclass(frozen=True)
class Layout:
    """Where the header of a text is, and what its records have besides the columns."""

    delimiter: str
    header: int = 0  # records above it
    has_separator_line: bool = False
    ends_with_delimiter: bool = False  # every record below the header has an empty field more

    def fields(self, record: Record) -> list[str]:
        """Return the fields of a record."""
        return split_fields(record.text, self.delimiter)


def layout_of(head: Sequence[Record], known: str = "") -> Layout:
    """Find the layout of a text in its first records; `known` is its delimiter, if that is known."""
    named = _SEPARATOR_LINE.fullmatch(head[0].text.strip()) if head and not known else None
    rest = head[1:] if named else head
    delimiter = known or (named[1] if named else _delimiter(rest))
    counts = Counter(len(split_fields(record.text, delimiter)) for record in rest if record.text.strip())
    usual = max(counts, key=lambda count: (counts[count], count), default=1)
    titles = _titles(rest, delimiter, usual)
    header = split_fields(rest[titles].text, delimiter) if titles < len(rest) else []
    return Layout(
        delimiter,
        titles + (1 if named else 0),
        named is not None,
        _all_end_empty(rest[titles + 1 :], delimiter, len(header)),
    )


def _delimiter(head: Sequence[Record]) -> str:
    """Return the delimiter that splits most records into equally many fields, at least two."""

    def agreement(delimiter: str) -> tuple[int, int]:
        counts = Counter(len(record.fields(delimiter)) for record in head if record.text.strip())
        return max(((times, count) for count, times in counts.items() if count > 1), default=(0, 0))

    return max(DELIMITERS, key=agreement)


def _titles(records: Sequence[Record], delimiter: str, usual: int) -> int:
    """Count the records above the header: they have too few fields, or text in their first field alone."""
    if usual < 2:
        return 0
    for titles, record in enumerate(records[: _MOST_TITLES + 1]):
        fields = record.fields(delimiter)
        if not _is_title(fields, usual):
            return titles if _is_header(fields) else 0
    return 0


def _is_title(fields: Sequence[str], usual: int) -> bool:
    filled = [number for number, field in enumerate(fields) if field.strip()]
    return filled in ([], [0]) or (len(fields) < usual - 1 and not any(map(is_number, fields)))


def _is_header(fields: Sequence[str]) -> bool:
    filled = [field for field in fields if field.strip()]
    return len(filled) > 1 and not any(map(is_number, filled))


def _all_end_empty(records: Sequence[Record], delimiter: str, columns: int) -> bool:
    """Whether all records have one field more than the header, which is empty."""
    rows = [fields for record in records if (fields := record.fields(delimiter))]
    return bool(rows) and columns > 0 and all(len(row) == columns + 1 and not row[-1].strip() for row in rows)


def is_below(fields: Sequence[str], *, after_empty: bool) -> bool:
    """Whether a record at the end of a text is empty, a sum, or a remark after an empty line."""
    filled = [field.strip() for field in fields if field.strip()]
    if not filled:
        return True
    if filled[0].casefold().rstrip(":").rstrip() in _SUMS:
        return True
    return after_empty and len(filled) == 1 and fields[0].strip() == filled[0] and not is_number(filled[0])
