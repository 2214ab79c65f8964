"""Labels that differ by case or blanks alone: one label, in one spelling."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from stakes._check import show

MOST_TEXTS = 1000  # of a column; one that has more does not hold classes or groups


def same_when_plain(label: str) -> str:
    """Return what all spellings of a label have in common, whatever the case and the blanks."""
    return _without_needless_blanks(label).casefold()


def other_spellings(labels: Iterable[object]) -> dict[str, str]:
    """Map each text that spells a label in another way to the spelling that is kept.

    That is the first in alphabetical order, among those without needless blanks where there are any. Empty where
    no two texts are one label, or there are too many. Where all would be one, only blanks are overlooked: a column of
    `A` and `a` alone tells two things apart.
    """
    every = [label for label in labels if label is not None and label == label]
    if len(every) >= MOST_TEXTS:
        return {}
    found = _by_meaning(every, same_when_plain)
    if len(found) == 1:
        found = _by_meaning(every, _without_needless_blanks)
    kept = {plain: min(found[plain], key=_untidiness) for plain in sorted(found, key=str) if len(found[plain]) > 1}
    return {
        text: kept[plain] for plain in sorted(kept, key=str) for text in sorted(found[plain]) if text != kept[plain]
    }


def _by_meaning(labels: list[object], meaning: Callable[[str], str]) -> dict[object, list[str]]:
    """Return the texts of each meaning; a label of another kind means itself."""
    found: dict[object, list[str]] = {}
    for label in labels:
        if isinstance(label, str):
            found.setdefault(meaning(label), []).append(label)
        else:
            found[label] = []
    return found


def _without_needless_blanks(label: str) -> str:
    return " ".join(label.split())


def _untidiness(label: str) -> tuple[bool, str]:
    return label != _without_needless_blanks(label), label


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
        return float(label.replace(",", "."))  # as a file of numbers with a decimal comma has it
    except ValueError:
        return same_when_plain(label)
