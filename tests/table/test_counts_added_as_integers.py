"""Counts are added as integers and rows of one case by runs: to the last bit what a plain sum of floats gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes._arrays import running_sum
from stakes.table import _isotonic

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
        patch.setattr(_isotonic, "_labels", lambda *_: None)
        expected = _isotonic.isotonic_blocks(positive, negative)
    for found, one in zip(_isotonic.isotonic_blocks(positive, negative), expected, strict=True):
        assert_same_bits(found, one)


@pytest.mark.parametrize(
    ("positive", "negative"), [([1, 2], [0, 0]), ([0.5, 1], [0.5, 0]), ([1, 0], [1, 1]), ([1], [1e-20])]
)
def test_rows_of_several_cases_have_no_labels(positive, negative):
    assert _isotonic._labels(np.array(positive, dtype=np.float64), np.array(negative, dtype=np.float64)) is None
