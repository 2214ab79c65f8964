"""An evaluation in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from stakes.decision import _text, _words

if TYPE_CHECKING:
    from stakes.decision._evaluation import Evaluation, Standing

_STYLE = (
    "<style>.stakes{font-variant-numeric:tabular-nums;max-width:60em}.stakes table{border-collapse:collapse}"
    ".stakes th,.stakes td{text-align:right!important;padding:.25em .7em;border-bottom:1px solid #8884}"
    ".stakes th:first-child,.stakes td:first-child{text-align:left!important}.stakes .reference{opacity:.65}"
    ".stakes .note{font-size:.85em;opacity:.75}</style>"
)


def html(evaluation: Evaluation) -> str:
    """Write an evaluation as HTML; every name in it is text."""
    question = escape(_words.question(len(evaluation.tables), evaluation.decision))
    headings = "".join(f"<th scope=col>{escape(heading)}</th>" for heading in _text.HEADINGS)
    rows = "".join(map(_row, evaluation.ranking))
    found = "".join(f"<li>{escape(finding.text)}</li>" for finding in evaluation.findings)
    return (
        f"{_STYLE}<div class=stakes><p><b>{question}</b><br>{escape(_text.facts(evaluation))}</p>"
        f"<table><thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table>"
        f"<p class=note>{escape(_text.note(evaluation))}</p><ol>{found}</ol></div>"
    )


def _row(standing: Standing) -> str:
    kind = " class=reference" if standing.reference else ""
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in _text.cells(standing))
    return f"<tr{kind}>{cells}</tr>"
