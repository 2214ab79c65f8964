"""Judge raw input, once, at the door. Every error text of the core is written here."""

from __future__ import annotations

import difflib
import math
import numbers
import warnings
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

# ------------------------------------------------------------------------------------------- single numbers


def number(name: str, value: object) -> float:
    """Return `value` as a float, or say that it is not a number."""
    if not isinstance(value, numbers.Real | np.bool_) or isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be a number, got {value!r}.")
    if math.isnan(value):
        raise ValueError(f"`{name}` must be a number, got nan.")
    return float(value)


def inside(name: str, value: object) -> float:
    """Return a number strictly between 0 and 1."""
    found = number(name, value)
    if not 0 < found < 1:
        raise ValueError(f"`{name}` must lie strictly between 0 and 1, got {found:g}.")
    return found


def share(name: str, value: object) -> float:
    """Return a number between 0 and 1, ends included."""
    found = number(name, value)
    if not 0 <= found <= 1:
        raise ValueError(f"`{name}` must lie between 0 and 1, got {found:g}.")
    return found


def above(name: str, value: object, bound: float = 0.0) -> float:
    """Return a finite number greater than `bound`."""
    found = number(name, value)
    if not bound < found < math.inf:
        raise ValueError(f"`{name}` must be finite and greater than {bound:g}, got {found:g}.")
    return found


def at_least_zero(name: str, value: object) -> float:
    """Return a finite number that is not negative."""
    found = number(name, value)
    if not 0 <= found < math.inf:
        raise ValueError(f"`{name}` must be finite and not negative, got {found:g}.")
    return found


def whole(name: str, value: object, least: int) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(f"`{name}` must be a whole number, got {value!r}.")
    if value < least:
        raise ValueError(f"`{name}` must be at least {least}, got {int(value)}.")
    return int(value)


def ordered(low: float, high: float, *, instead: str = "") -> tuple[float, float]:
    """Return the bounds when `low` is less than `high`; `instead` says what to use when they are equal."""
    if low == high:
        raise ValueError(f"`low` must be less than `high`, got {low:g} for both{instead}.")
    if low > high:
        raise ValueError(f"`low` must be less than `high`, got low={low:g} and high={high:g}.")
    return low, high


def bounds(low: object, high: object, *, open_ends: bool = False) -> tuple[float, float]:
    """Return the two ends of a range of probabilities."""
    judge = inside if open_ends else share
    first, last = judge("low", low), judge("high", high)
    return ordered(first, last, instead=f"; for a single value use `At({first:g})`" if 0 < first < 1 else "")


def cost_range(name: str, pair: object) -> tuple[float, float]:
    """Return a pair of costs, the first not above the second, neither negative, not both zero."""
    if not isinstance(pair, Sequence | np.ndarray) or isinstance(pair, str) or len(pair) != 2:
        raise TypeError(f"`{name}` must be a pair of costs (lowest, highest), got {pair!r}.")
    low, high = (at_least_zero(name, cost) for cost in pair)
    if low > high:
        raise ValueError(f"`{name}` must run from the lowest cost to the highest, got ({low:g}, {high:g}).")
    if high == 0:
        raise ValueError(f"`{name}` must hold a cost greater than 0, got (0, 0).")
    return low, high


# ------------------------------------------------------------------------------------------- columns of cases


def _vector(name: str, values: object) -> npt.NDArray[np.generic]:
    """Return `values` as a one-dimensional array with at least one element."""
    if isinstance(values, np.ma.MaskedArray):
        _refuse_missing(name, np.ma.getmaskarray(values).ravel())
    if isinstance(values, str | bytes) or not (hasattr(values, "__len__") or hasattr(values, "__array__")):
        raise TypeError(f"`{name}` must be a list, an array or a column, got {type(values).__name__}.")
    try:
        array: npt.NDArray[np.generic] = np.asarray(values)
    except ValueError:
        raise ValueError(f"`{name}` must be one-dimensional, got rows of different lengths.") from None
    if array.ndim != 1:
        hint = "; pass the column of the positive class" if array.ndim == 2 and array.shape[1] == 2 else ""
        raise ValueError(f"`{name}` must be one-dimensional, got shape {array.shape}{hint}.")
    if not len(array):
        raise ValueError(f"`{name}` must hold at least one case, got none.")
    return array


def _is_missing(value: object) -> bool:
    return value is None or type(value).__name__ in {"NAType", "NaTType"} or bool(value != value)


def _refuse_missing(name: str, missing: BoolArray) -> None:
    count = int(np.count_nonzero(missing))
    if count:
        values = "1 missing value" if count == 1 else f"{count} missing values"
        where = "at" if count == 1 else "the first at"
        raise ValueError(f"`{name}` must not have missing values, got {values}, {where} row {int(missing.argmax())}.")


def _refuse(name: str, wanted: str, array: npt.NDArray[np.generic], wrong: BoolArray, hint: str = "") -> None:
    if wrong.any():
        row = int(wrong.argmax())
        got = array[row]
        shown = f"{got:g}" if isinstance(got, np.floating) else repr(got.item() if isinstance(got, np.generic) else got)
        raise ValueError(f"`{name}` must be {wanted}, got {shown} at row {row}{hint}.")


def _object_column(name: str, array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """Return an array of Python objects as an array of the type its elements share, none missing."""
    _refuse_missing(name, np.fromiter((_is_missing(value) for value in array), bool, len(array)))
    if all(isinstance(value, bool | np.bool_) for value in array):
        return array.astype(bool)
    if all(isinstance(value, numbers.Real) or hasattr(value, "as_integer_ratio") for value in array):
        return array.astype(np.float64)
    return array


def _column(name: str, values: object) -> npt.NDArray[np.generic]:
    array = _vector(name, values)
    return _object_column(name, array) if array.dtype == object else array


def _numbers(name: str, values: object) -> npt.NDArray[np.floating]:
    """Return a column of numbers as floats (float32 stays float32), none missing."""
    array = _column(name, values)
    if array.dtype.kind not in "biuf":
        wrong = np.fromiter((not isinstance(value, numbers.Real) for value in array), bool, len(array))
        _refuse(name, "numbers", array, wrong)
        raise TypeError(f"`{name}` must be numbers, got {array.dtype}.")
    floats: npt.NDArray[np.floating] = array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)  # type: ignore[assignment]
    if np.isnan(floats.min()):  # `min` passes nan on, and reads the column once
        _refuse_missing(name, np.isnan(floats))
    return floats


def same_length(**columns: npt.NDArray[np.generic] | None) -> None:
    """Refuse columns of different lengths."""
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        names = " and ".join(f"`{name}`" for name in lengths)
        found = " and ".join(str(length) for length in lengths.values())
        raise ValueError(f"{names} must have the same length, got {found}.")


def outcome(name: str, y: object, pos_label: object = None) -> BoolArray:
    """Return a column of outcomes as booleans: true where the case is positive."""
    array = _column(name, y)
    if array.dtype.kind == "f":
        _refuse_missing(name, np.isnan(array))
    if pos_label is not None:
        return _positive_label(name, array, pos_label)
    if array.dtype == bool:
        return array  # type: ignore[return-value]
    if array.dtype.kind in "iuf":
        if array.min() < 0 or array.max() > 1 or array.dtype.kind == "f":
            _refuse(name, "0 or 1", array, (array != 0) & (array != 1))
        return array != 0  # type: ignore[no-any-return]
    labels = ", ".join(repr(label) for label in _labels(array)[:5])
    hint = f"; name the positive label with `pos_label` (labels found: {labels})"
    _refuse(name, "0 or 1", array, np.ones(len(array), bool), hint)
    raise AssertionError("unreachable")


def _labels(array: npt.NDArray[np.generic]) -> list[object]:
    return sorted(set(array.tolist()), key=repr)


def _positive_label(name: str, array: npt.NDArray[np.generic], pos_label: object) -> BoolArray:
    labels = _labels(array)
    shown = ", ".join(repr(label) for label in labels[:5])
    if len(labels) > 2:
        raise ValueError(f"`{name}` must have two labels, got {len(labels)}: {shown}.")
    if pos_label not in labels and not {pos_label, *labels} <= {0, 1}:
        raise ValueError(f"`pos_label` must be a label of `{name}`, got {pos_label!r}; labels found: {shown}.")
    return np.asarray(array == pos_label, dtype=bool)


def scores(name: str, score: object) -> npt.NDArray[np.floating]:
    """Return a column of scores as floats; any number but nan may rank."""
    return _numbers(name, score)


def probabilities(name: str, score: object) -> npt.NDArray[np.floating]:
    """Return a column of scores that are probabilities."""
    column = _numbers(name, score)
    if column.min() < 0 or column.max() > 1:
        hint = "; measures of ranking, such as `auc`, accept any number"
        _refuse(name, "a probability between 0 and 1", column, (column < 0) | (column > 1), hint)
    return column


def weights(name: str, weight: object) -> FloatArray | None:
    """Return a column of weights as float64, or none when there are none."""
    if weight is None:
        return None
    column = _numbers(name, weight).astype(np.float64, copy=False)
    if not (column.min() >= 0 and column.max() < math.inf):
        _refuse(name, "finite and not negative", column, ~((column >= 0) & (column < math.inf)))
    if not column.any():
        raise ValueError(f"`{name}` must not be zero for every case.")
    return column


def counts(name: str, column: object) -> FloatArray:
    """Return a column of counts by score as float64, finite and not negative."""
    found = _numbers(name, column).astype(np.float64, copy=False)
    _refuse(name, "finite and not negative", found, ~((found >= 0) & (found < math.inf)))
    return found


# ------------------------------------------------------------------------------------------- inside the library


def tables(name: str, *candidates: object) -> None:
    """Refuse what is not a table."""
    for candidate in candidates:
        if not all(hasattr(candidate, column) for column in ("score", "positive", "negative")):
            raise TypeError(f"`{name}` must be a ScoreTable (see `score_table`), got {type(candidate).__name__}.")


def has_both_classes(positive: float, negative: float) -> None:
    """Refuse a table of one class where the other cannot be made up."""
    if not (positive > 0 and negative > 0):
        absent = "positives" if positive <= 0 else "negatives"
        raise ValueError(f"`table` must have both classes, got no {absent}.")


def probability_scores(lowest: float, highest: float) -> None:
    """Refuse a table whose scores are not probabilities, naming the score that is not."""
    if lowest < 0 or highest > 1:
        got = lowest if lowest < 0 else highest
        raise ValueError(
            f"`score` must be a probability between 0 and 1, got {got:g}; measures of ranking, such as `auc`, accept any number."
        )


def offers(name: str, belief: object, *needed: str) -> None:
    """Refuse a belief that lacks one of the methods `needed`."""
    if isinstance(belief, numbers.Real):
        raise TypeError(f"`{name}` must be a belief, got {belief}; for a single value use `At({belief})`.")
    missing = [method for method in needed if not hasattr(belief, method)]
    if missing:
        methods = " and ".join(f"`{method}`" for method in missing)
        raise TypeError(f"`{name}` must be a belief with {methods}, got {belief!r}.")


def known(name: str, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of `choices`; otherwise list them, nearest first."""
    names = list(choices)
    if value in names:
        return value
    nearest = difflib.get_close_matches(str(value), names, n=len(names), cutoff=0.0)
    raise ValueError(f"`{name}` must be one of {', '.join(nearest)}, got {value!r}.")


def both_classes(name: str, positive: float, negative: float) -> bool:
    """Say whether both classes are there; warn that `name` is undefined if they are not."""
    if positive > 0 and negative > 0:
        return True
    absent = "positives" if positive <= 0 else "negatives"
    warnings.warn(f"`{name}` is undefined without {absent}; returning nan.", RuntimeWarning, stacklevel=3)
    return False
