"""Checks of single values, choices and names, each made once, where a value enters the library."""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from stakes._errors import InputError, InputTypeError, Name, join_words

# ------------------------------------------------------------------------------------------- words of a message


def show(value: object) -> str:
    """Write a value for a message: numbers in the fewest digits that identify them, long text cut."""
    if isinstance(value, float | np.floating):
        short = f"{value:g}"
        return short if type(value)(short) == value else str(value)
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


# ------------------------------------------------------------------------------------------- single numbers


def number(name: Name, value: object) -> float:
    """Return `value` as a float; raise unless it is a number."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputTypeError(name, "be a number", show(value))
    try:
        found = float(value)
    except OverflowError:
        raise InputError(name, "fit in a float", show(value)) from None
    if math.isnan(found):
        raise InputError(name, "be a number", "nan")
    return found


def open_share(name: Name, value: object) -> float:
    """Return a number strictly between 0 and 1."""
    found = number(name, value)
    if not 0 < found < 1:
        raise InputError(name, "lie strictly between 0 and 1", show(found), hint=_percent_hint(found), hint_typed="")
    return found


def share(name: Name, value: object) -> float:
    """Return a number between 0 and 1, ends included."""
    found = number(name, value)
    if not 0 <= found <= 1:
        raise InputError(name, "lie between 0 and 1", show(found), hint=_percent_hint(found), hint_typed="")
    return found


def _percent_hint(found: float) -> str:
    return f"{show(found)}% is {show(found / 100)}" if 2 <= found < 100 else ""


def count_hint(text: str) -> str:
    """Suggest a fraction for a share that is typed as a number of cases."""
    if not text.isdecimal() or not 1 < int(text) < 20_000:
        return ""
    return f"for {int(text):,} of 20,000 cases write {int(text)}/20000"


def number_above(name: Name, value: object, bound: float = 0.0) -> float:
    """Return a finite number greater than `bound`."""
    found = number(name, value)
    if not bound < found < math.inf:
        raise InputError(name, f"be finite and greater than {show(bound)}", show(found))
    return found


def non_negative_number(name: Name, value: object) -> float:
    """Return a finite number that is not negative."""
    found = number(name, value)
    if not 0 <= found < math.inf:
        raise InputError(name, "be finite and not negative", show(found))
    return found


def whole_number(name: Name, value: object, least: int) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise InputTypeError(name, "be a whole number", show(value))
    if value < least:
        raise InputError(name, f"be at least {least}", str(int(value)))
    return int(value)


def ordered_bounds(low: float, high: float, *, instead: str = "") -> tuple[float, float]:
    """Return the bounds; raise unless `low` is less than `high`. `instead` is the hint for equal bounds."""
    if low == high:
        raise InputError("low", "be less than `high`", f"{show(low)} for both", hint=instead)
    if low > high:
        raise InputError("low", "be less than `high`", f"low={show(low)} and high={show(high)}")
    return low, high


def bounds(low: object, high: object, *, open_ends: bool = False) -> tuple[float, float]:
    """Return the two ends of a range of probabilities."""
    check = open_share if open_ends else share
    first, last = check("low", low), check("high", high)
    if open_ends and first < sys.float_info.min:  # below it a ratio to the other end overflows
        raise InputError("low", f"be at least {sys.float_info.min:.3g}", show(first))
    return ordered_bounds(first, last, instead=f"for a single value use `At({show(first)})`" if 0 < first < 1 else "")


def cost_range(name: Name, pair: object) -> tuple[float, float]:
    """Return a pair of costs, the first not above the second, neither negative, not both zero."""
    if not isinstance(pair, Sequence | np.ndarray) or isinstance(pair, str) or len(pair) != 2:
        raise InputTypeError(name, "be a pair of costs (lowest, highest)", show(pair))
    low, high = (non_negative_number(name, cost) for cost in pair)
    if low > high:
        raise InputError(name, "run from the lowest cost to the highest", f"({show(low)}, {show(high)})")
    if high == 0:
        raise InputError(name, "hold a cost greater than 0", "(0, 0)")
    return low, high


# ------------------------------------------------------------------------------------------------- other arguments


def check_type(kind: type, name: Name, value: object, *, hint: str = "") -> None:
    """Raise unless `value` is an instance of `kind`."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise InputTypeError(name, f"be {article} {kind.__name__}{hint}", type(value).__name__)


def check_callable(name: Name, value: object, *, of: str) -> None:
    """Raise unless `value` is callable; `of` names its argument."""
    if not callable(value):
        raise InputTypeError(name, f"be a function of {of}", type(value).__name__)


def path(name: Name, value: object) -> Path:
    """Return `value` as a path; raise unless it is one."""
    if not isinstance(value, str | os.PathLike):
        raise InputTypeError(name, "be a path", type(value).__name__)
    return Path(value)


Seed: TypeAlias = int | np.random.Generator | np.random.SeedSequence | None


def generator(rng: object) -> np.random.Generator:
    """Return a random number generator; raise unless `rng` is one or can seed one."""
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        wanted = "a whole number not below 0, a numpy Generator or None"
        raise InputTypeError("rng", f"be {wanted}", show(rng)) from None


# ------------------------------------------------------------------------------------------- inside the library


def check_tables(name: Name, *candidates: object, anywhere: bool = False) -> None:
    """Raise unless every candidate is a table, in NumPy's memory unless it may be `anywhere`."""
    for candidate in candidates:
        on_device = hasattr(candidate, "device")  # where reading the scores may take time
        counted = hasattr(type(candidate), "positive_total") or hasattr(candidate, "positive_total")  # not added up yet
        if not (counted and (on_device or hasattr(candidate, "score"))):
            raise InputTypeError(name, "be a ScoreTable (see `score_table`)", type(candidate).__name__)
        if on_device and not anywhere:
            here = "use `table.coarse()`, or `stakes.bounds` with `table.quantised()`"
            hint = here if hasattr(candidate, "coarse") else "see `stakes.tensors.score_table`"
            raise InputTypeError(name, "be a table in NumPy's memory", type(candidate).__name__, hint=hint)


def check_named_tables(name: Name, tables_by_name: object, what: str) -> None:
    """Raise unless the argument maps at least one name to a table; `what` is a noun for one of them."""
    if not isinstance(tables_by_name, Mapping):
        raise InputTypeError(name, f"map the name of each {what} to its table", type(tables_by_name).__name__)
    if not tables_by_name:
        raise InputError(name, f"hold at least one {what}", "none")
    check_tables(name, *tables_by_name.values())


def check_both_classes(positive: float, negative: float) -> None:
    """Raise unless a table has weight in both classes."""
    if not (positive > 0 and negative > 0):
        absent = "positives" if positive <= 0 else "negatives"
        raise InputError("table", "have both classes", f"no {absent}")


def check_finite_scores(lowest: float, highest: float) -> None:
    """Raise unless all scores of a table are finite, so that they have a mean."""
    if math.isinf(lowest) or math.isinf(highest):
        raise InputError("table", "have finite scores to be coarsened", "an infinite one")


def check_methods(name: Name, belief: object, *needed: str) -> None:
    """Raise unless `belief` is an object with all the methods `needed`."""
    if isinstance(belief, type):
        raise InputTypeError(
            name, "be a belief", f"the class {belief.__name__}", hint=f"write `{belief.__name__}(...)`"
        )
    missing = [method for method in needed if not hasattr(belief, method)]
    if missing:
        methods = join_words(f"`{method}`" for method in missing)
        raise InputTypeError(name, f"be a belief with {methods}", show(belief))


def choice(name: Name, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; otherwise raise with a list of them, nearest first."""
    names = list(choices)
    if value in names:
        return value
    word = str(value)[:100]
    nearest = sorted(names, key=lambda name: difflib.SequenceMatcher(None, name, word).ratio(), reverse=True)
    raise InputError(name, f"be one of {', '.join(nearest)}", show(value))


def known(kind: str, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; otherwise raise with the name meant, or all."""
    names = list(choices)
    if value in names:
        return value
    meant = difflib.get_close_matches(value[:100], names, 1, 0.75)
    if not meant:
        return choice(kind, value, names)
    raise InputError((), f"there is no {kind} {value}", hint=f"perhaps {meant[0]} is meant")


def nearest_choice(name: Name, value: str, choices: Iterable[str], most: int = 4) -> str:
    """Return `value` if it is one of `choices`; otherwise raise with those that are spelt nearly like it."""
    names = list(choices)
    if value in names:
        return value
    word = str(value)[:100]
    likely = [one for one in names if word and word.lower() in one.lower()]
    near = dict.fromkeys([*likely, *difflib.get_close_matches(word, names, len(names), 0.5)])
    best = sorted(near, key=lambda one: difflib.SequenceMatcher(None, one, word).ratio(), reverse=True)[:most]
    if not best:
        return choice(name, value, names)
    others = len(names) - len(best)
    raise InputError(name, f"be one of {', '.join(best)}" + (f", or of {others} others" if others else ""), show(value))


def check_parameters(of: str, function: Callable[..., object], given: Collection[str]) -> None:
    """Raise if a metric does not take a keyword that is given, or requires one that is not."""
    keywords = [k for k in inspect.signature(function).parameters.values() if k.kind is k.KEYWORD_ONLY]
    takes = {
        keyword.name: keyword for keyword in keywords if keyword.name not in ("table", "sample_weight", "case_costs")
    }
    for name in given:
        choice("parameters", name, takes)
    missing = [f"`{name}`" for name, keyword in takes.items() if keyword.default is keyword.empty and name not in given]
    if missing:
        raise InputTypeError("parameters", f"have {join_words(missing)} for {of!r}", "none")


def is_defined(name: str, positive: float, negative: float) -> bool:
    """Return whether a number that needs both classes is defined; warn if it is not."""
    if positive > 0 and negative > 0:
        return True
    warn_undefined(name, f"without {'positives' if positive <= 0 else 'negatives'}")
    return False


def warn_undefined(name: str, why: str) -> None:
    """Warn that the number `name` is undefined, and why."""
    warnings.warn(f"`{name}` is undefined {why}; returning nan.", RuntimeWarning, stacklevel=stack_level())


def stack_level() -> int:
    """Return how many stack levels up the library was called, for warnings to point at the user's line."""
    level, frame = 0, inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level
