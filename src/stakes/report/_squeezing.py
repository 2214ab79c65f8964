"""Scripts and style without comments and needless white space."""

from __future__ import annotations

import re

from stakes.report._in_language import LITERAL, template_literal

_FIRST = 0xE000  # of the private characters that stand for literals meanwhile

_BLANKS = re.compile(r"[ \t]*\n\s*")
_GOES_ON = re.compile(r"(?<=[,;{(\[=?:&|<>*])\n|\n(?=[.?:&|)\]},;*=])")  # where no statement can have ended
_BESIDE_A_SIGN = re.compile(  # a - -b stays; the first look-ahead rules out most places
    r"(?= )(?: +(?=[^\w$+-])|(?<=[^\w$+-]) +|(?<![+-]) +(?=[+-])|(?<=[+-]) +(?![+-]))"
)
_BEFORE_AN_END = re.compile(r"[,;](?=[}])|,(?=[)\]])")
_ALONE = re.compile(r"(?<![\w$])\(([\w$]+)\)(?==>)")  # what an arrow function takes


def squeezed(script: str) -> str:
    """Return a script of the project without comments, needless spaces and line breaks."""
    code, literals, at = list[str](), list[str](), 0
    while found := LITERAL.search(script, at):
        code.append(script[at : found.start()])
        literal, at = found[0], found.end()
        if found["template"]:
            start, (_, values, at) = at, template_literal(script, at)
            literal = f"`{_with_values(script[start:at], values)}"
        if not found["comment"]:
            code.append(chr(_FIRST + len(literals)))
            literals.append(literal.lstrip(" "))
    tight = _tight("".join([*code, script[at:]]))
    return re.sub("[\ue000-\uf8ff]", lambda mark: literals[ord(mark[0]) - _FIRST], tight)


def _with_values(text: str, values: list[str]) -> str:
    """Squeeze the code in a text, whose other braces, such as those of [0-9]{3}, stay."""
    parts = list[str]()
    for value in values:
        before, slot, text = text.partition(f"${{{value}}}")
        parts += [before, f"${{{squeezed(value)}}}" if slot else ""]
    return "".join([*parts, text])


def _tight(code: str) -> str:
    """Return code, in which each literal is one character, without needless white space and separators."""
    lines = _GOES_ON.sub("", _BLANKS.sub("\n", code)).strip("\n")
    return _ALONE.sub(r"\1", _BEFORE_AN_END.sub("", _BESIDE_A_SIGN.sub("", lines)))


def squeezed_style(style: str) -> str:
    """Return a style without comments and needless spaces."""
    bare = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)).strip()
    return re.sub(r"(?<=[\w-]): ", ":", re.sub(r";?[ ]?([{};,>])[ ]?", r"\1", bare))
