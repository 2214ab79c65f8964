"""Live report of an evaluation, one HTML file that needs no network and can be sent by mail."""

from stakes.report._card_page import write_cards
from stakes.report._cards import Card
from stakes.report._chart import Chart, Line, Mark
from stakes.report._chart_axis import ChartAxis
from stakes.report._open_page import save_opening_page
from stakes.report._render import render, save_report, write_report

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
