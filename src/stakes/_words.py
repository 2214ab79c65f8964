"""The words of a user for cases, mistakes and acting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from stakes import _check
from stakes._errors import InputError, InputTypeError

WordsLike: TypeAlias = "Mapping[str, str | tuple[str, str]] | Words | None"


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a user: each for one and for many, and acting as a verb and as its form in -ing.

    Sentences are written in the usual words, and said in these; the names of models and groups stay as they are.
    """

    case: tuple[str, str] = ("case", "cases")
    positive: str = ""
    miss: tuple[str, str] = ("miss", "misses")
    false_alarm: tuple[str, str] = ("false alarm", "false alarms")
    act: tuple[str, str] = ("act on", "acting on")
    time: tuple[str, str] = ("", "")  # the unit of horizons, such as year and years

    def say(self, text: str, keep: Iterable[str] = ()) -> str:
        """Write a text in these words; names that are kept stay as they are."""
        turned = self.turned(keep)
        longest_first = sorted(turned, key=len, reverse=True)
        said, at = "", 0
        while at < len(text):
            here = next((old for old in longest_first if _is_word(text, at, old)), "")
            said += turned[here] if here else text[at]
            at += len(here) or 1
        return said

    def turned(self, keep: Iterable[str] = ()) -> dict[str, str]:
        """Return what each of the usual words is turned into; names that are kept into themselves."""
        turned = {name: name for name in keep if name}
        for role in ("case", "miss", "false_alarm", "act"):
            for old, new in zip(getattr(Words(), role), getattr(self, role), strict=True):
                turned.setdefault(old, new)
                turned.setdefault(f"a {old}", f"{_article(new)} {new}")
        return turned

    def forms(self) -> list[str]:
        """Return the words themselves, alone and with their article, which a text said twice must keep."""
        found = [form for role in ("case", "miss", "false_alarm", "act") for form in getattr(self, role)]
        return [*found, *(f"{_article(form)} {form}" for form in found)]


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def said(words: Words | None, text: str, keep: Iterable[str] = ()) -> str:
    """Write a text in the words of a user, if there are any."""
    return text if words is None else words.say(text, keep)


def _is_word(text: str, at: int, word: str) -> bool:
    """Whether a word, or several, stand at a place of a text, and no longer ones."""
    end = at + len(word)
    beside = text[at - 1 : at] + text[end : end + 1]
    return text.startswith(word, at) and not any(one.isalnum() or one == "_" for one in beside)


_ROLES = ("case", "positive", "miss", "false_alarm", "act", "time")

_TYPED_ROLES = tuple(role.replace("_", "-") for role in _ROLES)  # as options are spelled


def as_words(given: Words | Mapping[str, str | tuple[str, str]]) -> Words:
    """Return the words that are given; a single word gets its other form."""
    if isinstance(given, Words):
        return given
    if not isinstance(given, Mapping):
        raise InputTypeError("words", "be a mapping, such as `{'miss': 'missed cancer'}`", type(given).__name__)
    forms = {str(role).replace(" ", "_").replace("-", "_"): _split(form) for role, form in given.items()}
    for role, form in forms.items():
        _check.choice("words", role, _ROLES)
        pair = (form,) if isinstance(form, str) else form
        if not isinstance(pair, tuple | list) or len(pair) > 2 or not all(isinstance(one, str) and one for one in pair):
            raise InputTypeError("words", "hold strings, or pairs (singular, plural)", _check.show(form))
    return Words(**{role: _both(role, form) for role, form in forms.items()})  # type: ignore[arg-type]


def parse_words(texts: Iterable[str]) -> dict[str, str | tuple[str, str]] | None:
    """Read words that are typed, such as ``miss=missed cancer`` or ``case=person/people``."""
    found: dict[str, str | tuple[str, str]] = {}
    for text in texts:
        role, equal, form = (part.strip() for part in text.partition("="))
        split = _split(form)
        if not (equal and form and (isinstance(split, str) or all(split))):
            raise InputError("words", "look like miss='missed cancer' or case=person/people", _check.show(text))
        found[_check.choice("words", role.replace("_", "-").replace(" ", "-"), _TYPED_ROLES)] = split
    return found or None


def _split(form: Any) -> Any:
    """Return one and many of a text such as ``person/people``; anything else as it is."""
    if not isinstance(form, str) or "/" not in form:
        return form
    one, _, many = form.partition("/")
    return one.strip(), many.strip()


def _both(role: str, form: str | tuple[str, str]) -> str | tuple[str, str]:
    """Return both forms of a word; of a positive there is one."""
    if role == "positive":
        return form if isinstance(form, str) else form[0]
    if not isinstance(form, str):
        return (form[0], form[-1])
    if role == "time":  # said of many: within 5 years
        return form.removesuffix("s"), form
    return form, _ing(form) if role == "act" else _many(form)


def _many(one: str) -> str:
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith(("s", "x", "z", "ch", "sh")) else f"{one}s"


def _ing(verb: str) -> str:
    """Return a verb, and the words after it, in its form in -ing."""
    first, space, rest = verb.partition(" ")
    stem = first[:-1] if first.endswith("e") and not first.endswith("ee") else first
    return f"{stem}ing{space}{rest}"
