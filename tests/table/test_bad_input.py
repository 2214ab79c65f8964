"""What is refused at the door of the tables, in whole sentences."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from stakes import ScoreTable, at_prevalence, merge, recalibrate, save_table, score_table
from stakes.beliefs import At
from stakes.prevalence import reweight_classes, shift_scores
from stakes.table import Recalibration, coarsen, flatten

TABLE = score_table([0, 1, 0], [0.2, 0.7, 0.4])
LOG_ODDS = score_table([0, 1, 0], [-1.5, 2.0, 0.3])
NO_POSITIVES, NO_NEGATIVES = score_table([0, 0], [0.2, 0.7]), score_table([1, 1], [0.2, 0.7])
PROBABILITY = (
    "`score` must be a probability between 0 and 1, got {}; measures of ranking, such as `auc`, accept any number."
)


def message_of(call, kind: type[Exception]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


# ---------------------------------------------------------------------------------------------------- columns


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 2], "`y` must be 0 or 1, got 2 at row 1."),
        (
            [-1, 1],
            "`y` must be 0 or 1, got -1 at row 0; name the positive label with `pos_label` (labels found: -1, 1).",
        ),
        ([0.0, 0.5], "`y` must be 0 or 1, got 0.5 at row 1."),
        (
            ["well", "ill"],
            "`y` must be 0 or 1, got 'well' at row 0; "
            "name the positive label with `pos_label` (labels found: 'ill', 'well').",
        ),
        ([1.0, math.nan], "`y` must not have missing values, got 1 missing value, at row 1."),
        ([None, None], "`y` must not have missing values, got 2 missing values, the first at row 0."),
        (pd.array([0, None], dtype="Int64"), "`y` must not have missing values, got 1 missing value, at row 1."),
        (pd.array([None, True], dtype="boolean"), "`y` must not have missing values, got 1 missing value, at row 0."),
        (pl.Series([0, None]), "`y` must not have missing values, got 1 missing value, at row 1."),
        (
            np.ma.array([0, 1], mask=[True, False]),
            "`y` must not have missing values, got 1 missing value, at row 0.",
        ),
        ([], "`y` must hold at least one case, got none."),
        ([0, 1, 1], "`y` and `score` must have the same length, got 3 and 2."),
        ([[0], [1]], "`y` must be one-dimensional, got shape (2, 1)."),
    ],
)
def test_outcomes_that_are_refused(y, message):
    assert message_of(lambda: score_table(y, [0.2, 0.7]), ValueError) == message


@pytest.mark.parametrize(
    ("y", "label", "message"),
    [
        (["a", "b"], "c", "`pos_label` must be a label of `y`, got 'c'; labels found: 'a', 'b'."),
        ([0, 1], "1", "`pos_label` must be a label of `y`, got '1'; labels found: 0, 1."),
        (
            ["No", "yes", "Yes"],
            "yes",
            "`y` must have two labels, got 3: 'No', 'Yes', 'yes'; write each label in one way.",
        ),
        (["c", "a", "b"], "a", "`y` must have two labels, got 3: 'a', 'b', 'c'; drop the cases with other labels."),
    ],
)
def test_positive_labels_that_are_refused(y, label, message):
    assert message_of(lambda: score_table(y, [0.2] * len(y), pos_label=label), ValueError) == message


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ([0.2, math.nan], "`score` must not have missing values, got 1 missing value, at row 1."),
        ([None, 0.7], "`score` must not have missing values, got 1 missing value, at row 0."),
        (["0.2", "high"], "`score` must be numbers, got '0.2' at row 0."),
        (
            [[0.8, 0.2], [0.3, 0.7]],
            "`score` must be one-dimensional, got shape (2, 2); pass the column of the positive class.",
        ),
        ([[0.2], [0.7]], "`score` must be one-dimensional, got shape (2, 1)."),
        ([[0.2], [0.7, 0.1]], "`score` must be one-dimensional, got rows of different lengths."),
        ([0.2], "`y` and `score` must have the same length, got 2 and 1."),
    ],
)
def test_scores_that_are_refused(score, message):
    assert message_of(lambda: score_table([0, 1], score), ValueError) == message


@pytest.mark.parametrize(
    ("score", "word"), [(0.2, "float"), ("0.2", "str"), (None, "NoneType"), (iter([1]), "list_iterator")]
)
def test_what_is_not_a_column_is_refused(score, word):
    wanted = f"`score` must be a list, an array or a column, got {word}."
    assert message_of(lambda: score_table([0, 1], score), TypeError) == wanted
    assert message_of(lambda: Recalibration.of(TABLE)(score), TypeError) == wanted


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1], "`weight` must be finite and not negative, got -1 at row 1."),
        ([math.inf, 1], "`weight` must be finite and not negative, got inf at row 0."),
        ([1, math.nan], "`weight` must not have missing values, got 1 missing value, at row 1."),
        ([0, 0], "`weight` must not be zero for every case."),
        (["a", "b"], "`weight` must be numbers, got 'a' at row 0."),
        ([1], "`y`, `score` and `weight` must have the same length, got 2, 2 and 1."),
    ],
)
def test_weights_that_are_refused(weight, message):
    assert message_of(lambda: score_table([0, 1], [0.2, 0.7], weight), ValueError) == message


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (([0.2, math.nan], [1, 1], [1, 1]), "`score` must not have missing values, got 1 missing value, at row 1."),
        (([0.2, 0.7], [1, -2], [1, 1]), "`positive` must be finite and not negative, got -2 at row 1."),
        (([0.2, 0.7], [1, 1], [math.inf, 1]), "`negative` must be finite and not negative, got inf at row 0."),
        (([0.2, 0.7], [1, 1], ["x", "y"]), "`negative` must be numbers, got 'x' at row 0."),
        (([0.2, 0.7], [1], [1, 1]), "`score`, `positive` and `negative` must have the same length, got 2, 1 and 2."),
        (([0.2, 0.7], [0, 0], [0, 0]), "`positive` and `negative` must not both be zero for every score."),
        (([], [], []), "`score` must hold at least one case, got none."),
    ],
)
def test_counts_that_are_refused(counts, message):
    assert message_of(lambda: ScoreTable.from_counts(*counts), ValueError) == message


# ----------------------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    "call",
    [
        recalibrate,
        flatten,
        Recalibration.of,
        Recalibration.of(TABLE).apply,
        lambda given: coarsen(given, rows=2),
        lambda given: reweight_classes(given, 0.2),
        lambda given: shift_scores(given, 0.2),
        lambda given: at_prevalence(given, 0.2),
        lambda given: save_table(given, "never.csv"),
    ],
)
@pytest.mark.parametrize(("given", "word"), [([0.2, 0.7], "list"), (None, "NoneType"), (At(0.2), "At")])
def test_what_is_not_a_table_is_refused(call, given, word):
    wanted = f"`table` must be a ScoreTable (see `score_table`), got {word}."
    assert message_of(lambda: call(given), TypeError) == wanted


def test_merging_a_list_is_refused():
    wanted = "`tables` must be a ScoreTable (see `score_table`), got list."
    assert message_of(lambda: merge([TABLE, TABLE]), TypeError) == wanted


def test_merging_nothing_is_refused():
    assert message_of(merge, TypeError) == "`merge` needs at least one table, got none."


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        (0, ValueError, "`rows` must be at least 1, got 0."),
        (-3, ValueError, "`rows` must be at least 1, got -3."),
        (2.5, TypeError, "`rows` must be a whole number, got 2.5."),
        (True, TypeError, "`rows` must be a whole number, got True."),
        ("2", TypeError, "`rows` must be a whole number, got '2'."),
    ],
)
def test_numbers_of_rows_that_are_refused(rows, kind, message):
    assert message_of(lambda: coarsen(TABLE, rows=rows), kind) == message


@pytest.mark.parametrize("score", [[-math.inf, 1.0], [1.0, math.inf]])
def test_infinite_scores_cannot_be_coarsened(score):
    wanted = "`table` must have finite scores to be coarsened, got an infinite one."
    assert message_of(lambda: coarsen(score_table([0, 1], score), rows=1), ValueError) == wanted


# ------------------------------------------------------------------------------------------------- prevalence


@pytest.mark.parametrize("call", [reweight_classes, shift_scores, at_prevalence])
@pytest.mark.parametrize(
    ("prevalence", "kind", "message"),
    [
        (0, ValueError, "`prevalence` must lie strictly between 0 and 1, got 0."),
        (1, ValueError, "`prevalence` must lie strictly between 0 and 1, got 1."),
        (1.5, ValueError, "`prevalence` must lie strictly between 0 and 1, got 1.5."),
        (math.nan, ValueError, "`prevalence` must be a number, got nan."),
        ("rare", ValueError, "`prevalence` must look like 10%, 0.1 or 30/200, got 'rare'."),
        (At(0.1), TypeError, "`prevalence` must be a number, got At(value=0.1)."),
    ],
)
def test_prevalences_that_are_refused(call, prevalence, kind, message):
    assert message_of(lambda: call(TABLE, prevalence), kind) == message


@pytest.mark.parametrize("assumed", [0, 1])
def test_an_assumed_prevalence_of_zero_or_one_is_refused(assumed):
    wanted = f"`from_prevalence` must lie strictly between 0 and 1, got {assumed}."
    assert message_of(lambda: shift_scores(TABLE, 0.2, from_prevalence=assumed), ValueError) == wanted


@pytest.mark.parametrize("call", [reweight_classes, shift_scores, at_prevalence])
@pytest.mark.parametrize(("table", "absent"), [(NO_POSITIVES, "positives"), (NO_NEGATIVES, "negatives")])
def test_one_class_cannot_be_moved_to_another_prevalence(call, table, absent):
    assert message_of(lambda: call(table, 0.2), ValueError) == f"`table` must have both classes, got no {absent}."


@pytest.mark.parametrize("call", [shift_scores, at_prevalence])
@pytest.mark.parametrize(
    ("table", "got"),
    [(LOG_ODDS, "-1.5"), (score_table([0, 1], [0.3, 2.25]), "2.25"), (score_table([0, 1], [0.3, math.inf]), "inf")],
)
def test_only_probabilities_can_be_shifted(call, table, got):
    assert message_of(lambda: call(table, 0.2), ValueError) == PROBABILITY.format(got)


def test_missing_scores_cannot_be_recalibrated():
    wanted = "`score` must not have missing values, got 1 missing value, at row 1."
    assert message_of(lambda: Recalibration.of(TABLE)([0.2, math.nan]), ValueError) == wanted
