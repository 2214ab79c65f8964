"""Judge raw input, once, at the door. Every error text of the core is written here."""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
import os
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, MappingView, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Column = npt.NDArray[np.generic]

# ------------------------------------------------------------------------------------------- words of a message


def shown(value: object) -> str:
    """Write a value as messages show it: numbers as short as they can be told apart, and nothing long."""
    if isinstance(value, float | np.floating):
        short = f"{value:g}"
        return short if type(value)(short) == value else str(value)
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _listed(words: Iterable[object]) -> str:
    """Words in a row: a, b and c."""
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last


# ------------------------------------------------------------------------------------------- single numbers


def number(name: str, value: object) -> float:
    """Return `value` as a float, or say that it is not a number."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"`{name}` must be a number, got {shown(value)}.")
    try:
        found = float(value)
    except OverflowError:
        raise ValueError(f"`{name}` must fit in a float, got {shown(value)}.") from None
    if math.isnan(found):
        raise ValueError(f"`{name}` must be a number, got nan.")
    return found


def inside(name: str, value: object) -> float:
    """Return a number strictly between 0 and 1."""
    found = number(name, value)
    if not 0 < found < 1:
        raise ValueError(f"`{name}` must lie strictly between 0 and 1, got {shown(found)}{_percent_hint(found)}.")
    return found


def share(name: str, value: object) -> float:
    """Return a number between 0 and 1, ends included."""
    found = number(name, value)
    if not 0 <= found <= 1:
        raise ValueError(f"`{name}` must lie between 0 and 1, got {shown(found)}{_percent_hint(found)}.")
    return found


def _percent_hint(found: float) -> str:
    return f"; {shown(found)} % is {shown(found / 100)}" if 2 <= found < 100 else ""


def above(name: str, value: object, bound: float = 0.0) -> float:
    """Return a finite number greater than `bound`."""
    found = number(name, value)
    if not bound < found < math.inf:
        raise ValueError(f"`{name}` must be finite and greater than {shown(bound)}, got {shown(found)}.")
    return found


def at_least_zero(name: str, value: object) -> float:
    """Return a finite number that is not negative."""
    found = number(name, value)
    if not 0 <= found < math.inf:
        raise ValueError(f"`{name}` must be finite and not negative, got {shown(found)}.")
    return found


def whole(name: str, value: object, least: int) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(f"`{name}` must be a whole number, got {shown(value)}.")
    if value < least:
        raise ValueError(f"`{name}` must be at least {least}, got {int(value)}.")
    return int(value)


def ordered(low: float, high: float, *, instead: str = "") -> tuple[float, float]:
    """Return the bounds when `low` is less than `high`; `instead` says what to use when they are equal."""
    if low == high:
        raise ValueError(f"`low` must be less than `high`, got {shown(low)} for both{instead}.")
    if low > high:
        raise ValueError(f"`low` must be less than `high`, got low={shown(low)} and high={shown(high)}.")
    return low, high


def bounds(low: object, high: object, *, open_ends: bool = False) -> tuple[float, float]:
    """Return the two ends of a range of probabilities."""
    judge = inside if open_ends else share
    first, last = judge("low", low), judge("high", high)
    return ordered(first, last, instead=f"; for a single value use `At({shown(first)})`" if 0 < first < 1 else "")


def cost_range(name: str, pair: object) -> tuple[float, float]:
    """Return a pair of costs, the first not above the second, neither negative, not both zero."""
    if not isinstance(pair, Sequence | np.ndarray) or isinstance(pair, str) or len(pair) != 2:
        raise TypeError(f"`{name}` must be a pair of costs (lowest, highest), got {shown(pair)}.")
    low, high = (at_least_zero(name, cost) for cost in pair)
    if low > high:
        raise ValueError(f"`{name}` must run from the lowest cost to the highest, got ({shown(low)}, {shown(high)}).")
    if high == 0:
        raise ValueError(f"`{name}` must hold a cost greater than 0, got (0, 0).")
    return low, high


# ------------------------------------------------------------------------------------------- columns of cases

_NOT_COLUMNS = (str, bytes, np.generic, Mapping, MappingView, Set)
A_PROBABILITY = "a probability between 0 and 1"
A_WEIGHT = "finite and not negative"
PERCENT_HINT = "; divide by 100 what is in percent"
RANKING_HINT = "; measures of ranking, such as `auc`, accept any number"


def _vector(name: str, values: object) -> Column:
    """Return `values` as a one-dimensional array with at least one element."""
    if isinstance(values, _NOT_COLUMNS) or not (hasattr(values, "__len__") or hasattr(values, "__array__")):
        raise TypeError(f"`{name}` must be a list, an array or a column, got {type(values).__name__}.")
    try:
        array: Column = np.asarray(values)
    except ValueError:
        raise ValueError(f"`{name}` must be one-dimensional, got rows of different lengths.") from None
    one_dimension(name, array.shape)
    if isinstance(values, np.ma.MaskedArray):
        refuse_missing(name, np.ma.getmaskarray(values))
    if isinstance(values, Sequence) and array.dtype.kind in "US":  # NumPy has written 'nan' for a nan among words
        array = np.asarray(values, dtype=object)
    return array


def one_dimension(name: str, shape: tuple[int, ...]) -> None:
    """Refuse an array that is not a column of at least one case."""
    if len(shape) != 1:
        hint = "; pass the column of the positive class" if len(shape) == 2 and shape[1] == 2 else ""
        raise ValueError(f"`{name}` must be one-dimensional, got shape {shape}{hint}.")
    if not shape[0]:
        raise ValueError(f"`{name}` must hold at least one case, got none.")


def missing_values(name: str, count: int, row: int) -> ValueError:
    """Say how many values are missing, and where the first of them is."""
    values = "1 missing value" if count == 1 else f"{count} missing values"
    where = "at" if count == 1 else "the first at"
    return ValueError(f"`{name}` must not have missing values, got {values}, {where} row {row}.")


def refuse_missing(name: str, missing: BoolArray) -> None:
    count = int(np.count_nonzero(missing))
    if count:
        raise missing_values(name, count, int(missing.argmax()))


def wrong_value(name: str, wanted: str, value: object, row: int, hint: str = "") -> ValueError:
    """Say what was wanted, and what came where."""
    return ValueError(f"`{name}` must be {wanted}, got {shown(value)} at row {row}{hint}.")


def _refuse(name: str, wanted: str, array: Column, wrong: BoolArray, hint: str = "") -> None:
    if wrong.any():
        row = int(wrong.argmax())
        raise wrong_value(name, wanted, array[row], row, hint)


def _is_missing(value: object) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return not hasattr(value, "__len__") and bool(value != value)


def _is_number(kind: type) -> bool:
    return issubclass(kind, numbers.Real | np.bool_) or hasattr(kind, "as_integer_ratio")  # the last is for Decimal


def _column(name: str, values: object) -> Column:
    """Return `values` as an array, of numbers where they are numbers; of what may be missing only nan is left."""
    array = _vector(name, values)
    if array.dtype.kind in "cmM":
        refuse_missing(name, array != array)
    if array.dtype.kind not in "OT":
        return array
    array = array.astype(object, copy=False)
    kinds = set(map(type, array))
    if all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return array.astype(np.bool_)
    if all(map(_is_number, kinds)):
        return _floats(name, array)
    if kinds != {str}:
        refuse_missing(name, np.fromiter(map(_is_missing, array), bool, len(array)))
    return array


def _floats(name: str, array: Column) -> npt.NDArray[np.floating]:
    """Return numbers as floats: float32 and float64 as they are, anything else as float64."""
    if array.dtype in (np.float32, np.float64):
        return array  # type: ignore[return-value]
    try:
        with np.errstate(over="raise"):
            return array.astype(np.float64)
    except (OverflowError, FloatingPointError):
        raise ValueError(f"`{name}` must be numbers that fit in a float, got one that does not.") from None


def _numbers(name: str, values: object) -> npt.NDArray[np.floating]:
    """Return a column of numbers as floats; nan is left to the caller, who looks at the values anyway."""
    array = _column(name, values)
    if array.dtype.kind not in "biuf":
        wrong = [array.dtype != object or not _is_number(type(value)) for value in array]
        _refuse(name, "real numbers" if array.dtype.kind == "c" else "numbers", array, np.array(wrong))
    return _floats(name, array)


def same_length(**columns: Column | None) -> None:
    """Refuse columns of different lengths."""
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        names = _listed(f"`{name}`" for name in lengths)
        raise ValueError(f"{names} must have the same length, got {_listed(lengths.values())}.")


def outcome(name: str, y: object, pos_label: object = None) -> BoolArray:
    """Return a column of outcomes as booleans: true where the case is positive."""
    array = _column(name, y)
    if array.dtype == object:
        _refuse_containers(name, array)
    if pos_label is not None:
        return _positive_label(name, array, pos_label)
    if array.dtype == np.bool_:
        return array  # type: ignore[return-value]
    if not _zeros_and_ones(array):
        _refuse_outcome(name, array)
    positive: BoolArray = array == 1
    return positive


def _zeros_and_ones(array: Column) -> bool:
    if array.dtype.kind in "iu":
        return bool(np.bitwise_or.reduce(array) in (0, 1))  # no bit but the lowest is set in any
    return array.dtype.kind == "f" and np.array_equal(array == 1, array != 0)


def _refuse_outcome(name: str, array: Column) -> None:
    """Say what is wrong with outcomes that are not 0 and 1; other labels may be meant where none of them is 0."""
    refuse_missing(name, array != array)
    labels = labels_of(array)
    wrong = [label not in (0, 1) or isinstance(label, complex) for label in array.tolist()]
    hint = f"; name the positive label with `pos_label` (labels found: {some_of(labels)})"
    meant = array.dtype.kind not in "iuf" or two_other_labels(labels)
    _refuse(name, "0 or 1", array, np.array(wrong), hint if meant else "")


def two_other_labels(labels: Collection[object]) -> bool:
    """Say whether labels may be meant as two classes, though not as 0 and 1."""
    return len(labels) == 2 and 0 not in labels


def _refuse_containers(name: str, array: Column) -> None:
    for kind in set(map(type, array)):
        if kind.__hash__ is None:  # a list, an array, a mapping: no label
            raise TypeError(f"`{name}` must be 0 or 1, got a column of {kind.__name__}.")


def labels_of(array: Column) -> list[Any]:
    labels = set(array.tolist())
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=repr)


def some_of(labels: list[Any]) -> str:
    return ", ".join(map(shown, labels[:5])) + (", ..." if len(labels) > 5 else "")


def _positive_label(name: str, array: Column, pos_label: object) -> BoolArray:
    single = not _is_missing(pos_label) and np.ndim(pos_label) == 0  # type: ignore[arg-type]
    positive: BoolArray = np.asarray(array == pos_label) if single else np.zeros(len(array), bool)
    other = array[positive.argmin()]
    if positive.any() and np.all(positive | (array == other)):
        return positive
    refuse_missing(name, array != array)
    labels = labels_of(array)
    if len(labels) > 2:
        said = f"`{name}` must have two labels, got {len(labels)}: {some_of(labels)}"
        raise ValueError(f"{said}; leave out the cases of the others.")
    if not (single and all(label in (0, 1) for label in (pos_label, *labels))):
        raise ValueError(
            f"`pos_label` must be a label of `{name}`, got {shown(pos_label)}; labels found: {some_of(labels)}."
        )
    return positive


def scores(name: str, score: object) -> npt.NDArray[np.floating]:
    """Return a column of scores as floats; any number but nan may rank."""
    column = _numbers(name, score)
    if np.isnan(column.min()):  # `min` passes nan on, and reads the column once
        refuse_missing(name, np.isnan(column))
    return column


def probabilities(name: str, score: object) -> npt.NDArray[np.floating]:
    """Return a column of scores that are probabilities."""
    column = _numbers(name, score)
    if not (column.min() >= 0 and column.max() <= 1):  # also when there is a nan
        refuse_missing(name, np.isnan(column))
        in_percent = column.min() >= 0 and column.max() <= 100 and 2 * np.count_nonzero(column >= 2) > len(column)
        hint = PERCENT_HINT if in_percent else RANKING_HINT
        _refuse(name, A_PROBABILITY, column, (column < 0) | (column > 1), hint)
    return column


def counts(name: str, column: object) -> FloatArray:
    """Return a column of counts by score as float64, finite and not negative."""
    found = _numbers(name, column).astype(np.float64, copy=False)
    if not (found.min() >= 0 and found.max() < math.inf):
        refuse_missing(name, np.isnan(found))
        _refuse(name, A_WEIGHT, found, (found < 0) | (found == math.inf))
    return found


def weights(name: str, weight: object) -> FloatArray | None:
    """Return a column of weights as float64, or none when there are none."""
    if weight is None:
        return None
    column = counts(name, weight)
    some_weight(name, bool(column.any()))
    return column


def some_weight(name: str, is_there: bool) -> None:
    """Refuse weights that are all zero."""
    if not is_there:
        raise ValueError(f"`{name}` must not be zero for every case.")


# ------------------------------------------------------------------------------------------------- other arguments


def of_kind(kind: type, name: str, value: object, *, hint: str = "") -> None:
    """Refuse what is not of a kind."""
    if not isinstance(value, kind):
        raise TypeError(f"`{name}` must be a {kind.__name__}{hint}, got {type(value).__name__}.")


def function(name: str, value: object, *, of: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise TypeError(f"`{name}` must be a function of {of}, got {type(value).__name__}.")


def path(name: str, value: object) -> Path:
    """Return where a file is; refuse what is no path."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"`{name}` must be a path, got {type(value).__name__}.")
    return Path(value)


def generator(rng: object) -> np.random.Generator:
    """Return a source of random numbers; refuse what is no seed of one."""
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        wanted = "a whole number not below 0, a numpy Generator or None"
        raise TypeError(f"`rng` must be {wanted}, got {shown(rng)}.") from None


# ------------------------------------------------------------------------------------------- inside the library


def tables(name: str, *candidates: object, anywhere: bool = False) -> None:
    """Refuse what is not a table; also one on a device, unless it may be `anywhere`."""
    for candidate in candidates:
        on_device = hasattr(candidate, "device")  # where to look at the scores may take time
        if not (hasattr(candidate, "positive_total") and (on_device or hasattr(candidate, "score"))):
            raise TypeError(f"`{name}` must be a ScoreTable (see `score_table`), got {type(candidate).__name__}.")
        if on_device and not anywhere:
            here = "`table.coarse()` is a small one, and `stakes.bounds` takes `table.quantised()`"
            hint = here if hasattr(candidate, "coarse") else "see `stakes.tensors.score_table`"
            raise TypeError(f"`{name}` must be a table in NumPy's memory, got {type(candidate).__name__}; {hint}.")


def named_tables(name: str, tables_by_name: object, what: str) -> None:
    """Refuse what is not a mapping from names to tables with something in it."""
    if not isinstance(tables_by_name, Mapping):
        raise TypeError(f"`{name}` must map the name of each {what} to its table, got {type(tables_by_name).__name__}.")
    if not tables_by_name:
        raise ValueError(f"`{name}` must hold at least one {what}, got none.")
    tables(name, *tables_by_name.values())


def has_both_classes(positive: float, negative: float) -> None:
    """Refuse a table of one class where the other cannot be made up."""
    if not (positive > 0 and negative > 0):
        absent = "positives" if positive <= 0 else "negatives"
        raise ValueError(f"`table` must have both classes, got no {absent}.")


def probability_scores(lowest: float, highest: float) -> None:
    """Refuse a table whose scores are not probabilities, naming the score that is not."""
    if lowest < 0 or highest > 1:
        got = lowest if lowest < 0 else highest
        raise ValueError(f"`score` must be {A_PROBABILITY}, got {shown(got)}{RANKING_HINT}.")


def finite_scores(lowest: float, highest: float) -> None:
    """Refuse a table whose scores have no mean."""
    if math.isinf(lowest) or math.isinf(highest):
        raise ValueError("`table` must have finite scores to be coarsened, got an infinite one.")


def offers(name: str, belief: object, *needed: str) -> None:
    """Refuse a belief that lacks one of the methods `needed`."""
    if isinstance(belief, numbers.Real):
        raise TypeError(f"`{name}` must be a belief, got {belief}; for a single value use `At({belief})`.")
    if isinstance(belief, str):
        raise TypeError(f"`{name}` must be a belief, got {shown(belief)}; `parse_belief` reads one from words.")
    if isinstance(belief, type):
        raise TypeError(f"`{name}` must be a belief, got the class {belief.__name__}; write `{belief.__name__}(...)`.")
    missing = [method for method in needed if not hasattr(belief, method)]
    if missing:
        methods = _listed(f"`{method}`" for method in missing)
        raise TypeError(f"`{name}` must be a belief with {methods}, got {shown(belief)}.")


def known(name: str, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; otherwise list them, nearest first."""
    names = list(choices)
    if value in names:
        return value
    word = str(value)[:100]
    nearest = sorted(names, key=lambda name: difflib.SequenceMatcher(None, name, word).ratio(), reverse=True)
    raise ValueError(f"`{name}` must be one of {', '.join(nearest)}, got {shown(value)}.")


def parameters(of: str, function: Callable[..., object], given: Collection[str]) -> None:
    """Refuse keywords that a metric does not take, and the lack of one that it cannot do without."""
    keywords = [k for k in inspect.signature(function).parameters.values() if k.kind is k.KEYWORD_ONLY]
    takes = {keyword.name: keyword for keyword in keywords if keyword.name not in ("table", "sample_weight")}
    for name in given:
        known("parameters", name, takes)
    missing = [f"`{name}`" for name, keyword in takes.items() if keyword.default is keyword.empty and name not in given]
    if missing:
        raise TypeError(f"`parameters` must have {_listed(missing)} for {of!r}, got none.")


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
