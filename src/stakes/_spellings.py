"""Labels that differ by case or blanks alone: one label, in one spelling."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from stakes._check import show


def same_when_plain(label: str) -> str:
    """Return what all spellings of a label have in common, whatever the case and the blanks."""
    return " ".join(label.split()).casefold()


def other_spellings(labels: Iterable[object]) -> dict[str, str]:
    """Map each text that spells a label in another way to the spelling that is kept.

    That is the first in the order of the alphabet among those without needless blanks, where there are any. Empty where
    no two texts are one label.
    """
    found: dict[str, list[str]] = {}
    for label in labels:
        if isinstance(label, str):
            found.setdefault(same_when_plain(label), []).append(label)
    kept = {plain: min(texts, key=_untidiness) for plain, texts in found.items() if len(texts) > 1}
    return {text: kept[plain] for plain in sorted(kept) for text in sorted(found[plain]) if text != kept[plain]}


def _untidiness(label: str) -> tuple[bool, str]:
    return label != " ".join(label.split()), label


def spelling_note(column: str, others: Mapping[str, str]) -> str:
    """Say that labels of a column are one, with an example."""
    text, kept = next(iter(others.items()))
    example = f"such as {show(text)} as {show(kept)}"
    return f"Labels in `{column}` that differ by case or blanks alone are read as one, {example}."


def same_label(typed: str, labels: Collection[object]) -> object:
    """Return the label that is meant, 1.0 by 1; `typed` itself if there is none."""
    exact_first = sorted(labels, key=lambda label: str(label) != typed)
    return next((label for label in exact_first if _meant(str(label)) == _meant(typed)), typed)


def _meant(label: str) -> str | float:
    try:
        return float(label)
    except ValueError:
        return same_when_plain(label)
