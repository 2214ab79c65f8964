"""The sample kept case by case: rows, absent cases, clusters, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from strategies import samples, weights

from stakes import Cases, score_table
from stakes._arrays import is_settled, settle
from stakes._errors import InputError
from stakes.cases import scores_of_cases

Y = [0, 1, 1, 0]
A = [0.2, 0.7, 0.2, 0.4]


def message(*arguments, **named):
    with pytest.raises((TypeError, ValueError)) as caught:
        Cases(*arguments, **named)
    return "TypeError" if isinstance(caught.value, TypeError) else "ValueError", str(caught.value)


@given(samples(weight=weights(zero=True).filter(bool)))
def test_a_row_leads_back_to_the_score_of_the_case(sample):
    y, score, weight = sample
    cases = Cases(y, {"a": score, "b": -score}, weight=weight)
    for name, scores in (("a", score), ("b", -score)):
        np.testing.assert_array_equal(cases.table(name).score[cases.rows(name)], scores)


@given(samples())
def test_the_table_is_the_one_of_the_sample(sample):
    y, score, weight = sample
    assert Cases(y, {"a": score}, weight=weight).table("a") == score_table(y, score, weight)


def test_a_score_of_single_precision_is_found_again():
    score = np.array([0.1, 0.7, 0.1], dtype=np.float32)
    assert Cases([0, 1, 1], {"a": score}).rows("a").tolist() == [0, 1, 0]


def test_a_constant_must_not_have_the_name_of_a_model():
    cases = Cases([0, 1, 1, 0], {"a": [0.1, 0.8, 0.3, 0.2]})
    with pytest.raises(InputError) as raised:
        cases.with_constants({"everyone": 1.0, "a": 0.0})
    assert str(raised.value) == "`scores` must have names that no model has, got 'a'."


def test_a_case_without_weight_is_absent():
    cases = Cases(Y, {"a": A}, weight=[1, 0, 2, 1], cluster=["x", "y", "z", "x"])
    assert len(cases) == 3
    assert cases.positive.tolist() == [False, True, False]
    assert cases.weight.tolist() == [1.0, 2.0, 1.0]
    assert cases.cluster.tolist() == [0, 1, 0]
    assert cases.rows("a").tolist() == [0, 0, 1]


@pytest.mark.parametrize("labels", [["b", "a", "b", "c"], [7, 3, 7, 9], np.array(["b", "a", "b", "c"], dtype=object)])
def test_clusters_may_have_any_labels(labels):
    assert Cases(Y, {"a": A}, cluster=labels).cluster.tolist() == [1, 0, 1, 2]


def test_a_data_frame_may_hold_the_predictions():
    cases = Cases(Y, pd.DataFrame({"a": A, "b": A}))
    assert cases.models == ("a", "b")


def test_columns_of_pandas_are_paired_by_place_where_their_labels_agree():
    index = [7, 3, 3, 9]
    y, a = pd.Series(Y, index=index), pd.Series(A, index=index)
    assert Cases(y, {"a": a, "b": A}, weight=np.ones(4)).table("a") == Cases(Y, {"a": A}).table("a")


@pytest.mark.parametrize("where", ["predictions", "weight", "cluster"])
def test_columns_of_pandas_whose_labels_differ_are_refused(where):
    y = pd.Series(Y, index=[0, 1, 2, 3])
    other = pd.Series(A, index=[0, 2, 1, 3])
    named = {} if where == "predictions" else {where: other}
    kind, text = message(y, {"a": other if where == "predictions" else A}, **named)
    name = "predictions['a']" if where == "predictions" else where
    assert (kind, text) == (
        "ValueError",
        f"`y` and `{name}` must have the same index, got 1 and 2 at row 1; "
        "align them, or pass `.to_numpy()` if rows correspond by position.",
    )


def test_two_models_whose_labels_differ_are_refused_even_if_the_outcome_has_none():
    kind, text = message(Y, {"a": pd.Series(A), "b": pd.Series(A, index=list("wxyz"))})
    assert kind == "ValueError"
    assert text.startswith(
        "`predictions['a']` and `predictions['b']` must have the same index, got 0 and 'w' at row 0;"
    )


def test_the_columns_cannot_be_written_to():
    cases = Cases(Y, {"a": A}, weight=[1, 2, 3, 4], cluster=[0, 0, 1, 1])
    for column in (cases.positive, cases.weight, cases.cluster, cases.rows("a")):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = column[1]


def test_it_says_what_it_holds():
    names = {letter * 30: A for letter in "abcdefg"}
    text = repr(Cases(Y, names, cluster=[0, 0, 1, 1]))
    assert text.startswith("Cases(4 cases in 2 clusters, 2 positive; models aaaaaaaaaaaaaaaaa..., ")
    assert text.endswith("eeeeeeeeeeeeeeeee..., ...)")


@pytest.mark.parametrize(
    ("arguments", "named", "expected"),
    [
        ((Y, A), {}, ("TypeError", "`predictions` must map names of models to scores, got list.")),
        ((Y, {}), {}, ("ValueError", "`predictions` must hold the scores of at least one model, got none.")),
        ((Y, {3: A}), {}, ("TypeError", "`predictions` must have names that are text, got int.")),
        ((Y, {"a": A[:2]}), {}, ("ValueError", "`y` and `predictions['a']` must have the same length, got 4 and 2.")),
        (
            (Y, {"a": A}),
            {"cluster": [1, 2]},
            ("ValueError", "`y` and `cluster` must have the same length, got 4 and 2."),
        ),
        (
            (Y, {"a": A}),
            {"cluster": [[1, 2], [3, 4]]},
            ("ValueError", "`cluster` must be one-dimensional, got shape (2, 2)."),
        ),
        (
            (Y, {"a": A}),
            {"cluster": ["x", None, None, "y"]},
            ("ValueError", "`cluster` must have a label for each case, got 2 missing, the first at row 1."),
        ),
        (
            (Y, {"a": A}),
            {"cluster": [1.0, 2.0, np.nan, 1.0]},
            ("ValueError", "`cluster` must have a label for each case, got 1 missing, the first at row 2."),
        ),
    ],
)
def test_what_is_refused(arguments, named, expected):
    assert message(*arguments, **named) == expected


def test_an_unknown_model_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="model") as caught:
        Cases(Y, {"old": A, "new": A}).table("neu")
    assert str(caught.value) == "`model` must be one of new, old, got 'neu'."


def test_labels_may_be_words_when_the_positive_one_is_named():
    named = Cases(["ill", "well", "ill"], {"a": [0.9, 0.4, 0.7]}, pos_label="ill")
    assert named.positive.tolist() == [True, False, True]


def test_scores_are_copied_unless_nobody_can_change_them():
    ours, theirs = np.array([0.1, 0.7, 0.4]), np.array([0.2, 0.5, 0.6])
    view = theirs.view()
    view.flags.writeable = False  # but whoever holds the array can still change it
    cases = Cases([0, 1, 1], {"ours": settle(ours), "view": view})
    assert np.shares_memory(scores_of_cases(cases, "ours"), ours)
    theirs[:] = 0.0
    assert scores_of_cases(cases, "view").tolist() == [0.2, 0.5, 0.6]


def test_what_is_settled_is_read_only_all_the_way_down():
    column = np.arange(4.0)
    assert is_settled(settle(column[1:][:2]))
    assert not column.flags.writeable
    assert not is_settled(np.arange(3.0))
    assert not is_settled(np.frombuffer(bytearray(8)))  # memory that is not NumPy's
