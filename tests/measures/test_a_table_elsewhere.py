"""A table on a device is asked for the totals of each class, and its rows never come here."""

import pytest
from hypothesis import given
from strategies import beliefs, tables

from stakes import At, accuracy, decompose, expected_regret, h_measure, net_benefit, skill_score
from stakes._arrays import class_totals
from stakes.measures import weighted_accuracy


class Elsewhere:
    """What a table on a device offers: its totals, and sums over each class done where it is."""

    device = "far away"

    def __init__(self, table):
        self._table = table
        self.lowest, self.highest = table.lowest, table.highest
        self.positive_total, self.negative_total = table.positive_total, table.negative_total
        self.total, self.prevalence = table.total, table.prevalence

    def class_totals(self, if_positive, if_negative):
        return class_totals(self._table, if_positive, if_negative)


@pytest.mark.parametrize("number", [expected_regret, net_benefit, skill_score], ids=lambda number: number.__name__)
@given(tables(), beliefs())
def test_a_number_under_a_belief_is_the_same(number, table, belief):
    assert number(Elsewhere(table), belief) == number(table, belief)


@given(tables())
def test_accuracy_is_the_same(table):
    assert accuracy(Elsewhere(table)) == accuracy(table)
    assert weighted_accuracy(Elsewhere(table), cost=0.3) == weighted_accuracy(table, cost=0.3)


@pytest.mark.parametrize("number", [decompose, h_measure], ids=lambda number: number.__name__)
@given(tables())
def test_what_needs_the_rows_says_so(number, table):
    with pytest.raises(TypeError, match=r"^`table` must be a table in NumPy's memory, got Elsewhere"):
        number(Elsewhere(table), At(0.3))
