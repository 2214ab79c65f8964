"""A page without controls, for models whose tests do harm: tables and sentences as stated."""

from __future__ import annotations

from collections.abc import Sequence

from stakes._language import say
from stakes.evaluation import Evaluation, in_own_words
from stakes.report._cards import Card
from stakes.report._still_page import groups, items, method, opening, ranking, section, table_of_rows, whole_page

_WHY_STILL = "what the harm of a test weighs depends on the costs. For other costs, evaluate again."


def harm_page(
    evaluation: Evaluation, cards: Sequence[Card] = (), *, title: str | None = None, source: str | None = None
) -> str:
    """Write an evaluation of models with harm as one HTML text; every name in it is text."""
    findings = [in_own_words(evaluation, one.text) for one in evaluation.findings]
    heading, lead = opening(evaluation, evaluation.answer or next(iter(findings), ""), title, source)
    sections = [
        lead,
        ranking(evaluation),
        section(say("What to know"), items(findings)),
        *(section(one.heading, items(one.sentences), table_of_rows(one.rows), one.note) for one in cards),
        groups(evaluation),
        method(evaluation, say(_WHY_STILL)),
    ]
    return whole_page(evaluation, heading, sections)
