"""Checks of columns of cases: outcomes, scores, weights and labels."""

from __future__ import annotations

import itertools
import math
import numbers
import sys
from collections.abc import Collection, Iterable, Mapping, MappingView, Sequence, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, Column, FloatArray
from stakes._check import show
from stakes._errors import Argument, InputError, InputTypeError, Name, Phrase, as_argument, join_words

_NOT_COLUMNS = (str, bytes, np.generic, Mapping, MappingView, Set)
A_PROBABILITY = "a probability between 0 and 1"
A_WEIGHT = "finite and not negative"
PERCENT_HINT = "divide percentages by 100"
RANKING_HINT = "measures of ranking, such as `auc`, accept any number"


def _array(name: Name, values: object) -> Column:
    """Return `values` as a one-dimensional array with at least one element."""
    if isinstance(values, _NOT_COLUMNS) or not (hasattr(values, "__len__") or hasattr(values, "__array__")):
        raise InputTypeError(name, "be a list, an array or a column", type(values).__name__)
    try:
        array: Column = np.asarray(values)
    except InputError:  # raised by an EventBy, which is not a column of known outcomes
        raise
    except ValueError:
        raise InputError(name, "be one-dimensional", "rows of different lengths") from None
    check_one_dimension(name, array.shape)
    if isinstance(values, np.ma.MaskedArray):
        check_no_missing(name, np.ma.getmaskarray(values))
    if isinstance(values, Sequence) and array.dtype.kind in "US":  # NumPy writes 'nan' for a nan among strings
        array = np.asarray(values, dtype=object)
    return array


def check_one_dimension(name: Name, shape: tuple[int, ...]) -> None:
    """Raise unless an array of this shape is a column of at least one case."""
    if len(shape) != 1:
        hint = "pass the column of the positive class" if len(shape) == 2 and shape[1] == 2 else ""
        raise InputError(name, "be one-dimensional", f"shape {shape}", hint=hint)
    if not shape[0]:
        raise InputError(name, "hold at least one case", "none")


def missing_values(name: Name, count: int, row: int) -> InputError:
    """Return the error that counts missing values and locates the first."""
    values = "1 missing value" if count == 1 else f"{count} missing values"
    return InputError(name, "not have missing values", values, row=row, first=count > 1)


def check_no_missing(name: Name, missing: BoolArray) -> None:
    count = int(np.count_nonzero(missing))
    if count:
        raise missing_values(name, count, int(missing.argmax()))


def wrong_value(name: Name, wanted: str, value: object, row: int, hint: Phrase = "") -> InputError:
    """Return the error for a value that breaks a rule, with the row where it stands."""
    return InputError(name, f"be {wanted}", show(value), row=row, hint=hint)


def _check_none(name: Name, wanted: str, array: Column, wrong: BoolArray, hint: Phrase = "") -> None:
    if wrong.any():
        row = int(wrong.argmax())
        raise wrong_value(name, wanted, array[row], row, hint)


def is_missing(value: object) -> bool:
    """Whether a value is None, nan, or one of the missing values of pandas."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return not hasattr(value, "__len__") and bool(value != value)


def _is_number(kind: type) -> bool:
    return issubclass(kind, numbers.Real | np.bool_) or hasattr(kind, "as_integer_ratio")  # the last is for Decimal


def _column(name: Name, values: object) -> Column:
    """Return `values` as an array without missing values other than nan, numeric where all are numbers."""
    array = _array(name, values)
    if array.dtype.kind in "cmM":
        check_no_missing(name, array != array)
    if array.dtype.kind not in "OT":
        return array
    array = array.astype(object, copy=False)
    kinds = set(map(type, array))
    if all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return array.astype(np.bool_)
    if all(map(_is_number, kinds)):
        return _floats(name, array)
    if kinds != {str}:
        check_no_missing(name, np.fromiter(map(is_missing, array), bool, len(array)))
    return array


def _floats(name: Name, array: Column) -> npt.NDArray[np.floating]:
    """Return numbers as floats: float32 and float64 unchanged, anything else as float64."""
    if array.dtype in (np.float32, np.float64):
        return array  # type: ignore[return-value]
    try:
        with np.errstate(over="raise"):
            return array.astype(np.float64)
    except (OverflowError, FloatingPointError):
        raise InputError(name, "be numbers that fit in a float", "one that does not") from None


def _numbers(name: Name, values: object) -> npt.NDArray[np.floating]:
    """Return a column of numbers as floats; the caller checks for nan, since it reads the values anyway."""
    array = _column(name, values)
    if array.dtype.kind not in "biuf":
        wrong = [array.dtype != object or not _is_number(type(value)) for value in array]
        _check_none(name, "real numbers" if array.dtype.kind == "c" else "numbers", array, np.array(wrong))
    return _floats(name, array)


def check_same_length(others: Mapping[Name, Column | None] | None = None, /, **columns: Column | None) -> None:
    """Raise unless all columns have one length; names that cannot be keywords come in a mapping."""
    named: Iterable[tuple[Name, Column | None]] = itertools.chain(columns.items(), (others or {}).items())
    lengths = {name: len(column) for name, column in named if column is not None}
    if len(set(lengths.values())) > 1:
        raise InputError(tuple(lengths), "have the same length", join_words(lengths.values()))


def outcome(name: Name, y: object, pos_label: object = None) -> BoolArray:
    """Return a column of outcomes as booleans, true for positives."""
    array = _column(name, y)
    if array.dtype == object:
        _check_hashable(name, array)
    if pos_label is not None:
        return _has_label(name, array, pos_label)
    if array.dtype == np.bool_:
        return array  # type: ignore[return-value]
    if not _are_zeros_and_ones(array):
        _check_zeros_and_ones(name, array)
    positive: BoolArray = array == 1
    return positive


def _are_zeros_and_ones(array: Column) -> bool:
    if array.dtype.kind in "iu":
        return bool(np.bitwise_or.reduce(array) in (0, 1))  # no bit but the lowest is set in any
    return array.dtype.kind == "f" and np.array_equal(array == 1, array != 0)


def _check_zeros_and_ones(name: Name, array: Column) -> None:
    """Raise for the first outcome that is not 0 or 1; suggest `pos_label` if labels may be intended."""
    kinds = {} if array.dtype.fields is None else {field: kind[0] for field, kind in array.dtype.fields.items()}
    if any(kind == np.bool_ for kind in kinds.values()):  # as scikit-survival has it
        hint = "`EventBy.from_structured(y, horizon)` is the outcome of events and times"
        raise InputTypeError(name, "be 0 or 1", f"a structured array of {', '.join(kinds)}", hint=hint)
    check_no_missing(name, array != array)
    labels = distinct_labels(array)
    wrong = [label not in (0, 1) or isinstance(label, complex) for label in array.tolist()]
    are_labels = array.dtype.kind not in "iuf" or are_two_other_labels(labels)
    _check_none(name, "0 or 1", array, np.array(wrong), label_hint(labels) if are_labels else "")


def label_hint(labels: list[Any]) -> Phrase:
    """Return the hint to name the positive label."""
    return ("name the positive label with ", Argument("pos_label"), f" (labels found: {_first_labels(labels)})")


def are_two_other_labels(labels: Collection[object]) -> bool:
    """Return whether the labels may be those of two classes other than 0 and 1."""
    return len(labels) == 2 and 0 not in labels


def _check_hashable(name: Name, array: Column) -> None:
    for kind in set(map(type, array)):
        if kind.__hash__ is None:  # a list, an array, a mapping: no label
            raise InputTypeError(name, "be 0 or 1", f"a column of {kind.__name__}")


def distinct_labels(array: Column) -> list[Any]:
    labels = set(array.tolist())
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=repr)


def _first_labels(labels: list[Any]) -> str:
    return ", ".join(map(show, labels[:5])) + (", ..." if len(labels) > 5 else "")


def _has_label(name: Name, array: Column, pos_label: object) -> BoolArray:
    single = not is_missing(pos_label) and np.ndim(pos_label) == 0  # type: ignore[arg-type]
    positive: BoolArray = np.asarray(array == pos_label) if single else np.zeros(len(array), bool)
    other = array[positive.argmin()]
    if positive.any() and np.all(positive | (array == other)):
        return positive
    check_no_missing(name, array != array)
    labels = distinct_labels(array)
    if len(labels) > 2:
        found = f"{len(labels)}: {_first_labels(labels)}"
        are_spellings = len({str(label).strip().casefold() for label in labels}) == 2
        hint = "write each label in one way" if are_spellings else "drop the cases with other labels"
        raise InputError(name, "have two labels", found, hint=hint)
    if not (single and all(label in (0, 1) for label in (pos_label, *labels))):
        raise InputError(
            "pos_label",
            ("be a label of ", as_argument(name)),
            show(pos_label),
            hint=f"labels found: {_first_labels(labels)}",
        )
    return positive


def scores(name: Name, score: object) -> npt.NDArray[np.floating]:
    """Return a column of scores as floats; any number but nan is a score."""
    column = _numbers(name, score)
    if np.isnan(column.min()):  # `min` propagates nan, and reads the column once
        check_no_missing(name, np.isnan(column))
    return column


def probabilities(name: Name, score: object) -> npt.NDArray[np.floating]:
    """Return a column of scores that are probabilities."""
    column = _numbers(name, score)
    if not (column.min() >= 0 and column.max() <= 1):  # also when there is a nan
        check_no_missing(name, np.isnan(column))
        in_percent = column.min() >= 0 and column.max() <= 100 and 2 * np.count_nonzero(column >= 2) > len(column)
        hint = PERCENT_HINT if in_percent else RANKING_HINT
        _check_none(name, A_PROBABILITY, column, (column < 0) | (column > 1), hint)
    return column


def counts(name: Name, column: object) -> FloatArray:
    """Return a column of counts by score as float64, finite and not negative."""
    found = _numbers(name, column).astype(np.float64, copy=False)
    if not (found.min() >= 0 and found.max() < math.inf):
        check_no_missing(name, np.isnan(found))
        _check_none(name, A_WEIGHT, found, (found < 0) | (found == math.inf))
    return found


def weights(name: Name, weight: object) -> FloatArray | None:
    """Return a column of weights as float64, or None if it is None."""
    if weight is None:
        return None
    column = counts(name, weight)
    check_total_weight(name, total_weight(column))
    return column


def total_weight(*columns: FloatArray) -> float:
    """Sum columns of weights, to infinity if the sum is too large for a float."""
    with np.errstate(over="ignore"):
        return sum(float(column.sum()) for column in columns)


def check_total_weight(name: Name | tuple[Name, ...], total: float) -> None:
    """Raise if all weights are zero, or if their sum is too large for a float."""
    if total == 0:
        raise InputError(name, "not be zero for every case")
    if total == math.inf:
        raise InputError(name, f"have a sum of at most {sys.float_info.max:.2g}", "more")


def check_probability_scores(lowest: float, highest: float) -> None:
    """Raise unless the scores of a table are probabilities, given the lowest and the highest."""
    if lowest < 0 or highest > 1:
        got = lowest if lowest < 0 else highest
        raise InputError("score", f"be {A_PROBABILITY}", show(got), hint=RANKING_HINT)


def missing_labels(column: Column) -> BoolArray | None:
    """Return which values are missing; None for a type without missing values."""
    if column.ndim != 1:
        return None
    if column.dtype.kind in "fcmM":
        return np.asarray(column != column)
    if column.dtype.kind in "OT":
        return np.fromiter(map(is_missing, column), np.bool_, len(column))
    return None


def cluster_labels(cluster: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return labels of clusters as a sortable array; raise if one is missing."""
    labels = np.asarray(cluster)
    if labels.ndim != 1:
        raise InputError("cluster", "be one-dimensional", f"shape {labels.shape}")
    if labels.dtype.kind == "O":
        missing = np.array([label is None or label != label for label in labels], dtype=np.bool_)
    else:
        missing = np.asarray(labels != labels)
    if missing.any():
        got = f"{np.count_nonzero(missing)} missing"
        raise InputError("cluster", "have a label for each case", got, row=int(missing.argmax()), first=True)
    return labels.astype(np.str_) if labels.dtype.kind == "O" else labels
