"""Making tables: what a table keeps of a sample, and what it forgets."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies import SCORES, samples, tables, weights

from stakes import ScoreTable, merge, recalibrate, score_table
from stakes.table import counts_from_top, flatten

COLUMNS = ("score", "positive", "negative")
ANY_SCORE = st.sampled_from([-np.inf, -7.5, -1e-300, 0.0, 5e-324, 0.3, 2.0, 1e300, np.inf])


def assert_same(one: ScoreTable, other: ScoreTable, **tolerance) -> None:
    assert_array_equal(one.score, other.score)
    assert_allclose(one.positive, other.positive, **tolerance)
    assert_allclose(one.negative, other.negative, **tolerance)


def table_case_by_case(y, score, weight) -> dict[float, list[float]]:
    """Weight of negatives and of positives at each score."""
    rows: dict[float, list[float]] = {}
    for outcome, value, count in zip(y, score, weight, strict=True):
        if count:
            rows.setdefault(float(value), [0.0, 0.0])[outcome] += count
    return rows


@given(samples(one_class=True, score=ANY_SCORE, weight=weights(zero=True)).filter(lambda sample: sample[2].any()))
def test_a_table_holds_the_weight_of_each_class_at_each_score(sample):
    table, rows = score_table(*sample), table_case_by_case(*sample)
    assert table.score.tolist() == sorted(rows)
    assert_allclose(table.positive, [rows[score][1] for score in table.score.tolist()])
    assert_allclose(table.negative, [rows[score][0] for score in table.score.tolist()])


@given(samples(one_class=True), st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(sample, random):
    order = list(range(len(sample[0])))
    random.shuffle(order)
    assert_same(score_table(*sample), score_table(*(column[order] for column in sample)))


@given(samples(one_class=True, weight=weights(integer=True, zero=True)).filter(lambda sample: sample[2].any()))
def test_integer_weight_means_repeated_case(sample):
    y, score, weight = sample
    assert score_table(y, score, weight) == score_table(np.repeat(y, weight), np.repeat(score, weight))


@given(samples(one_class=True), st.sampled_from([0, 1]), st.sampled_from([-4.0, 0.3, 12.0]))
def test_weight_zero_means_absent(sample, outcome, score):
    with_ghost = (np.append(column, value) for column, value in zip(sample, (outcome, score, 0.0), strict=True))
    assert score_table(*with_ghost) == score_table(*sample)


@given(samples(one_class=True))
def test_unit_weights_are_no_weights(sample):
    y, score, _ = sample
    assert score_table(y, score, np.ones(len(y))) == score_table(y, score)


@given(samples(one_class=True), samples(one_class=True))
def test_merging_tables_is_concatenating_samples(one, other):
    together = score_table(*(np.concatenate(columns) for columns in zip(one, other, strict=True)))
    assert_same(merge(score_table(*one), score_table(*other)), together)


@given(tables(one_class=True))
def test_merging_one_table_gives_it_back(table):
    assert merge(table) == table


@given(samples(one_class=True, weight=weights(integer=True)))
def test_counts_by_score_are_repeated_cases(sample):
    y, score, count = sample
    assert ScoreTable.from_counts(score, count * y, count * (1 - y)) == score_table(
        np.repeat(y, count), np.repeat(score, count)
    )


@given(tables(one_class=True))
def test_totals_are_the_sums_of_the_columns(table):
    assert table.total == pytest.approx(table.positive.sum() + table.negative.sum(), rel=1e-15)
    assert table.prevalence == pytest.approx(table.positive.sum() / table.total, rel=1e-15)
    assert (table.lowest, table.highest) == (table.score.min(), table.score.max())


@given(tables(one_class=True))
def test_alarms_are_counted_from_the_highest_score_down(table):
    false_alarms, true_alarms = counts_from_top(table)
    thresholds = [np.inf, *table.score[::-1]]
    assert_allclose(
        false_alarms, [table.negative[table.score >= threshold].sum() for threshold in thresholds], rtol=1e-14
    )
    assert_allclose(
        true_alarms, [table.positive[table.score >= threshold].sum() for threshold in thresholds], rtol=1e-14
    )


def test_a_row_of_counts_that_weighs_nothing_is_dropped():
    table = ScoreTable.from_counts(score=[3, 1, 2], positive=[4, 0, 0], negative=[0, 5, 0])
    assert (table.score.tolist(), table.positive.tolist(), table.negative.tolist()) == ([1, 3], [0, 4], [5, 0])


@pytest.mark.parametrize("weight", [None, [1.5, 2.0, 0.5]])
def test_minus_zero_and_zero_are_one_score(weight):
    table = score_table([0, 1, 1], [-0.0, 0.0, 0.4], weight)
    assert table.score.tolist() == [0.0, 0.4]
    assert not np.signbit(table.score).any()


def test_counts_at_minus_zero_and_zero_are_one_row():
    table = ScoreTable.from_counts([-0.0, 0.0], [1, 2], [3, 4])
    assert (table.score.tolist(), table.positive.tolist(), table.negative.tolist()) == ([0.0], [3.0], [7.0])
    assert not np.signbit(table.score).any()


@pytest.mark.parametrize(
    "columns",
    [
        ([0, 1, 1], [0.25, 0.5, 0.25]),
        ((0.0, 1.0, 1.0), (0.25, 0.5, 0.25)),
        (np.array([False, True, True]), np.array([0.25, 0.5, 0.25], dtype=np.float32)),
        (np.array([0, 1, 1], dtype=np.uint8), np.array([0.25, 0.5, 0.25], dtype=np.float16)),
        (np.array([False, True, True], dtype=object), np.array([0.25, 0.5, 0.25], dtype=object)),
        (pd.Series([0, 1, 1], index=[7, 8, 9]), pd.Series([0.25, 0.5, 0.25], index=[3, 2, 1])),
        (pd.array([0, 1, 1], dtype="Int64"), pd.array([0.25, 0.5, 0.25], dtype="Float64")),
        (pl.Series([False, True, True]), pl.Series([0.25, 0.5, 0.25])),
    ],
    ids=["lists", "tuples", "float32", "float16", "objects", "pandas", "pandas nullable", "polars"],
)
def test_columns_of_any_make_give_the_same_table(columns):
    wanted = ScoreTable(np.array([0.25, 0.5]), np.array([1.0, 1.0]), np.array([1.0, 0.0]))
    assert score_table(*columns) == wanted


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (["ill", "well", "well"], "ill"),
        (np.array(["ill", "well", "well"], dtype=object), "ill"),
        (pd.Series(["ill", "well", "well"], dtype="category"), "ill"),
        (pl.Series(["ill", "well", "well"]), "ill"),
        ([-1, 1, 1], -1),
        ([0, 1, 1], 0),
        ([False, True, True], False),
    ],
    ids=["strings", "objects", "pandas category", "polars", "minus one", "zero", "false"],
)
def test_the_positive_label_may_be_named(labels, positive):
    assert score_table(labels, [0.9, 0.4, 0.2], pos_label=positive) == score_table([1, 0, 0], [0.9, 0.4, 0.2])


def test_a_single_class_needs_no_other_label():
    assert score_table([0, 0], [0.2, 0.3], pos_label=1) == score_table([0, 0], [0.2, 0.3])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5])], ids=["plain", "weighted"])
def test_making_a_table_leaves_the_arrays_of_the_caller_alone(dtype, weight):
    y, score = np.array([False, True, True]), np.array([0.7, 0.2, 0.4], dtype)
    table = score_table(y, score, weight)
    score[0], y[0] = 0.1, True
    assert table.score.tolist() == [float(dtype(value)) for value in (0.2, 0.4, 0.7)]
    assert table.positive[-1] == 0


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(
    "make",
    [
        lambda table: table,
        lambda table: merge(table, table),
        recalibrate,
        flatten,
        copy.copy,
        copy.deepcopy,
        lambda table: pickle.loads(pickle.dumps(table)),
    ],
    ids=["made", "merged", "recalibrated", "flattened", "copied", "deeply copied", "unpickled"],
)
def test_arrays_of_a_table_are_read_only(make, column):
    table = make(score_table([0, 1, 0], [0.2, 0.7, 0.4]))
    with pytest.raises(ValueError, match=r"^assignment destination is read-only$"):
        getattr(table, column)[0] = 1.0


def test_columns_of_a_table_cannot_be_replaced():
    table = score_table([0, 1], [0.2, 0.7])
    with pytest.raises(AttributeError, match=r"^cannot assign to field 'score'$"):
        table.score = np.array([0.1, 0.2])


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_is_equal(again):
    table = score_table([0, 1, 0], [0.2, 0.7, 0.4], [1.5, 2.0, 0.1])
    assert again(table) == table


@pytest.mark.parametrize("column", [0, 1, 2])
def test_tables_that_differ_in_one_column_are_not_equal(column):
    columns = [np.array([0.2, 0.7]), np.array([1.0, 3.0]), np.array([5.0, 0.0])]
    other = [values.copy() for values in columns]
    other[column][1] += 0.125
    assert ScoreTable(*columns) != ScoreTable(*other)


def test_tables_of_different_length_are_not_equal():
    assert score_table([0, 1], [0.2, 0.7]) != score_table([0, 1, 1], [0.2, 0.7, 0.8])


def test_a_table_is_not_equal_to_something_else():
    assert score_table([0, 1], [0.2, 0.7]) != "a table"


def test_a_table_cannot_be_hashed():
    with pytest.raises(TypeError, match=r"^unhashable type: 'ScoreTable'$"):
        hash(score_table([0, 1], [0.2, 0.7]))


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        (score_table([1], [0.5]), "ScoreTable(1 score, weight 1, prevalence 1)"),
        (score_table([0, 1, 0], [0.2, 0.7, 0.4]), "ScoreTable(3 scores, weight 3, prevalence 0.333)"),
        (score_table([0, 1], [0.2, 0.7], [0.5, 0.25]), "ScoreTable(2 scores, weight 0.75, prevalence 0.333)"),
        (
            ScoreTable.from_counts(np.arange(1234), np.full(1234, 7), np.full(1234, 1_000_000)),
            "ScoreTable(1,234 scores, weight 1,234,008,638, prevalence 7e-06)",
        ),
    ],
    ids=["one", "three", "weighted", "large and rare"],
)
def test_a_table_shows_its_size_weight_and_prevalence(table, shown):
    assert repr(table) == shown


def test_the_length_of_a_table_is_its_number_of_distinct_scores():
    assert len(score_table([0, 1, 0, 1], [0.2, 0.7, 0.2, 0.4])) == 3


def test_scores_of_the_strategies_are_distinct():
    assert len(set(SCORES)) == len(SCORES)


def test_a_table_neither_shares_nor_freezes_the_arrays_it_is_made_of():
    score, positive, negative = np.array([0.2, 0.7]), np.array([0.0, 1.0]), np.array([1.0, 0.0])
    table = ScoreTable(score, positive, negative)
    score[0], positive[0], negative[0] = 0.5, 9.0, 9.0
    assert table == ScoreTable.from_counts([0.2, 0.7], [0, 1], [1, 0])


def test_a_table_of_lists_is_a_table():
    assert ScoreTable([0.2, 0.7], [0, 1], [1, 0]) == ScoreTable.from_counts([0.2, 0.7], [0, 1], [1, 0])


def test_a_table_keeps_read_only_arrays_without_a_copy():
    table = score_table([0, 1], [0.2, 0.7])
    assert ScoreTable(table.score, table.positive, table.negative).score is table.score
