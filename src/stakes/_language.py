"""Languages of reports: English as it stands in the code, or the words of a catalogue.

A catalogue, `lang/de.json`, maps each English text to its own, slots left open by their names. So the code reads as
the report does, and English needs no catalogue. Scripts and templates of a page are put together from the same one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import NamedTuple

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)

_SLOT = re.compile(r"\{(\w*)(:[^{}]*)?\}")

_WRITTEN = re.compile(r"\d[\d,]*(?:\.\d+)?")  # a number in English

_SAMPLE = "1,234.5%"  # from whose translation the signs of numbers are read


class _Entry(NamedTuple):
    """A text of a catalogue, with the names that its English has for the slots, in their order."""

    slots: tuple[str, ...]
    text: str


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Let `say` speak a language within a block."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def language() -> str:
    """Return the language that is spoken now."""
    return _spoken.get()


def say(text: str, /, **slots: object) -> str:
    """Fill in the slots of a text, in the language that is spoken; numbers get its signs."""
    if _spoken.get() == ENGLISH:
        return text.format(**slots) if slots else text
    return compounds(_Spoken().format(translated(text), **slots))


def resaid(text: str) -> str:
    """Return a text of numbers and words that was written in English, in the language that is spoken."""
    found = _WRITTEN.findall(text)
    return translated(_WRITTEN.sub("{}", text)).format(*map(signs, found)) if found else say(text)


def say_count(count: float | str, one: str, many: str, /, **slots: object) -> str:
    """Say something of one, or of many; `count` is the number itself or how it is written."""
    return say(one if count in (1, "1") else many, **slots)


def say_list(words: Iterable[object]) -> str:
    """Join words as in a sentence: a, b and c."""
    *first, last = map(str, words)
    return say(" and ").join([", ".join(first), last]) if first else last


def translated(text: str) -> str:
    """Return a text in the language that is spoken, with the names of its slots."""
    return text if _spoken.get() == ENGLISH else _translated(_spoken.get(), text)


@cache
def _translated(language: str, text: str) -> str:
    found = catalogue(language).get(bare(text))
    if found is None:
        return unknown(text)
    formats = {old: (name, spec) for old, (name, spec) in zip(found.slots, _SLOT.findall(text), strict=True)}
    return _SLOT.sub(lambda slot: "{{{}{}}}".format(*formats[slot[1]]), found.text)


def unknown(text: str) -> str:
    """Return a text that no catalogue has, such as a name."""
    return text


def bare(text: str) -> str:
    """Return a text without the names of its slots, by which a catalogue knows it."""
    return _SLOT.sub("{}", text)


@cache
def catalogue(language: str) -> Mapping[str, _Entry]:
    """Return the texts of a language, by their bare English."""
    source = files("stakes").joinpath("lang", f"{language}.json").read_text(encoding="utf-8")
    return {bare(text): _Entry(slots_of(text), said) for text, said in json.loads(source).items()}


def slots_of(text: str) -> tuple[str, ...]:
    """Return the names of the slots of a text, in their order."""
    return tuple(name for name, _ in _SLOT.findall(text))


# ------------------------------------------------------------------------------------------------------------ numbers


class _Spoken(Formatter):
    """Numbers with the signs of the language that is spoken."""

    def format_field(self, value: object, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        return signs(text) if isinstance(value, int | float) else text


def number(value: float, form: str) -> str:
    """Write a number by a format, such as ``,.1f``, with the signs of the language that is spoken."""
    return signs(format(value, form))


def signs(text: str) -> str:
    """Write a number that is written as in English with the signs of the language that is spoken."""
    if _spoken.get() == ENGLISH:
        return text
    sample = translated(_SAMPLE)
    return text.translate({ord(","): sample[1], ord("."): sample[5]})


def compounds(text: str) -> str:
    """Write 95-% where a word follows a hyphen, as in a 95-%-Intervall."""
    return text.replace("\u00a0%-", "-%-")


def percent_sign() -> str:
    """Return what stands behind a number of percent."""
    return translated(_SAMPLE)[7:]
