"""Arrays, judged by the names that users of scikit-learn know them by, as the samples that the numbers are of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.table import ScoreTable, Unsorted, sorted_table, unsorted_table

Column = npt.ArrayLike


def cases(y_true: Column, y_proba: Column, sample_weight: Column | None, pos_label: object) -> Unsorted:
    """Return the cases as they come, for means of pointwise losses: nothing is sorted."""
    return unsorted_table(*_judged("y_proba", y_true, y_proba, sample_weight, pos_label))


def cases_of_both_classes(y_true: Column, y_proba: Column, sample_weight: Column | None, pos_label: object) -> Unsorted:
    """Return the cases as they come, for numbers that weigh the classes anew and cannot do without either."""
    found = cases(y_true, y_proba, sample_weight, pos_label)
    if not (found.positive_total > 0 and found.negative_total > 0):
        absent = "positives" if found.positive_total <= 0 else "negatives"
        raise InputError("y_true", "have both classes", f"no {absent}")
    return found


def table_of_probabilities(
    y_true: Column, y_proba: Column, sample_weight: Column | None, pos_label: object
) -> ScoreTable:
    """Return the table of probabilities."""
    return sorted_table(*_judged("y_proba", y_true, y_proba, sample_weight, pos_label))


def table_of_scores(y_true: Column, y_score: Column, sample_weight: Column | None, pos_label: object) -> ScoreTable:
    """Return the table of scores, which may be any numbers."""
    return sorted_table(*_judged("y_score", y_true, y_score, sample_weight, pos_label))


def _judged(
    name: str, y_true: Column, score: Column, sample_weight: Column | None, pos_label: object
) -> tuple[BoolArray, npt.NDArray[np.floating], FloatArray | None]:
    """Judge outcomes, scores and weights by the names that the caller knows them by; `name` is that of the scores."""
    judge = _columns.probabilities if name == "y_proba" else _columns.scores
    label, scores, weight = (
        _columns.outcome("y_true", y_true, pos_label),
        judge(name, score),
        _columns.weights("sample_weight", sample_weight),
    )
    _columns.check_same_length(**{"y_true": label, name: scores, "sample_weight": weight})
    return label, scores, weight
