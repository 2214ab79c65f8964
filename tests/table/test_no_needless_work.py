"""What a sum over a table does not do: copy its rows, or ask for the values of rows that weigh nothing."""

import numpy as np
import pytest

from stakes import ScoreTable, score_table
from stakes._arrays import class_totals
from stakes.table import flatten, unsorted_table

ROWS = 1000


def asked_of(table):
    """List the scores of which a value for positives is asked, block by block; so few rows are one block."""
    asked = []

    def value(score):
        asked.append(score)
        return np.ones(len(score))

    class_totals(table, value, np.ones_like)
    return asked


def table_with(present):
    """Return a table of which so many rows, evenly spread, hold positives."""
    positive = np.zeros(ROWS)
    positive[np.linspace(0, ROWS - 1, present).astype(int)] = 2.5
    return ScoreTable(np.arange(ROWS) / ROWS, positive, np.ones(ROWS))


@pytest.mark.parametrize("present", [1, 100, 334, 400, 499, 501, 700, ROWS])
def test_values_are_asked_of_no_more_than_twice_the_rows_that_count(present):
    (asked,) = asked_of(table_with(present))
    assert len(asked) <= 2 * present


@pytest.mark.parametrize("present", [501, 700, ROWS])
def test_rows_most_of_which_count_are_not_copied(present):
    table = table_with(present)
    (asked,) = asked_of(table)
    assert np.shares_memory(asked, table.score)


def test_cases_are_asked_of_their_own_class_alone():
    label = np.arange(ROWS) % 3 == 0
    (asked,) = asked_of(unsorted_table(label, np.arange(ROWS) / ROWS, None))
    assert asked.tolist() == (np.flatnonzero(label) / ROWS).tolist()


class Elsewhere:
    """A table on a device, of which nothing but its totals may be looked at."""

    device, positive_total, negative_total, prevalence = "far away", 1.0, 3.0, 0.25


def test_flattening_needs_no_more_of_a_table_elsewhere_than_its_totals():
    assert flatten(Elsewhere()) == flatten(score_table([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4]))
