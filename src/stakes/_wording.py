"""Numbers, beliefs, limits and names as text."""

from __future__ import annotations

import errno
import math
import os
from decimal import ROUND_FLOOR, Context

from stakes.beliefs import At, Beta, LogOddsUniform, Uniform
from stakes.limits import Limits

IN_LOG_ODDS = ", uniform in log-odds"


NOT_KNOWN = "\u2013"


_FOUR_DIGITS = Context(prec=4, rounding=ROUND_FLOOR)


_LONGEST = 60  # characters of a name quoted in a sentence


def signed(number: float, digits: int) -> str:
    """Write a number with a true minus sign, and none before a zero."""
    text = f"{abs(number):,.{digits}f}"
    return f"\u2212{text}" if number < 0 and float(text.replace(",", "")) else text


def per_thousand(share: float) -> str:
    """Write a share of all cases as a number per 1,000."""
    return signed(round(1000 * share, 9), 1)  # the same text whatever the order of summation


def percent(share: float) -> str:
    """Write a share in percent, with enough digits to distinguish it from 0% and 100%."""
    shown = 100 * share
    small = min(abs(shown), abs(100 - shown))
    digits = 0 if small >= 10 or small == 0 else 1 if small >= 1 else min(6, 1 - math.floor(math.log10(small)))
    text = f"{shown:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def count(number: float) -> str:
    """Write a number of cases, with one decimal only if weights make it fractional."""
    return f"{number:,.0f}" if math.isclose(number, round(number), rel_tol=1e-12) else f"{number:,.1f}"


def name(text: str) -> str:
    """Write a name from the data on one line, shortened."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def odds_of(cost: float) -> str:
    """Write a cost proportion as odds, 1 to the number of false alarms that cost as much as a miss."""
    if cost <= 0:
        return "1:\u221e"
    ratio = (1 - cost) / cost
    return f"1:{_short(ratio)}" if ratio >= 1 else f"{_short(1 / ratio) if ratio else chr(8734)}:1"


def _short(number: float) -> str:
    if number >= 10:
        return f"{number:.0f}"
    return f"{number:.{1 if number >= 1 else 2}f}".rstrip("0").rstrip(".")


def exchange(low: float, high: float) -> str:
    """Write how many false alarms cost as much as a miss, for a range of cost proportions."""
    most, least = ((1 - cost) / cost if cost else math.inf for cost in (low, high))
    one = _false_alarms(most) if _short_or_endless(most) == _short_or_endless(least) else None
    if one:
        return f"a miss is as bad as {one}"
    if math.isinf(most):
        return (
            f"a miss is as bad as {_false_alarms(least)} or more"
            if least
            else "any exchange rate between misses and false alarms"
        )
    return f"a miss is as bad as {_short(least)} to {_false_alarms(most)}"


def _short_or_endless(number: float) -> str:
    return "\u221e" if math.isinf(number) else _short(number)


def _false_alarms(number: float) -> str:
    shown = _short_or_endless(number)
    return f"{shown} false alarm" + ("" if shown == "1" else "s")


def belief(believed: object) -> str:
    """Write a belief about a share."""
    if isinstance(believed, At):
        return percent(believed.value)
    if isinstance(believed, Uniform):
        return f"{percent(believed.low)} to {percent(believed.high)}"
    if isinstance(believed, LogOddsUniform):
        return f"{percent(believed.low)} to {percent(believed.high)}{IN_LOG_ODDS}"
    if isinstance(believed, Beta) and (believed.low, believed.high) == (0, 1):
        return f"about {percent(believed.mean)} (Beta({believed.alpha:g}, {believed.beta:g}))"
    return repr(believed)


def limits(stated: Limits) -> str:
    """Write the limits that bind."""
    parts = []
    if stated.capacity_binds:
        parts.append(f"at most {percent(stated.capacity or 0.0)} of cases acted on")
    if stated.precision_binds:
        parts.append(f"precision at least {percent(stated.min_precision or 0.0)}")
    return " and ".join(parts)


def threshold(score: float) -> str:
    """Write a threshold in four digits, rounded down so that a case with exactly this score is acted on."""
    if math.isinf(score):
        return "never act"
    # The first four of the 15 digits that a computation can be trusted with.
    return f"{_FOUR_DIGITS.create_decimal(f'{score:.15g}').normalize():f}"


def whole_percent(share: float) -> str:
    """Write a share in whole percent, 0 and 100 only if exact."""
    shown = 100 * share
    if 0 < shown < 1:
        return "<1%"
    return ">99%" if 99 < shown < 100 else f"{shown:.0f}%"


def shown_ends(estimate: float, lower: float, upper: float) -> str:
    """Write a number and the interval around it."""
    return f"{estimate:.4g} [{lower:.4g}, {upper:.4g}]"


def described(method: str, caution: str) -> str:
    """Write the method of a result, with a caution if there is one."""
    return f"{method}; {caution}" if caution else method


def printable(text: str) -> str:
    """Write any text on one line, with control characters replaced by spaces."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def reason(error: OSError) -> str:
    """Return the reason the operating system gives, in lower case."""
    return "the disk is full" if error.errno == errno.ENOSPC else os.strerror(error.errno or 0).lower()
