"""A page without controls, for decisions between several actions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from stakes import _wording
from stakes._language import language, say
from stakes.evaluation import (
    ActionUse,
    Evaluation,
    action_note,
    action_rows,
    describe_sample,
    group_difference_note,
    group_difference_rows,
    group_note,
    group_rows,
    note,
    question,
    ranking_rows,
)
from stakes.report._scripts import security_policy

_WHY_STILL = (
    "the costs of several actions are not a single proportion that a control could move. For other costs, evaluate "
    "again."
)

_IN_THE_FILE = (
    "What it holds is the same for every embed. All numbers are in this file, in the element data. Made by "
    "stakes {version}; the file needs no network and sends nothing anywhere."
)
_NO_CONTROLS = f"This page has no controls: {{why_still}} {_IN_THE_FILE}"
_SOME_CONTROLS = f"The controls of this page move their own section alone: {{why_still}} {_IN_THE_FILE}"

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.5em;line-height:1.25}h2{font-size:1.15em;margin-top:2em}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.3em .8em;border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}
td+td{white-space:nowrap}
tr.reference{color:#666}.note{font-size:.88em;color:#555}code{overflow-wrap:anywhere}
input[type=range]{width:22em;max-width:100%;min-height:44px;accent-color:#0072B2}
#moves:not([hidden]){display:flex;flex-wrap:wrap;gap:0 2em;align-items:end}button{font:inherit;min-height:44px}
svg text{font:13px system-ui,sans-serif}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#1b1b1b}.note,tr.reference{color:#aaa}
th,td{border-color:#444}svg text{fill:#e6e6e6}}
@media print{body{margin:0;max-width:none}}
"""


def still_page(evaluation: Evaluation, use: ActionUse, *, title: str | None = None, source: str | None = None) -> str:
    """Write an evaluation of several actions as one HTML text; every name in it is text."""
    first, *others = evaluation.findings
    heading, lead = opening(evaluation, first.text, title, source)
    sections = [
        lead,
        section(
            say("Which action each case gets"), _shares(use), table_of_rows(action_rows(use)), action_note(evaluation)
        ),
        ranking(evaluation),
        section(say("What else to know"), items([one.text for one in others])),
        groups(evaluation),
        method(evaluation, say(_WHY_STILL)),
    ]
    return whole_page(evaluation, heading, sections)


def opening(evaluation: Evaluation, answer: str, title: str | None, source: str | None) -> tuple[str, str]:
    """Return the heading of a page, and what the page begins with: heading, question, sample and answer."""
    asked = question(evaluation)
    heading = asked if title is None else title
    sample = describe_sample(evaluation)
    if source is not None:
        sample += say(", from {source}", source=_wording.name(source))
    lead = f"<h1>{escape(heading)}</h1>" + ("" if title is None else f"<p>{escape(asked)}</p>")
    return heading, f"{lead}<p>{escape(sample)}</p>" + (f"<p><strong>{escape(answer)}</strong></p>" if answer else "")


def whole_page(evaluation: Evaluation, heading: str, sections: Sequence[str], *, scripts: Sequence[str] = ()) -> str:
    """Write sections as one HTML text that holds all numbers; only its own scripts may run."""
    policy = security_policy([_STYLE], scripts)
    run = "".join(f"<script>{script}</script>" for script in scripts)
    data = json.dumps(evaluation.to_dict(), ensure_ascii=False).replace("<", "\\u003c")
    return (
        f"<!doctype html>\n<html lang={language()}><head><meta charset=utf-8>"
        f"<meta name=viewport content='width=device-width'>"
        f'<meta http-equiv=Content-Security-Policy content="{policy}">'
        f"<title>{escape(heading)}</title><style>{_STYLE}</style></head><body><main>{''.join(sections)}</main>"
        f"<script type='application/json' id=data>{data}</script>{run}</body></html>\n"
    )


def section(heading: str, *parts: str) -> str:
    """Write a section; the last part may be a note."""
    *shown, last = parts
    below = last if last.startswith("<") else f"<p class=note>{escape(last)}</p>" if last else ""
    return f"<section><h2>{escape(heading)}</h2>{''.join(shown)}{below}</section>"


def table_of_rows(rows: Sequence[Sequence[str]], classes: Sequence[str] = ()) -> str:
    """Write a table, headings first; `classes` are those of its other rows."""
    head = "".join(f"<th scope=col>{escape(cell)}</th>" for cell in rows[0])
    kinds = classes or [""] * (len(rows) - 1)
    body = "".join(
        f"<tr class='{kind}'>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row, kind in zip(rows[1:], kinds, strict=True)
    )
    return scrolled(rows[0][0], f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def scrolled(called: str, inside: str) -> str:
    """Write what may be wider than the page, so that the keyboard can scroll it too."""
    return f"<div class=scroll tabindex=0 role=group aria-label='{escape(called)}'>{inside}</div>"


def items(texts: Sequence[str]) -> str:
    return (
        f"<ol>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ol>"
        if texts
        else f"<p>{escape(say('Nothing.'))}</p>"
    )


def _shares(use: ActionUse) -> str:
    """Draw the share of cases that gets each action, one bar a model."""
    colours = {name: _COLOURS[k % len(_COLOURS)] for k, name in enumerate(use.thresholds)}
    drawn = []
    for row, (model, shares) in enumerate(use.shares.items()):
        left, y = 160.0, 30 + 30 * row
        drawn.append(f"<text x=150 y={y + 15} text-anchor=end>{escape(_wording.name(model)[:20])}</text>")
        for name, share in shares.items():
            told = escape(f"{_wording.name(model)}: {_wording.name(name)} {_wording.percent(share)}")
            size = f"x={left:.2f} y={y} width={460 * share:.2f} height=22"
            drawn.append(f"<rect {size} fill='{colours[name]}'><title>{told}</title></rect>")
            left += 460 * share
    legend = "".join(
        f"<rect x={160 + 150 * k} y=4 width=12 height=12 fill='{colours[name]}'/>"
        f"<text x={177 + 150 * k} y=15>{escape(_wording.name(name)[:16])}</text>"
        for k, name in enumerate(use.thresholds)
    )
    size = f"width={max(640, 180 + 150 * len(colours))} height={40 + 30 * len(use.shares)}"
    shown = f"{legend}{''.join(drawn)}"
    called = say("share of cases by action")
    return scrolled(called, f"<svg {size} role=img aria-label='{escape(called)}'>{shown}</svg>")


def ranking(evaluation: Evaluation) -> str:
    headings, rows = ranking_rows(evaluation)
    kinds = ["reference" if one.reference else "" for one in evaluation.ranking]
    table = table_of_rows([[say("model"), *headings[1:]], *rows], kinds)
    return section(say("Expected cost {heading}", heading=evaluation.unit.heading), table, note(evaluation, headings))


def groups(evaluation: Evaluation) -> str:
    """Write costs and differences by group, where there are groups."""
    parts = []
    if evaluation.groups:
        parts.append(section(say("Groups"), table_of_rows(group_rows(evaluation)), group_note(evaluation)))
    if rows := group_difference_rows(evaluation):
        parts.append(section(say("Differences by group"), table_of_rows(rows), group_difference_note(evaluation)))
    return "".join(parts)


def method(evaluation: Evaluation, why_still: str, *, controls: bool = False) -> str:
    """State what was computed, by which call, and what the page has no controls for, and why."""
    known, version = evaluation.recommendation, evaluation.to_dict()["stakes"]
    call = f"<p>{escape(say('Call:'))} <code>{escape(evaluation.call)}</code></p>" if evaluation.call else ""
    return section(
        say("How this was computed"),
        f"<p>{escape(known.reason)}</p><p><code>{escape(known.measure)}</code></p>{call}",
        say(_SOME_CONTROLS if controls else _NO_CONTROLS, why_still=why_still, version=version),
    )
