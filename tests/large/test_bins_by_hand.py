"""Bins as an engine computes them: from the pieces and the thresholds alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes.large import Bins, quantise

EDGES = [*(4.0**-k for k in range(1, 11)), *(1 - 4.0**-k for k in range(1, 11)), 1.0]


def bin_by_hand(bins, score):
    *_, piece = (piece for piece in bins.pieces if piece.start <= score)
    return piece.offset + math.floor(piece.factor * score) + sum(threshold <= score for threshold in bins.edges)


@pytest.mark.parametrize(
    ("count", "more"),
    [(1, {}), (16, {}), (16, {"edges": (0.1, 0.5, 0.7)}), (64, {"fine_ends": True}), (1024, {"fine_ends": True})],
)
@given(scores=st.lists(st.floats(0, 1) | st.sampled_from(EDGES), min_size=1))
def test_the_bin_of_a_score_is_that_of_its_piece_and_the_thresholds_up_to_it(count, more, scores):
    bins = Bins(count, **more)
    assert bins.of(scores).tolist() == [bin_by_hand(bins, score) for score in scores]


def test_each_time_the_distance_to_an_end_has_shrunk_to_a_quarter_bins_are_four_times_as_fine():
    middle = 64 / 16
    below = [(0.0, middle * 4.0**9), *((4.0**-k, middle * 4.0 ** (k - 1)) for k in range(9, 0, -1))]
    above = [(1 - 4.0**-k, middle * 4.0**k) for k in range(1, 10)]
    assert [(piece.start, piece.factor) for piece in Bins(64, fine_ends=True).pieces] == below + above


def test_a_score_just_below_a_threshold_is_in_the_bin_before():
    assert Bins(1, edges=[0.3]).of([np.nextafter(0.3, 0), 0.3]).tolist() == [0, 1]


def test_bins_may_be_as_fine_as_two_to_the_minus_forty():
    assert Bins(1 << 40).of([2.0**-40, 0.5, 1.0]).tolist() == [1, 1 << 39, 1 << 40]


def test_bins_are_even_and_65536_unless_told_otherwise():
    assert Bins() == Bins(65536, fine_ends=False, edges=()) == quantise([0, 1], [0.2, 0.7]).bins


@pytest.mark.parametrize("more", [True, (0.3,)])
def test_what_else_is_said_of_bins_is_named(more):
    with pytest.raises(TypeError, match=r"^Bins.__init__\(\) takes from 1 to 2 positional arguments but 3 were given$"):
        Bins(64, more)


def test_a_number_of_bins_becomes_a_plain_number():
    assert repr(Bins(np.int64(8))) == "Bins(count=8, fine_ends=False, edges=())"
