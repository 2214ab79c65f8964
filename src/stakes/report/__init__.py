"""Live report of an evaluation, one HTML file that needs no network and can be sent by mail."""

from stakes.report._render import render, save_report

__all__ = [
    "render",
    "save_report",
]
