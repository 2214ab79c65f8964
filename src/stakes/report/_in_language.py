"""Scripts and templates of a page in another language, text by text.

A page holds its own language alone, put in when it is written. In a script, each text in quotes that the catalogue
knows becomes that of the language; what stands in a `${...}` goes where that sentence has its place for it. In a
template the same happens between tags, in attributes that are heard, and in quotes inside `{{ }}`. English is what the
files hold, unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from stakes._language import ENGLISH, bare, catalogue, language, translated

Change = Callable[[str, bool], str | None]  # of a text, and of whether it stands in `say(...)`; None leaves it

# Texts that scripts and templates also use as keys, as they do any one word in lower case: only `say(...)` says them.
_NAMES = ("misses", "false alarms", "your cost units")
_WORD = re.compile(r"[a-z_]+")

_LETTERS = re.compile(r"[A-Za-z]{2,}")
_NUMBERED = re.compile(r"\{(\d+)\}")


def in_language(text: str, is_spoken: bool) -> str | None:
    """Return a text in the language that is spoken; None for a key and for an unknown text."""
    if not is_spoken and (text.strip() in _NAMES or _WORD.fullmatch(text.strip())):
        return translated(text) if text != text.strip() else None
    known, core = catalogue(language()), text.strip(" ")
    if bare(text) in known or bare(core) not in known:
        return translated(text) if bare(text) in known else None
    return text.replace(core, translated(core), 1)


def _fill_slots(text: str, values: Sequence[str], form: str) -> str:
    """Put the values back into the numbered slots of a text."""
    return _NUMBERED.sub(lambda slot: form.format(values[int(slot[1])]), text)


# ------------------------------------------------------------------------------------------------------------ scripts

LITERAL = re.compile(
    r"""(?=[/'"`]|[ ]/)(?:  # most places are passed by at this look
    (?P<comment>/\*.*?\*/|(?<![:\\])//[^\n]*)
    |(?P<pattern>(?:(?<=[(,=:\[!&|?{};])|(?<=return))[ ]?/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*)
    |(?P<single>'(?:[^'\\\n]|\\.)*')
    |(?P<quoted>"(?:[^"\\\n]|\\.)*")
    |(?P<template>`))""",
    re.DOTALL | re.VERBOSE,
)


def script_in_language(script: str) -> str:
    """Return a script with its texts in the language that is spoken."""
    return script if language() == ENGLISH else change_script(script, in_language)


def change_script(script: str, change: Change) -> str:
    """Return a script with its texts changed, slots numbered."""
    parts, at = list[str](), 0
    while found := LITERAL.search(script, at):
        parts.append(script[at : found.start()])
        is_spoken, at = parts[-1].endswith("say("), found.end()
        if found["template"]:
            text, values, at = template_literal(script, at)
            new = change(text, is_spoken)
            changed = [change_script(value, change) for value in values]
            parts.append(f"`{_fill_slots(text if new is None else new, changed, '${{{}}}')}`")
        else:
            new = change(json.loads(found[0]), is_spoken) if found["quoted"] else None
            parts.append(found[0] if new is None else json.dumps(new, ensure_ascii=False))
    return "".join([*parts, script[at:]])


_PLAIN_TEXT = re.compile(r"(?:[^`$\\]|\\.)+", re.DOTALL)
_PLAIN_CODE = re.compile(r"[\w.,;()]+")  # with which no literal begins


def template_literal(script: str, at: int) -> tuple[str, list[str], int]:
    """Return a text in backticks with numbered slots, what stands in them, and where it ends."""
    text, values = "", list[str]()
    while script[at] != "`":
        if script.startswith("${", at):
            end = _end_of_value(script, at + 2)
            text += f"{{{len(values)}}}"
            values.append(script[at + 2 : end])
            at = end + 1
        else:
            plain = _PLAIN_TEXT.match(script, at)
            end = at + 1 if plain is None else plain.end()
            text += script[at:end]
            at = end
    return text, values, at + 1


def _end_of_value(script: str, at: int) -> int:
    """Return the place of the brace that ends a `${`."""
    deep = 0
    while script[at] != "}" or deep:
        if found := LITERAL.match(script, at):
            at = template_literal(script, found.end())[2] if found["template"] else found.end()
        elif plain := _PLAIN_CODE.match(script, at):
            at = plain.end()
        else:
            deep += {"{": 1, "}": -1}.get(script[at], 0)
            at += 1
    return at


# ---------------------------------------------------------------------------------------------------------- templates

_PART = re.compile(r"(<[^<>]*>|\{%.*?%\}|\{#.*?#\})", re.DOTALL)
_HEARD = re.compile(r'(?<= )((?:aria-label|title|data-label)=)"([^"]*)"')
_VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_QUOTED = re.compile(r'"([^"]*)"')
_SILENT = ("script", "style", "code", "var", "kbd", "i")


def template_in_language(source: str) -> str:
    """Return a template with its texts in the language that is spoken."""
    return source if language() == ENGLISH else change_template(source, in_language)


def change_template(source: str, change: Change) -> str:
    """Return a template with its texts changed, values numbered as slots."""
    changed, silent = list[str](), ""
    for part in _PART.split(source):
        if part.startswith("<"):
            changed.append(_HEARD.sub(lambda heard: f'{heard[1]}"{_run(heard[2], change)}"', part))
            name = part.strip("</>").partition(" ")[0]
            silent = name if name in _SILENT and not part.startswith("</") else "" if name == silent else silent
        elif part.startswith(("{%", "{#")) or silent:
            changed.append(_expression(part, change))
        else:
            changed.append(_run(part, change))
    return "".join(changed)


def _run(part: str, change: Change) -> str:
    """Change a run of text, whose spaces at the ends stay, and the texts in its values."""
    values = [_expression(value, change) for value in _VALUE.findall(part)]
    numbers = iter(range(len(values)))
    text = _VALUE.sub(lambda _: f"{{{next(numbers)}}}", part)
    core = re.sub(r"\s+", " ", text.strip(" \n"))
    new = change(core, True) if _LETTERS.search(_NUMBERED.sub("", core)) else None
    start, end = len(text) - len(text.lstrip(" \n")), len(text.rstrip(" \n"))
    return _fill_slots(text if new is None else text[:start] + new + text[end:], values, "{}")


def _expression(part: str, change: Change) -> str:
    """Change the texts in quotes of an expression."""

    def said(found: re.Match[str]) -> str:
        new = change(found[1], False) if _LETTERS.search(found[1]) else None
        return found[0] if new is None else json.dumps(new, ensure_ascii=False)

    return _QUOTED.sub(said, part)
