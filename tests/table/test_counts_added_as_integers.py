"""Counts are added as integers, and single cases by rank, by run and by class: to the last bit as weights are."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import LogOddsUniform, Uniform, _arrays, score_table
from stakes._arrays import running_sum
from stakes.measures import ScoredCases, _forms, _order
from stakes.table import _isotonic
from stakes.uncertainty import _kind_sums

ODD = [0.5, 2.0**52, 2.0**53, 1e300, np.inf, np.nan, -1.0]


def assert_same_bits(found, expected):
    assert found.dtype == expected.dtype
    assert found.tobytes() == expected.tobytes()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.none() | st.sampled_from(ODD), st.data())
def test_a_running_sum_of_counts_or_not(counts, odd, data):
    column = np.array(counts, dtype=np.float64)
    if odd is not None:
        column[data.draw(st.integers(0, len(column) - 1))] = odd
    assert_same_bits(running_sum(column), np.cumsum(column))
    assert_same_bits(running_sum(column[::-1]), np.cumsum(column[::-1]))


@pytest.mark.parametrize("rare", [0, 0.25, 2.0**52])
def test_a_running_sum_of_several_blocks(rare):
    column = np.random.default_rng(0).integers(0, 3, 50_000).astype(np.float64)
    column[40_000] += rare
    into = np.empty(len(column))
    assert_same_bits(running_sum(column, out=into), np.cumsum(column))
    assert_same_bits(into, np.cumsum(column))


def test_a_running_sum_that_floats_round():
    column = np.full(20_000, 2.0**40)  # the sum reaches 2**53 after 8,192 rows, and odd counts follow
    column[9_000:] = 1.0
    assert_same_bits(running_sum(column), np.cumsum(column))


@given(st.lists(st.booleans(), max_size=60))
def test_runs_are_the_rows_at_which_the_share_rises(labels):
    positive = np.array(labels, dtype=np.float64)
    negative = 1 - positive
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_isotonic, "row_labels", lambda *_: None)
        expected = _isotonic.isotonic_blocks(positive, negative)
    for found, one in zip(_isotonic.isotonic_blocks(positive, negative), expected, strict=True):
        assert_same_bits(found, one)


@pytest.mark.parametrize(
    ("positive", "negative"), [([1, 2], [0, 0]), ([0.5, 1], [0.5, 0]), ([1, 0], [1, 1]), ([1], [1e-20])]
)
def test_rows_of_several_cases_have_no_labels(positive, negative):
    assert _isotonic.row_labels(np.array(positive, dtype=np.float64), np.array(negative, dtype=np.float64)) is None


def in_rows(labels):
    return score_table(labels, np.linspace(0, 1, len(labels)))


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_concordant_pairs_of_single_cases_are_those_of_weights(labels):
    table = in_rows(labels)
    assert _order._all_concordant_pairs(table) == _order._concordant_pairs(table.positive, table.negative)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.sampled_from([(0.0, 1.0), (0.05, 0.2), (0.3, 1.0)]))
def test_totals_of_single_cases_beyond_a_range_are_those_of_weights(labels, within):
    table, costs = in_rows(labels), Uniform(*within)
    losses = costs.loss_if_positive, costs.loss_if_negative
    plain = SimpleNamespace(score=table.score, positive=table.positive, negative=table.negative)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_arrays, "_BLOCK", 16)
        assert_same_bits(*(np.array(_arrays.class_totals(*of)) for of in ((table, *losses, within), (plain, *losses))))


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.booleans())
def test_values_of_each_class_alone_are_those_chosen_from_both(labels, weighted):
    positive, weight = np.array(labels), np.linspace(1, 2, len(labels)) if weighted else None
    cases = ScoredCases(np.linspace(0, 1, len(labels)), positive, weight, float(len(labels)))
    lost = _forms.losses(LogOddsUniform(0.1, 0.6))
    ((one,), mean), ((other,), same) = (
        cases.added_apart(lost.if_positive, lost.if_negative),
        cases.added(lambda score: [lost(score)]),
    )
    assert_same_bits(one, other)
    assert_same_bits(mean, same)


@given(st.lists(st.booleans(), max_size=60))
def test_cases_are_split_by_class_in_their_order(labels):
    positive, column = np.array(labels, dtype=bool), np.arange(len(labels), dtype=np.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_arrays, "_BLOCK", 16)
        pairs = [*_kind_sums.Classes.of(positive).split(column)]
    for side, of_class in enumerate((positive, ~positive)):
        assert [value for pair in pairs for value in pair[side]] == column[of_class].tolist()
