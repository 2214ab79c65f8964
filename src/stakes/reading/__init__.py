"""Text files as people save them: encodings, layouts and notations of numbers, found out and said.

The rules are those of ``tests/reading/RULES.md``.
"""

from stakes.reading._encoding import check_encoding
from stakes.reading._layout import DELIMITERS
from stakes.reading._plain_copy import reading_notes, write_plain
from stakes.reading._records import split_fields
from stakes.reading._survey import survey

__all__: list[str] = []

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "DELIMITERS",
    "check_encoding",
    "reading_notes",
    "split_fields",
    "survey",
    "write_plain",
)
