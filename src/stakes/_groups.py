"""Labels of groups as text; cases without one are a group too."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from stakes._arrays import Column
from stakes._columns import is_missing, missing_labels
from stakes._errors import Argument, InputError

MOST_GROUPS, MISSING_GROUP = 50, "(missing)"


def group_codes(group: npt.ArrayLike, cases: int) -> tuple[Column, npt.NDArray[np.intp]]:
    """Return the labels of the groups as text, sorted, and for each case the place of its own among them.

    Cases without a label are a group of their own. Texts are compared once: places compare a hundred times faster.
    """
    labels = np.asarray(group)
    if labels.dtype.kind == "U" and not isinstance(group, np.ndarray):  # a nan among words has become a word
        labels = np.asarray(group, dtype=object)
    if labels.shape != (cases,):
        raise InputError("group", f"have one label for each of the {cases:,} cases", f"shape {labels.shape}")
    missing = missing_labels(labels)
    text: Column = labels.astype(np.str_)
    if missing is not None and missing.any():
        text = np.where(missing, MISSING_GROUP, text)
    names: Column = np.unique(text)
    check_groups(names.tolist())
    return names, np.searchsorted(names, text)


def group_name(label: object) -> str:
    """Return a group label as text, the same as `group_codes` does for many."""
    return MISSING_GROUP if is_missing(label) else str(label)


def check_groups(names: Collection[str]) -> None:
    """Raise if there are too many groups to compare, or if no case has a label."""
    number = len(names)
    if set(names) == {MISSING_GROUP}:
        raise InputError("group", "have a label for at least one case", "none")
    if number > MOST_GROUPS:
        hint = ("for clustered cases use ", Argument("cluster"))
        raise InputError("group", f"hold at most {MOST_GROUPS} different labels", f"{number:,}", hint=hint)
