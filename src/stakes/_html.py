"""Small tables for notebooks: one style, and every name in them is text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from stakes import _wording

STYLE = (
    "<style>.stakes{font-variant-numeric:tabular-nums;max-width:60em}.stakes table{border-collapse:collapse}"
    ".stakes th,.stakes td{text-align:right!important;padding:.25em .7em;border-bottom:1px solid #8884}"
    ".stakes th:first-child,.stakes td:first-child{text-align:left!important}.stakes .reference{opacity:.65}"
    ".stakes caption{text-align:left;font-weight:bold;padding-bottom:.3em}"
    ".stakes .note{font-size:.85em;opacity:.75}</style>"
)

_MOST = 30  # rows that are shown


def small_table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> str:
    """Write a table as HTML; its first column names the rows, and a note says how many are left out."""
    head = "".join(f"<th scope=col>{escape(heading)}</th>" for heading in headings)
    body = "".join(_row(row) for row in rows[:_MOST])
    left = [f"{len(rows) - _MOST:,} more are not shown."] if len(rows) > _MOST else []
    said = " ".join([*([note] if note else []), *left])
    below = f"<p class=note>{escape(said)}</p>" if said else ""
    table = f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"{STYLE}<div class=stakes><table>{table}</table>{below}</div>"


def table_of_models(caption: str, share: float, tables: Mapping[str, Any], *, is_weighted: bool) -> str:
    """Write the scores of models as HTML: how many are distinct, the lowest, the mean and the highest."""
    rows = []
    for name, table in tables.items():
        mean = float((table.positive + table.negative) @ table.score) / table.total
        rows.append((name, f"{len(table):,}", *map(_wording.plain_number, (table.lowest, mean, table.highest))))
    said = f"{caption} ({_wording.percent(share)}{' by weight' if is_weighted else ''})"
    return small_table(said, ("model", "distinct scores", "lowest", "mean", "highest"), rows)


def _row(row: Sequence[str]) -> str:
    first, *others = (escape(_wording.name(cell)) for cell in row)
    return f"<tr><th scope=row>{first}</th>{''.join(f'<td>{cell}</td>' for cell in others)}</tr>"
