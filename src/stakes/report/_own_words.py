"""The page in the words of a user: every text and label of it but the method, whatever wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import replace

from markupsafe import escape

from stakes._language import ENGLISH, language, say
from stakes._words import Words
from stakes.evaluation import Evaluation
from stakes.report._payload import display_names, way_names

_SPOKEN = ("title", "data-label", "aria-label", "aria-valuetext")  # attributes that a reader sees or hears

_TAG = re.compile(r"(<[^>]*>)")

_SILENT = ("style", "script", "code")


def in_language(evaluation: Evaluation) -> Evaluation:
    """Return an evaluation whose sentences are in the language that is spoken.

    Words of a user are English but for what positives have, which stands as it is; another language has its own.
    """
    if language() == ENGLISH:
        return evaluation
    decision, words = copy(evaluation.decision), evaluation.decision.words
    object.__setattr__(decision, "words", None if words is None else Words(positive=words.positive, time=words.time))
    return Evaluation(replace(evaluation.results, decision=decision), evaluation.call)


def word_pairs(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return what the scripts turn each usual word into, longest first; nothing without words of a user."""
    words = evaluation.decision.words
    return [] if words is None else _pairs(words, _names(evaluation))


def _names(evaluation: Evaluation) -> list[str]:
    models = way_names(evaluation.ranking)
    references = {models[one.model] for one in evaluation.ranking if one.reference}
    return [*(name for name in models.values() if name not in references), *display_names(evaluation.groups).values()]


def _pairs(words: Words, keep: Iterable[str]) -> list[tuple[str, str]]:
    turned = words.turned([*keep, *words.forms()])
    if words.positive:
        turned |= {say("are positive"): say("have {event}", event=words.positive)}
        turned |= {say("is positive"): say("has {event}", event=words.positive)}
    return sorted(turned.items(), key=lambda pair: len(pair[0]), reverse=True)


def in_own_words(page: str, evaluation: Evaluation) -> str:
    """Say a page in the words of a user, up to its method, whose formulas are in the usual ones."""
    words = evaluation.decision.words
    if words is None:
        return page
    pairs = {str(escape(old)): str(escape(new)) for old, new in _pairs(words, _names(evaluation))}
    alone = "|".join(re.escape(old) for old in pairs)  # longest first
    turn = re.compile(rf"(?<![\w])(?:{alone})(?![\w])")
    start, end = page.index("<body"), page.index('<section id="method">')
    return page[:start] + _said(page[start:end], turn, pairs) + page[end:]


def _said(text: str, turn: re.Pattern[str], pairs: dict[str, str]) -> str:
    def say(part: str) -> str:
        return turn.sub(lambda found: pairs[found[0]], part)

    spoken = re.compile(rf'((?:{"|".join(_SPOKEN)})=")([^"]*)')
    said, silent = list[str](), ""
    for part in _TAG.split(text):
        if part.startswith("<"):
            name = part.strip("</>").split()[0] if part.strip("</>") else ""
            silent = name if name in _SILENT and not part.startswith("</") else "" if name == silent else silent
            said.append(spoken.sub(lambda found: found[1] + say(found[2]), part))
        else:
            said.append(part if silent else say(part))
    return "".join(said)
