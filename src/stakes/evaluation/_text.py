"""Evaluation as text and as notebook HTML, with question, table and findings."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from stakes import _wording
from stakes._html import STYLE
from stakes._language import number, percent_sign, say
from stakes._words import said
from stakes.evaluation import _decision
from stakes.evaluation._action_use import action_note, action_rows
from stakes.evaluation._at_horizons import horizon_note, horizon_rows, mean_risk
from stakes.evaluation._follow_up_text import describe_follow_up, predicted_event, until
from stakes.evaluation._group_text import group_difference_note, group_difference_rows
from stakes.evaluation._notes import note, versus
from stakes.evaluation._ranked import after_recalibration
from stakes.evaluation._unit import Unit

if TYPE_CHECKING:
    from stakes.evaluation._action_rates import ActionRates
    from stakes.evaluation._evaluation import Evaluation
from stakes.evaluation._results import Standing

_WIDTH = 100

_HEADINGS = ("", "expected cost", "interval", "vs best", "P(best)", "skill", "acts on", "recalibration gain")


def ranking_rows(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Write headings and lines of the ranking, without columns that are empty for every model."""
    rows = [_row_cells(standing, evaluation) for standing in evaluation.ranking]
    headings = [versus(evaluation) if heading == "vs best" else say(heading) for heading in _HEADINGS]
    known = [k for k in range(len(headings)) if any(row[k] != _wording.NOT_KNOWN for row in rows)]
    if evaluation.actions is not None:  # another table has the share of each action
        known.remove(_HEADINGS.index("acts on"))
    return [headings[k] for k in known], [[row[k] for k in known] for row in rows]


def _row_cells(standing: Standing, evaluation: Evaluation) -> tuple[str, ...]:
    """Write one line of the ranking, in the order of the headings."""
    regret, unit = standing.regret, evaluation.unit
    return (
        _shown_name(standing, evaluation),
        unit.number(regret.estimate),
        unit.interval(regret.estimate, regret.lower, regret.upper),
        _difference_cell(standing, evaluation),
        or_unknown(standing.probability_best, _wording.chance),
        or_unknown(standing.skill, lambda skill: _wording.signed(skill, 2)),
        action_range(standing.acts, fine=isinstance(evaluation.decision, _decision.MoneyDecision)),
        _recalibration_gain(standing, unit),
    )


def _shown_name(standing: Standing, evaluation: Evaluation) -> str:
    """Write the name of a model as it is, and of a reference in the words of the user."""
    name = _wording.reference(standing.model) if standing.reference else _wording.name(standing.model)
    return said(evaluation.decision.words, name) if standing.reference else name


def in_own_words(evaluation: Evaluation, text: str) -> str:
    """Write a text in the words of the user, if there are any, but names as they are."""
    return said(evaluation.decision.words, text, map(_wording.name, (*evaluation.tables, *evaluation.groups)))


def _difference_cell(standing: Standing, evaluation: Evaluation) -> str:
    """Write how much more a standing costs than the best, or than the baseline with an interval."""
    unit = evaluation.unit
    if evaluation.baseline is None:
        return _wording.NOT_KNOWN if standing.difference is None else f"+{unit.number(standing.difference.difference)}"
    if standing.baseline_difference is None:
        return _wording.NOT_KNOWN
    found = standing.baseline_difference
    ends = unit.interval(found.difference, found.lower, found.upper)
    return unit.signed(found.difference) + ("" if ends == _wording.NOT_KNOWN else f" ({ends})")


def _recalibration_gain(standing: Standing, unit: Unit) -> str:
    if standing.parts is None or standing.reference:
        return _wording.NOT_KNOWN
    return unit.number(standing.regret.estimate - after_recalibration(standing))


def _several(evaluation: Evaluation) -> str:
    """Name several horizons, and the mean risk that the ranking is about; nothing of a single one."""
    found = evaluation.sample.follow_up
    if found is None or not evaluation.horizons:
        return ""
    times = until(found, evaluation.decision.words, list(evaluation.horizons))
    risk = _wording.percent(mean_risk(evaluation.horizons))
    return say("; {times}, the risk is {mean_risk} on average", times=times, mean_risk=risk)


def describe_sample(evaluation: Evaluation) -> str:
    """Describe the sample, and what was noticed when it was read."""
    counts, notes = count_sample(evaluation), evaluation.sample.reading_notes
    return " ".join([f"{counts}.", *notes]) if notes else counts


def count_sample(evaluation: Evaluation) -> str:
    """Count cases and positives, or those who were followed."""
    sample = evaluation.sample
    if sample.follow_up is not None:
        return describe_follow_up(sample, evaluation.decision.words, _several(evaluation))
    cases = say("{cases:,} cases", cases=sample.cases)
    if sample.weighted:
        cases += say(" of weight {weight}", weight=_wording.count(sample.weight))
    if sample.clusters is not None:
        cases += say(" in {clusters:,} clusters", clusters=sample.clusters)
    positive = say("{positives} positive", positives=_wording.count(sample.positives))
    if sample.weighted and sample.positive_cases is not None:
        positive = say(
            "{positive_cases:,} positive of weight {positives}",
            positive_cases=sample.positive_cases,
            positives=_wording.count(sample.positives),
        )
    words = evaluation.decision.words
    if words is not None and words.positive:
        positive = positive.replace(say("positive"), say("with {positive}", positive=words.positive), 1)
    return said(evaluation.decision.words, f"{cases}, {positive} ({_wording.percent(sample.prevalence)})")


def question(evaluation: Evaluation) -> str:
    """Write the decision as a question, with the event and by when it counts if outcomes were followed."""
    return _decision.question(len(evaluation.tables), evaluation.decision, predicted_event(evaluation))


def text(evaluation: Evaluation) -> str:
    """Write an evaluation for a terminal."""
    headings, rows = ranking_rows(evaluation)
    lines = [
        *_wrap(question(evaluation)),
        *_wrap(describe_sample(evaluation)),
        *_wrap(evaluation.answer),
        "",
        *_table([headings, *rows]),
        "",
    ]
    lines += [*_wrap(note(evaluation, headings)), ""]
    if evaluation.actions is not None:
        lines += [*_table(action_rows(evaluation.actions)), *_wrap(action_note(evaluation)), ""]
    if evaluation.horizons:
        lines += [*_table(horizon_rows(evaluation)), *_wrap(horizon_note()), ""]
    if evaluation.groups:
        lines += [*_table(group_rows(evaluation)), *_wrap(group_note(evaluation)), ""]
    if evaluation.group_comparisons:
        lines += [*_table(group_difference_rows(evaluation)), *_wrap(group_difference_note(evaluation)), ""]
    for place, finding in enumerate(evaluation.findings, 1):
        lines += _wrap(in_own_words(evaluation, finding.text), f"{place:2}. ")
    return "\n".join(lines)


def group_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """Write what each model costs in each group; the first row has the headings."""
    models = [standing.model for standing in evaluation.ranking if not standing.reference]
    rows: list[tuple[str, ...]] = [
        (say("expected cost by group"), say("cases"), say("positive"), *map(_wording.name, models))
    ]
    for group in evaluation.groups.values():
        costs = (evaluation.unit.number(group.regret[model].estimate) for model in models)
        rows.append((_wording.name(group.name), number(group.cases, ","), _wording.percent(group.prevalence), *costs))
    return rows


def group_note(evaluation: Evaluation) -> str:
    """Explain how groups were evaluated, where that differs from the ranking."""
    decision = evaluation.decision
    as_ranked = decision.prevalence is None and decision.limits is None
    return (
        ""
        if as_ranked
        else say("By group: at its own prevalence, without limits, with the threshold at the cost itself.")
    )


def stacked(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Break headings of numbers into lines, at spaces, where the cells below them are narrower."""
    room = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    return [
        headings[0],
        *(_break_heading(heading, width) for heading, width in zip(headings[1:], room[1:], strict=True)),
    ]


def _break_heading(heading: str, width: int) -> str:
    longest = max(map(len, heading.split()), default=1)
    return "\n".join(textwrap.wrap(heading, max(width, longest), break_on_hyphens=False))


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    headings = [heading.split("\n") for heading in stacked(rows[0], rows[1:])]
    tallest = max(map(len, headings))
    above = zip(*([""] * (tallest - len(lines)) + lines for lines in headings), strict=True)
    shown = [*above, *rows[1:]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return [
        (
            row[0].ljust(widths[0])
            + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        ).rstrip()
        for row in shown
    ]


def _wrap(sentence: str, start: str = "") -> list[str]:
    return textwrap.wrap(
        sentence, _WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False
    )


def from_to(first: str, last: str) -> str:
    """Write two ends, as one where they read alike, and with one percent sign for both."""
    return last if first == last else say("{first} to {last}", first=first.removesuffix(percent_sign()), last=last)


def action_range(acts: ActionRates, *, fine: bool = False) -> str:
    """Write the share of cases acted on, at the highest cost and at the lowest; `fine` shows parts of 1%."""
    write = _wording.fine_percent if fine else _wording.whole_percent
    return from_to(write(acts.at_highest_cost), write(acts.at_lowest_cost))


def or_unknown(number: float, write: Callable[[float], str]) -> str:
    """Write a number, or a dash where it is undefined."""
    return _wording.NOT_KNOWN if math.isnan(number) else write(number)


def html(evaluation: Evaluation) -> str:
    """Write an evaluation as HTML; every name in it is text."""
    headings, rows = ranking_rows(evaluation)
    first = "".join(f"<th scope=col>{escape(heading)}</th>" for heading in headings)
    others = "".join(map(_row, evaluation.ranking, rows))
    items = "".join(f"<li>{escape(in_own_words(evaluation, finding.text))}</li>" for finding in evaluation.findings)
    return (
        f"{STYLE}<div class=stakes><p><b>{escape(question(evaluation))}</b><br>{escape(describe_sample(evaluation))}"
        f"{f'<br><b>{escape(evaluation.answer)}</b>' if evaluation.answer else ''}</p>"
        f"<table><thead><tr>{first}</tr></thead><tbody>{others}</tbody></table>"
        f"<p class=note>{escape(note(evaluation, headings))}</p><ol>{items}</ol></div>"
    )


def _row(standing: Standing, row: Sequence[str]) -> str:
    kind = " class=reference" if standing.reference else ""
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
    return f"<tr{kind}>{cells}</tr>"
