"""Survey of a text file: its encoding, its layout and the notation of its numbers."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from stakes._errors import UnreadableFileError
from stakes.reading._encoding import UTF_8, encoding_called, find_encoding
from stakes.reading._layout import Layout, cases_of, layout_of
from stakes.reading._notation import Notation, certain_decimals, is_number, notation_of
from stakes.reading._records import Record, records

Pieces = Callable[[], Iterator[bytes]]  # the bytes of a text, from its start, each time it is called

HEAD = 1001  # records: the header, and enough to tell numbers from words

_TAIL = 1 << 16  # bytes at the end, to see what is below the cases


@dataclass(frozen=True)
class Survey:
    """How a text file is written, as far as its first records, its end and all of its bytes tell."""

    encoding: str
    layout: Layout
    columns: tuple[str, ...]
    notations: Mapping[int, Notation]  # of the columns of numbers, by their number
    whole: Mapping[int, Notation]  # of the columns of whole numbers, should others come
    has_foot: bool  # something is below the cases
    has_padded_marks: bool  # blanks are beside marks of missing values, or hard ones beside numbers
    has_mixed_ends: bool = False  # not all lines end alike
    has_blank_lines: bool = False  # of blanks alone, among the cases

    def notation(self, number: int) -> Notation | None:
        """Return the notation of a column; None if it has no numbers, or some of them have another."""
        return self.notations.get(number) or self.whole.get(number)

    @property
    def must_rewrite(self) -> bool:
        """Whether engines would misread its records, in whichever encoding."""
        layout = self.layout
        is_odd = layout.header or layout.empty or self.has_foot or self.has_padded_marks or self.has_blank_lines
        return bool(is_odd or self.has_mixed_ends or self.has_broken_names or self._has_odd_numbers)

    @property
    def has_broken_names(self) -> bool:
        """Whether line breaks are in the names of columns."""
        return any("\n" in name for name in self.columns)

    @property
    def _has_odd_numbers(self) -> bool:
        """Whether numbers have percent signs, thousands separators, or different decimal signs."""
        found = self.notations.values()
        decimals = {one.decimal for one in found}
        is_comma_twice = "," in decimals and self.layout.delimiter == ","
        return is_comma_twice or len(decimals) > 1 or any(one.has_thousands or one.in_percent for one in found)

    @property
    def is_plain(self) -> bool:
        """Whether every engine reads the file as it is."""
        return self.encoding == UTF_8 and not self.must_rewrite


def survey(path: Path, pieces: Pieces, missing: Collection[str], encoding: str | None = None) -> Survey:
    """Look at a text; `missing` are the marks of missing values, `encoding` the one it is said to have."""
    called = encoding or find_encoding(pieces())
    head = list(islice(records(decodable(path, pieces(), called), called), HEAD))
    layout = layout_of(head)
    columns = tuple(layout.fields(head[layout.header])[: layout.columns]) if layout.columns else ()
    has_foot = len(columns) > 1 and _has_foot(pieces(), called, layout)
    rows = [fields for is_case, _, fields in cases_of(head[layout.header + 1 :], layout) if is_case]
    cases = [row for row in rows if len(row) >= len(columns)]
    padded = any(_is_padded(field, missing) for row in cases for field in row)
    blank = len(columns) > 1 and any(len(layout.fields(one)) == 1 and not one.text.strip() for one in head)
    notations, whole = notations_of(cases, len(columns), missing, layout.delimiter)
    mixed = _has_mixed_ends(pieces(), called)
    return Survey(called, layout, columns, notations, whole, has_foot, padded, mixed, blank)


def _is_padded(field: str, missing: Collection[str]) -> bool:
    bare = field.strip()
    return (field not in missing and bare in missing) or (field.strip(" ") != bare and is_number(bare))


def _has_mixed_ends(pieces: Iterator[bytes], encoding: str) -> bool:
    """Whether the first lines end differently, such as under a header put above a file of Windows.

    So they do in quotes where a spreadsheet breaks lines within its cells.
    """
    start = codecs.getincrementaldecoder(encoding)().decode(next(pieces, b"")).removesuffix("\r")  # half of an end
    windows = start.count("\r\n")
    return sum(map(bool, (windows, start.count("\n") - windows, start.count("\r") - windows))) > 1


def decodable(path: Path, pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Yield the pieces of a text; raise, with the line, if one of them is not in its encoding."""
    decoder, lines = codecs.getincrementaldecoder(encoding)(), 1
    for piece in chain(pieces, [None]):  # None is the end, where nothing may be left of a character
        given = piece or b""
        try:
            decoder.decode(given, final=piece is None)
        except UnicodeError as error:
            start = error.start if isinstance(error, UnicodeDecodeError) else 0
            wanted = f"be text in {encoding_called(encoding)}"
            at = lines + given[:start].count(b"\n")
            hint = "state its encoding"
            raise UnreadableFileError(path, wanted, "something else", at, hint) from None
        lines += given.count(b"\n")
        yield given


def notations_of(
    cases: Sequence[Sequence[str]], width: int, missing: Collection[str], delimiter: str
) -> tuple[dict[int, Notation], dict[int, Notation]]:
    """Return the notations of the columns of numbers, and, apart, those of the columns of whole numbers."""
    values = [{one for row in cases if (one := row[number].strip()) not in missing} for number in range(width)]
    numbers = {number: one for number, one in enumerate(values) if one and all(map(is_number, one))}
    usual = _usual_decimal([*numbers.values()], delimiter)
    found = {number: notation for number, one in numbers.items() if (notation := notation_of(one, usual))}
    whole = {number: one for number, one in found.items() if not _tells(numbers[number], one)}
    return {number: one for number, one in found.items() if number not in whole}, whole


def _usual_decimal(columns: Sequence[Collection[str]], delimiter: str) -> str:
    """Return the decimal sign for columns that do not tell: that of the others, if they agree."""
    certain = [certain_decimals(values) for values in columns]
    signs = set().union(*certain) if certain else set()
    has_comma = any("," in value for values in columns for value in values)
    if delimiter == "," and not has_comma:  # the points of 756.123.456 are those of an identifier
        return "."
    if len(signs) == 1:
        return str(*signs)
    return "," if has_comma and delimiter != "," else "."


def _tells(values: Collection[str], notation: Notation) -> bool:
    """Whether a notation matters: whole numbers are the same in each."""
    return notation != Notation(notation.decimal) or any(notation.decimal in value for value in values)


def _has_foot(pieces: Iterator[bytes], encoding: str, layout: Layout) -> bool:
    """Whether the last lines that are not blank are no cases; a field of several lines may look like them."""
    start = end = b""
    for piece in pieces:
        start = start or piece[:2]
        end = (end + piece)[-_TAIL:] if len(piece) < _TAIL else piece[-_TAIL:]
    if encoding == "utf-16":
        encoding = "utf-16-be" if start == codecs.BOM_UTF16_BE else "utf-16-le"
    text = end.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = (Record(number, line) for number, line in enumerate(text.split("\n")))
    return any(not is_case for is_case, _, _ in cases_of(lines, layout))
