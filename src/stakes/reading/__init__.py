"""Files as people save them: encodings, layouts, notations, sheets and codes, found out and said.

The rules are those of ``tests/reading/RULES.md``.
"""

from stakes.reading._containers import PACKAGES, WORKBOOKS, is_of_r, office_kind, other_office
from stakes.reading._encoding import check_encoding
from stakes.reading._notation import is_number
from stakes.reading._plain_copy import reading_notes, write_plain
from stakes.reading._records import split_fields
from stakes.reading._sheet import write_sheet
from stakes.reading._statistics import label_column, write_package
from stakes.reading._survey import survey
from stakes.reading._workbook import read_sheet

__all__: list[str] = []

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "PACKAGES",
    "WORKBOOKS",
    "check_encoding",
    "is_number",
    "is_of_r",
    "label_column",
    "office_kind",
    "other_office",
    "read_sheet",
    "reading_notes",
    "split_fields",
    "survey",
    "write_package",
    "write_plain",
    "write_sheet",
)
