"""The door: what raw columns may be, and the whole text of what is said about those that may not."""

import datetime
import tracemalloc
import warnings
from array import array
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import stakes
from stakes import _check, _columns, metrics

NAN, INF = float("nan"), float("inf")


def said(judge, *arguments, **keywords):
    """Return the kind and the whole text of a refusal."""
    with pytest.raises((TypeError, ValueError)) as caught:
        judge(*arguments, **keywords)
    return TypeError if isinstance(caught.value, TypeError) else ValueError, str(caught.value)


def outcome(values, pos_label=None):
    return _columns.outcome("y", values, pos_label)


def scores(values):
    return _columns.scores("score", values)


def probabilities(values):
    return _columns.probabilities("score", values)


def weights(values):
    return _columns.weights("weight", values)


JUDGES = {"y": outcome, "score": scores, "weight": weights}

# ------------------------------------------------------------------------------------------------ shapes


def test_one_that_is_no_column_is_refused_by_its_kind():
    wanted = "must be a list, an array or a column, got"
    for values, kind in [
        (3, "int"),
        (0.5, "float"),
        (np.float64(0.5), "float64"),
        ("0110", "str"),
        (b"0110", "bytes"),
        ((y for y in [0, 1]), "generator"),
        (map(int, "01"), "map"),
        ({0: 1, 1: 0}, "dict"),
        ({0: 1}.values(), "dict_values"),
        ({0, 1}, "set"),
        (pl.LazyFrame({"y": [0, 1]}), "LazyFrame"),
        (pl.col("y"), "Expr"),
        (np.array, "builtin_function_or_method"),
    ]:
        for name, judge in JUDGES.items():
            assert said(judge, values) == (TypeError, f"`{name}` {wanted} {kind}.")
    assert said(outcome, None) == (TypeError, f"`y` {wanted} NoneType.")


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (np.array(1), "shape ()"),
        ([[0], [1]], "shape (2, 1)"),
        (np.zeros((3, 3)), "shape (3, 3)"),
        (np.zeros((2, 2, 2)), "shape (2, 2, 2)"),
        (pd.DataFrame({"a": [0, 1]}), "shape (2, 1)"),
        (pl.DataFrame({"a": [0, 1, 1]}), "shape (3, 1)"),
        (np.zeros((3, 2)), "shape (3, 2); pass the column of the positive class"),
        (pd.DataFrame({"no": [0.1, 0.2], "yes": [0.9, 0.8]}), "shape (2, 2); pass the column of the positive class"),
        (np.zeros((0, 2)), "shape (0, 2); pass the column of the positive class"),
        (np.ma.array(np.zeros((2, 3)), mask=True), "shape (2, 3)"),
        ([[0, 1], [1]], "rows of different lengths"),
        ([0, [1]], "rows of different lengths"),
    ],
)
def test_what_is_not_one_dimensional_is_refused_with_its_shape(values, found):
    for name, judge in JUDGES.items():
        assert said(judge, values) == (ValueError, f"`{name}` must be one-dimensional, got {found}.")


@pytest.mark.parametrize("values", [[], (), np.array([]), np.array([], dtype=object), pd.Series([]), pl.Series([])])
def test_a_column_without_cases_is_refused(values):
    for name, judge in JUDGES.items():
        assert said(judge, values) == (ValueError, f"`{name}` must hold at least one case, got none.")


def test_lengths_that_differ_are_told():
    assert said(stakes.score_table, [0, 1, 1], [0.1, 0.2]) == (
        ValueError,
        "`y` and `score` must have the same length, got 3 and 2.",
    )
    assert said(stakes.score_table, [0, 1], [0.1, 0.2], [1, 2, 3]) == (
        ValueError,
        "`y`, `score` and `weight` must have the same length, got 2, 2 and 3.",
    )
    assert said(metrics.brier_score, [0, 1], [0.5], sample_weight=[1, 1]) == (
        ValueError,
        "`y_true`, `y_proba` and `sample_weight` must have the same length, got 2, 1 and 2.",
    )
    assert said(metrics.auc, [0], [0.1, 0.2]) == (
        ValueError,
        "`y_true` and `y_score` must have the same length, got 1 and 2.",
    )


# ------------------------------------------------------------------------------------------------ missing values

ONE_MISSING = {
    "a list with nan": [0, NAN, 1],
    "a list with None": [0, None, 1],
    "a list with pandas.NA": [0, pd.NA, 1],
    "a list with NaT": [0, pd.NaT, 1],
    "a list of Decimal": [Decimal(0), Decimal("nan"), Decimal(1)],
    "a tuple": (0.0, NAN, 1.0),
    "float16": np.array([0, NAN, 1], np.float16),
    "float32": np.array([0, NAN, 1], np.float32),
    "float64": np.array([0, NAN, 1]),
    "longdouble": np.array([0, NAN, 1], np.longdouble),
    "big-endian": np.array([0, NAN, 1], ">f8"),
    "negative nan": -np.array([0, NAN, 1]),
    "objects": np.array([True, None, False], dtype=object),
    "numbers and words": np.array([0, None, "1"], dtype=object),
    "a masked array": np.ma.array([0, 1, 1], mask=[0, 1, 0]),
    "datetime64": np.array(["2024-01-01", "NaT", "2024-01-02"], "M8[D]"),
    "timedelta64": np.array([1, "NaT", 1], "m8[s]"),
    "complex": np.array([0, complex(NAN, 0), 1]),
    "pandas float64": pd.Series([0, NAN, 1]),
    "pandas object": pd.Series([0, None, 1], dtype=object),
    "pandas boolean": pd.Series([True, None, False], dtype="boolean"),
    "pandas Int64": pd.Series([0, None, 1], dtype="Int64"),
    "pandas Float64": pd.Series([0, None, 1], dtype="Float64"),
    "pandas string": pd.Series(["a", None, "b"], dtype="string"),
    "pandas str": pd.Series(["a", None, "b"]),
    "pandas category": pd.Series(["a", None, "b"], dtype="category"),
    "pandas datetime": pd.Series(pd.to_datetime(["2024-01-01", None, "2024-01-02"])),
    "polars Int64": pl.Series([0, None, 1]),
    "polars Int8": pl.Series([0, None, 1], dtype=pl.Int8),
    "polars Float32 null": pl.Series([0, None, 1], dtype=pl.Float32),
    "polars Float64 nan": pl.Series([0.0, NAN, 1.0]),
    "polars Boolean": pl.Series([True, None, False]),
    "polars String": pl.Series(["a", None, "b"]),
    "polars Categorical": pl.Series(["a", None, "b"], dtype=pl.Categorical),
}


@pytest.mark.parametrize("values", ONE_MISSING.values(), ids=ONE_MISSING)
def test_a_missing_value_is_counted_and_its_row_told(values):
    for name, judge in JUDGES.items():
        text = f"`{name}` must not have missing values, got 1 missing value, at row 1."
        assert said(judge, values) == (ValueError, text)


@pytest.mark.parametrize(
    "values",
    [
        [1, 1, NAN, 0, NAN, None],
        np.array([1, 1, NAN, 0, NAN, NAN]),
        np.ma.array([1, 1, 5, 0, 5, 5], mask=[0, 0, 1, 0, 1, 1]),
        pd.Series([1, 1, None, 0, None, None], dtype="Int64", index=list("zyxwvu")),
        pl.Series([1.0, 1.0, NAN, 0.0, None, NAN]),
    ],
)
def test_missing_values_are_counted_and_the_first_row_told(values):
    for name, judge in JUDGES.items():
        text = f"`{name}` must not have missing values, got 3 missing values, the first at row 2."
        assert said(judge, values) == (ValueError, text)


def test_a_missing_value_is_told_before_a_wrong_one():
    text = "must not have missing values, got 1 missing value, at row 1."
    assert said(outcome, [7.0, NAN]) == (ValueError, f"`y` {text}")
    assert said(probabilities, [7.0, NAN]) == (ValueError, f"`score` {text}")
    assert said(weights, [-7.0, NAN]) == (ValueError, f"`weight` {text}")


@pytest.mark.parametrize("missing", [NAN, None, pd.NA, pd.NaT, np.float32("nan")])
def test_a_missing_value_among_words_is_missing_and_not_a_word(missing):
    for values in (["ill", missing, "well"], np.array(["ill", missing, "well"], dtype=object)):
        text = "`y` must not have missing values, got 1 missing value, at row 1."
        assert said(outcome, values, "ill") == said(outcome, values) == (ValueError, text)


# ------------------------------------------------------------------------------------------------ outcomes

YES_NO_YES = {
    "a list": [1, 0, 1],
    "a tuple": (1, 0, 1),
    "booleans": [True, False, True],
    "NumPy booleans": [np.True_, np.False_, np.True_],
    "floats": [1.0, -0.0, 1.0],
    "Decimal": [Decimal(1), Decimal(0), Decimal("1.0")],
    "Fraction": [Fraction(1), Fraction(0), Fraction(2, 2)],
    "objects": np.array([1, 0.0, True], dtype=object),
    "bool objects": np.array([True, np.False_, True], dtype=object),
    "an array.array": array("b", [1, 0, 1]),
    "a memoryview": memoryview(bytes([1, 0, 1])),
    "a view": np.array([1, 7, 0, 7, 1])[::2],
    "a reversed view": np.array([1, 0, 1])[::-1],
    "a column of a matrix": np.array([[5, 1], [5, 0], [5, 1]])[:, 1],
    "a masked array without a mask": np.ma.array([1, 0, 1]),
    "pandas int64": pd.Series([1, 0, 1], index=[9, 9, 9]),
    "pandas bool": pd.Series([True, False, True]),
    "pandas boolean": pd.Series([True, False, True], dtype="boolean"),
    "pandas Int64": pd.Series([1, 0, 1], dtype="Int64"),
    "pandas Float64": pd.Series([1, 0, 1], dtype="Float64"),
    "pandas category": pd.Series([1, 0, 1], dtype="category"),
    "pandas Index": pd.Index([1, 0, 1]),
    "pandas array": pd.array([1, 0, 1]),
    "polars Boolean": pl.Series([True, False, True]),
    "polars Int8": pl.Series([1, 0, 1], dtype=pl.Int8),
    "polars Float32": pl.Series([1, 0, 1], dtype=pl.Float32),
} | {
    str(np.dtype(kind)): np.array([1, 0, 1], kind)
    for kind in ["?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d", "g", ">i2", ">i8", ">u4", ">f4", ">f8"]
}


@pytest.mark.parametrize("values", YES_NO_YES.values(), ids=YES_NO_YES)
def test_outcomes_may_come_in_any_container_of_zeros_and_ones(values):
    found = outcome(values)
    assert found.dtype == np.bool_
    assert found.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("values", "got"),
    [
        ([0, 1, 2], "2 at row 2"),
        ([0, 1, 0, -1, 5], "-1 at row 3"),
        ([0, 2], "2 at row 1"),
        ([2, 2, 2], "2 at row 0"),
        ([0.0, 0.5, 1.0], "0.5 at row 1"),
        ([0, INF], "inf at row 1"),
        ([0, 1e-300], "1e-300 at row 1"),
        ([0, 1 + 2**-52], "1.0000000000000002 at row 1"),
        (np.array([0, 1, 0.1], np.float32), "0.1 at row 2"),
        (np.array([0, 255], np.uint8), "255 at row 1"),
        (np.array([0, 2**64 - 1], np.uint64), "18446744073709551615 at row 1"),
        (np.array([1, 0, 3, 3, 0], np.int8), "3 at row 2"),
        (np.array([1, 0, 3], ">i4"), "3 at row 2"),
        (np.array([1, 9, 0, 9, 3])[::2], "3 at row 2"),
        ([Fraction(1, 2), 0], "0.5 at row 0"),
        ([Decimal("0.3"), 0], "0.3 at row 0"),
        (pd.Series([1, 0, 3], index=[7, 8, 9]), "3 at row 2"),
        (pd.Series([1, 0, 3], dtype="Int64"), "3 at row 2"),
        (pl.Series([1, 0, 3], dtype=pl.Int8), "3 at row 2"),
    ],
)
def test_an_outcome_out_of_range_is_told_with_its_row(values, got):
    assert said(outcome, values) == (ValueError, f"`y` must be 0 or 1, got {got}.")


@pytest.mark.parametrize("row", [0, 1, 4999, 5000])
def test_the_row_of_a_message_counts_from_zero(row):
    y, score, weight = np.zeros(5001, np.int64), np.full(5001, 0.5), np.ones(5001)
    y[row], score[row], weight[row] = 2, 1.5, -1
    assert said(outcome, y)[1] == f"`y` must be 0 or 1, got 2 at row {row}."
    assert f"got 1.5 at row {row};" in said(probabilities, score)[1]
    assert said(weights, weight)[1] == f"`weight` must be finite and not negative, got -1 at row {row}."


@pytest.mark.parametrize(
    ("values", "got", "labels"),
    [
        (["well", "ill"], "'well' at row 0", "'ill', 'well'"),
        (["0", "1"], "'0' at row 0", "'0', '1'"),
        (np.array(["b", "a"]), "'b' at row 0", "'a', 'b'"),
        (np.array([b"b", b"a"]), "b'b' at row 0", "b'a', b'b'"),
        (np.array(["b", "a"], dtype=np.dtypes.StringDType()), "'b' at row 0", "'a', 'b'"),
        (pd.Series(["b", "a"]), "'b' at row 0", "'a', 'b'"),
        (pd.Series(["b", "a"], dtype="string"), "'b' at row 0", "'a', 'b'"),
        (pd.Series(["b", "a"], dtype="category"), "'b' at row 0", "'a', 'b'"),
        (pl.Series(["b", "a"]), "'b' at row 0", "'a', 'b'"),
        (pl.Series(["b", "a"], dtype=pl.Categorical), "'b' at row 0", "'a', 'b'"),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "a"])), "'b' at row 0", "'a', 'b'"),
        (list("gfedcba"), "'g' at row 0", "'a', 'b', 'c', 'd', 'e', ..."),
        ([0, "a"], "'a' at row 1", "'a', 0"),
        ([-1, 1], "-1 at row 0", "-1, 1"),
        ([1.0, -1.0], "-1 at row 1", "-1, 1"),
        ([1, 2], "2 at row 1", "1, 2"),
        ([2, 10], "2 at row 0", "2, 10"),
        ([0j, 1], "0j at row 0", "(1+0j), 0j"),
        (np.array(["2024-01-01"], "M8[D]"), "datetime.date(2024, 1, 1) at row 0", "datetime.date(2024, 1, 1)"),
        ([datetime.date(2024, 1, 1)], "datetime.date(2024, 1, 1) at row 0", "datetime.date(2024, 1, 1)"),
        (np.array([(1, 2)], dtype="i,i"), "(1, 2) at row 0", "(1, 2)"),
    ],
)
def test_outcomes_in_another_coding_are_told_how_to_name_the_positive_label(values, got, labels):
    hint = f"name the positive label with `pos_label` (labels found: {labels})"
    assert said(outcome, values) == (ValueError, f"`y` must be 0 or 1, got {got}; {hint}.")


def test_a_column_of_columns_is_refused():
    nested = np.array([[0], [1, 2]], dtype=object)
    arrays = pl.Series([[0, 1], [1]])
    assert said(outcome, nested) == (TypeError, "`y` must be 0 or 1, got a column of list.")
    assert said(outcome, nested, 1) == (TypeError, "`y` must be 0 or 1, got a column of list.")
    assert said(outcome, arrays) == (TypeError, "`y` must be 0 or 1, got a column of ndarray.")
    assert said(scores, nested) == (ValueError, "`score` must be numbers, got [0] at row 0.")
    assert said(scores, arrays) == (ValueError, "`score` must be numbers, got array([0, 1]) at row 0.")


LABELLED = {
    "a list": (["ill", "well", "ill"], "ill"),
    "an array": (np.array(["ill", "well", "ill"]), "ill"),
    "bytes": (np.array([b"ill", b"well", b"ill"]), b"ill"),
    "objects": (np.array(["ill", "well", "ill"], dtype=object), "ill"),
    "NumPy strings": (np.array(["ill", "well", "ill"], dtype=np.dtypes.StringDType()), "ill"),
    "pandas str": (pd.Series(["ill", "well", "ill"]), "ill"),
    "pandas string": (pd.Series(["ill", "well", "ill"], dtype="string"), "ill"),
    "pandas category": (pd.Series(["ill", "well", "ill"], dtype="category"), "ill"),
    "polars String": (pl.Series(["ill", "well", "ill"]), "ill"),
    "polars Categorical": (pl.Series(["ill", "well", "ill"], dtype=pl.Categorical), "ill"),
    "polars Enum": (pl.Series(["ill", "well", "ill"], dtype=pl.Enum(["well", "ill"])), "ill"),
    "plus and minus": ([1, -1, 1], 1),
    "the zeros": ([0, 1, 0], 0),
    "the zeros of floats": (np.array([0.0, 1.0, 0.0]), 0),
    "false": (np.array([False, True, False]), False),
    "a float for integers": ([2, 4, 2], 2.0),
    "a NumPy label": (np.array([2, 4, 2], np.int8), np.int64(2)),
    "mixed": (np.array(["a", 1, "a"], dtype=object), "a"),
    "a word that looks missing": (["nan", "b", "nan"], "nan"),
    "dates": (np.array(["2024-01-01", "2024-01-02", "2024-01-01"], "M8[D]"), np.datetime64("2024-01-01")),
}


@pytest.mark.parametrize(("values", "pos_label"), LABELLED.values(), ids=LABELLED)
def test_any_two_labels_will_do_when_the_positive_one_is_named(values, pos_label):
    found = outcome(values, pos_label)
    assert found.dtype == np.bool_
    assert found.tolist() == [True, False, True]


def test_every_case_may_have_the_positive_label_and_zeros_may_have_none():
    assert outcome(["ill", "ill"], "ill").tolist() == [True, True]
    assert outcome(range(2)).tolist() == [False, True]
    assert outcome([0, 0], 1).tolist() == [False, False]
    assert outcome([False, False], True).tolist() == [False, False]
    assert outcome([1, 1], 0).tolist() == [False, False]


@pytest.mark.parametrize(
    ("values", "pos_label", "found"),
    [
        (["a", "b"], "c", "'c'; labels found: 'a', 'b'"),
        (["a", "a"], "b", "'b'; labels found: 'a'"),
        ([0, 1], "1", "'1'; labels found: 0, 1"),
        (["0", "1"], 1, "1; labels found: '0', '1'"),
        ([0, 1], 2, "2; labels found: 0, 1"),
        ([0, 1], NAN, "nan; labels found: 0, 1"),
        (["a", "b"], pd.NA, "<NA>; labels found: 'a', 'b'"),
        (["a", "b"], ["a"], "['a']; labels found: 'a', 'b'"),
        (["a", "b"], ("a", "b"), "('a', 'b'); labels found: 'a', 'b'"),
        ([0, 1], np.array([0, 1]), "array([0, 1]); labels found: 0, 1"),
        (["a", "b"], {"a"}, "{'a'}; labels found: 'a', 'b'"),
    ],
)
def test_a_positive_label_that_is_not_there_is_refused_with_those_that_are(values, pos_label, found):
    assert said(outcome, values, pos_label) == (ValueError, f"`pos_label` must be a label of `y`, got {found}.")


@pytest.mark.parametrize(
    ("values", "pos_label", "found"),
    [
        (["a", "b", "c"], "a", "3: 'a', 'b', 'c'"),
        ([0, 1, 2], 1, "3: 0, 1, 2"),
        ([3, 1, 2], 9, "3: 1, 2, 3"),
        (range(100), 1, "100: 0, 1, 2, 3, 4, ..."),
        (pl.Series(["a", "b", "c"], dtype=pl.Categorical), "a", "3: 'a', 'b', 'c'"),
    ],
)
def test_three_labels_are_one_too_many(values, pos_label, found):
    assert said(outcome, values, pos_label) == (
        ValueError,
        f"`y` must have two labels, got {found}; leave out the cases of the others.",
    )


@pytest.mark.parametrize("pos_label", [1, "ill"])
def test_a_nan_is_missing_also_where_the_positive_label_is_named(pos_label):
    text = "`y` must not have missing values, got 1 missing value, at row 2."
    assert said(outcome, np.array([1, 0, NAN]), pos_label) == (ValueError, text)


# ------------------------------------------------------------------------------------------------ scores

NUMBERS = {
    "a list": [0.25, 1, 0],
    "booleans": [False, True, False],
    "Decimal": [Decimal("0.25"), Decimal(1), 0],
    "Fraction": [Fraction(1, 4), 1, 0.0],
    "objects": np.array([0.25, np.float32(1), np.False_], dtype=object),
    "pandas Float64": pd.Series([0.25, 1, 0], dtype="Float64"),
    "pandas category": pd.Series([0.25, 1, 0], dtype="category"),
    "polars Float32": pl.Series([0.25, 1, 0], dtype=pl.Float32),
    "polars Decimal": pl.Series([Decimal("0.25"), Decimal(1), Decimal(0)]),
} | {str(np.dtype(kind)): np.array([0.25, 1, 0], kind) for kind in ["e", "f", "d", "g", ">f4", ">f8", "b", "Q", "?"]}


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
def test_scores_and_weights_may_come_in_any_container_of_numbers(values):
    expected = [float(value) for value in list(values)]
    for judge in (scores, probabilities, weights):
        found = judge(values)
        assert found.dtype in (np.float32, np.float64)
        assert found.dtype.isnative
        assert found.tolist() == expected


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([0.1, "a"], "numbers, got 'a' at row 1"),
        (["0.1", "0.2"], "numbers, got '0.1' at row 0"),
        (np.array(["0.1", "0.2"]), "numbers, got '0.1' at row 0"),
        (np.array([Decimal(1), "x"], dtype=object), "numbers, got 'x' at row 1"),
        (pd.Series(["0.1", "0.2"]), "numbers, got '0.1' at row 0"),
        (pl.Series(["0.1", "0.2"]), "numbers, got '0.1' at row 0"),
        (np.array([0.1, 0.2j]), "real numbers, got (0.1+0j) at row 0"),
        (np.array(["2024-01-01"], "M8[D]"), "numbers, got datetime.date(2024, 1, 1) at row 0"),
        (np.array([5], "m8[s]"), "numbers, got datetime.timedelta(seconds=5) at row 0"),
        (pl.Series([datetime.date(2024, 1, 1)]), "numbers, got datetime.date(2024, 1, 1) at row 0"),
        ([0, 10**400], "numbers that fit in a float, got one that does not"),
        (np.array([0, np.finfo(np.longdouble).max]), "numbers that fit in a float, got one that does not"),
    ],
)
def test_what_is_not_a_number_is_refused_with_its_row(values, wanted):
    for name, judge in [("score", scores), ("score", probabilities), ("weight", weights)]:
        assert said(judge, values) == (ValueError, f"`{name}` must be {wanted}.")


HINT = "measures of ranking, such as `auc`, accept any number"


@pytest.mark.parametrize(
    ("values", "got"),
    [
        ([0.5, 1.5], "1.5 at row 1"),
        ([0.5, 1.5, -1], "1.5 at row 1"),
        ([0.5, -0.1, 2], "-0.1 at row 1"),
        ([1 + 2**-52], "1.0000000000000002 at row 0"),
        ([-5e-324], "-4.94066e-324 at row 0"),
        ([12, 155], "12 at row 0"),
        ([0.5, INF], "inf at row 1"),
        ([0.5, -INF], "-inf at row 1"),
        (np.array([0.5, 1.1], np.float32), "1.1 at row 1"),
        (np.array([0, 2], np.int8), "2 at row 1"),
        (pd.Series([0.5, 1.5], index=[4, 7]), "1.5 at row 1"),
        (pl.Series([0.5, 1.5]), "1.5 at row 1"),
        (np.array([0.5, 9.0, 1.5])[::2], "1.5 at row 1"),
    ],
)
def test_a_score_that_is_no_probability_is_told_with_its_row_and_where_it_would_do(values, got):
    text = f"`score` must be a probability between 0 and 1, got {got}; {HINT}."
    assert said(probabilities, values) == (ValueError, text)
    assert_array_equal(scores(values), np.asarray(values))


def test_scores_in_percent_are_told_to_be_divided():
    text = "`score` must be a probability between 0 and 1, got 12 at row 1; divide by 100 what is in percent."
    assert said(probabilities, [0.9, 12, 55]) == (ValueError, text)


def test_scores_may_be_infinite_where_they_only_rank():
    table = stakes.score_table([0, 1, 1], [-INF, 0.5, INF])
    assert stakes.auc(table) == metrics.auc([0, 1, 1], [-INF, 0.5, INF]) == 1
    assert said(stakes.brier_score, table) == (
        ValueError,
        f"`score` must be a probability between 0 and 1, got -inf; {HINT}.",
    )
    assert said(stakes.brier_score, stakes.score_table([0], [1 + 2**-52])) == (
        ValueError,
        f"`score` must be a probability between 0 and 1, got 1.0000000000000002; {HINT}.",
    )
    assert said(metrics.brier_score, [0, 1, 1], [-INF, 0.5, INF]) == (
        ValueError,
        f"`y_proba` must be a probability between 0 and 1, got -inf at row 0; {HINT}.",
    )


def test_the_ends_are_probabilities_also_when_zero_is_negative():
    assert probabilities([-0.0, 1.0]).tolist() == [0, 1]


# ------------------------------------------------------------------------------------------------ weights


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1, -1], "`weight` must be finite and not negative, got -1 at row 1."),
        ([1, 0, -0.5, -2], "`weight` must be finite and not negative, got -0.5 at row 2."),
        ([1, INF], "`weight` must be finite and not negative, got inf at row 1."),
        ([-INF, 1], "`weight` must be finite and not negative, got -inf at row 0."),
        ([0, 0.0], "`weight` must not be zero for every case."),
        ([-0.0], "`weight` must not be zero for every case."),
    ],
)
def test_a_weight_that_cannot_be_is_refused(values, text):
    assert said(weights, values) == said(stakes.score_table, [0, 1], [0, 1], values) == (ValueError, text)


def test_weights_become_float64_and_no_weights_stay_none():
    assert weights(np.array([0, 2], np.float32)).dtype == np.float64
    assert weights(None) is None


def test_counts_may_all_be_zero_but_not_less():
    assert _columns.counts("positive", [0, 0]).tolist() == [0, 0]
    text = "`positive` must be finite and not negative, got -1 at row 1."
    assert said(_columns.counts, "positive", [0, -1]) == (ValueError, text)


# ------------------------------------------------------------------------------------------------ what comes in stays


def _writable_columns():
    y = np.array([1, 0, 1, 0, 1])
    score, weight = np.array([0.5, -0.0, 0.5, 0.25, 1.0]), np.array([1.0, 2.0, 0.0, 1.0, 3.0])
    return y, score, weight


@pytest.mark.parametrize("y_type", ["?", "b", "q", "d"])
@pytest.mark.parametrize("score_type", ["f", "d", ">f8"])
def test_what_comes_in_is_not_written_to(y_type, score_type):
    y, score, weight = _writable_columns()
    y, score = y.astype(y_type), score.astype(score_type)
    copies = [column.copy() for column in (y, score, weight)]
    stakes.score_table(y, score, weight)
    stakes.score_table(y, score)
    metrics.brier_score(y, score, sample_weight=weight)
    metrics.log_loss(y, score)
    for column, copy in zip((y, score, weight), copies, strict=True):
        assert column.flags.writeable
        assert column.tobytes() == copy.tobytes()


def test_read_only_columns_and_views_will_do():
    y, score, weight = (np.repeat(column, 2)[::-2] for column in _writable_columns())
    expected = stakes.score_table(*(column.copy() for column in (y, score, weight)))
    for column in (y, score, weight):
        column.flags.writeable = False
    assert stakes.score_table(y, score, weight) == expected
    assert stakes.score_table(y, score) == stakes.score_table(y.tolist(), score.tolist())


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats_pass_the_door_without_a_copy(kind):
    column = np.array([0.25, 0.5], kind)
    assert scores(column) is column
    assert probabilities(column) is column


def test_booleans_and_float64_weights_pass_the_door_without_a_copy():
    label, weight = np.array([True, False]), np.array([1.0, 2.0])
    assert outcome(label) is label
    assert weights(weight) is weight


@pytest.mark.parametrize(("kind", "bytes_per_case"), [("?", 0), ("b", 3), ("q", 3), ("d", 3)])
def test_good_columns_pass_the_door_in_little_memory(kind, bytes_per_case):
    n = 200_000
    y, score = np.arange(n) % 2 == 0, np.linspace(0, 1, n)
    y = y.astype(kind)
    tracemalloc.start()
    outcome(y)
    probabilities(score)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < bytes_per_case * n + 10_000


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=8))
def test_every_container_makes_the_same_table(cases):
    y, score = (list(column) for column in zip(*cases, strict=True))
    expected = stakes.score_table(np.array(y), np.array(score))
    frame = {"y": y, "score": score}
    for columns in (frame, pd.DataFrame(frame), pl.DataFrame(frame)):
        assert stakes.score_table(columns["y"], columns["score"]) == expected
    words = ["ill" if positive else "well" for positive in y]
    if "ill" in words:
        assert stakes.score_table(words, score, pos_label="ill") == expected


# ------------------------------------------------------------------------------------------------ what messages show


def test_long_and_strange_values_are_shown_short_and_on_one_line():
    long = "x" * 100_000
    shown = "'" + "x" * 56 + "..."
    hint = f"name the positive label with `pos_label` (labels found: {shown})"
    assert said(outcome, [long]) == (ValueError, f"`y` must be 0 or 1, got {shown} at row 0; {hint}.")
    assert said(scores, [long]) == (ValueError, f"`score` must be numbers, got {shown} at row 0.")
    assert said(outcome, ["a", "b"], long)[1] == (
        f"`pos_label` must be a label of `y`, got {shown}; labels found: 'a', 'b'."
    )
    assert said(_check.number, "threshold", "<b>\n\x00")[1] == r"`threshold` must be a number, got '<b>\n\x00'."
    assert said(_check.number, "threshold", np.zeros((2, 2)))[1] == (
        "`threshold` must be a number, got array([[0., 0.], [0., 0.]])."
    )
    assert said(_check.choice, "name", long, ["a", "b"])[1] == f"`name` must be one of a, b, got {shown}."


def test_numbers_are_shown_short_unless_that_hides_what_is_wrong():
    assert said(_check.share, "threshold", 1.5)[1] == "`threshold` must lie between 0 and 1, got 1.5."
    assert said(_check.share, "threshold", 2)[1] == "`threshold` must lie between 0 and 1, got 2; 2% is 0.02."
    assert said(_check.share, "threshold", 1 + 1e-9)[1] == "`threshold` must lie between 0 and 1, got 1.000000001."
    assert said(_check.number, "threshold", NAN)[1] == "`threshold` must be a number, got nan."
    assert said(_check.number, "threshold", True)[1] == "`threshold` must be a number, got True."
    assert said(_check.number, "threshold", np.True_)[1] == "`threshold` must be a number, got True."
    assert said(_check.number, "threshold", 10**400)[1] == f"`threshold` must fit in a float, got 1{'0' * 56}...."


@pytest.mark.parametrize("number", [0.5, 1, Fraction(1, 2), np.float32(0.5), np.int8(1)])
def test_single_numbers_may_be_of_any_kind(number):
    found = _check.number("threshold", number)
    assert type(found) is float
    assert found == number


# ------------------------------------------------------------------------------------------------ inside the library


def test_costs_that_are_no_belief_are_told_what_to_write():
    table, needed = stakes.score_table([0, 1], [0.2, 0.7]), "`loss_if_positive` and `loss_if_negative`"
    for costs, text in [
        (True, "`costs` must be a belief, a number or words such as '5%..20%', got True."),
        (stakes.Uniform, "`costs` must be a belief, got the class Uniform; write `Uniform(...)`."),
        ((0.05, 0.2), "`costs` must be a belief, got (0.05, 0.2); for a range use `Uniform(low, high)`."),
        (None, f"`costs` must be a belief with {needed}, got None."),
    ]:
        assert said(stakes.expected_regret, table, costs) == (TypeError, text)
    assert said(stakes.auc, [0, 1]) == (TypeError, "`table` must be a ScoreTable (see `score_table`), got list.")


UNDEFINED = {
    "auc": (stakes.auc, metrics.auc, {}),
    "partial_auc": (stakes.measures.partial_auc, metrics.partial_auc, {}),
    "bounded_auc": (stakes.measures.bounded_auc, metrics.bounded_auc, {"score_range": (0, 1)}),
    "skill_score": (stakes.skill_score, metrics.skill_score, {"costs": stakes.Uniform()}),
    "h_measure": (stakes.h_measure, metrics.h_measure, {}),
}


@pytest.mark.parametrize(("y", "absent"), [([0, 0], "positives"), ([1, 1], "negatives")])
@pytest.mark.parametrize("name", UNDEFINED)
def test_one_class_is_one_warning_that_points_at_the_line_of_the_caller(name, y, absent):
    of_table, of_arrays, parameters = UNDEFINED[name]
    table = stakes.score_table(y, [0.2, 0.7])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        of_table(table, **parameters)
        of_arrays(y, [0.2, 0.7], **parameters)
    assert len(caught) == 2
    for warning in caught:
        assert warning.category is RuntimeWarning
        assert str(warning.message) == f"`{name}` is undefined without {absent}; returning nan."
        assert warning.filename == __file__
    assert caught[1].lineno == caught[0].lineno + 1
