"""A page of cards by themselves, in the style of the report; it needs no script."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from markupsafe import escape

from stakes import _wording
from stakes._whole_file import write_whole
from stakes.report import _method
from stakes.report._cards import Card, cards_html
from stakes.report._render import today
from stakes.report._scripts import page_style, security_policy
from stakes.report._svg import element


def write_cards(path: str | os.PathLike[str], title: str, cards: Sequence[Card]) -> None:
    """Save a page of cards, which appears whole or not at all."""
    write_whole(Path(path), [_page(_wording.name(title), cards)])


def _page(title: str, cards: Sequence[Card]) -> str:
    style = page_style()
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{escape(security_policy([style], ()))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title><style>{style}</style>'
    )
    made = f"Created by stakes {_method.versions()['stakes']} on {today()}."
    alone = "This file is self-contained: it opens without a network and sends nothing anywhere."
    footer = element("footer", element("p", f"{made} {alone}"), class_="page")
    header = element("header", element("h1", title, class_="eyebrow"), class_="page")
    main = element("main", element("div", cards_html(cards), class_="live"))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{header}{main}{footer}</body></html>\n'
