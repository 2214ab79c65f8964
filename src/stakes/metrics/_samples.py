"""Samples of arrays, checked under the argument names that scikit-learn users know."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.case_costs import CaseCostsLike, as_case_costs, check_no_follow_up, stakes_of
from stakes.outcome import EventBy, check_outcome
from stakes.table import ScoreTable, Unsorted, sorted_table, staked_table, table_of_outcome, unsorted_table

Column = npt.ArrayLike | EventBy  # an outcome may also be an EventBy


def cases(
    y_true: Column,
    y_proba: Column,
    sample_weight: Column | None,
    pos_label: object,
    case_costs: CaseCostsLike | None = None,
) -> Unsorted | ScoreTable:
    """Return the cases unsorted, for means of pointwise losses; with costs, their table."""
    given = "y_proba", y_true, y_proba, sample_weight, pos_label
    special = _special_table(*given, case_costs)
    return unsorted_table(*_columns_of(*given)) if special is None else special


def both_classes(
    y_true: Column,
    y_proba: Column,
    sample_weight: Column | None,
    pos_label: object,
    case_costs: CaseCostsLike | None = None,
) -> Unsorted | ScoreTable:
    """Return the cases unsorted, for measures that reweight the classes and need both."""
    sample = cases(y_true, y_proba, sample_weight, pos_label, case_costs)
    if not (sample.positive_total > 0 and sample.negative_total > 0):
        absent = "positives" if sample.positive_total <= 0 else "negatives"
        raise InputError("y_true", "have both classes", f"no {absent}")
    return sample


def table(
    y_true: Column,
    y_score: Column,
    sample_weight: Column | None,
    pos_label: object,
    case_costs: CaseCostsLike | None = None,
    *,
    name: str = "y_score",
) -> ScoreTable:
    """Return the table of scores, any numbers unless `name` is that of probabilities; with costs, these."""
    given = name, y_true, y_score, sample_weight, pos_label
    special = _special_table(*given, case_costs)
    return sorted_table(*_columns_of(*given)) if special is None else special


probability_table = partial(table, name="y_proba")


def _special_table(
    name: str,
    y_true: Column,
    score: Column,
    sample_weight: Column | None,
    pos_label: object,
    case_costs: CaseCostsLike | None,
) -> ScoreTable | None:
    """Return the table of censoring weights or of money; None where cases weigh as themselves."""
    if (followed := check_outcome("y_true", y_true, pos_label)) is not None:
        return _table_of_followed(name, followed, score, sample_weight, case_costs)
    return None if case_costs is None else _table_of_stakes(name, y_true, score, sample_weight, pos_label, case_costs)


def _table_of_stakes(
    name: str,
    y_true: Column,
    score: Column,
    sample_weight: Column | None,
    pos_label: object,
    case_costs: CaseCostsLike,
) -> ScoreTable:
    """Return the table of stakes."""
    label, _, weight = _columns_of(name, y_true, score, sample_weight, pos_label)
    weighs = None if weight is None else weight > 0
    stakes = stakes_of(as_case_costs("case_costs", case_costs), label, "y_true", weighs=weighs)
    return staked_table(label, stakes.scores(_columns.probabilities(name, score)), weight, stakes)


def _table_of_followed(
    name: str, outcome: EventBy, score: Column, sample_weight: Column | None, case_costs: CaseCostsLike | None
) -> ScoreTable:
    """Return the table of cases that were not all followed until the horizon."""
    check_no_follow_up(case_costs)
    scores = (_columns.probabilities if name == "y_proba" else _columns.scores)(name, score)
    weight = _columns.weights("sample_weight", sample_weight)
    return table_of_outcome(outcome, scores, weight, names=("y_true", name, "sample_weight"))


def _columns_of(
    name: str, y_true: Column, score: Column, sample_weight: Column | None, pos_label: object
) -> tuple[BoolArray, npt.NDArray[np.floating], FloatArray | None]:
    """Check outcomes, scores and weights; `name` is that of the scores."""
    check_scores = _columns.probabilities if name == "y_proba" else _columns.scores
    label, scores, weight = (
        _columns.outcome("y_true", y_true, pos_label),
        check_scores(name, score),
        _columns.weights("sample_weight", sample_weight),
    )
    _columns.check_same_length(**{"y_true": label, name: scores, "sample_weight": weight})
    return label, scores, weight
