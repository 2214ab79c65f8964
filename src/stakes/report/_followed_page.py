"""A page without controls, for cases that were followed until several horizons."""

from __future__ import annotations

from stakes._language import say
from stakes.evaluation import (
    Evaluation,
    horizon_note,
    horizon_rows,
    in_own_words,
)
from stakes.report._followed_view import follow_up_note, follow_up_rows
from stakes.report._still_page import groups, items, method, opening, ranking, section, table_of_rows, whole_page

_WHY_STILL = (
    "the ranking is a mean over horizons, each with its own scores and risk. For other costs, evaluate again; one "
    "horizon by itself has a page with controls."
)


def followed_page(evaluation: Evaluation, *, title: str | None = None, source: str | None = None) -> str:
    """Write an evaluation at several horizons as one HTML text; every name in it is text."""
    said = [in_own_words(evaluation, one.text) for one in evaluation.findings]
    heading, lead = opening(evaluation, evaluation.answer, title, source)
    sections = [
        lead,
        ranking(evaluation),
        _horizons(evaluation),
        section(say("What to know"), items(said)),
        section(
            say("How far they were followed"), table_of_rows(follow_up_rows(evaluation)), follow_up_note(evaluation)
        ),
        groups(evaluation),
        method(evaluation, say(_WHY_STILL)),
    ]
    return whole_page(evaluation, heading, sections)


def _horizons(evaluation: Evaluation) -> str:
    """Write what each model costs at each of several horizons, with intervals."""
    return section(say("At each horizon"), table_of_rows(horizon_rows(evaluation, intervals=True)), horizon_note())
