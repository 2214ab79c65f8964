"""Check single values, choices and names, once, at the door."""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
import os
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from stakes._errors import InputError, InputTypeError, Name, listed

# ------------------------------------------------------------------------------------------- words of a message


def shown(value: object) -> str:
    """Write a value as messages show it: numbers as short as they can be told apart, and nothing long."""
    if isinstance(value, float | np.floating):
        short = f"{value:g}"
        return short if type(value)(short) == value else str(value)
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


# ------------------------------------------------------------------------------------------- single numbers


def number(name: Name, value: object) -> float:
    """Return `value` as a float, or say that it is not a number."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputTypeError(name, "be a number", shown(value))
    try:
        found = float(value)
    except OverflowError:
        raise InputError(name, "fit in a float", shown(value)) from None
    if math.isnan(found):
        raise InputError(name, "be a number", "nan")
    return found


def inside(name: Name, value: object) -> float:
    """Return a number strictly between 0 and 1."""
    found = number(name, value)
    if not 0 < found < 1:
        raise InputError(name, "lie strictly between 0 and 1", shown(found), hint=_percent_hint(found), hint_typed="")
    return found


def share(name: Name, value: object) -> float:
    """Return a number between 0 and 1, ends included."""
    found = number(name, value)
    if not 0 <= found <= 1:
        raise InputError(name, "lie between 0 and 1", shown(found), hint=_percent_hint(found), hint_typed="")
    return found


def _percent_hint(found: float) -> str:
    return f"{shown(found)} % is {shown(found / 100)}" if 2 <= found < 100 else ""


def above(name: Name, value: object, bound: float = 0.0) -> float:
    """Return a finite number greater than `bound`."""
    found = number(name, value)
    if not bound < found < math.inf:
        raise InputError(name, f"be finite and greater than {shown(bound)}", shown(found))
    return found


def at_least_zero(name: Name, value: object) -> float:
    """Return a finite number that is not negative."""
    found = number(name, value)
    if not 0 <= found < math.inf:
        raise InputError(name, "be finite and not negative", shown(found))
    return found


def whole(name: Name, value: object, least: int) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise InputTypeError(name, "be a whole number", shown(value))
    if value < least:
        raise InputError(name, f"be at least {least}", str(int(value)))
    return int(value)


def ordered(low: float, high: float, *, instead: str = "") -> tuple[float, float]:
    """Return the bounds when `low` is less than `high`; `instead` says what to use when they are equal."""
    if low == high:
        raise InputError("low", "be less than `high`", f"{shown(low)} for both", hint=instead)
    if low > high:
        raise InputError("low", "be less than `high`", f"low={shown(low)} and high={shown(high)}")
    return low, high


def bounds(low: object, high: object, *, open_ends: bool = False) -> tuple[float, float]:
    """Return the two ends of a range of probabilities."""
    judge = inside if open_ends else share
    first, last = judge("low", low), judge("high", high)
    return ordered(first, last, instead=f"for a single value use `At({shown(first)})`" if 0 < first < 1 else "")


def cost_range(name: Name, pair: object) -> tuple[float, float]:
    """Return a pair of costs, the first not above the second, neither negative, not both zero."""
    if not isinstance(pair, Sequence | np.ndarray) or isinstance(pair, str) or len(pair) != 2:
        raise InputTypeError(name, "be a pair of costs (lowest, highest)", shown(pair))
    low, high = (at_least_zero(name, cost) for cost in pair)
    if low > high:
        raise InputError(name, "run from the lowest cost to the highest", f"({shown(low)}, {shown(high)})")
    if high == 0:
        raise InputError(name, "hold a cost greater than 0", "(0, 0)")
    return low, high


# ------------------------------------------------------------------------------------------------- other arguments


def of_kind(kind: type, name: Name, value: object, *, hint: str = "") -> None:
    """Refuse what is not of a kind."""
    if not isinstance(value, kind):
        raise InputTypeError(name, f"be a {kind.__name__}{hint}", type(value).__name__)


def function(name: Name, value: object, *, of: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise InputTypeError(name, f"be a function of {of}", type(value).__name__)


def path(name: Name, value: object) -> Path:
    """Return where a file is; refuse what is no path."""
    if not isinstance(value, str | os.PathLike):
        raise InputTypeError(name, "be a path", type(value).__name__)
    return Path(value)


Seed: TypeAlias = int | np.random.Generator | np.random.SeedSequence | None


def generator(rng: object) -> np.random.Generator:
    """Return a source of random numbers; refuse what is no seed of one."""
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        wanted = "a whole number not below 0, a numpy Generator or None"
        raise InputTypeError("rng", f"be {wanted}", shown(rng)) from None


# ------------------------------------------------------------------------------------------- inside the library


def tables(name: Name, *candidates: object, anywhere: bool = False) -> None:
    """Refuse what is not a table; also one on a device, unless it may be `anywhere`."""
    for candidate in candidates:
        on_device = hasattr(candidate, "device")  # where to look at the scores may take time
        if not (hasattr(candidate, "positive_total") and (on_device or hasattr(candidate, "score"))):
            raise InputTypeError(name, "be a ScoreTable (see `score_table`)", type(candidate).__name__)
        if on_device and not anywhere:
            here = "`table.coarse()` is a small one, and `stakes.bounds` takes `table.quantised()`"
            hint = here if hasattr(candidate, "coarse") else "see `stakes.tensors.score_table`"
            raise InputTypeError(name, "be a table in NumPy's memory", type(candidate).__name__, hint=hint)


def named_tables(name: Name, tables_by_name: object, what: str) -> None:
    """Refuse what is not a mapping from names to tables with something in it."""
    if not isinstance(tables_by_name, Mapping):
        raise InputTypeError(name, f"map the name of each {what} to its table", type(tables_by_name).__name__)
    if not tables_by_name:
        raise InputError(name, f"hold at least one {what}", "none")
    tables(name, *tables_by_name.values())


def has_both_classes(positive: float, negative: float) -> None:
    """Refuse a table of one class where the other cannot be made up."""
    if not (positive > 0 and negative > 0):
        absent = "positives" if positive <= 0 else "negatives"
        raise InputError("table", "have both classes", f"no {absent}")


def finite_scores(lowest: float, highest: float) -> None:
    """Refuse a table whose scores have no mean."""
    if math.isinf(lowest) or math.isinf(highest):
        raise InputError("table", "have finite scores to be coarsened", "an infinite one")


def offers(name: Name, belief: object, *needed: str) -> None:
    """Refuse a belief that lacks one of the methods `needed`."""
    if isinstance(belief, type):
        raise InputTypeError(
            name, "be a belief", f"the class {belief.__name__}", hint=f"write `{belief.__name__}(...)`"
        )
    missing = [method for method in needed if not hasattr(belief, method)]
    if missing:
        methods = listed(f"`{method}`" for method in missing)
        raise InputTypeError(name, f"be a belief with {methods}", shown(belief))


def known(name: Name, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; otherwise list them, nearest first."""
    names = list(choices)
    if value in names:
        return value
    word = str(value)[:100]
    nearest = sorted(names, key=lambda name: difflib.SequenceMatcher(None, name, word).ratio(), reverse=True)
    raise InputError(name, f"be one of {', '.join(nearest)}", shown(value))


def parameters(of: str, function: Callable[..., object], given: Collection[str]) -> None:
    """Refuse keywords that a metric does not take, and the lack of one that it cannot do without."""
    keywords = [k for k in inspect.signature(function).parameters.values() if k.kind is k.KEYWORD_ONLY]
    takes = {keyword.name: keyword for keyword in keywords if keyword.name not in ("table", "sample_weight")}
    for name in given:
        known("parameters", name, takes)
    missing = [f"`{name}`" for name, keyword in takes.items() if keyword.default is keyword.empty and name not in given]
    if missing:
        raise InputTypeError("parameters", f"have {listed(missing)} for {of!r}", "none")


def both_classes(name: str, positive: float, negative: float) -> bool:
    """Say whether both classes are there; warn that `name` is undefined if they are not."""
    if positive > 0 and negative > 0:
        return True
    warn_undefined(name, f"without {'positives' if positive <= 0 else 'negatives'}")
    return False


def warn_undefined(name: str, why: str) -> None:
    """Warn that a number does not exist here."""
    warnings.warn(f"`{name}` is undefined {why}; returning nan.", RuntimeWarning, stacklevel=level_outside())


def level_outside() -> int:
    """How far up the stack the library was called from, so that a warning points at the user's own line."""
    level, frame = 0, inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level
