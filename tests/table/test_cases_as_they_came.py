"""Cases kept unsorted say the same about themselves as their table."""

import numpy as np
import pytest
from hypothesis import given
from strategies import samples

from stakes import score_table
from stakes._arrays import class_totals
from stakes.table import unsorted_table

TOTALS = ("positive_total", "negative_total", "total", "prevalence")


@given(samples(ends=True, one_class=True))
def test_weighted_cases_have_the_totals_of_their_table(sample):
    y, score, weight = sample
    cases, table = unsorted_table(y == 1, score, weight), score_table(*sample)
    for name in TOTALS:
        assert getattr(cases, name) == pytest.approx(getattr(table, name), rel=1e-13)


@given(samples(ends=True, one_class=True))
def test_cases_without_weights_have_the_totals_of_their_table(sample):
    y, score, _ = sample
    cases, table = unsorted_table(y == 1, score, None), score_table(y, score)
    assert [getattr(cases, name) for name in TOTALS] == [getattr(table, name) for name in TOTALS]


@given(samples(ends=True, one_class=True))
def test_their_sums_over_a_class_are_those_of_the_table(sample):
    y, score, weight = sample
    for w in (None, weight):
        found = class_totals(unsorted_table(y == 1, score, w), lambda s: s**2, lambda s: 1 - s)
        wanted = class_totals(score_table(y, score, w), lambda s: s**2, lambda s: 1 - s)
        assert found == pytest.approx(wanted, rel=1e-13, abs=1e-15)


def test_they_have_been_judged_to_be_probabilities_and_need_no_second_look():
    cases = unsorted_table(np.array([False, True]), np.array([0.2, 0.7]), None)
    assert (cases.lowest, cases.highest) == (0.0, 1.0)
