"""Notations of numbers in text: decimal signs, thousands separators and percent signs."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

_BETWEEN_THOUSANDS = " \u00a0\u202f'\u2019"  # besides the one of point and comma that is not the decimal sign

_OTHER = {".": ",", ",": "."}


def _pattern(decimal: str) -> re.Pattern[str]:
    whole = rf"\d+|[1-9]\d{{0,2}}(?:[{_BETWEEN_THOUSANDS}{_OTHER[decimal]}]\d{{3}})+"
    finite = rf"(?:(?:{whole})(?:\{decimal}\d*)?|\{decimal}\d+)(?:e[+-]?\d+)?"
    return re.compile(rf"[+-]?(?:{finite}|inf(?:inity)?)", re.IGNORECASE | re.ASCII)


_NUMBERS = {decimal: _pattern(decimal) for decimal in _OTHER}

_PLAIN = re.compile(r"\d+(?:\.\d+)?", re.ASCII)  # most numbers, which are recognised several times as fast


@dataclass(frozen=True)
class Notation:
    """How the numbers of a column are written."""

    decimal: str = "."
    has_thousands: bool = False
    in_percent: bool = False

    def plain(self, text: str) -> str | None:
        """Return a number in plain notation, exactly; None if it is not in this notation."""
        bare = _bare(text)
        if bare.endswith("%") != self.in_percent or not _NUMBERS[self.decimal].fullmatch(
            number := _without_percent(bare)
        ):
            return None
        digits = "".join(one for one in number if one not in _BETWEEN_THOUSANDS and one != _OTHER[self.decimal])
        if len(digits) < len(number) and not self.has_thousands:
            return None
        digits = digits.replace(",", ".")
        return _hundredth(digits) if self.in_percent else digits


def _hundredth(digits: str) -> str:
    """Return a number divided by 100; its exponent, which may be of any size, stays as it is."""
    number, *exponent = digits.lower().split("e")
    return "e".join([f"{Decimal(number).scaleb(-2):f}", *exponent])


def _bare(text: str) -> str:
    return text.strip(" \t\u00a0\u202f")


def _without_percent(bare: str) -> str:
    """Return a number without its percent sign."""
    return _bare(bare.removesuffix("%"))


def certain_decimals(values: Collection[str]) -> set[str]:
    """Return the decimal signs that some values must have: 0.456 and 1,234.5 do, 1.234 may have either."""
    numbers = {_without_percent(_bare(value)) for value in values}
    return {
        decimal
        for decimal, other in _OTHER.items()
        if any(_NUMBERS[decimal].fullmatch(one) and not _NUMBERS[other].fullmatch(one) for one in numbers)
    }


def is_number(text: str) -> bool:
    """Whether a text is a number in some notation."""
    if _PLAIN.fullmatch(text):
        return True
    number = _without_percent(_bare(text))
    return any(pattern.fullmatch(number) for pattern in _NUMBERS.values())


def notation_of(values: Collection[str], usual: str) -> Notation | None:
    """Return the notation of a column; None if it has none, or if some of its values have another.

    `usual` is the decimal sign of the file, for columns that do not tell: the point of 1.234 may separate thousands.
    """
    certain = certain_decimals(values)
    if not values or len(certain) > 1 or not all(map(is_number, values)):
        return None
    decimal = next(iter(certain), usual)
    numbers = [_without_percent(_bare(value)) for value in values]
    thousands = any(one in number for number in numbers for one in _BETWEEN_THOUSANDS + _OTHER[decimal])
    percent = {_bare(value).endswith("%") for value in values}
    return None if len(percent) > 1 else Notation(decimal, thousands, percent == {True})
