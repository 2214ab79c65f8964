"""Conversion of odds, costs and text to a cost proportion or a belief."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes.beliefs._independent import Multipliers
from stakes.beliefs._points import At
from stakes.beliefs._ranges import LogOddsUniform, Uniform

if TYPE_CHECKING:
    from stakes.beliefs._shapes import Beta


def from_odds(a: float, b: float) -> float:
    """Convert odds of `a` to `b` to a probability.

    Parameters
    ----------
    a, b : float
        The two sides of the odds, not negative and not both 0.

    Returns
    -------
    float
        ``a / (a + b)``.

    Examples
    --------
    Odds of 1.66 to 100 are not a probability of 1.66%:

    >>> from stakes import from_odds
    >>> round(from_odds(1.66, 100), 5)
    0.01633
    """
    first, second = _check.non_negative_number("a", a), _check.non_negative_number("b", b)
    if first == second == 0:
        raise InputError(("a", "b"), "not both be 0")
    return _proportion(first, second)


def _proportion(part: float, rest: float) -> float:
    # Halved if the sum overflows.
    return part / (part + rest) if math.isfinite(part + rest) else (part / 2) / (part / 2 + rest / 2)


def cost_proportion(*, false_positive: float, false_negative: float) -> float:
    """Cost proportion from the cost of a false alarm and the cost of a miss.

    Parameters
    ----------
    false_positive : float
        Cost of a false alarm, net of the cost of the right decision; greater than 0.
    false_negative : float
        Cost of a miss, likewise.

    Returns
    -------
    float
        ``false_positive / (false_positive + false_negative)``.

    Examples
    --------
    >>> from stakes.beliefs import cost_proportion
    >>> cost_proportion(false_positive=200, false_negative=1800)
    0.1
    """
    return _proportion(
        _check.number_above("false_positive", false_positive),
        _check.number_above("false_negative", false_negative),
    )


def cost_from_number_willing_to_treat(n: float) -> float:
    """Cost proportion from the number of people one is willing to act on to help one of them.

    Parameters
    ----------
    n : float
        Number of people, including the one who is helped; greater than 1.

    Returns
    -------
    float
        ``1 / n``.

    Examples
    --------
    >>> from stakes.beliefs import cost_from_number_willing_to_treat
    >>> cost_from_number_willing_to_treat(20)
    0.05
    """
    return 1 / _check.number_above("n", n, 1.0)


# Every repetition is possessive (`++`), so that long text cannot make matching slow. Patterns are compiled when words
# are first read: who states numbers does not wait for them.
_NUMBER = r"(?:\d++(?:\.\d++)?|\.\d++)(?:e[+-]?\d++)?"

_VALUE = rf"{_NUMBER}\s*+(?:%|:\s*+{_NUMBER})?"

_GRAMMAR = rf"""(?P<beta>beta\s*+\(\s*+(?P<alpha>{_NUMBER})\s*+,\s*+(?P<b>{_NUMBER})\s*+\))
              | (?P<logodds>logodds)?\s*+(?P<low>{_VALUE})\s*+\.\.\s*+(?P<high>{_VALUE})
              | (?P<value>{_VALUE})"""

_SHARE = rf"(?P<part>{_NUMBER})\s*+/\s*+(?P<whole>{_NUMBER})|{_NUMBER}\s*+%?"

_RANGE = rf"(?P<low>{_VALUE})\s*+\.\.\s*+(?P<high>{_VALUE})"


def _match(pattern: str, text: str) -> re.Match[str] | None:
    """Match a whole text, in capitals or not, and whatever blanks are in the pattern."""
    return re.fullmatch(pattern, text.strip(), re.VERBOSE | re.IGNORECASE)


_MULTIPLIERS = r"as\s+stated|x\s*(?P<low>\d+(?:\.\d+)?)(?:\s*\.\.\s*x\s*(?P<high>\d+(?:\.\d+)?))?"
_LIKE_MULTIPLIERS = r"as\s.*|x(?:\s*[\d.].*)?"
_LONGEST = 60  # characters of a text quoted in a message


def parse_belief(text: str) -> At | Uniform | LogOddsUniform | Beta:
    """Parse a belief from text.

    ==========================  =======================================================
    ``10%``, ``0.1``, ``1:9``   one value: a percentage, a probability, odds
    ``5%..20%``                 uniform between two bounds
    ``1:19..1:4``               the same, bounds as odds
    ``logodds 0.1%..2%``        uniform in log-odds between two bounds
    ``beta(2, 8)``              a Beta distribution
    ==========================  =======================================================

    Spaces and capitals do not matter.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    At, Uniform, LogOddsUniform or Beta
        The belief.

    Examples
    --------
    >>> from stakes import parse_belief
    >>> parse_belief("5%..20%")
    Uniform(low=0.05, high=0.2)
    >>> parse_belief("1:9")
    At(value=0.1)
    """
    if not isinstance(text, str):
        raise InputTypeError("text", "be a string", type(text).__name__)
    found = read_belief("text", text)
    if isinstance(found, Multipliers):
        raise needs_case_costs("text", _quote(text))
    return found


def needs_case_costs(name: str, got: str) -> InputError:
    """Return the error for multipliers of costs of each case, where there are none."""
    typed = "multipliers need costs of each case, which `stakes evaluate --false-negative-cost` takes"
    wanted = "be a belief about the costs where there are no case costs"
    return InputError(name, wanted, got, hint="multipliers need `case_costs`", hint_typed=typed)


def read_belief(name: str, text: str) -> At | Uniform | LogOddsUniform | Beta | Multipliers:
    """Parse a belief, as `parse_belief` does, or multipliers; `name` is the argument they were passed as."""
    multipliers = _match(_MULTIPLIERS, text)
    if multipliers is not None and name != "prevalence":
        return _multipliers(name, text, multipliers)
    found = _match(_GRAMMAR, text)
    if found is None:
        raise InputError(name, f"look like {_examples(name, text)}", _quote(text))
    part = found.groupdict()
    if part["beta"]:
        from stakes.beliefs._shapes import Beta  # nobody else waits for it

        return Beta(_number(part["alpha"]), _number(part["b"]))
    if part["value"]:
        return At(_check.open_share(name, _value(name, part["value"])))
    low, high = _ends(name, text, found)
    try:
        return LogOddsUniform(low, high) if part["logodds"] else Uniform(low, high)
    except InputError as error:  # users of the command do not know `At`
        typed = f"for a single value write {part['low'].strip()}" if 0 < low == high < 1 else error.hint_typed
        raise error.but(hint_typed=typed) from None


def _examples(name: str, text: str) -> str:
    """Return words that are read: multipliers where the text begins like one."""
    if name != "prevalence" and _match(_LIKE_MULTIPLIERS, text):
        return "x2, x0.5..x2 or as stated"
    return "10%, 0.1, 1:9, 5%..20%, 1:19..1:4, logodds 0.1%..2% or beta(2, 8)"


def _multipliers(name: str, text: str, found: re.Match[str]) -> Multipliers:
    low = _number(found["low"]) if found["low"] else 1.0
    high = _number(found["high"]) if found["high"] else low
    if low > high:
        hint = f"write x{found['high']}..x{found['low']}"
        raise InputError(name, "go from low to high", _quote(text), hint=hint)
    if high == 0:
        raise InputError(name, "hold a multiplier greater than 0", _quote(text))
    return Multipliers(false_negative=(1, 1), false_positive=(low, high))


def read_range(name: str, text: str) -> tuple[float, float]:
    """Parse the two ends of a range such as "5%..20%"."""
    found = _match(_RANGE, text)
    if found is None:
        raise InputError(name, "look like 5%..20%, 0.05..0.2 or 1:19..1:4", _quote(text))
    return _ends(name, text, found)


def read_value(name: str, text: str) -> float:
    """Parse one number such as "10%" or "1:9"."""
    if not _match(_VALUE, text):
        raise InputError(name, "look like 10%, 0.1 or 1:9", _quote(text))
    return _value(name, text.strip())


def read_share(name: str, text: str) -> float:
    """Parse a share such as "10%" or "30/200"."""
    found = _match(_SHARE, text)
    if found is None:
        raise InputError(name, "look like 10%, 0.1 or 30/200", _quote(text))
    if not found["part"]:
        return _value(name, text.strip())
    part, whole = _number(found["part"]), _number(found["whole"])
    return part / whole if whole else math.inf


def _ends(name: str, text: str, found: re.Match[str]) -> tuple[float, float]:
    low, high = _value(name, found["low"]), _value(name, found["high"])
    if 0 < high < low < 1:
        if "..." in text:  # the third dot was read as a decimal point
            raise InputError(name, "have two dots between its ends", _quote(text))
        instead = f"{found['high']}..{found['low']}"
        raise InputError(name, "go from low to high", _quote(text), hint=f"write {instead}")
    return low, high


def _number(text: str) -> float:
    return float(text.strip())  # `float` takes fewer characters for blanks than patterns do


def _value(name: str, text: str) -> float:
    if text.endswith("%"):
        return _number(text[:-1]) / 100
    first, colon, second = text.partition(":")
    if not colon:
        return _number(first)
    a, b = _number(first), _number(second)
    if not (math.isfinite(a) and math.isfinite(b) and (a or b)):
        raise InputError(name, "hold odds that are finite and not both 0", _quote(text))
    return from_odds(a, b)


def _quote(text: str) -> str:
    return repr(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]!r} (shortened)"
