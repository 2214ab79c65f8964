"""How far sums may be off, and what of it is forgiven."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import merge, score_table
from stakes.large import Bins, QuantisedTable, quantise

ROUNDING = 2.0**-53
cases = st.lists(st.tuples(st.floats(1e-3, 0.999), st.floats(0.01, 9.0)), min_size=1, max_size=6)


@given(cases)
def test_no_sum_is_further_off_than_its_rounding(cases):
    score, weight = map(np.array, zip(*cases, strict=True))
    sums = quantise(np.ones(len(score)), score, weight, bins=1).positive
    for power, name in enumerate(("weight", "score", "square")):
        exact = sum(Fraction(w) * Fraction(s) ** power for s, w in cases)
        off = abs(Fraction(float(getattr(sums, name)[0])) - exact)
        assert off <= Fraction(float(sums.rounding[0])) * exact


@pytest.mark.parametrize("many", [0, 1])
def test_a_sum_of_weights_is_off_by_a_rounding_for_each_case_of_a_bin_and_each_bin_and_four(many):
    table = quantise([many, many, many, 1 - many], [0.1, 0.1, 0.2, 0.9], [0.3, 0.2, 0.7, 0.1], bins=2)
    assert table.rounding == (3 + 4 + 2) * ROUNDING


def test_whole_weights_add_up_without_rounding():
    assert quantise([0, 1, 1], [0.1, 0.2, 0.9], [3, 1, 2]).rounding == 0


@pytest.mark.parametrize("weight", [[0.5, 1, 2], [1, 0.5, 2]])
def test_weights_of_a_table_are_whole_where_those_of_both_classes_are(weight):
    assert not quantise(score_table([0, 1, 1], [0.1, 0.2, 0.9], weight)).whole
    assert quantise(score_table([0, 1, 1], [0.1, 0.2, 0.9], [1, 3, 2])).whole


def test_weights_of_merged_tables_are_whole_where_those_of_all_are():
    whole, other = quantise([0, 1], [0.1, 0.2], [1, 2]), quantise([0, 1], [0.1, 0.2], [1, 0.5])
    assert merge(whole, whole).whole
    assert not merge(whole, other).whole
    assert not merge(other, whole).whole


@pytest.mark.parametrize("weight", [0.4, 0.6])
def test_sums_of_products_too_small_to_keep_a_digit_are_forgiven(weight):
    # Each product is rounded to 0 or to the smallest float, and the sum of weights times that float is not their sum.
    count, smallest = 20, 5e-324
    total = sum(weight * smallest for _ in range(count))
    assert total != count * weight * smallest
    table = QuantisedTable.from_sums(
        Bins(1),
        bin=[0],
        positive=[1],
        cases=[count],
        weight=[count * weight],
        score=[total],
        square=[0.0],
        least=[smallest],
        most=[smallest],
    )
    assert table.positive_total == count * weight
