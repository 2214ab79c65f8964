"""Folds of a cross-validation, dealt at random or given: rows to fit on and rows to test on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import Argument, InputError, InputTypeError
from stakes.evaluation._fitting import FitData, scikit_learn

Rows: TypeAlias = npt.NDArray[np.intp]

REPEATS = 10  # unless given


class Split(NamedTuple):
    """The rows that a model is fitted on, and those that it is tested on."""

    fit: Rows
    test: Rows


def make_repeats(folds: Any, repeats: int | None, data: FitData, rng: np.random.Generator) -> list[list[Split]]:
    """Return the splits of each repeat; in each of them every case is tested once."""
    if isinstance(folds, int | float | np.number | str) or folds is None:
        return _deal(folds, REPEATS if repeats is None else repeats, data, rng)
    if repeats is not None:
        hint = "those are repeated as often as they test every case"
        raise InputError("repeats", ("be left out where ", Argument("folds"), " are given"), str(repeats), hint=hint)
    splits = folds.split(data.X, data.labels, data.cluster) if hasattr(folds, "split") else folds
    if not isinstance(splits, Iterable):
        wanted = "be a number, a splitter of scikit-learn, or pairs of rows to fit on and rows to test on"
        raise InputTypeError("folds", wanted, type(folds).__name__)
    return _by_repeat([_as_split(pair, data) for pair in splits], len(data.positive))


# ------------------------------------------------------------------------------------------- dealt


def _deal(folds: Any, repeats: int, data: FitData, rng: np.random.Generator) -> list[list[Split]]:
    """Deal cases, or whole clusters, into folds that have both classes, once for each repeat."""
    number, times = _check.whole_number("folds", folds, 2), _check.whole_number("repeats", repeats, 1)
    _check_classes(number, data)
    selection = scikit_learn("model_selection")
    deal = selection.StratifiedKFold if data.cluster is None else selection.StratifiedGroupKFold
    seeds = rng.integers(1 << 31, size=times).tolist()
    dealt = (deal(number, shuffle=True, random_state=seed) for seed in seeds)
    y = data.positive
    return [[_check_both_classes(Split(*one), data) for one in each.split(y, y, data.cluster)] for each in dealt]


def _check_classes(folds: int, data: FitData) -> None:
    """Raise if a class has fewer cases, or is in fewer clusters, than there are folds."""
    for which, here in (("positive", data.positive), ("negative", ~data.positive)):
        here = here & data.counts
        most = int(np.count_nonzero(here)) if data.cluster is None else len(np.unique(data.cluster[here]))
        cases = f"{which} cases" if data.cluster is None else f"clusters with {which} cases"
        if most < 2:
            raise InputError("y", f"have at least 2 {cases}, one to fit on and one to test on", f"{most}")
        if folds > most:
            raise InputError("folds", f"be at most {most:,}, the number of {cases}", f"{folds:,}")


def _check_both_classes(split: Split, data: FitData) -> Split:
    """Raise if a model would be fitted on one class only."""
    fitted = data.positive[split.fit[data.counts[split.fit]]]
    if not len(fitted) or fitted.all() or not fitted.any():
        which = "no" if not len(fitted) else "only positive" if fitted.all() else "only negative"
        raise InputError("folds", "leave cases of both classes to fit on", f"a fold that leaves {which} cases")
    return split


# ------------------------------------------------------------------------------------------- given


def _as_split(pair: Any, data: FitData) -> Split:
    """Return a pair as rows to fit on and rows to test on, which share neither cases nor clusters."""
    try:
        fit, test = pair
    except (TypeError, ValueError):
        wanted = "hold pairs: rows to fit on, and rows to test on"
        raise InputTypeError("folds", wanted, type(pair).__name__) from None
    split = Split(_as_rows(fit, len(data.positive)), _as_rows(test, len(data.positive)))
    shared = np.intersect1d(split.fit, split.test)
    if len(shared):
        raise InputError("folds", "not fit on cases that they test", "one", row=int(shared[0]))
    if data.cluster is not None:
        both = np.intersect1d(data.cluster[split.fit], data.cluster[split.test])
        if len(both):
            raise InputError("folds", "keep clusters whole", f"{_check.show(both[0].item())} on both sides of a split")
    return _check_both_classes(split, data)


def _as_rows(given: Any, cases: int) -> Rows:
    rows = np.asarray(given)
    if rows.dtype == np.bool_ and rows.shape == (cases,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
        raise InputError("folds", "hold row numbers", f"{rows.dtype} of shape {rows.shape}")
    if rows.min() < 0 or rows.max() >= cases:
        wrong = int(rows.min() if rows.min() < 0 else rows.max())
        raise InputError("folds", f"hold row numbers from 0 to {cases - 1:,}", f"{wrong:,}")
    return rows.astype(np.intp)


def _by_repeat(splits: Sequence[Split], cases: int) -> list[list[Split]]:
    """Divide splits into repeats, each of which tests every case once."""
    repeats: list[list[Split]] = [[]]
    tested = np.zeros(cases, dtype=np.intp)
    for split in splits:
        if tested.all():
            repeats.append([])
            tested[:] = 0
        np.add.at(tested, split.test, 1)
        if tested.max() > 1:
            raise InputError("folds", "test every case once in a repeat", "one twice", row=int(tested.argmax()))
        repeats[-1].append(split)
    if not tested.all():
        row = int(tested.argmin())
        raise InputError("folds", "test every case once in a repeat", "one that is not tested", row=row)
    return repeats
