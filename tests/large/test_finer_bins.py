"""Which bins are tried next: finer by as much as the bounds are too wide, in powers of two."""

import numpy as np
import pytest

from stakes.large import Bins, quantise
from stakes.large._quantise import finer_bins

# Half of the cases are undecided: two positives in one bin.
COARSE = quantise([1, 1, 0, 0], [0.5, 0.5 + 2**-30, 0.1, 0.2], bins=8)


@pytest.mark.parametrize(
    ("tolerance", "count"),
    [
        (0.25, 16),  # 8 times 2
        (0.24, 32),
        (0.01, 512),  # 8 times 50 is 400
        (1e-5, 1 << 19),
        (1e-9, 1 << 22),  # no more than these are tried
        (1e-320, 1 << 22),
    ],
)
def test_bins_are_as_many_times_finer_as_the_bounds_are_too_wide(tolerance, count):
    assert finer_bins(COARSE, tolerance, None) == Bins(count)


@pytest.mark.parametrize("count", [8, 65536])
def test_bins_are_at_least_twice_as_fine_where_the_bounds_are_too_wide_by_a_last_digit(count):
    coarse = quantise([1, 1, 0, 0], [0.5, 0.5 + 2**-30, 0.1, 0.2], bins=count)
    assert finer_bins(coarse, np.nextafter(0.5, 0), None) == Bins(2 * count)


@pytest.mark.parametrize("tolerance", [None, 0.5, 0.6])
def test_bins_whose_bounds_are_no_further_apart_will_do(tolerance):
    assert COARSE.undecided == 0.5
    assert finer_bins(COARSE, tolerance, None) is None


def test_where_each_class_has_one_score_in_a_bin_nothing_is_undecided():
    assert quantise([1, 1, 0], [0.5, 0.5, 0.6], bins=2).undecided == 0
