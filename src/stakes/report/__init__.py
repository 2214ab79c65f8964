"""Live report of an evaluation, one HTML file that needs no network and can be sent by mail."""

from typing import TYPE_CHECKING

from stakes._late import late_names
from stakes.report._cards import Card
from stakes.report._chart import Chart, Line, Mark
from stakes.report._chart_axis import ChartAxis
from stakes.report._render import render, save_report, write_report

if TYPE_CHECKING:
    from stakes.report._card_page import write_cards
    from stakes.report._open_page import save_opening_page

__all__ = [
    "render",
    "save_report",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "Card",
    "Chart",
    "ChartAxis",
    "Line",
    "Mark",
    "save_opening_page",
    "write_cards",
    "write_report",
)

# Files that load when one of their names is first used: the report of an evaluation needs neither.
_LATE = {"_card_page": ("write_cards",), "_open_page": ("save_opening_page",)}

__getattr__ = late_names(__name__, _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
