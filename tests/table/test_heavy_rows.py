"""Rows that outweigh all others together: pooling keeps them apart from their neighbours, and loses no one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import ScoreTable
from stakes.table import coarsen


@pytest.mark.parametrize("heavy", [0, 1, 2, 3])
def test_a_heavy_row_is_pooled_with_no_other(heavy):
    weight = np.ones(4)
    weight[heavy] = 1000.0
    small = coarsen(ScoreTable(np.arange(4.0), weight, np.zeros(4)), rows=3)
    assert len(small) <= 3
    assert small.positive_total == 1003
    assert small.positive.max() >= 1000


@given(st.lists(st.sampled_from([1.0, 0.25, 30.0, 1000.0]), min_size=2, max_size=9), st.integers(1, 5))
def test_weights_and_the_mean_score_stay(weight, rows):
    score, positive = np.arange(len(weight)) / 10, np.array(weight)
    small = coarsen(ScoreTable(score, positive, np.ones(len(weight))), rows=rows)
    assert len(small) <= max(rows, 1)
    assert small.positive_total == pytest.approx(positive.sum(), rel=1e-13)
    assert small.negative_total == len(weight)
    assert (small.positive + small.negative) @ small.score == pytest.approx((positive + 1) @ score, rel=1e-12)
