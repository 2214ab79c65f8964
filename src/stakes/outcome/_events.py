"""The end of each case as a code: left, the event of interest, or another event."""

from __future__ import annotations

import numbers
import warnings

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._errors import Argument, InputError, InputTypeError
from stakes._input_warning import InputWarning

Kinds = npt.NDArray[np.int8]
LEFT, EVENT, OTHER = 0, 1, 2

_EVENT = Argument("event")


def event_kinds(event: object, cause: object, censored: object) -> Kinds:
    """Return the kind of each case's end; raise for a code that is none."""
    if isinstance(event, str) or not hasattr(event, "__len__"):
        raise InputTypeError("event", "be a list, an array or a column", type(event).__name__)
    array = np.asarray(event)
    _columns.check_one_dimension("event", array.shape)
    missing = _columns.missing_labels(array)
    if missing is not None:
        _columns.check_no_missing("event", missing)
    if array.dtype.kind == "O":
        array = np.array(array.tolist())
    if array.dtype.kind in "biuf":
        _check_codes(_few(array).astype(np.float64), cause, censored)
    else:
        _check_labels(array, cause, censored)
    left, wanted = np.asarray(array == censored), np.asarray(array == cause)
    if np.any(left & wanted):
        raise InputError(("cause", "censored"), "be different labels", f"{_check.show(cause)} for both")
    if not wanted.any():
        text = (Argument("cause"), f" {_check.show(cause)} never occurs in ", _EVENT, ": the risk is 0.")
        warnings.warn(InputWarning(text), stacklevel=_check.stack_level())
    elif array.dtype.kind in "iuf" and (cause, censored) == (1, 0):
        _warn_of_one_and_two(array)
    return np.where(left, LEFT, np.where(wanted, EVENT, OTHER)).astype(np.int8)


def _few(codes: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """Return the codes; of truth values only those that occur, which are all right whatever their row."""
    if codes.dtype != np.bool_:
        return codes
    return np.array([value for value, occurs in ((False, not codes.all()), (True, codes.any())) if occurs])


def _warn_of_one_and_two(codes: npt.NDArray[np.generic]) -> None:
    """Warn where codes are 1 and 2 alone: those of R mean censored and the event, ours two kinds of event."""
    if codes.min() == 1 and codes.max() == 2:
        text = (
            *(
                _EVENT,
                " is 1 or 2 and never 0, so that nobody is censored and 2 is another event. If 1 means censored ",
            ),
            "and 2 the event, as R's `Surv` reads these codes, name them: ",
            *(Argument("cause"), " 2 and ", Argument("censored"), " 1."),
        )
        warnings.warn(InputWarning(text), stacklevel=_check.stack_level())


def _check_codes(codes: npt.NDArray[np.float64], cause: object, censored: object) -> None:
    for name, code in (("cause", cause), ("censored", censored)):
        if not isinstance(code, numbers.Real | np.bool_):
            wanted = ("be a number where the codes of ", _EVENT, " are")
            raise InputTypeError(name, wanted, _check.show(code))
    _check_censored(codes, cause, censored)
    wrong = (codes < 0) | (codes != np.floor(codes)) | ~np.isfinite(codes)
    wrong &= codes != censored
    if wrong.any():
        row = int(wrong.argmax())
        raise _columns.wrong_value("event", "0, 1, 2, ...", codes[row], row)


def _check_censored(codes: npt.NDArray[np.float64], cause: object, censored: object) -> None:
    """Raise if those who left would be taken for cases of another event; nobody need have left."""
    others = np.unique(codes[(codes != cause) & (codes != censored)])
    if censored != 0 and 0 in others:
        raise InputError("censored", ("be 0 where ", _EVENT, " has the code 0"), _check.show(censored))
    if censored != 0 and len(others) and not np.any(codes == censored):
        shown = ", ".join(f"{code:g}" for code in others[:5]) + (", ..." if len(others) > 5 else "")
        wanted = ("be one of the codes of ", _EVENT, " besides ", Argument("cause"), f" ({shown})")
        raise InputError("censored", wanted, _check.show(censored))


def _check_labels(labels: npt.NDArray[np.generic], cause: object, censored: object) -> None:
    """Raise unless both labels occur: a typing error would turn everybody's end into another event."""
    found = [str(label) for label in np.unique(labels)]
    for name, label in (("cause", cause), ("censored", censored)):
        if label not in found:
            shown = ", ".join(map(repr, found[:5])) + (", ..." if len(found) > 5 else "")
            raise InputError(name, ("be one of the labels of ", _EVENT, f" ({shown})"), _check.show(label))


def structured_fields(y: object) -> tuple[str, str]:
    """Return the names of the boolean and of the numeric field of a structured array."""
    fields = getattr(getattr(y, "dtype", None), "fields", None) or {}
    events = [name for name, (kind, *_) in fields.items() if kind.kind == "b"]
    times = [name for name, (kind, *_) in fields.items() if kind.kind in "iuf"]
    if len(events) != 1 or len(times) != 1:
        wanted = "be a structured array with one boolean and one numeric field"
        raise InputTypeError("y", wanted, ", ".join(fields) or type(y).__name__)
    return events[0], times[0]
