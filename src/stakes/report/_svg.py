"""SVG as text: elements with their attributes, and paths in the fewest letters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

Point = tuple[float, float]


def element(tag: str, /, *children: str, **attributes: object) -> Markup:
    """Make an element; `class_` is its class, underscores become hyphens, None omits an attribute."""
    given = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value is not None)
    pairs = "".join(f' {name}="{escape(_text(value))}"' for name, value in given)
    inside = "".join(escape(child) for child in children)
    return Markup(f"<{tag}{pairs}>{inside}</{tag}>")


def _text(value: object) -> str:
    return rounded(value) if isinstance(value, float) else str(value)


def rounded(value: float) -> str:
    """Write a place in a picture: a tenth of a pixel is enough."""
    return _in_tenths(tenths(value))


def tenths(value: float) -> int:
    """Return the nearest tenth of a pixel."""
    return math.floor(10 * value + 0.5)


def _in_tenths(count: int) -> str:
    whole, part = divmod(abs(count), 10)
    text = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{text}" if count < 0 else text


def path(parts: Iterable[Sequence[Point]], css: str) -> Markup:
    """Join the points of each part."""
    return element("path", class_=css, d="".join(map(joined, parts)))


def joined(points: Sequence[Point]) -> str:
    """Write points as a path: each as its distance from the one before, in the fewest letters."""
    (x, y), *rest = [(tenths(across), tenths(down)) for across, down in points]
    drawn, last = [f"M{_in_tenths(x)} {_in_tenths(y)}"], ""
    for across, down in rest:
        wide, tall = across - x, down - y
        if wide or tall:
            kind = "v" if not wide else "h" if not tall else "l"
            numbers = {"v": (tall,), "h": (wide,), "l": (wide, tall)}[kind]
            drawn.append(_move(kind, numbers, again=kind == last))
            x, y, last = across, down, kind
    return "".join(drawn)


def _move(kind: str, numbers: Sequence[int], *, again: bool) -> str:
    """Write one move of a path; a sign separates numbers as well as a space does."""
    texts = [_in_tenths(number) for number in numbers]
    apart = "".join(text if text.startswith("-") else f" {text}" for text in texts[1:])
    start = texts[0] if texts[0].startswith("-") or not again else f" {texts[0]}"
    return f"{'' if again else kind}{start}{apart}"
